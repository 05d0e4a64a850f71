"""Filters and maps that compare now with rows that last: intervals are cut where a comparison changes.

A filter `now < v` makes [s, min(e, v)) of [s, e), and `now >= v` makes [max(s, v), e). What it drops is never held.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final

import numpy as np

from physical.columns import expressions
from physical.columns.column import rows
from physical.columns.stream import PhysicalStream, in_order, joined
from physical.engines.interval.operator import OrderingOperator
from physical.engines.interval.stateless import IntervalFilter, IntervalMap
from physical.kernels.types import ENDLESS, Ints
from semantics import ArithmeticOverflow, SnapeqError, Timestamp
from semantics.expression import Comparison, conjuncts
from semantics.now_in_expressions import STEPS, Threshold, thresholds
from semantics.plan import Filter, Map

LATE: Final = ENDLESS // 2
"""Instants from which on a sum of now and a number may overflow; a multiple of now may overflow sooner."""


class IntervalCut(OrderingOperator):
    """Gives out each piece as soon as no earlier one can come."""

    def __init__(self, node: Filter | Map, horizon: int = ENDLESS) -> None:
        super().__init__(node.operator, (node.input.schema,), node.schema)
        borders = thresholds(node.own_expressions)
        assert borders is not None
        self.borders = borders
        self.late = min([LATE, *(Timestamp.greatest // border.factor for border in borders if border.factor > 1)])
        self.horizon = horizon
        self.of_pieces = IntervalFilter(node) if isinstance(node, Filter) else IntervalMap(node)
        self.only = _only_instant(node)
        """What now must be equal to, if there is such a condition: then one instant of each element matters."""

    def accept(self, batch: PhysicalStream, port: int) -> None:  # noqa: ARG002  # there is one port only
        pieces = self.pieces(batch)
        pieces = pieces.take(pieces.start < self.horizon)
        soon = pieces.start < self.late
        late = [] if soon.all() else self._late(pieces.take(~soon))
        self.waiting = in_order(joined([self.waiting, self.of_pieces.apply(pieces.take(soon)), *late]))

    def pieces(self, batch: PhysicalStream) -> PhysicalStream:
        """The elements, cut where a comparison with now changes."""
        return cut(batch, self.borders) if self.only is None else at_one_instant(batch, self.only)

    def _late(self, pieces: PhysicalStream) -> Iterator[PhysicalStream]:
        """Pieces so late that a sum with now may overflow then; that must be no error before that time comes."""
        for i in range(len(pieces)):
            with suppress(ArithmeticOverflow):
                yield self.of_pieces.apply(pieces.take(np.s_[i : i + 1]))


def _only_instant(node: Filter | Map) -> Threshold | None:
    """The first condition `now = v` of a filter."""
    parts = conjuncts(node.predicate) if isinstance(node, Filter) else ()
    alone = [thresholds((part,)) for part in parts if isinstance(part, Comparison) and part.symbol == "="]
    return next((border for found in alone for border in found or ()), None)


def at_one_instant(batch: PhysicalStream, border: Threshold) -> PhysicalStream:
    """Each element at the instant that now must be equal to, if it is there then."""
    at = _instants(border, batch)[0]
    there = (batch.start <= at) & (at < batch.end)
    return batch.take(there).valid_during(at[there], at[there] + 1)


def cut(batch: PhysicalStream, borders: Sequence[Threshold]) -> PhysicalStream:
    """The same rows in pieces, during each of which no comparison with now changes; not in the order of starts."""
    inner = [np.clip(at, batch.start, batch.end) for border in borders for at in _instants(border, batch)]
    bounds = np.sort(np.stack([batch.start, *inner, batch.end], axis=1), axis=1)
    element, piece = np.nonzero(bounds[:, :-1] < bounds[:, 1:])
    return batch.take(element).valid_during(bounds[element, piece], bounds[element, piece + 1])


def _instants(border: Threshold, batch: PhysicalStream) -> list[Ints]:
    """For each step of the comparison the instant at which it changes, row by row; 0 or before where it never does."""
    try:
        return _by_columns(border, batch)
    except SnapeqError:  # for rows for which a guard may keep it from being evaluated
        listed = [list(border.instants(row)) for row in rows(batch.columns)]
        steps = range(len(STEPS[border.symbol]))
        return [np.array([_instant(found[i]) if found else 0 for found in listed], np.int64) for i in steps]


def _by_columns(border: Threshold, batch: PhysicalStream) -> list[Ints]:
    values = [(sign, expressions.evaluate(term, batch.columns, len(batch))) for sign, term in border.terms]
    total = _sum([(sign, column.values) for sign, column in values], len(batch))
    for _, column in values:
        total = np.where(column.mask(), total, -1)  # NULL is unknown at every instant, and before 0 there is nothing
    return border.changes(total)


def _sum(terms: Sequence[tuple[int, Ints]], length: int) -> Ints:
    """A sum that is exact at all instants; before them it may be −1, and beyond them the last."""
    largest = sum(max(abs(int(values.min())), abs(int(values.max()))) for _, values in terms if length)
    if largest < ENDLESS // 2:
        return sum((sign * values for sign, values in terms), np.zeros(length, np.int64))
    exact = sum((sign * values.astype(object) for sign, values in terms), np.zeros(length, object))
    return np.array([_instant(total) for total in exact], np.int64)


def _instant(t: int) -> int:
    return max(min(t, ENDLESS - 1), -1)
