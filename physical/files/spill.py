"""Sorting streams with little memory: sorted runs in temporary files, merged at the end."""

from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from weakref import finalize

import numpy as np
import pyarrow as pa

from physical.columns.arrow import from_arrow, to_arrow
from physical.columns.arrow_types import value_from_arrow
from physical.columns.column import ColumnVector, from_values
from physical.columns.stream import PhysicalStream, joined
from semantics import Schema, Type

Order = Callable[[PhysicalStream], PhysicalStream]
"""Puts elements in their order, which must be by start first."""

ELEMENTS_IN_MEMORY = 1 << 20
"""The elements that wait in memory; beyond this they are written to disk."""
ROWS_PER_BATCH = 1 << 15


class Spill:
    """Takes elements in any order and gives them back in order; if there are many, they wait on disk."""

    def __init__(self, schema: Schema, order: Order, room: int = ELEMENTS_IN_MEMORY) -> None:
        self.schema = schema
        self.order = order
        self.room = room
        self.waiting: list[PhysicalStream] = []
        self.sorted = True
        self.files: list[Path] = []
        self._folder: Path | None = None

    def add(self, batch: PhysicalStream) -> None:
        """Take elements."""
        if len(batch):
            self.waiting.append(batch)
        if sum(map(len, self.waiting)) > self.room:
            self._write(self._whole())
            self.waiting = []

    def before(self, t: int) -> PhysicalStream:
        """Take out, in order, the elements that start before t; nothing if elements wait on disk already."""
        if self.files or not any(int(batch.start[0]) < t for batch in self.waiting):
            return PhysicalStream.empty(self.schema)
        whole = self._whole()
        due = int(np.searchsorted(whole.start, t, side="left"))
        self.waiting = [whole.take(np.s_[due:])] if due < len(whole) else []
        return whole.take(np.s_[:due])

    def rest(self) -> Iterator[PhysicalStream]:
        """All remaining elements, in order."""
        runs = [iter([self._whole()]), *map(self._read, self.files)]
        self.waiting = []
        yield from merged(runs, self.order)
        self.close()

    def close(self) -> None:
        """Forget everything."""
        self.waiting, self.files = [], []
        if self._folder is not None:
            rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def _whole(self) -> PhysicalStream:
        return self.order(joined(self.waiting)) if self.waiting else PhysicalStream.empty(self.schema)

    def _write(self, stream: PhysicalStream) -> None:
        if self._folder is None:
            self._folder = Path(mkdtemp(prefix="snapeq-"))
            finalize(self, rmtree, self._folder, ignore_errors=True)  # even after an error no file is left behind
        path = self._folder / f"{len(self.files)}.arrows"
        table = to_arrow(stream)
        with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, table.schema) as writer:
            writer.write_table(table, ROWS_PER_BATCH)
        self.files.append(path)

    def _read(self, path: Path) -> Iterator[PhysicalStream]:
        with pa.memory_map(str(path)) as file, pa.ipc.open_stream(file) as reader:
            for batch in reader:
                read = from_arrow(pa.Table.from_batches([batch]))
                yield read.with_columns(self.schema, tuple(map(_typed, read.columns, self.schema.types)))


def _typed(column: ColumnVector, type_: Type) -> ColumnVector:
    """The column as it was written: Arrow has no type for months."""
    if column.type is type_:
        return column
    return from_values([value_from_arrow(value, type_) for value in column.to_values()], type_)


def merged(runs: list[Iterator[PhysicalStream]], order: Order) -> Iterator[PhysicalStream]:
    """Merge sorted runs; a round gives all elements up to the earliest of the last starts of the current batches."""
    held = {i: batch for i, run in enumerate(runs) if (batch := _next(run)) is not None}
    while held:
        until = min(int(batch.start[-1]) for batch in held.values())
        due = []
        for i, batch in list(held.items()):
            count = int(np.searchsorted(batch.start, until, side="left"))
            due.append(batch.take(np.s_[:count]))
            held[i] = batch.take(np.s_[count:])
        _refill(held, runs, until, due)
        yield order(joined(due))


def _refill(
    held: dict[int, PhysicalStream], runs: list[Iterator[PhysicalStream]], until: int, due: list[PhysicalStream]
) -> None:
    """Read every run past `until`: elements that start together must be sorted together."""
    for i, batch in list(held.items()):
        parts = [batch]
        while int(parts[-1].start[-1]) == until:
            following = _next(runs[i])
            if following is None:
                break
            parts.append(following)
        whole = joined(parts)
        count = int(np.searchsorted(whole.start, until, side="right"))
        due.append(whole.take(np.s_[:count]))
        held[i] = whole.take(np.s_[count:])
        if not len(held[i]):
            del held[i]


def _next(run: Iterator[PhysicalStream]) -> PhysicalStream | None:
    return next((batch for batch in run if len(batch)), None)
