"""What panes claim, however they were written: final ones once, changelogs in sum, updates by the last of them."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from equivalence.recordings.anomalies import AnomalyLog
from equivalence.recordings.log_positions import Grouped, grouped
from equivalence.recordings.reading import Reading
from equivalence.recordings.recording import AnomalyName
from equivalence.recordings.row_signs import with_signs
from physical.columns.column import rows as python_rows
from physical.columns.stream import PhysicalStream
from physical.kernels.types import Bools, Ints
from semantics.notation.show_expression import show_row


class PaneClaims:
    """Turns the rows of whole panes into what they claim, and notes what no right log contains."""

    def __init__(self, reading: Reading, anomalies: AnomalyLog, closed: Sequence[Ints] = ()) -> None:
        self.reading = reading
        self.anomalies = anomalies
        self.closed = closed
        """The numbers of rows that were written when their pane was over, in order."""
        names = reading.schema.names
        self.key = None if reading.key is None else [names.index(name) for name in reading.key]
        self.all = list(range(len(names)))
        self.repeated_key = False
        """Did a retract log leave two rows with the same key in a pane?"""

    def claims(self, panes: Iterator[PhysicalStream]) -> Iterator[PhysicalStream]:
        """Batches that hold all rows of their panes become what these panes claim."""
        settle = self._settle()
        for batch in panes:
            step, offset = self.reading.pane_step, self.reading.pane_offset
            aligned = batch.take((batch.start + 1 - offset) % step == 0)
            if len(aligned) and self.closed:
                self._note_late_updates(aligned)
            yield settle(aligned) if len(aligned) else aligned

    def _settle(self) -> Callable[[PhysicalStream], PhysicalStream]:
        match self.reading.kind:
            case "upsert" | "updates":
                return self._last
            case "debezium" if self.key is not None:
                return self._last
            case "retract" | "debezium":
                return self._sum
            case _:
                return self._once

    def _once(self, panes: PhysicalStream) -> PhysicalStream:
        if self.key is not None:
            found = grouped(panes, self.key, in_time=True)
            self._note("duplicate pane", found, ~found.first, self.key)
        return panes

    def _note_late_updates(self, panes: PhysicalStream) -> None:
        """A pane that was written when it was over is final: what comes after that row is too late."""
        if self.key is None or self.reading.kind == "panes" or not self.reading.panes_close:
            return
        found = grouped(panes, self.key, in_time=True)
        over = np.isin(found.numbers, np.concatenate(list(self.closed)))
        seen: Ints = np.cumsum(over) - over
        begins = np.flatnonzero(found.first)
        before: Ints = np.repeat(seen[begins], np.diff(np.append(begins, len(seen))))
        self._note("update after close", found, seen > before, self.key)

    def _last(self, panes: PhysicalStream) -> PhysicalStream:
        found = grouped(panes, self.key or [], in_time=True)
        return found.rows.take(found.last & (found.signs > 0))

    def _sum(self, panes: PhysicalStream) -> PhysicalStream:
        found = grouped(panes, self.all, in_time=True)
        sums = found.sums()
        self._note("retraction of what was never there", found, (sums < 0) & (found.signs < 0), self.all)
        there = found.last & (sums != 0)
        summed = with_signs(found.rows.take(there), sums[there])
        if self.key is not None and len(summed):
            self.repeated_key |= not grouped(summed, self.key, in_time=True).first.all()
        return summed

    def _note(self, name: AnomalyName, found: Grouped, wrong: Bools, columns: Sequence[int]) -> None:
        places = np.flatnonzero(wrong)
        for i in places[np.argsort(found.numbers[places])].tolist():
            end = int(found.rows.start[i]) + 1
            row = found.rows.take(np.array([i]))
            values = show_row(python_rows([row.columns[j] for j in columns])[0]) if columns else "()"
            pane = f"the pane that ends at {self.reading.calendar.show(end)}"
            self.anomalies.note(name, int(found.numbers[i]), f"{values} in {pane}", end - 1)
