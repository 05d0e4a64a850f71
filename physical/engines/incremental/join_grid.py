"""Joins: a grid of basic windows of one side against those of the other. A slide computes a new row and a new column.

The pairs of a cell are valid until the first of its two basic windows expires, and are given out with that end. So no
cell has to be kept; only the rows of both sides are, because they meet later ones until they expire.
"""

from dataclasses import dataclass
from typing import assert_never

import numpy as np

from physical.columns.column import ColumnVector, constant, taken
from physical.engines.incremental.expiring_rows import ExpiringRows
from physical.engines.incremental.join_side import JoinSide
from physical.engines.incremental.node import MergingNode, WaitingRows
from physical.engines.incremental.operator_classes import Joining
from physical.join_index.condition import Condition
from physical.kernels.types import Ints
from semantics import Type
from semantics import plan as op


@dataclass(frozen=True)
class JoinOutputs:
    """What a join gives: pairs, left rows with a partner, and rows without one of these sides."""

    pairs: bool
    partnered: bool = False
    lonely: tuple[int, ...] = ()

    @classmethod
    def of(cls, plan: Joining) -> "JoinOutputs":
        match plan:
            case op.Product() | op.Join():
                return cls(pairs=True)
            case op.Semijoin():
                return cls(pairs=False, partnered=True)
            case op.Antijoin():
                return cls(pairs=False, lonely=(0,))
            case op.LeftJoin():
                return cls(pairs=True, lonely=(0,))
            case op.RightJoin():
                return cls(pairs=True, lonely=(1,))
            case op.FullJoin():
                return cls(pairs=True, lonely=(0, 1))
            case _:
                assert_never(plan)


class GridNode(MergingNode):
    """⋈ and its kin. An extra last column of each side's rows says until when a row has a partner."""

    def __init__(self, plan: Joining) -> None:
        super().__init__()
        self.schemas = (plan.left.schema, plan.right.schema)
        self.wanted = JoinOutputs.of(plan)
        self.filters = isinstance(plan, op.Semijoin | op.Antijoin)
        predicate = None if isinstance(plan, op.Product) else plan.condition
        condition = Condition.of(predicate, *self.schemas)
        self.sides = (JoinSide(0, condition, self.schemas), JoinSide(1, condition, self.schemas))
        self.waiting = (WaitingRows(), WaitingRows())

    def absorb(self, port: int, rows: ExpiringRows, start: int) -> None:
        partner = ColumnVector(Type.INT, np.zeros(len(rows), np.int64))
        self.waiting[port].add(rows.with_columns([*rows.columns, partner]), start)

    def expire(self, now: int) -> None:
        for side in self.sides:
            side.basket.expire(now)

    def slide(self, now: int, until: int) -> None:
        self.expire(now)
        left, right = (waiting.due_together(now) for waiting in self.waiting)
        self.meet(1, left, now)
        self.admit(0, left)
        self.meet(0, right, now)
        self.admit(1, right)
        self.give_single_rows(now, until)

    def held(self) -> list[ExpiringRows]:
        return [*(side.rows for side in self.sides), *(rows for waiting in self.waiting for rows in waiting.held())]

    def admit(self, port: int, rows: ExpiringRows | None) -> None:
        """Add new rows to their side."""
        if rows is not None:
            self.sides[port].basket.append(rows)

    def meet(self, side: int, new: ExpiringRows | None, now: int) -> None:
        """New rows meet this side, as a row or column of the grid: give the pairs, or note rows with a partner."""
        old = self.sides[side]
        if new is None or not len(new) or not len(old.rows):
            return
        left, right = (old.rows, new) if side == 0 else (new, old.rows)
        at_left, at_right = old.met_by(new)
        ends = np.minimum(left.ends()[at_left], right.ends()[at_right])
        if self.wanted.partnered or 0 in self.wanted.lonely:
            self.note(left, at_left, ends)
        if 1 in self.wanted.lonely:
            self.note(right, at_right, ends)
        if self.wanted.pairs:
            both = (*taken(left.columns[:-1], at_left), *taken(right.columns[:-1], at_right))
            self.give(ExpiringRows(both, len(ends), ends), now)

    def note(self, rows: ExpiringRows, positions: Ints, ends: Ints) -> None:
        """Note that these rows have a partner at least until then."""
        np.maximum.at(rows.columns[-1].values, positions, ends)

    def give_single_rows(self, now: int, until: int) -> None:
        """Compensation: the rows that have a partner, or that have none."""
        if self.wanted.partnered:
            self.give(_chosen(self.sides[0].rows, now, partnered=True).until(until), now)
        for side in self.wanted.lonely:
            rows = _chosen(self.sides[side].rows, now, partnered=False).until(until)
            self.give(rows if self.filters else self._padded(rows, side), now)

    def _padded(self, rows: ExpiringRows, side: int) -> ExpiringRows:
        nulls = [constant(None, type_, len(rows)) for type_ in self.schemas[1 - side].types]
        return rows.with_columns([*rows.columns, *nulls] if side == 0 else [*nulls, *rows.columns])


def _chosen(rows: ExpiringRows, now: int, partnered: bool) -> ExpiringRows:
    """The rows with a partner now, or those without one."""
    has_partner = rows.columns[-1].values > now
    return rows.with_columns(rows.columns[:-1]).take(has_partner if partnered else ~has_partner)
