"""Twins of the operators that treat each element by itself."""

from collections.abc import Callable
from typing import TypeVar

from physical.columns.row_expressions import row_function, rows_function
from physical.columns.stream import Element
from physical.engines.interval.operator import StatelessOperator
from physical.engines.interval.stateless import IntervalFilter, IntervalLandmarkWindow, IntervalMap, IntervalTimeWindow
from physical.kernels.types import ENDLESS
from physical.runtime.row_operator import RowOperator
from semantics import StreamError

Stateless = TypeVar("Stateless", bound=StatelessOperator)
Apply = Callable[[list[Element]], list[Element]]


class StatelessRows(RowOperator[StatelessOperator]):
    """Gives out at once what a function makes of the elements."""

    def __init__(self, operator: StatelessOperator, apply: Apply) -> None:
        super().__init__(operator)
        self.apply = apply
        self.promised = operator.promised  # type: ignore[method-assign]  # the operator knows
        self._due: list[Element] = []

    def accept(self, elements: list[Element], port: int) -> None:  # noqa: ARG002  # there is one port only
        self._due = self.apply(elements)

    def release(self, watermark: int) -> list[Element]:  # noqa: ARG002  # never waits
        due, self._due = self._due, []
        return due


def unchanged(elements: list[Element]) -> list[Element]:
    """The elements as they are: a source, or Rstream."""
    return elements


def filtered(operator: IntervalFilter) -> Apply:
    """σ: the elements whose row satisfies the predicate."""
    holds = row_function(operator.predicate)
    if operator.asks_for_now:
        return lambda elements: [(row, s, e) for row, s, e in elements if holds((*row, s)) is True]
    return lambda elements: [element for element in elements if holds(element[0]) is True]


def mapped(operator: IntervalMap) -> Apply:
    """μ: every element with a new row."""
    make = rows_function(tuple(operator.expressions))
    if operator.asks_for_now:
        return lambda elements: [(make((*row, start)), start, end) for row, start, end in elements]
    return lambda elements: [(make(row), start, end) for row, start, end in elements]


def in_time_window(operator: IntervalTimeWindow) -> Apply:
    """ω_{w,s} on chronons."""
    size, slide, name = operator.size, operator.slide, operator.name

    def boundary(t: int) -> int:
        return -(-t // slide) * slide

    def apply(elements: list[Element]) -> list[Element]:
        windowed = []
        for row, t, end in elements:
            _check_chronon(name, t, end)
            first, last = boundary(t), ENDLESS if t > ENDLESS - size - slide else boundary(t + size)
            if first < min(last, ENDLESS):
                windowed.append((row, first, last))
        return windowed

    return apply


def in_landmark_window(operator: IntervalLandmarkWindow) -> Apply:
    """ω_[a,∞) on chronons."""
    first, reset, name = operator.first, operator.reset, operator.name

    def apply(elements: list[Element]) -> list[Element]:
        windowed = []
        for row, t, end in elements:
            _check_chronon(name, t, end)
            if t >= first:
                windowed.append((row, t, ENDLESS if reset is None else min(t + reset - (t - first) % reset, ENDLESS)))
        return windowed

    return apply


def _check_chronon(name: str, start: int, end: int) -> None:
    if end - start != 1:
        raise StreamError(f"{name}: elements must be valid for one instant each, split them first")
