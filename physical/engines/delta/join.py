"""Product and joins: a pair comes when both rows are there, and goes when one of them does."""

import numpy as np

from physical.columns.column import taken
from physical.engines.delta.delta_stream import DeltaStream, in_order, joined
from physical.engines.delta.join_pairs import Meetings, meetings
from physical.engines.delta.operator import RetractingOperator
from physical.engines.delta.row_lifetimes import Lives
from physical.engines.interval.semi_and_outer_join import nulls
from physical.join_index.condition import Condition
from physical.kernels.delta_pairs import partnered
from physical.kernels.sort import merged
from physical.kernels.types import Ints
from semantics import plan as op


class DeltaJoin(RetractingOperator):
    """⋈ and the outer joins: for the latter, the number of partners of each row is part of the state."""

    keeps = (False, False)
    """For each side: are rows without a partner shown, padded with NULL?"""

    def __init__(self, node: op.Product | op.Join | op.LeftJoin | op.RightJoin | op.FullJoin) -> None:
        super().__init__(node.operator, (node.left.schema, node.right.schema), node.schema)
        condition = None if isinstance(node, op.Product) else node.condition
        self.condition = Condition.of(condition, node.left.schema, node.right.schema)
        self.keeps = (isinstance(node, op.LeftJoin | op.FullJoin), isinstance(node, op.RightJoin | op.FullJoin))
        self.partners = [np.empty(0, np.int64), np.empty(0, np.int64)]

    def changes_of(self, lives: list[Lives], since: int, until: int) -> DeltaStream:  # noqa: ARG002  # all that is due
        left, right = lives
        found = meetings(self.condition, left, right)
        columns = (*taken(left.born.columns, found.left), *taken(right.born.columns, found.right))
        pairs = DeltaStream(self.schema, columns, found.time, found.sign.astype(np.int8))
        if self.keeps == (False, False):
            return pairs
        lonely = [self._lonely(lives, found, side) for side in (0, 1) if self.keeps[side]]
        return in_order(joined([pairs, *lonely]))

    def _lonely(self, lives: list[Lives], found: Meetings, side: int) -> DeltaStream:
        """The rows of one side while they have no partner."""
        shown, self.partners[side] = with_partner(
            lives[side], (found.left, found.right)[side], found, self.partners[side], alone=True
        )
        padding = nulls(self.inputs[1 - side], len(shown))
        columns = [*shown.columns, *padding] if side == 0 else [*padding, *shown.columns]
        return shown.with_columns(self.schema, columns)


class DeltaSemijoin(RetractingOperator):
    """⋉ and ▷: left rows while they have a partner, or while they have none."""

    def __init__(self, node: op.Semijoin | op.Antijoin) -> None:
        super().__init__(node.operator, (node.left.schema, node.right.schema), node.schema)
        self.condition = Condition.of(node.condition, node.left.schema, node.right.schema)
        self.alone = isinstance(node, op.Antijoin)
        self.partners = np.empty(0, np.int64)

    def changes_of(self, lives: list[Lives], since: int, until: int) -> DeltaStream:  # noqa: ARG002  # all that is due
        found = meetings(self.condition, *lives)
        shown, self.partners = with_partner(lives[0], found.left, found, self.partners, self.alone)
        return shown.with_columns(self.schema, shown.columns)


def with_partner(own: Lives, at_own: Ints, found: Meetings, before: Ints, alone: bool) -> tuple[DeltaStream, Ints]:
    """How the rows with a partner (or, if alone, without one) come and go; and the partners of the rows that stay."""
    partners, there = np.zeros(len(own.births), np.int64), np.zeros(len(own.births), np.bool_)
    partners[: own.old], there[: own.old] = before, True
    new = own.stream.take(np.s_[own.old :])
    times, order = merged(new.time, np.arange(len(new)), found.time, np.arange(len(found.time)) + len(new))
    place = order >> 1
    who = np.concatenate([own.number[own.old :], at_own])[place] << 1 | (order & 1)
    change = np.concatenate([new.sign.astype(np.int64), found.sign])[place]
    life, time, sign = partnered(times, who, change, partners, there, alone)
    rows = own.born.take(life)
    return DeltaStream(rows.schema, rows.columns, time, sign.astype(np.int8)), partners[own.alive]
