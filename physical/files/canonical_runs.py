"""The canonical form as an operator: maximal runs of constant multiplicity, by start and then by row."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from physical.columns.column import ColumnVector
from physical.columns.interval_bounds import bounds
from physical.columns.row_numbers import perhaps_twins, row_numbers, row_order
from physical.columns.stream import PhysicalStream, in_order, joined
from physical.engines.interval.slice_by_slice import SlicedOperator
from physical.files.counted import counted_schema
from physical.files.layout import COUNT, END, START
from physical.files.spill import ELEMENTS_IN_MEMORY, Spill
from physical.kernels import multiplicity
from physical.kernels.types import ENDLESS, Ints
from physical.runtime.run_whole import clipped
from semantics import Schema, SchemaError, Type

ROWS_TO_LOOK_AT: Final = 512
"""The first rows of a part say whether its rows are different."""


class RunsOperator(SlicedOperator):
    """Runs with their count as the last column; it is the last operator, and its output is the result.

    A run is given out when it is over and no run that began earlier is still open. Many runs may have to wait for one
    that stays open for long, so they wait on disk.
    """

    patience = 1 << 14

    def __init__(self, schema: Schema, horizon: int = ENDLESS, room: int = ELEMENTS_IN_MEMORY) -> None:
        super().__init__("Runs", (schema,), counted(schema))
        self.horizon = horizon
        self.open = PhysicalStream.empty(self.schema)
        self.over = Spill(self.schema, by_row, room)

    def accept(self, batch: PhysicalStream, port: int) -> None:
        super().accept(batch if self.horizon == ENDLESS else clipped(batch, self.horizon), port)

    def slice(self, parts: list[PhysicalStream], since: int, until: int) -> PhysicalStream:
        runs = self._continued(runs_of(parts[0], self.schema), since)
        last = runs.end == until if until < ENDLESS else np.zeros(len(runs), np.bool_)
        self.open = runs.take(last)
        self.over.add(runs.take(~last))
        return self.over.before(min(until, int(self.open.start.min()) if len(self.open) else until))

    def rest(self) -> Iterator[PhysicalStream]:
        """The runs that still wait at the end."""
        return self.over.rest()

    def held(self) -> list[PhysicalStream]:
        return [*super().held(), self.open, *self.over.waiting]

    def _continued(self, runs: PhysicalStream, since: int) -> PhysicalStream:
        """The runs of a slice, with their true start if they continue open runs; and the open runs that have ended."""
        if not len(self.open):
            return runs
        fresh = np.flatnonzero(runs.start == since)
        both = joined([self.open, runs.take(fresh)])
        numbers, first = row_numbers(both.columns)
        mine, theirs = numbers[: len(self.open)], numbers[len(self.open) :]
        began = _lookup(mine, self.open.start, len(first))[theirs]
        start = runs.start.copy()
        start[fresh] = np.where(began >= 0, began, since)
        ended = _lookup(theirs, theirs, len(first))[mine] < 0
        return joined([self.open.take(ended), runs.valid_during(start, runs.end)])


def counted(schema: Schema) -> Schema:
    """A schema with the count as its last column."""
    taken = {START, END, COUNT} & set(schema.names)
    if taken:
        problem = f"the query has a column {', '.join(sorted(taken))}, which results need for themselves"
        raise SchemaError(f"{problem}; expected another name (AS)")
    return counted_schema(schema)


def by_row(stream: PhysicalStream) -> PhysicalStream:
    """The elements by start; elements that start together by their rows."""
    if len(stream) < 2:
        return stream
    stream = in_order(stream)
    step = np.diff(stream.start)
    ties = np.flatnonzero(np.append(step == 0, False) | np.append(False, step == 0))
    if not len(ties):
        return stream
    order = np.arange(len(stream))
    tied = stream.take(ties)
    order[ties] = ties[row_order(tied.columns, tied.start)]
    return stream.take(order)


def runs_of(part: PhysicalStream, schema: Schema) -> PhysicalStream:
    """The maximal runs of constant multiplicity, with their count as the last column, in no order.

    An element whose row occurs only once is a run. In a selection that is nearly all of them, and it is told quickly.
    """
    if not _mostly_different(part):
        return _runs_of_all(part, schema)
    twins = perhaps_twins(part.columns)
    alone = part.take(~twins) if twins.any() else part
    once = ColumnVector(Type.INT, np.ones(len(alone), np.int64))
    runs = PhysicalStream(schema, (*map(_plain, alone.columns), once), alone.start, alone.end)
    return joined([runs, _runs_of_all(part.take(twins), schema)]) if len(alone) < len(part) else runs


def _mostly_different(part: PhysicalStream) -> bool:
    """Do the first rows differ from each other?"""
    first = part.take(np.s_[:ROWS_TO_LOOK_AT])
    return len(first) > 0 and int(np.count_nonzero(perhaps_twins(first.columns))) * 8 < len(first)


def _runs_of_all(part: PhysicalStream, schema: Schema) -> PhysicalStream:
    numbers, first = row_numbers(part.columns)
    key, start, end, counts = multiplicity.runs(multiplicity.LEFT_COUNT, len(first), *bounds(numbers, part), 1)
    rows = part.take(first[key])
    return PhysicalStream(schema, (*map(_plain, rows.columns), ColumnVector(Type.INT, counts)), start, end)


def runs_of_counted(part: PhysicalStream) -> PhysicalStream:
    """The same for elements whose last column is a count: it is added at their start, and taken away at their end."""
    numbers, first = row_numbers(part.columns[:-1])
    counts = part.columns[-1].values
    keys, times = np.tile(numbers, 2), np.concatenate([part.start, part.end])
    order = np.lexsort((times, keys))
    keys, times = keys[order], times[order]
    steps = np.flatnonzero((np.diff(keys, prepend=-1) != 0) | (np.diff(times, prepend=-1) != 0))
    change = np.add.reduceat(np.concatenate([counts, -counts])[order], steps)
    steps, change = steps[change != 0], change[change != 0]
    held = np.cumsum(change)  # every key comes back to 0 at its end
    begins = np.flatnonzero(held)
    rows = part.take(first[keys[steps[begins]]])
    columns = (*map(_plain, rows.columns[:-1]), ColumnVector(Type.INT, held[begins]))
    return PhysicalStream(part.schema, columns, times[steps[begins]], times[steps[begins + 1]])


def _plain(column: ColumnVector) -> ColumnVector:
    """The same values with 0.0 for −0.0, so that rows that count as the same are written alike."""
    return replace(column, values=column.values + 0.0) if column.type is Type.FLOAT else column


def _lookup(keys: Ints, values: Ints, count: int) -> Ints:
    """The value of each key, or −1 for a key that has none."""
    table = np.full(count, -1, np.int64)
    table[keys] = values
    return table
