"""Wrong aggregates: what is counted, how it is rounded, where the middle is. Each rewrites a right one."""

import struct
from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from operator import add
from typing import Any, Final, TypeVar

from equivalence.mutants.expressions import on, wrapped
from equivalence.mutants.mutant import Mutant, wrong_aggregate
from semantics import AggregateFunction, Type
from semantics.aggregate import (
    Aggregate,
    Avg,
    Count,
    CountDistinct,
    CountRows,
    Largest,
    Max,
    Median,
    Min,
    StddevPop,
    Sum,
    UserDefined,
    VarPop,
)
from semantics.expression import Coalesce, Constant, Expression
from semantics.value import order

A = TypeVar("A")


def over(argument: Expression, result: Type, function: Callable[[list[Any]], Any]) -> Aggregate:
    """An aggregate that is a function of all values, in the order in which they come."""
    collect = AggregateFunction("wrong", argument.type, result, lambda v: [v], lambda vs, v: [*vs, v], function)
    return UserDefined(collect, argument)


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


AGGREGATES: Final[tuple[Mutant, ...]] = tuple(
    wrong_aggregate(name, rewrite)
    for name, rewrite in (
        ("COUNT(x) counts NULL", on(Count, lambda a: CountRows())),
        ("COUNT(x) counts distinct values", on(Count, lambda a: CountDistinct(a.argument))),
        ("COUNT DISTINCT counts all", on(CountDistinct, lambda a: Count(a.argument))),
        ("SUM wraps around", on(Sum, lambda a: over(a.argument, a.type, lambda vs: wrapped(sum(vs))) if a.type is Type.INT else a)),
        ("SUM of floats in single precision", on(Sum, lambda a: over(a.argument, a.type, lambda vs: _single(sum(vs))) if a.type is Type.FLOAT else a)),
        ("SUM of floats from left to right", on(Sum, lambda a: over(a.argument, a.type, lambda vs: reduce(add, vs)) if a.type is Type.FLOAT else a)),
        ("SUM of distinct values", on(Sum, lambda a: over(a.argument, a.type, lambda vs: sum(set(vs))))),
        ("AVG rounds to an integer", on(Avg, lambda a: over(a.argument, Type.FLOAT, _rounded_average))),
        ("AVG takes NULL for 0", on(Avg, lambda a: Avg(_zero(a.argument)))),
        ("AVG of distinct values", on(Avg, lambda a: over(a.argument, Type.FLOAT, lambda vs: _mean(list(set(vs)))))),
        ("MIN is MAX", on(Min, lambda a: Max(a.argument))),
        ("MIN takes NULL for 0", on(Min, lambda a: Min(_zero(a.argument)) if a.type.is_numeric else a)),
        ("MIN is the first", on(Min, lambda a: over(a.argument, a.type, lambda vs: vs[-1] if len(vs) > 2 else vs[0]))),
        ("MAX loses the last", on(Max, lambda a: over(a.argument, a.type, lambda vs: _ordered(vs)[-2:][0]))),
        ("MAX ignores NaN", on(Max, lambda a: over(a.argument, a.type, lambda vs: _ordered([v for v in vs if v == v] or vs)[-1]))),
        ("MEDIAN is the lower middle", on(Median, lambda a: over(a.argument, Type.FLOAT, lambda vs: float(_ordered(vs)[(len(vs) - 1) // 2])))),
        ("MEDIAN of distinct values", on(Median, lambda a: over(a.argument, Type.FLOAT, lambda vs: float(_ordered(set(vs))[len(set(vs)) // 2])))),
        ("MEDIAN is the mean", on(Median, lambda a: Avg(a.argument))),
        ("VAR_POP of a sample", on(VarPop, lambda a: over(a.argument, Type.FLOAT, _sample_variance))),
        ("VAR_POP cancels", on(VarPop, lambda a: over(a.argument, Type.FLOAT, _naive_variance))),
        ("STDDEV_POP is VAR_POP", on(StddevPop, lambda a: VarPop(a.argument))),
        ("TOP of distinct values", on(Largest, lambda a: over(a.argument, a.type, lambda vs: _ordered(set(vs))[-a.rank] if len(set(vs)) >= a.rank else None))),
        ("TOP gives the last there is", on(Largest, lambda a: over(a.argument, a.type, lambda vs: _ordered(vs)[-min(a.rank, len(vs))]))),
        ("user-defined aggregates see one value", on(UserDefined, lambda a: over(a.argument, a.type, lambda vs: a.function.eval(a.function.init(vs[0]))))),
    )
)  # fmt: skip
