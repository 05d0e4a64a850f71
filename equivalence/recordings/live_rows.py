"""Changelogs from front to back: what is there after the changes so far. Memory holds what is there, not the log."""

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from equivalence.recordings.anomalies import AnomalyLog
from equivalence.recordings.log_positions import grouped
from equivalence.recordings.row_signs import with_signs
from physical.columns.column import ColumnVector
from physical.columns.column import rows as python_rows
from physical.columns.stream import PhysicalStream, joined
from semantics import Type
from semantics.notation.show_expression import show_row

ROWS_WORTH_SETTLING: Final = 1 << 16


class RetractedRows:
    """A retract log: every row that is taken back must be there."""

    def __init__(self, columns: int, nothing: PhysicalStream, anomalies: AnomalyLog) -> None:
        self.columns = list(range(columns))
        self.anomalies = anomalies
        self.live = nothing
        """With the sum of their signs as counts."""

    def changes(self, batches: Iterator[PhysicalStream]) -> Iterator[PhysicalStream]:
        """The same changes, after they have been looked at."""
        for batch in in_portions(batches, lambda: len(self.live)):
            self._see(batch)
            yield batch

    def _see(self, batch: PhysicalStream) -> None:
        found = grouped(joined([self.live, batch]), self.columns, in_time=False)
        sums = found.sums()
        wrong = np.flatnonzero((sums < 0) & (found.signs < 0) & (found.numbers >= 0))
        for i in wrong[np.argsort(found.numbers[wrong])].tolist():
            row = show_row(python_rows(found.rows.take(np.array([i])).columns[:-2])[0])
            at = int(found.rows.start[i])
            self.anomalies.note("retraction of what was never there", int(found.numbers[i]), row, at)
        there = found.last & (sums != 0)
        self.live = _unnumbered(with_signs(found.rows.take(there), sums[there]))


class UpsertedRows:
    """An upsert log: a row replaces the one with the same key."""

    def __init__(self, key: list[int], nothing: PhysicalStream) -> None:
        self.key = key
        self.live = nothing

    def changes(self, batches: Iterator[PhysicalStream]) -> Iterator[PhysicalStream]:
        """What each row takes away, and what it adds."""
        for batch in in_portions(batches, lambda: len(self.live)):
            found = grouped(joined([self.live, batch]), self.key, in_time=False)
            sets = found.signs > 0
            replaced = np.flatnonzero(sets & ~found.last)
            old = found.rows.take(replaced).valid_during(found.rows.start[replaced + 1], found.rows.end[replaced + 1])
            new = found.rows.take(np.flatnonzero(sets & (found.numbers >= 0)))
            self.live = _unnumbered(found.rows.take(found.last & sets))
            changed = joined([with_signs(old, -1), new])
            yield changed.take(np.argsort(changed.start, kind="stable"))


def in_portions(batches: Iterator[PhysicalStream], least: Callable[[], int]) -> Iterator[PhysicalStream]:
    """Fewer and larger batches: each costs a look at all that is there."""
    waiting: list[PhysicalStream] = []
    for batch in batches:
        waiting.append(batch)
        if sum(map(len, waiting)) >= max(least(), ROWS_WORTH_SETTLING):
            yield joined(waiting)
            waiting = []
    if waiting:
        yield joined(waiting)


def _unnumbered(rows: PhysicalStream) -> PhysicalStream:
    """What is there comes before every row of the log that follows."""
    numbers = ColumnVector(Type.INT, np.full(len(rows), -1))
    return rows.with_columns(rows.schema, (*rows.columns[:-2], numbers, rows.columns[-1]))
