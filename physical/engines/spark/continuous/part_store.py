"""A part in Spark's state store: a snapshot of its state, and a log of what it has taken since.

Writing all of a large state in every batch would cost as much as the state is long, whatever comes. So a batch appends
only what came with it, and the snapshot is written again once the log is as long as the snapshot: then every element is
written twice on average. A worker keeps the parts it had last, so usually nothing is read back. A part that another
worker had is restored from the snapshot, and takes the log again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final
from uuid import uuid4

import pyarrow as pa

from physical.engines.spark.continuous.packed_rows import PACKED, read, written
from physical.engines.spark.continuous.part import QueryPart
from physical.engines.spark.continuous.part_task import PartTask
from physical.engines.spark.frame import from_batches

MAX_LOG_ENTRIES: Final = 30
"""Batches after which the snapshot is written in any case: taking them all again must not take long."""
MIN_LOG_BYTES: Final = 1 << 16
"""A log up to this length is no reason to write the snapshot, however short that is."""
MAX_LIVE_PARTS: Final = 8
"""The parts that a worker keeps; each holds as much memory as its state is long."""

_LIVE: Final[dict[tuple[str, int], tuple[str, QueryPart]]] = {}
"""The parts that this worker had last, by query and number, each with the token of its state."""


@dataclass(frozen=True)
class Head:
    """What the state store holds: the token of the state, how long its log is, and how long its snapshot."""

    token: str = ""
    entries: int = 0
    log_bytes: int = 0
    snapshot_bytes: int = 0


@dataclass(frozen=True)
class PartStore:
    """The state variables of one part, by the names of Spark's API."""

    job: PartTask
    name: tuple[str, int]
    head: Any
    memory: Any
    log: Any

    def awake(self, tables: Mapping[str, bytes]) -> QueryPart:
        """The part as it was after its last batch, or with its tables before the first.

        It leaves the parts that this worker keeps: if the batch fails, nobody may go on with it.
        """
        token, part = _LIVE.pop(self.name, ("", None))
        head = self._head()
        if part is None or token != head.token:
            part = self._restored(head, tables)
        part.job = self.job
        return part

    def save(self, part: QueryPart, packed: Sequence[bytes], watermark: int) -> None:
        """Write down what the part has taken, or all that it holds; `packed` and the watermark are what it took."""
        head, entry = self._head(), written(pa.table({PACKED: pa.array(packed, pa.binary())}))
        longer = replace(head, token=uuid4().hex, entries=head.entries + 1, log_bytes=head.log_bytes + len(entry))
        longest = max(head.snapshot_bytes, MIN_LOG_BYTES)
        if not head.token or longer.entries > MAX_LOG_ENTRIES or longer.log_bytes > longest:
            longer = self._snapshot(part, longer.token)
        else:
            self.log.appendValue((watermark, entry))
        self.head.update((longer.token, longer.entries, longer.log_bytes, longer.snapshot_bytes))
        part.settle()
        _keep(self.name, longer.token, part)

    def _head(self) -> Head:
        found = self.head.get()
        return Head() if found is None else Head(*found)

    def _snapshot(self, part: QueryPart, token: str) -> Head:
        memory, opened = part.memory(), part.opened()
        self.memory.update((memory, opened))
        self.log.clear()
        return Head(token, 0, 0, len(memory) + len(opened))

    def _restored(self, head: Head, tables: Mapping[str, bytes]) -> QueryPart:
        known, job = self.memory.get(), replace(self.job, bounds=())  # what was taken once is not judged again
        if known is None:
            return QueryPart(job, None, {name: from_batches(read(tables[name]), schema) for name, schema in job.tables})
        part = QueryPart(job, bytes(known[0]), opened=bytes(known[1]))
        for watermark, entry in self.log.get() if head.entries else ():
            part.take_packed(read(bytes(entry)).column(PACKED).to_pylist(), watermark)
            part.settle()
        return part


def _keep(name: tuple[str, int], token: str, part: QueryPart) -> None:
    """Keep a part, and let the one go that was not needed for longest."""
    _LIVE[name] = (token, part)
    while len(_LIVE) > MAX_LIVE_PARTS:
        del _LIVE[next(iter(_LIVE))]
