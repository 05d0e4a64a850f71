"""Aggregates of a group whose values come and go one by one."""

from abc import ABC, abstractmethod
from bisect import bisect_left, insort
from math import inf, isfinite, isnan, nan
from typing import Any, Final

from semantics.aggregate import Aggregate, Avg, Count, CountRows, Sum, aggregate_values, order_of
from semantics.value import Type, Value, check_int, identical

EXPONENT: Final = 1074
"""Every finite float is a multiple of 2 to the power of −1074."""


class RunningAggregate(ABC):
    """An aggregate of values that are there; none of them is NULL."""

    @abstractmethod
    def add(self, value: Any) -> None:
        """A value comes."""

    @abstractmethod
    def remove(self, value: Any) -> None:
        """A value that came earlier goes."""

    @abstractmethod
    def value(self, rows: int) -> Value:
        """The aggregate now, in a group of this many rows."""


class RunningCountRows(RunningAggregate):
    """COUNT(*): the group knows it."""

    def add(self, value: Any) -> None:
        """Nothing to do."""

    def remove(self, value: Any) -> None:
        """Nothing to do."""

    def value(self, rows: int) -> Value:
        return rows


class RunningCount(RunningAggregate):
    """COUNT(x)."""

    def __init__(self) -> None:
        self.count = 0

    def add(self, value: Any) -> None:  # noqa: ARG002  # any value counts
        self.count += 1

    def remove(self, value: Any) -> None:  # noqa: ARG002  # any value counts
        self.count -= 1

    def value(self, rows: int) -> Value:  # noqa: ARG002  # only values count
        return self.count


class RunningSum(RunningAggregate):
    """SUM and AVG of ints: Python's are exact."""

    def __init__(self, mean: bool) -> None:
        self.mean = mean
        self.count = 0
        self.total = 0

    def add(self, value: Any) -> None:
        self.count += 1
        self.total += value

    def remove(self, value: Any) -> None:
        self.count -= 1
        self.total -= value

    def value(self, rows: int) -> Value:  # noqa: ARG002  # only values count
        if not self.count:
            return None
        return self.total / self.count if self.mean else check_int(self.total, "SUM")


class RunningFloatSum(RunningSum):
    """SUM and AVG of floats, as an exact multiple of the smallest float; Python divides ints with one rounding."""

    def __init__(self, mean: bool) -> None:
        super().__init__(mean)
        self.specials: dict[float, int] = {inf: 0, -inf: 0}
        self.nans = 0

    def add(self, value: Any) -> None:
        self.count += 1
        self._change(value, 1)

    def remove(self, value: Any) -> None:
        self.count -= 1
        self._change(value, -1)

    def value(self, rows: int) -> Value:  # noqa: ARG002  # only values count
        if not self.count:
            return None
        special = self._special()
        if special is not None:
            return special
        try:
            return self.total / ((self.count if self.mean else 1) << EXPONENT) + 0.0  # there is one zero
        except OverflowError:
            return inf if self.total > 0 else -inf

    def _change(self, value: float, sign: int) -> None:
        if isfinite(value):
            numerator, denominator = value.as_integer_ratio()
            self.total += sign * (numerator << EXPONENT + 1 - denominator.bit_length())
        elif isnan(value):
            self.nans += sign
        else:
            self.specials[value] += sign

    def _special(self) -> float | None:
        """NaN or an infinity, if there are any; they decide among themselves."""
        if self.nans or (self.specials[inf] and self.specials[-inf]):
            return nan
        return next((value for value, count in self.specials.items() if count), None)


class RunningValues(RunningAggregate):
    """Any other aggregate, by the reference, from all values, or rows of values, in their order."""

    def __init__(self, function: Aggregate) -> None:
        self.function = function
        self.order = order_of(function)
        self.values: list[Any] = []

    def add(self, value: Any) -> None:
        insort(self.values, value, key=self.order)

    def remove(self, value: Any) -> None:
        del self.values[bisect_left(self.values, self.order(value), key=self.order)]

    def value(self, rows: int) -> Value:  # noqa: ARG002  # only values count
        return identical(aggregate_values(self.function, self.values))


def running(function: Aggregate) -> RunningAggregate:
    """The running form of an aggregate, over no values."""
    match function:
        case CountRows():
            return RunningCountRows()
        case Count():
            return RunningCount()
        case Sum() | Avg() if function.argument.type is Type.FLOAT:
            return RunningFloatSum(isinstance(function, Avg))
        case Sum() | Avg() if function.argument.type is Type.INT:
            return RunningSum(isinstance(function, Avg))
        case _:
            return RunningValues(function)
