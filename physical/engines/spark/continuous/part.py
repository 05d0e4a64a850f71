"""One part of a running plan: for every batch it is restored from bytes, takes elements, and is saved again."""

from collections.abc import Mapping, Sequence
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from physical.columns.stream import PhysicalStream, joined
from physical.engines.interval.session import Session
from physical.engines.spark.continuous.changes import changes, key_of, log, still_open, whole
from physical.engines.spark.continuous.packed_rows import read, written
from physical.engines.spark.continuous.part_task import PartTask
from physical.engines.spark.continuous.session_bytes import remembered, restore
from physical.engines.spark.frame import START, from_batches, to_table
from physical.engines.spark.worker_tasks import TAG, apart
from physical.kernels.types import ENDLESS

END_TAG: Final = -1
"""The tag of the row that says that the streams are over."""


def session_of(job: PartTask) -> Session:
    """A new session in which only heartbeats release elements: its slack has no end."""
    session = Session(
        dict([*job.streams, *job.tables]),
        slack=ENDLESS,
        drop_late=True,
        allow_unbounded=job.allow_unbounded,
        threads=1,  # Spark has a task for every processor already
    )
    session.add("", job.plan)
    return session


class QueryPart:
    """A session between two batches."""

    def __init__(
        self, job: PartTask, memory: bytes | None = None, tables: Mapping[str, PhysicalStream] = {}, opened: bytes = b""
    ) -> None:
        self.job = job
        self._open = from_batches(read(opened), job.plan.schema) if opened else PhysicalStream.empty(job.plan.schema)
        self._results: list[PhysicalStream] = []
        self._session = session_of(job)
        self._session.subscribe("", self._results.append)
        self._since = 0
        if memory is None:
            self._learn(tables)
        else:
            restore(self._session, memory)
            self._since = self.progress
        self._late = self._session.late

    def take(self, inputs: Mapping[str, PhysicalStream], watermark: int) -> None:
        """Take elements of each source, in any order; those that start before the watermark are late."""
        self.advance(watermark)
        for name, stream in inputs.items():
            if len(stream):
                self._check_ahead(name, stream, watermark)
                self._session.push(name, stream)

    def take_packed(self, packed: Sequence[bytes], watermark: int) -> None:
        """Take the rows of a batch as they travel; some of them may say that the streams are over."""
        names, schemas = zip(*self.job.streams, strict=True)
        batches = [batch for rows in packed for batch in read(rows).to_batches()]
        tables = apart([batch.filter(pc.not_equal(batch.column(TAG), END_TAG)) for batch in batches], schemas)
        streams = [from_batches(table, schema) for table, schema in zip(tables, schemas, strict=True)]
        self.take(dict(zip(names, streams, strict=True)), watermark)
        for until in _ends(batches):
            self.end(until)

    def settle(self) -> None:
        """Forget the output so far, which has been given out."""
        if self.job.changelog:
            self._open = still_open(self._pending(), self.progress)
        self._results.clear()
        self._since, self._late = self.progress, self._session.late

    def _check_ahead(self, name: str, stream: PhysicalStream, watermark: int) -> None:
        """Raise an error if an element that is not late is too far in the future."""
        entrance, bound = self._session.entrances[name], dict(self.job.bounds).get(name)
        if bound is not None:
            bound.check(name, stream.start[stream.start >= entrance.promised], max(entrance.latest, watermark))

    def advance(self, t: int) -> None:
        """Promise that nothing will start before t; so all results before t are known."""
        for name, _ in self.job.streams:
            if t > self._session.entrances[name].promised:
                self._session.heartbeat(t, name)

    def end(self, t: int) -> None:
        """The streams are over, and results before t are wanted; whatever comes now is late.

        What operators wait for that look ahead will not come any more, so all their results are out.
        """
        self.advance(ENDLESS if self.job.plan.has_lookahead else t)
        for entrance in self._session.entrances.values():
            entrance.promised = ENDLESS

    def results(self) -> PhysicalStream:
        """The results since the part was restored."""
        return joined([PhysicalStream.empty(self.job.plan.schema), *self._results])

    @property
    def progress(self) -> int:
        """No later result starts before this instant."""
        return self._session.operators[-1].progress

    @property
    def state_rows(self) -> int:
        """How many rows all operators hold together."""
        return self._session.state.elements

    def given(self) -> pa.Table:
        """The output since the part was restored: results, or the changes that are known by now."""
        if not self.job.changelog:
            return whole(self.results())
        return log(changes(self._pending(), self._since, self.progress), key_of(self.job.plan))

    def opened(self) -> bytes:
        """The results on which later changes depend."""
        return written(to_table(still_open(self._pending(), self.progress))) if self.job.changelog else b""

    def _pending(self) -> PhysicalStream:
        return joined([self._open, self.results()])

    def late(self) -> dict[str, int]:
        """How many elements of each source were late since the part was restored."""
        return {
            name: count - self._late[name] for name, count in self._session.late.items() if count > self._late[name]
        }

    def _learn(self, tables: Mapping[str, PhysicalStream]) -> None:
        """Push the whole tables: nothing will be added to them."""
        for name, table in tables.items():
            if len(table):
                self._session.push(name, table)
            self._session.heartbeat(ENDLESS, name)

    def memory(self) -> bytes:
        """The state of the session as bytes."""
        return remembered(self._session)


def _ends(batches: list[pa.RecordBatch]) -> list[int]:
    """The instants at which the streams are over, from the rows that say so."""
    ends = [batch.filter(pc.equal(batch.column(TAG), END_TAG)).column(START) for batch in batches]
    return [until for column in ends for until in column.to_pylist()]
