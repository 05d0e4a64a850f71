"""Wrong aggregates: what is counted, how it is rounded, where the middle is. Each rewrites a right one."""

import struct
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import reduce
from operator import add
from typing import Any, Final, TypeVar

from equivalence.mutants.mutant import Mutant
from equivalence.mutants.reference.wrong_expressions import on, wrapped
from equivalence.mutants.reference.wrong_reference import wrong_aggregate
from semantics import AggregateFunction, Type
from semantics import aggregate as agg
from semantics.expression import Case, Coalesce, Constant, Expression
from semantics.ordering import SortKey
from semantics.value import order

A = TypeVar("A")


def over(argument: Expression, result: Type, function: Callable[[list[Any]], Any]) -> agg.Aggregate:
    """An aggregate that is a function of all values, in the order in which they come."""
    collect = AggregateFunction("wrong", argument.type, result, lambda v: [v], lambda vs, v: [*vs, v], function)
    return agg.UserDefined(collect, argument)


def _ordered(values: Iterable[Any]) -> list[Any]:
    return sorted(values, key=order)


def _mean(values: Sequence[Any]) -> float:
    return float(sum(map(float, values)) / len(values))


def _naive_variance(values: Sequence[Any]) -> float:
    """The mean of the squares less the square of the mean: cancels."""
    return _mean([float(v) * float(v) for v in values]) - _mean(values) ** 2


def _sample_variance(values: Sequence[Any]) -> float:
    mean = _mean(values)
    return sum((float(v) - mean) ** 2 for v in values) / max(len(values) - 1, 1)


def _single(value: float) -> float:
    """As a float of 32 bits keeps it."""
    return float(struct.unpack("f", struct.pack("f", value))[0]) if abs(value) < 1e38 else value


def _rounded_average(values: Sequence[Any]) -> float:
    mean = _mean(values)
    return float(round(mean)) if abs(mean) < 1e15 else mean


def _zero(argument: Expression) -> Expression:
    zero = Constant(0, Type.INT) if argument.type is Type.INT else Constant(0.0, Type.FLOAT)
    return Coalesce((argument, zero))


_OTHER_BITS: Final[dict[str, agg.BitSymbol]] = {"and": "or", "or": "and", "xor": "or"}


def _unfiltered(part: Any) -> Any:
    """An aggregate over all rows, where CASE leaves some out."""
    if not isinstance(part, agg.Aggregate):
        return part
    match agg.arguments_of(part):
        case (Case(branches=((_, value),), default=Constant(value=None)), *others):
            return agg.with_arguments(part, [value, *others])
        case _:
            return part


def _of_population(part: Any) -> Any:
    match part:
        case agg.VarSamp(argument=argument):
            return agg.VarPop(argument)
        case agg.StddevSamp(argument=argument):
            return agg.StddevPop(argument)
        case agg.Paired(name="covar_samp"):
            return replace(part, name="covar_pop")
        case _:
            return part


AGGREGATES: Final[tuple[Mutant, ...]] = tuple(
    wrong_aggregate(name, rewrite)
    for name, rewrite in (
        ("COUNT(x) counts NULL", on(agg.Count, lambda a: agg.CountRows())),
        ("COUNT(x) counts distinct values", on(agg.Count, lambda a: agg.CountDistinct(a.argument))),
        ("COUNT DISTINCT counts all", on(agg.CountDistinct, lambda a: agg.Count(a.argument))),
        ("SUM wraps around", on(agg.Sum, lambda a: over(a.argument, a.type, lambda vs: wrapped(sum(vs))) if a.type is Type.INT else a)),
        ("SUM of floats in single precision", on(agg.Sum, lambda a: over(a.argument, a.type, lambda vs: _single(sum(vs))) if a.type is Type.FLOAT else a)),
        ("SUM of floats from left to right", on(agg.Sum, lambda a: over(a.argument, a.type, lambda vs: reduce(add, vs)) if a.type is Type.FLOAT else a)),
        ("SUM of distinct values", on(agg.Sum, lambda a: over(a.argument, a.type, lambda vs: sum(set(vs))))),
        ("AVG rounds to an integer", on(agg.Avg, lambda a: over(a.argument, Type.FLOAT, _rounded_average))),
        ("AVG treats NULL as 0", on(agg.Avg, lambda a: agg.Avg(_zero(a.argument)))),
        ("AVG of distinct values", on(agg.Avg, lambda a: over(a.argument, Type.FLOAT, lambda vs: _mean(list(set(vs)))))),
        ("MIN is MAX", on(agg.Min, lambda a: agg.Max(a.argument))),
        ("MIN treats NULL as 0", on(agg.Min, lambda a: agg.Min(_zero(a.argument)) if a.type.is_numeric else a)),
        ("MIN is the first", on(agg.Min, lambda a: over(a.argument, a.type, lambda vs: vs[-1] if len(vs) > 2 else vs[0]))),
        ("MAX loses the last", on(agg.Max, lambda a: over(a.argument, a.type, lambda vs: _ordered(vs)[-2:][0]))),
        ("MAX ignores NaN", on(agg.Max, lambda a: over(a.argument, a.type, lambda vs: _ordered([v for v in vs if v == v] or vs)[-1]))),
        ("MEDIAN is the lower middle", on(agg.Median, lambda a: over(a.argument, Type.FLOAT, lambda vs: float(_ordered(vs)[(len(vs) - 1) // 2])))),
        ("MEDIAN of distinct values", on(agg.Median, lambda a: over(a.argument, Type.FLOAT, lambda vs: float(_ordered(set(vs))[len(set(vs)) // 2])))),
        ("MEDIAN is the mean", on(agg.Median, lambda a: agg.Avg(a.argument))),
        ("VAR_POP of a sample", on(agg.VarPop, lambda a: over(a.argument, Type.FLOAT, _sample_variance))),
        ("VAR_POP cancels", on(agg.VarPop, lambda a: over(a.argument, Type.FLOAT, _naive_variance))),
        ("STDDEV_POP is VAR_POP", on(agg.StddevPop, lambda a: agg.VarPop(a.argument))),
        ("TOP of distinct values", on(agg.Largest, lambda a: over(a.argument, a.type, lambda vs: _ordered(set(vs))[-a.rank] if len(set(vs)) >= a.rank else None))),
        ("TOP gives the last there is", on(agg.Largest, lambda a: over(a.argument, a.type, lambda vs: _ordered(vs)[-min(a.rank, len(vs))]))),
        ("DISTINCT is ignored", on(agg.OfDistinct, lambda a: a.function)),
        ("FILTER is ignored", _unfiltered),
        ("samples are divided by their number", _of_population),
        ("percentiles from above", on(agg.Percentile, lambda a: replace(a, fraction=1 - a.fraction))),
        ("MIN_BY takes the greatest", on(agg.ExtremeBy, lambda a: replace(a, greatest=not a.greatest))),
        ("MODE is the greatest", on(agg.Mode, lambda a: agg.Max(a.argument))),
        ("bits of all and of some are confused", on(agg.Bitwise, lambda a: replace(a, symbol=_OTHER_BITS[a.symbol]))),
        ("texts are joined backwards", on(agg.Listed, lambda a: agg.Listed(a.argument, a.separator, (), () if a.order else (SortKey(0, descending=True),)))),
        ("user-defined aggregates see one value", on(agg.UserDefined, lambda a: over(a.argument, a.type, lambda vs: a.function.eval(a.function.init(vs[0]))))),
    )
)  # fmt: skip
