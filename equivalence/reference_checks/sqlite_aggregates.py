"""Aggregates as SQLite writes them; those that it lacks come from Python's `statistics` and from fractions."""

import math
import sqlite3
import statistics
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce
from operator import and_, itemgetter, or_, xor
from typing import Any, assert_never

from equivalence.reference_checks.sqlite_expressions import sql_constant, sql_expression
from semantics import Type, Value
from semantics import aggregate as agg

Collected = list[tuple[Any, ...]]
"""The rows of arguments that an aggregate has been given."""


def sql_aggregate(aggregate: agg.Aggregate, columns: Sequence[str]) -> str:
    """The aggregate in SQLite's words."""
    if isinstance(aggregate, agg.OfDistinct):
        return _called(aggregate.function, columns, "DISTINCT ")
    return _called(aggregate, columns, "")


def _called(aggregate: agg.Aggregate, columns: Sequence[str], distinct: str) -> str:
    if isinstance(aggregate, agg.CountRows):
        return "count(*)"
    argument = sql_expression(aggregate.argument, columns)
    match aggregate:
        case agg.Count():
            return f"count({argument})"
        case agg.CountDistinct(others=()):
            return f"count(DISTINCT {argument})"
        case agg.Sum():
            return f"{'sum' if aggregate.type is Type.INT else 'float_sum'}({distinct}{argument})"
        case agg.Avg():
            return f"mean({distinct}{argument})"
        case agg.Min():
            return f"min({argument})"
        case agg.Max():
            return f"max({argument})"
        case agg.VarPop():
            return f"variance({distinct}{argument})"
        case agg.StddevPop():
            return f"deviation({distinct}{argument})"
        case agg.Median():
            return f"median({distinct}{argument})"
        case agg.UserDefined(function=function):
            return f"user_{function.name}({distinct}{argument})"
        case agg.Largest(rank=rank):
            return _further("largest", str(rank), aggregate, columns, distinct)
        case agg.Percentile(fraction=fraction):
            return _further(agg.name_of(aggregate), str(fraction), aggregate, columns, distinct)
        case agg.Listed(separator=None):
            raise ValueError("SQLite has no arrays")
        case agg.Listed(separator=separator, order=order):
            keys = "".join(f" {key.column} {key.descending:d} {key.ends_with_nulls:d}" for key in order)
            return _further("joined", f"{separator}|{keys}", aggregate, columns, distinct)
        case agg.CountDistinct():
            return f"coalesce({_further('rows', '', aggregate, columns, 'DISTINCT')}, 0)"
        case agg.VarSamp() | agg.StddevSamp() | agg.Mode() | agg.Bitwise() | agg.Paired() | agg.ExtremeBy():
            return _further(agg.name_of(aggregate), "", aggregate, columns, distinct)
        case agg.OfDistinct():
            raise AssertionError("DISTINCT is not nested")
        case _:
            assert_never(aggregate)


def _further(name: str, parameter: str, aggregate: agg.Aggregate, columns: Sequence[str], distinct: str) -> str:
    """A call of an aggregate that SQLite lacks: it knows DISTINCT only where there is one argument."""
    arguments = [sql_expression(argument, columns) for argument in agg.arguments_of(aggregate)]
    settings = [sql_constant(parameter), str(agg.needed_of(aggregate)), str(int(bool(distinct)))]
    return f"further_{name}({', '.join([*settings, *arguments])})"


def add_aggregates(connection: sqlite3.Connection) -> None:
    """Teach SQLite the aggregates that it lacks."""
    for name, function in _STATISTICS.items():
        connection.create_aggregate(name, 1, aggregate_class(function))
    for name, further in _FURTHER.items():
        connection.create_aggregate(f"further_{name}", -1, _further_class(further))


def aggregate_class(function: Callable[[list[Any]], Value]) -> type:
    """An aggregate as `sqlite3` wants it, from a function of all values that are not NULL."""

    class OfValues:
        def __init__(self) -> None:
            self.values: list[Any] = []

        def step(self, value: Value) -> None:
            if value is not None:
                self.values.append(value)

        def finalize(self) -> Value:
            return function(self.values) if self.values else None

    return OfValues


def _further_class(function: Callable[[str, Collected], Value]) -> type:
    class OfRows:
        def __init__(self) -> None:
            self.rows: Collected = []
            self.parameter, self.distinct = "", False

        def step(self, parameter: str, needed: int, distinct: int, *row: Value) -> None:
            self.parameter, self.distinct = parameter, bool(distinct)
            if None not in row[:needed]:
                self.rows.append(row)

        def finalize(self) -> Value:
            rows = list(set(self.rows)) if self.distinct else self.rows
            return function(self.parameter, rows) if rows else None

    return OfRows


def _values(rows: Collected) -> list[Any]:
    return sorted(value for (value,) in rows)


def _largest(rank: str, rows: Collected) -> Value:
    down = _values(rows)[::-1]
    return down[int(rank) - 1] if int(rank) <= len(down) else None


def _reached(fraction: str, rows: Collected) -> Value:
    """The first value at which so much of the values is reached."""
    values = _values(rows)
    enough = (v for i, v in enumerate(values, 1) if Fraction(i, len(values)) >= Fraction(fraction))
    return next(enough)  # type: ignore[no-any-return]


def _interpolated(fraction: str, rows: Collected) -> Value:
    values = [Fraction(value) for value in _values(rows)]
    whole, part = divmod(Fraction(fraction) * (len(values) - 1), 1)
    above = values[min(whole + 1, len(values) - 1)]
    return float(values[whole] + part * (above - values[whole]))


def _covariance(rows: Collected, sample: int) -> Fraction | None:
    xs, ys = ([Fraction(value) for value in column] for column in zip(*rows, strict=True))
    n = len(rows)
    crossed = n * sum(x * y for x, y in zip(xs, ys, strict=True)) - sum(xs) * sum(ys)
    return Fraction(crossed) / (n * (n - sample)) if n > sample else None


def _correlated(_: str, rows: Collected) -> Value:
    both, *alone = (_covariance(pairs, 0) for pairs in (rows, [(x, x) for x, _ in rows], [(y, y) for _, y in rows]))
    if both is None or None in alone or 0 in alone:
        return None
    return math.copysign(math.sqrt(both**2 / (alone[0] * alone[1])), both)  # type: ignore[operator]


def _rounded(number: Fraction | None) -> Value:
    return None if number is None else float(number)


def _nulls_first(value: Value) -> tuple[bool, Any]:
    return (value is not None, 0 if value is None else value)


def _by(rows: Collected, most: bool) -> Value:
    choose = max if most else min
    return choose(rows, key=lambda row: (row[0], _nulls_first(row[1])))[1]  # type: ignore[no-any-return]


def _joined(parameter: str, rows: Collected) -> Value:
    separator, _, numbers = parameter.rpartition("|")
    order = [int(number) for number in numbers.split()]
    rows = sorted(rows, key=lambda row: [_nulls_first(value) for value in row])
    for i in reversed(range(0, len(order), 3)):
        at, down, last = order[i : i + 3]
        nulls, others = [row for row in rows if row[at] is None], [row for row in rows if row[at] is not None]
        others.sort(key=itemgetter(at), reverse=bool(down))
        rows = [*others, *nulls] if last else [*nulls, *others]
    return separator.join(row[0] for row in rows)


_STATISTICS: dict[str, Callable[[list[Any]], Value]] = {
    "float_sum": math.fsum,
    "mean": lambda values: float(statistics.mean(values)),
    "median": lambda values: float(statistics.median(values)),
    "variance": lambda values: float(statistics.pvariance(values)),
    "deviation": lambda values: math.sqrt(statistics.pvariance(values)),
}
_FURTHER: dict[str, Callable[[str, Collected], Value]] = {
    "largest": _largest,
    "percentile_disc": _reached,
    "percentile_cont": _interpolated,
    "mode": lambda _, rows: min(statistics.multimode(_values(rows))),
    "var_samp": lambda _, rows: float(statistics.variance(_values(rows))) if len(rows) > 1 else None,
    "stddev_samp": lambda _, rows: math.sqrt(statistics.variance(_values(rows))) if len(rows) > 1 else None,
    "bit_and": lambda _, rows: reduce(and_, _values(rows)),
    "bit_or": lambda _, rows: reduce(or_, _values(rows)),
    "bit_xor": lambda _, rows: reduce(xor, _values(rows)),
    "covar_pop": lambda _, rows: _rounded(_covariance(rows, 0)),
    "covar_samp": lambda _, rows: _rounded(_covariance(rows, 1)),
    "corr": _correlated,
    "min_by": lambda _, rows: _by(rows, most=False),
    "max_by": lambda _, rows: _by(rows, most=True),
    "joined": _joined,
    "rows": lambda _, rows: len(rows),
}
