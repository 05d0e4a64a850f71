"""Distinct, difference, intersection, Istream and Dstream: operators on the multiplicity of rows."""

import numpy as np

from physical.columns.column import ColumnVector, concatenated, taken
from physical.columns.row_numbers import row_numbers
from physical.columns.stream import PhysicalStream
from physical.engines.delta.delta_stream import DeltaStream, Signs
from physical.engines.delta.operator import RetractingOperator, SettledOperator
from physical.engines.delta.retraction import repeated
from physical.engines.delta.row_lifetimes import Lives
from physical.kernels import deltas as kernel
from physical.kernels.sort import merged
from physical.kernels.types import Ints
from semantics.plan import Difference, Distinct, Dstream, Intersection, Istream

Steps = tuple[list[ColumnVector], Ints, Ints]
"""Rows whose multiplicity changes, when, and by how much."""


class DeltaSetOperation(RetractingOperator):
    """δ, −, ∩: the change of a row's multiplicity in the result, at every instant at which it changes in an input."""

    def __init__(self, node: Distinct | Difference | Intersection) -> None:
        super().__init__(node.operator, tuple(child.schema for child in node.inputs), node.schema)
        self.operation = operation(node)

    def changes_of(self, lives: list[Lives], since: int, until: int) -> DeltaStream:  # noqa: ARG002  # all that is due
        rows, time, change = steps(self.operation, [one.stream for one in lives])
        return repeated(self.schema, rows, time, change)


class DeltaChanges(SettledOperator):
    """Istream and Dstream: the rows whose multiplicity rises or falls, at the instant when it does."""

    def __init__(self, node: Istream | Dstream) -> None:
        super().__init__(node.operator, (node.input.schema,), node.schema)
        self.operation = operation(node)

    def changes_of(self, lives: list[Lives], since: int, until: int) -> PhysicalStream:  # noqa: ARG002  # all that is due
        rows, time, change = steps(self.operation, [lives[0].stream])
        occurrences = PhysicalStream(self.schema, tuple(rows), time, time + 1)
        return occurrences.take(np.repeat(np.arange(len(time)), change))


def operation(node: Distinct | Difference | Intersection | Istream | Dstream) -> int:
    """The kernel's code for this operator."""
    return {
        Distinct: kernel.DISTINCT,
        Difference: kernel.SURPLUS,
        Intersection: kernel.COMMON,
        Istream: kernel.RISE,
        Dstream: kernel.FALL,
    }[type(node)]


def steps(operation: int, sides: list[DeltaStream]) -> Steps:
    """The changes by new elements; rows that are held already have been shown."""
    columns = [concatenated(parts) for parts in zip(*(side.columns for side in sides), strict=True)]
    keys, first = row_numbers(columns)
    times, codes, sign = _together(keys, sides)
    key, time, change = kernel.steps(operation, len(first), times, codes, sign)
    new = int(np.searchsorted(time, 0))
    return list(taken(columns, first[key[new:]])), time[new:], change[new:]


def _together(keys: Ints, sides: list[DeltaStream]) -> tuple[Ints, Ints, Signs]:
    """All elements in the order of time: times, codes of 2 · key, plus 1 on the right side, and signs."""
    if len(sides) == 1:
        return sides[0].time, keys << 1, sides[0].sign
    left, right = sides
    here = len(left)
    times, order = merged(left.time, np.arange(here), right.time, np.arange(len(right)))
    place = (order >> 1) + (order & 1) * here
    sign = np.concatenate([left.sign, right.sign])[place]
    return times, keys[place] << 1 | (order & 1), sign
