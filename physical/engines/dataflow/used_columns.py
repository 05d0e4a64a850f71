"""Which columns of its input a fragment uses; a copy of a basket needs no others."""

from collections.abc import Iterable

import numpy as np

from physical.columns.column import ColumnVector, dtype_of, no_words
from physical.columns.stream import PhysicalStream
from physical.planning.planner import PhysicalNode
from semantics import Expression, Type
from semantics import plan as op
from semantics.expression import refs
from semantics.node_checks import all_arguments

ColumnSet = frozenset[int]
PASSES_ON = op.TimeWindow | op.LandmarkWindow | op.Rstream


def used(root: PhysicalNode) -> ColumnSet:
    """The columns of the only leaf of a fragment that its result depends on.

    >>> from physical.planning.planner import physical_plan
    >>> from semantics import parse_plan
    >>> sorted(used(physical_plan(parse_plan("S(x int, y int, z int) | filter(x > 1) | map(z as a)"))))
    [0, 2]
    """
    return _below(root, frozenset(range(len(root.logical.schema))))


def _below(node: PhysicalNode, wanted: ColumnSet) -> ColumnSet:
    if node.kind == "source":
        return wanted
    (child,) = node.inputs
    return _below(child, _of_input(node, wanted))


def _of_input(node: PhysicalNode, wanted: ColumnSet) -> ColumnSet:
    """The columns of its input that a node needs for these columns of its output."""
    plan = node.logical
    if node.kind == "stage":  # several operators: what the last one uses says nothing of the input of the first
        return frozenset(range(len(node.inputs[0].logical.schema)))
    if node.kind == "split" or isinstance(plan, PASSES_ON):
        return wanted
    match plan:
        case op.Filter(predicate=predicate):
            return wanted | _in([predicate])
        case op.Map(expressions=expressions):
            return _in(expressions)  # all are evaluated, and might overflow
        case op.Grouping(keys=keys, aggregates=aggregates):
            return frozenset(keys) | _in(all_arguments(aggregates))
        case op.Aggregation(aggregates=aggregates):
            return _in(all_arguments(aggregates))
        case _:
            return frozenset(range(len(plan.inputs[0].schema)))


def _in(expressions: Iterable[Expression]) -> ColumnSet:
    return frozenset(ref.index for expression in expressions for ref in refs(expression))


def replicated(batch: PhysicalStream, wanted: ColumnSet | None) -> PhysicalStream:
    """A copy of the elements with these columns, or with all of them for None; others are blank."""
    columns = [
        _copied(column) if wanted is None or i in wanted else _blank(column.type, len(batch))
        for i, column in enumerate(batch.columns)
    ]
    return PhysicalStream(batch.schema, tuple(columns), batch.start.copy(), batch.end.copy())


def _copied(column: ColumnVector) -> ColumnVector:
    valid = None if column.valid is None else column.valid.copy()
    return ColumnVector(column.type, column.values.copy(), valid, column.words)


def _blank(type_: Type, length: int) -> ColumnVector:
    """A column that is never read; it takes the memory of one value."""
    return ColumnVector(type_, np.broadcast_to(np.zeros((), dtype_of(type_)), length), None, no_words(type_))
