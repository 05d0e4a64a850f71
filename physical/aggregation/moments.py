"""Variances, covariances and correlations: exact sums of numbers, squares and products that come and go."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from physical.aggregation.timeline import Argument, RowArgument
from physical.columns.column import ColumnVector
from physical.kernels.aggregation_script import READ
from semantics.value import NAN

M = TypeVar("M", "Moments", "PairMoments")


@dataclass(slots=True)
class Moments:
    """How many values there are, how many of them are not finite, and the sum and sum of squares of the finite ones."""

    count: int = 0
    specials: int = 0
    sum: int = 0
    squares: int = 0

    def change(self, number: int | None, sign: int) -> None:
        self.count += sign
        if number is None:
            self.specials += sign
        else:
            self.sum += sign * number
            self.squares += sign * number * number

    @property
    def deviations(self) -> int:
        """The count times the sum of squared distances from the mean."""
        return self.count * self.squares - self.sum**2

    def variance(self, unit: int, fewer: int) -> float | None:
        """The exact variance of the numbers divided by the unit, rounded once; a sample counts for one fewer."""
        if self.count <= fewer:
            return None
        return NAN if self.specials else _divided(self.deviations, self.count * (self.count - fewer) * unit**2)


@dataclass(slots=True)
class PairMoments:
    """The moments of two columns, and the sum of products of pairs of finite numbers."""

    x: Moments = field(default_factory=Moments)
    y: Moments = field(default_factory=Moments)
    products: int = 0

    def change(self, pair: tuple[int | None, int | None], sign: int) -> None:
        x, y = pair
        self.x.change(x, sign)
        self.y.change(y, sign)
        self.products += sign * (x or 0) * (y or 0)

    @property
    def deviations(self) -> int:
        """The count times the sum of products of distances from the means."""
        return self.x.count * self.products - self.x.sum * self.y.sum

    @property
    def specials(self) -> int:
        return self.x.specials + self.y.specials

    def covariance(self, units: int, fewer: int) -> float | None:
        count = self.x.count
        if count <= fewer:
            return None
        return NAN if self.specials else _divided(self.deviations, count * (count - fewer) * units)

    def correlation(self) -> float | None:
        if self.specials:
            return NAN
        spread = self.x.deviations * self.y.deviations
        together = self.deviations
        if spread == 0:
            return None
        size = math.sqrt(together**2 / spread)
        return size if together > 0 else 0.0 - size  # there is one zero


def variances(x: Argument, fewer: int) -> list[float | None]:
    """The variance of each row."""
    numbers, unit = _scaled(x.column)
    return [moments.variance(unit, fewer) for moments in _followed(x, numbers, Moments)]


def roots(numbers: list[float | None]) -> list[float | None]:
    return [number if number is None else math.sqrt(number) for number in numbers]


def paired(name: str, x: RowArgument) -> list[float | None]:
    """COVAR_POP, COVAR_SAMP or CORR of each row."""
    (xs, x_unit), (ys, y_unit) = map(_scaled, x.columns)
    followed = _followed(x, list(zip(xs, ys, strict=True)), PairMoments)
    if name == "corr":
        return [moments.correlation() for moments in followed]
    return [moments.covariance(x_unit * y_unit, int(name == "covar_samp")) for moments in followed]


def _followed(x: Argument, numbers: list, make: Callable[[], M]) -> Iterator[M]:  # type: ignore[type-arg]
    """The moments of the group of each row, as they are when it is read."""
    groups, row_group = x.timeline.groups.tolist(), x.timeline.row_group.tolist()
    moments = [make() for _ in range(x.timeline.group_count)]
    for step in x.script.tolist():
        i, what = step >> 2, step & 3
        if what == READ:
            yield moments[row_group[i]]
        else:
            moments[groups[i]].change(numbers[i], 1 - 2 * what)


def _scaled(column: ColumnVector) -> tuple[list[int | None], int]:
    """The values as ints over a common denominator; None stands for NaN and the infinities."""
    numbers: list[Any] = column.values.tolist() if column.type.is_numeric else column.to_values()
    ratios = [number.as_integer_ratio() if number is not None and math.isfinite(number) else None for number in numbers]
    unit = math.lcm(*{ratio[1] for ratio in ratios if ratio})
    return [ratio and ratio[0] * (unit // ratio[1]) for ratio in ratios], unit


def _divided(number: int, by: int) -> float:
    """Python divides ints with one rounding."""
    try:
        return number / by
    except OverflowError:
        return math.inf if number > 0 else -math.inf
