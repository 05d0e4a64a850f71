"""Semijoin, antijoin and the outer joins: which elements have a partner, and when they have none."""

import numpy as np

from physical.columns.column import ColumnVector, constant
from physical.columns.stream import PhysicalStream, in_order, joined
from physical.engines.interval.join import paired
from physical.engines.interval.slice_by_slice import SlicedOperator
from physical.join_index.condition import Condition
from physical.join_index.sweep_area import Pairs
from physical.join_index.symmetric_hash import equal_pairs
from physical.kernels import pairs
from physical.kernels.types import Ints
from semantics import Schema
from semantics.plan import Antijoin, FullJoin, LeftJoin, RightJoin, Semijoin


class IntervalSemijoin(SlicedOperator):
    """⋉ and ▷: the parts of left elements during which they have a partner, or have none."""

    def __init__(self, node: Semijoin | Antijoin) -> None:
        super().__init__(node.operator, (node.left.schema, node.right.schema), node.schema)
        self.condition = Condition.of(node.condition, node.left.schema, node.right.schema)
        self.alone = isinstance(node, Antijoin)

    def slice(self, parts: list[PhysicalStream], since: int, until: int) -> PhysicalStream:  # noqa: ARG002
        left, right = parts
        at_left, at_right = _all_pairs(self.condition, left, right)
        return in_order(with_partner(left, at_left, right, at_right, self.alone))


class IntervalOuterJoin(SlicedOperator):
    """⟕ ⟖ ⟗: the join, and the parts of elements during which they have no partner, padded with NULL."""

    def __init__(self, node: LeftJoin | RightJoin | FullJoin) -> None:
        super().__init__(node.operator, (node.left.schema, node.right.schema), node.schema)
        self.condition = Condition.of(node.condition, node.left.schema, node.right.schema)
        self.keeps_left = not isinstance(node, RightJoin)
        self.keeps_right = not isinstance(node, LeftJoin)

    def slice(self, parts: list[PhysicalStream], since: int, until: int) -> PhysicalStream:  # noqa: ARG002
        left, right = parts
        at_left, at_right = _all_pairs(self.condition, left, right)
        results = [paired(self.schema, left, right, (at_left, at_right))]
        if self.keeps_left:
            lonely = with_partner(left, at_left, right, at_right, alone=True)
            results.append(lonely.with_columns(self.schema, [*lonely.columns, *nulls(right.schema, len(lonely))]))
        if self.keeps_right:
            lonely = with_partner(right, at_right, left, at_left, alone=True)
            results.append(lonely.with_columns(self.schema, [*nulls(left.schema, len(lonely)), *lonely.columns]))
        return in_order(joined(results))


def with_partner(
    own: PhysicalStream, at_own: Ints, other: PhysicalStream, at_other: Ints, alone: bool
) -> PhysicalStream:
    """The parts of own elements that overlap one of their partners; with `alone`, those that overlap none."""
    order = np.lexsort((other.start[at_other], at_own))
    begin = np.searchsorted(at_own[order], np.arange(len(own) + 1))
    partners = at_other[order]
    element, start, end = pairs.covered(begin, other.start[partners], other.end[partners], alone, own.start, own.end)
    return own.take(element).valid_during(start, end)


def _all_pairs(condition: Condition, left: PhysicalStream, right: PhysicalStream) -> Pairs:
    """All pairs of positions (left, right) that overlap and satisfy the condition."""
    if condition.equal_columns:
        return equal_pairs(condition, left, right, (0, 0))[:2]
    area = condition.area(1)
    area.insert(right)
    found = [_satisfying(condition, left, right, pairs) for pairs in area.query(left)]
    empty = np.empty(0, np.int64)
    return np.concatenate([empty, *(f[0] for f in found)]), np.concatenate([empty, *(f[1] for f in found)])


def _satisfying(condition: Condition, left: PhysicalStream, right: PhysicalStream, found: Pairs) -> Pairs:
    holds = condition.holds(left, right, found)
    return found if holds is None else (found[0][holds], found[1][holds])


def nulls(schema: Schema, length: int) -> list[ColumnVector]:
    """Columns of NULLs of this length."""
    return [constant(None, type_, length) for type_ in schema.types]
