"""The last rows before each slice of time, found in a tree, so that no worker needs many of them at once.

First the last rows of each group are found within each slice. Then, level by level, a number of neighbouring blocks of
slices becomes one block. There, each of them gets the last rows before it among those of its neighbours, and the last
rows of the whole block climb to the next level. A slice gets rows of several levels; what is too much does no harm.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import pyarrow as pa

from physical.columns.column import ColumnVector
from physical.columns.row_numbers import row_numbers
from physical.columns.stream import PhysicalStream, joined
from physical.engines.spark.frame import from_batches, to_table
from physical.engines.spark.worker_tasks import Batches, failing_readably
from physical.kernels.sort import stable_order
from physical.kernels.types import Ints
from physical.planning.partition_keys import Keys
from semantics import Schema, Type
from semantics import schema as schemas
from semantics.plan import CountWindow, PartitionedWindow

AnyRows = CountWindow | PartitionedWindow
ROWS_AT_ONCE: Final = 1 << 18
"""The rows that a worker treats at once: this bounds its memory."""
BLOCKS_OF_A_BLOCK: Final = 16
"""How many blocks become one on the next level; a worker has as many times the rows of a window."""


@dataclass(frozen=True)
class LastRows:
    """The last rows of each group, all that a window needs of the past; the slice number is the last column."""

    schema: Schema
    keys: Keys
    rows: int

    @classmethod
    def of(cls, plan: AnyRows) -> "LastRows":
        return cls(with_new_columns(plan.schema, "slice"), keys_of(plan), plan.rows)

    @property
    def slice(self) -> int:
        """The position of the slice number."""
        return len(self.schema) - 1

    @property
    def climbing(self) -> Schema:
        """Two more columns: before which slice nobody needs the row any more; and whether it climbs, 1, or not, 0."""
        return with_new_columns(self.schema, "stop", "climbs")

    def places(self, start: Ints, groups: Ints) -> Ints:
        """Where the last rows of each group are, and those at the same instant as the first of them."""
        by_time = stable_order(start)
        order = by_time[stable_order(groups[by_time])]
        start, groups = start[order], groups[order]
        begin, end = (np.searchsorted(groups, groups, side) for side in ("left", "right"))
        found: Ints = order[start >= start[np.maximum(end - self.rows, begin)]]
        return found

    def kept(self, stream: PhysicalStream, keys: Keys) -> PhysicalStream:
        """The last rows of each group; more rows do no harm."""
        return stream.take(self.places(stream.start, groups_of(stream, keys)))


@dataclass(frozen=True)
class LastRowsOfSlices:
    """The last rows of each group and slice among a worker's rows."""

    last: LastRows

    def __call__(self, batches: Batches) -> Batches:
        return failing_readably(self._run, batches)

    def _run(self, batches: Batches) -> Batches:
        kept = waiting = PhysicalStream.empty(self.last.schema)
        for more in _streams(batches, self.last.schema):
            waiting = joined([waiting, more])
            if len(waiting) >= len(kept):  # if hardly a row can go, all are looked at again only when they have doubled
                kept, waiting = self._both(kept, waiting), waiting.take(np.s_[:0])
        yield from to_table(self._both(kept, waiting)).to_batches()

    def _both(self, one: PhysicalStream, other: PhysicalStream) -> PhysicalStream:
        return self.last.kept(joined([one, other]), (*self.last.keys, self.last.slice))


@dataclass(frozen=True)
class RowsBeforeBlocks:
    """One level: blocks of `width` slices each become larger ones. Rows before a block are found, and do not climb."""

    last: LastRows
    width: int
    slices: int
    blocks: int = BLOCKS_OF_A_BLOCK

    def __call__(self, batches: Batches) -> Batches:
        return failing_readably(self._run, batches)

    def _run(self, batches: Batches) -> Batches:
        climbing = []
        for stream in _streams(batches, self.last.climbing):
            climbs = stream.columns[-1].values == 1
            climbing.append(stream.take(climbs))
            yield from to_table(stream.take(~climbs)).to_batches()
        for parent in self._parents(joined([PhysicalStream.empty(self.last.climbing), *climbing])):
            for made in parent.made():
                yield from to_table(made).to_batches()

    def _parents(self, rows: PhysicalStream) -> "Iterator[Parent]":
        numbers = rows.columns[self.last.slice].values // (self.width * self.blocks)
        for number in np.unique(numbers).tolist():
            mine = rows.take(numbers == number)
            yield Parent(self, number, mine, groups_of(mine, self.last.keys))


@dataclass(frozen=True)
class Parent:
    """A block of several blocks, with the last rows of each of them."""

    level: RowsBeforeBlocks
    number: int
    rows: PhysicalStream
    groups: Ints

    def made(self) -> Iterator[PhysicalStream]:
        """For each block, the rows before it; and unless this is all of time, the last rows of the whole."""
        past = np.zeros(0, np.int64)
        for block in self.blocks:
            first = np.full(len(past), block * self.level.width)
            yield self._rows(past, first, self.stops(block), climbs=False)
            past = self._last(np.concatenate([past, self.places(block)]))
        if self.level.width * self.level.blocks < self.level.slices:
            yield self._rows(past, self.slices[past], self.own_stops(), climbs=True)

    def stops(self, block: int) -> Ints:
        """For each group, the slice from which on the block has enough rows of its own."""
        found = np.full(self.groups.max() + 1, self.end(block))
        places = self.places(block)
        found[self.groups[places]] = self.rows.columns[-2].values[places]
        return found

    def own_stops(self) -> Ints:
        """The same for all blocks together; if rows of several blocks are needed, it may be a later slice."""
        found = np.full(self.groups.max() + 1, self.end(self.blocks[-1]))
        before, enough = np.zeros(len(found), np.int64), self.level.last.rows
        for block in self.blocks:
            after = before + np.bincount(self.groups[self.places(block)], minlength=len(found))
            full = (before < enough) & (after >= enough)
            found[full] = np.where(before[full] == 0, self.stops(block)[full], self.end(block))
            before = after
        return found

    @property
    def slices(self) -> Ints:
        numbers: Ints = self.rows.columns[self.level.last.slice].values
        return numbers

    @property
    def blocks(self) -> range:
        """The numbers of the blocks."""
        first, all_ = self.number * self.level.blocks, -(-self.level.slices // self.level.width)
        return range(first, min(first + self.level.blocks, all_))

    def places(self, block: int) -> Ints:
        """Where the rows of a block are."""
        return np.flatnonzero(self.slices // self.level.width == block)

    def end(self, block: int) -> int:
        return min((block + 1) * self.level.width, self.level.slices)

    def _last(self, places: Ints) -> Ints:
        found: Ints = places[self.level.last.places(self.rows.start[places], self.groups[places])]
        return found

    def _rows(self, places: Ints, slices: Ints, stops: Ints, *, climbs: bool) -> PhysicalStream:
        chosen = self.rows.take(places)
        numbers = (slices, stops[self.groups[places]], np.full(len(places), int(climbs)))
        columns = [ColumnVector(Type.INT, one) for one in numbers]
        return chosen.with_columns(self.level.last.climbing, (*chosen.columns[:-3], *columns))


def groups_of(stream: PhysicalStream, keys: Keys) -> Ints:
    """The number of the group of each row."""
    return row_numbers([stream.columns[k] for k in keys])[0] if keys else np.zeros(len(stream), np.int64)


def keys_of(plan: AnyRows) -> Keys:
    return plan.keys if isinstance(plan, PartitionedWindow) else ()


def with_new_columns(schema: Schema, *names: str) -> Schema:
    """The schema with more columns of integers, whose names are new."""
    for name in names:
        new = next(one for i in range(len(schema) + 1) if (one := f"{name}{i}") not in schema.names)
        schema = Schema((*schema.columns, schemas.Column(new, Type.INT)))
    return schema


def _streams(batches: Batches, schema: Schema) -> Iterator[PhysicalStream]:
    """The rows of several batches at once."""
    waiting: list[pa.RecordBatch] = []
    for batch in batches:
        waiting.append(batch)
        if sum(map(len, waiting)) >= ROWS_AT_ONCE:
            yield from_batches(pa.Table.from_batches(waiting), schema)
            waiting = []
    if waiting:
        yield from_batches(pa.Table.from_batches(waiting), schema)
