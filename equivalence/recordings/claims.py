"""What a recording claims, as a stream with counts in the order of time, read in batches."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from equivalence.recordings.live_rows import RetractedRows, UpsertedRows
from equivalence.recordings.log_positions import grouped
from equivalence.recordings.pane_claims import PaneClaims
from equivalence.recordings.reading import Reading
from equivalence.recordings.recorded_rows import RowReader
from equivalence.recordings.recording import Judged, OneInstant
from equivalence.recordings.row_signs import RIGHT_LOG
from physical.columns.stream import PhysicalStream, in_order, joined
from physical.files.counted import counted_schema
from physical.files.errors import FileError
from physical.files.reader import UnorderedFile
from physical.files.spill import Spill
from physical.kernels.types import ENDLESS
from physical.runtime.run_whole import clipped
from semantics import Schema


@dataclass
class Claims:
    """The claims of one recording; they can be read several times."""

    reader: RowReader
    judged: Judged
    horizon: int = ENDLESS
    repeated_key: bool = False
    """Did a retract log leave two rows with the same key?"""

    @property
    def reading(self) -> Reading:
        return self.reader.reading

    @property
    def is_log(self) -> bool:
        return self.reading.kind in ("retract", "debezium", "upsert")

    def batches(self, *, ordered: bool) -> Iterator[PhysicalStream]:
        """The claims; if `ordered`, a row that is earlier than the one above it raises UnorderedFile."""
        for batch in self._batches(ordered):
            plain = unnumbered(batch)
            yield plain if self.horizon == ENDLESS else clipped(plain, self.horizon)
        self._refuse_the_wrong_log()

    def _batches(self, ordered: bool) -> Iterator[PhysicalStream]:
        rows = self.reader.batches()
        if isinstance(self.judged, OneInstant):
            yield self._at_one_instant(rows, self.judged.at)
        elif self.reader.has_panes:
            panes = self._whole_instants(rows) if ordered else self._sorted(rows)
            claims = PaneClaims(self.reading, self.reader.anomalies, self.reader.closed)
            yield from claims.claims(panes)
            self.repeated_key = claims.repeated_key
        elif self.is_log:
            changes = self._changes(rows)
            yield from self._checked(changes) if ordered else self._sorted(changes)
        else:
            yield from self._checked(rows) if ordered else self._sorted(rows)

    def _changes(self, rows: Iterator[PhysicalStream]) -> Iterator[PhysicalStream]:
        """A log that adds and takes away; in an upsert log time must not go back, since the last value counts."""
        nothing, key = PhysicalStream.empty(self.reader.schema), self._key()
        if self._replaces:
            in_time = rows if isinstance(self.judged, OneInstant) else self._never_back(rows)
            self.live: RetractedRows | UpsertedRows = UpsertedRows(key or [], nothing)
            yield from self.live.changes(in_time)
            return
        self.live = RetractedRows(len(self.reading.schema), nothing, self.reader.anomalies)
        yield from self.live.changes(rows)
        if key is not None and len(self.live.live):
            self.repeated_key = not grouped(self.live.live, key, in_time=False).first.all()

    @property
    def _replaces(self) -> bool:
        kind, key = self.reading.kind, self.reading.key
        return kind in ("upsert", "updates") or (kind == "debezium" and key is not None)

    def _key(self) -> list[int] | None:
        names = self.reading.schema.names
        return None if self.reading.key is None else [names.index(name) for name in self.reading.key]

    def _at_one_instant(self, rows: Iterator[PhysicalStream], at: int) -> PhysicalStream:
        """What is there after the whole log, or what of it is there at this instant; or a snapshot as it is."""
        if self.reader.has_times:
            rows = (batch.take((batch.start <= at) & (at < batch.end)) for batch in rows)
        if self.reading.kind in ("snapshot", "panes", "events", "intervals"):
            found = joined([PhysicalStream.empty(self.reader.schema), *rows])
        else:
            for _ in self._changes(rows):
                pass
            found = self.live.live
        return found.valid_during(np.full(len(found), at), np.full(len(found), at + 1))

    def _checked(self, batches: Iterator[PhysicalStream]) -> Iterator[PhysicalStream]:
        last = 0
        for batch in batches:
            start = batch.start
            if len(batch) and (int(start[0]) < last or bool((start[1:] < start[:-1]).any())):
                raise UnorderedFile(self.reader.files.name, "it is not in the order of time", "rows in order")
            last = int(start[-1]) if len(batch) else last
            yield batch

    def _whole_instants(self, batches: Iterator[PhysicalStream]) -> Iterator[PhysicalStream]:
        """The same rows; all of an instant are in one batch."""
        waiting: list[PhysicalStream] = []
        for batch in self._checked(batches):
            if not len(batch):
                continue
            done = int(np.searchsorted(batch.start, batch.start[-1], side="left"))
            if done or (waiting and waiting[-1].start[-1] < batch.start[0]):
                yield joined([*waiting, batch.take(np.s_[:done])])
                waiting = []
            waiting.append(batch.take(np.s_[done:]))
        if waiting:
            yield joined(waiting)

    def _sorted(self, batches: Iterator[PhysicalStream]) -> Iterator[PhysicalStream]:
        """In the order of time, on disk if there are many; all rows of an instant are in one batch."""
        spill = Spill(self.reader.schema, in_order)
        try:
            for batch in batches:
                spill.add(batch)
            yield from spill.rest()
        finally:
            spill.close()

    def _never_back(self, batches: Iterator[PhysicalStream]) -> Iterator[PhysicalStream]:
        last = 0
        for batch in batches:
            back = np.diff(batch.start, prepend=last) < 0
            if back.any():
                i = int(np.argmax(back))
                before = last if i == 0 else int(batch.start[i - 1])
                place = self.reader.place(int(batch.columns[-2].values[i]))
                show = self.reading.calendar.show
                back_to, least = show(int(batch.start[i])), show(before)
                problem = f"the time {back_to} comes after {least}, and in an upsert log the last value counts"
                raise FileError(place, problem, f"{least} or later")
            last = int(batch.start[-1]) if len(batch) else last
            yield batch

    def _refuse_the_wrong_log(self) -> None:
        """New values without old ones: an upsert log that is read as a retract log, if that shows."""
        new = self.reader.operations.get("update after")
        if self.reading.kind != "retract" or new is None or "update before" in self.reader.operations:
            return
        negative = self.reader.anomalies.counts["retraction of what was never there"]
        if negative or self.repeated_key or self.reading.key is None:
            problem = "a new value (+U), and no old value (-U) is ever taken back: this is an upsert log"
            raise FileError(self.reader.place(new), problem, RIGHT_LOG["retract"])


def unnumbered(rows: PhysicalStream) -> PhysicalStream:
    """The same rows without their numbers in the log."""
    *columns, _, counts = rows.columns
    return rows.with_columns(counted_schema(Schema(rows.schema.columns[:-2])), (*columns, counts))
