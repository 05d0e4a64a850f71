"""The aggregates that people type inside a query."""

from collections.abc import Callable
from dataclasses import dataclass

from semantics import aggregate as agg
from semantics.builder.column_expression import ColumnExpression, col
from semantics.errors import TypeMismatch
from semantics.ordering import SortKey
from semantics.over import Frame, FrameAggregate, OverFunction
from semantics.scope import Scope
from semantics.time import FOREVER, End

ColumnName = ColumnExpression | str
"""Where a column is meant, its bare name will do."""


@dataclass(frozen=True, slots=True)
class AggregateExpression:
    """Aggregates over named columns, typed once the columns are known; `top` stands for several."""

    resolve: Callable[[Scope], tuple[agg.Aggregate, ...]]

    def distinct(self) -> "AggregateExpression":
        """The same over different values, as SUM(DISTINCT x)."""
        return AggregateExpression(lambda scope: tuple(map(agg.of_distinct, self.resolve(scope))))

    def filter(self, condition: ColumnExpression) -> "AggregateExpression":
        """The same over the rows for which a condition is TRUE, as SUM(x) FILTER (WHERE …)."""
        return AggregateExpression(
            lambda scope: tuple(agg.filtered(function, condition.resolve(scope)) for function in self.resolve(scope))
        )

    def over(self, *, rows: End | None = None, range_: End | None = None) -> "OverExpression":
        """The aggregate of the row and so many before it, or of the rows of its instant and of so many before it."""
        frame = frame_of(rows, range_)

        def resolve(scope: Scope) -> OverFunction:
            several = self.resolve(scope)
            if len(several) != 1:
                raise TypeMismatch(f"Over: expected one aggregate, got {len(several)}")
            return FrameAggregate(several[0], frame)

        return OverExpression(resolve)


@dataclass(frozen=True, slots=True)
class OverExpression:
    """A function over rows in the order of time, typed once the columns are known."""

    resolve: Callable[[Scope], OverFunction]


def frame_of(rows: End | None, range_: End | None) -> Frame:
    """All rows so far, unless it is said how many rows or instants before."""
    if rows is not None and range_ is not None:
        raise TypeMismatch(f"Over: a frame is of rows or of a range, got both: {rows} and {range_}")
    return Frame("rows", rows) if rows is not None else Frame("range", FOREVER if range_ is None else range_)


def count(argument: ColumnName | None = None) -> AggregateExpression:
    """COUNT(*) without an argument, else the number of values that are not NULL."""
    if argument is None:
        return AggregateExpression(lambda _: (agg.CountRows(),))
    return _aggregate(agg.Count, argument)


def count_distinct(argument: ColumnName, *others: ColumnName) -> AggregateExpression:
    """The number of different values; of several columns, of different rows without a NULL."""
    return _aggregate(lambda first, *more: agg.CountDistinct(first, more), argument, *others)


def sum_(argument: ColumnName) -> AggregateExpression:
    """The sum, without NULL; of floats it is exact, and rounded once."""
    return _aggregate(agg.Sum, argument)


def avg(argument: ColumnName) -> AggregateExpression:
    """The mean, without NULL; rounded once."""
    return _aggregate(agg.Avg, argument)


def min_(argument: ColumnName) -> AggregateExpression:
    """The least value, without NULL."""
    return _aggregate(agg.Min, argument)


def max_(argument: ColumnName) -> AggregateExpression:
    """The greatest value, without NULL."""
    return _aggregate(agg.Max, argument)


def var_pop(argument: ColumnName) -> AggregateExpression:
    """The variance of the values as a population."""
    return _aggregate(agg.VarPop, argument)


def stddev_pop(argument: ColumnName) -> AggregateExpression:
    """The standard deviation of the values as a population."""
    return _aggregate(agg.StddevPop, argument)


def median(argument: ColumnName) -> AggregateExpression:
    """The value in the middle, or the mean of the two there."""
    return _aggregate(agg.Median, argument)


def var_samp(argument: ColumnName) -> AggregateExpression:
    """The variance of the values as a sample; NULL if there are fewer than two."""
    return _aggregate(agg.VarSamp, argument)


def stddev_samp(argument: ColumnName) -> AggregateExpression:
    """The standard deviation of the values as a sample; NULL if there are fewer than two."""
    return _aggregate(agg.StddevSamp, argument)


def covar_pop(argument: ColumnName, other: ColumnName) -> AggregateExpression:
    """The covariance of pairs as a population; pairs with NULL do not count."""
    return _aggregate(agg.TWO_ARGUMENTS["covar_pop"], argument, other)


def covar_samp(argument: ColumnName, other: ColumnName) -> AggregateExpression:
    """The covariance of pairs as a sample; NULL if there are fewer than two."""
    return _aggregate(agg.TWO_ARGUMENTS["covar_samp"], argument, other)


def corr(argument: ColumnName, other: ColumnName) -> AggregateExpression:
    """The coefficient of correlation of pairs; NULL if a side does not vary."""
    return _aggregate(agg.TWO_ARGUMENTS["corr"], argument, other)


def percentile_cont(argument: ColumnName, fraction: float) -> AggregateExpression:
    """The number below which this fraction of the values lies, between two values if need be."""
    part = agg.decimal_fraction(fraction)
    return _aggregate(lambda x: agg.Percentile(x, part), argument)


def percentile_disc(argument: ColumnName, fraction: float) -> AggregateExpression:
    """The first value at which this fraction of all values is reached."""
    part = agg.decimal_fraction(fraction)
    return _aggregate(lambda x: agg.Percentile(x, part, discrete=True), argument)


def mode(argument: ColumnName) -> AggregateExpression:
    """The most frequent value; of several, the least."""
    return _aggregate(agg.Mode, argument)


def bit_and(argument: ColumnName) -> AggregateExpression:
    """All values, combined by AND of their bits."""
    return _aggregate(agg.ONE_ARGUMENT["bit_and"], argument)


def bit_or(argument: ColumnName) -> AggregateExpression:
    """All values, combined by OR of their bits."""
    return _aggregate(agg.ONE_ARGUMENT["bit_or"], argument)


def bit_xor(argument: ColumnName) -> AggregateExpression:
    """All values, combined by XOR of their bits."""
    return _aggregate(agg.ONE_ARGUMENT["bit_xor"], argument)


def min_by(argument: ColumnName, by: ColumnName) -> AggregateExpression:
    """The argument of the row in which `by` is least; of several such rows, the least argument."""
    return _aggregate(agg.TWO_ARGUMENTS["min_by"], argument, by)


def max_by(argument: ColumnName, by: ColumnName) -> AggregateExpression:
    """The argument of the row in which `by` is greatest; of several such rows, the greatest argument."""
    return _aggregate(agg.TWO_ARGUMENTS["max_by"], argument, by)


def string_agg(
    argument: ColumnName, separator: str, *order: ColumnName, descending: bool = False
) -> AggregateExpression:
    """All texts one after the other, in the order of these columns, and then of the texts themselves."""
    keys = tuple(SortKey(column, descending) for column in range(1, len(order) + 1))
    return _aggregate(lambda text, *by: agg.Listed(text, separator, by, keys), argument, *order)


def top(argument: ColumnName, k: int) -> AggregateExpression:
    """TOP-K: the k largest values, one column each, NULL where there are fewer."""
    if type(k) is not int or k < 1:
        raise TypeMismatch(f"top: k must be an integer ≥ 1, got {k!r}")
    of = as_column(argument)
    return AggregateExpression(lambda scope: tuple(agg.Largest(of.resolve(scope), rank) for rank in range(1, k + 1)))


def aggregated(function: agg.AggregateFunction, argument: ColumnName) -> AggregateExpression:
    """A user-defined aggregate of this argument."""
    return _aggregate(lambda expression: agg.UserDefined(function, expression), argument)


def _aggregate(make: Callable[..., agg.Aggregate], *arguments: ColumnName) -> AggregateExpression:
    of = [as_column(argument) for argument in arguments]
    return AggregateExpression(lambda scope: (make(*(one.resolve(scope) for one in of)),))


def as_column(argument: ColumnName) -> ColumnExpression:
    """Where a column is meant, its bare name will do."""
    if not isinstance(argument, ColumnExpression | str):
        raise TypeMismatch(f"aggregate: expected a column's name or a column expression, got {argument!r}")
    return col(argument) if isinstance(argument, str) else argument
