"""The names of aggregates in SQL, and those that are other words for the aggregates of the algebra."""

from collections.abc import Callable
from functools import partial
from typing import Final

from semantics import aggregate as agg
from semantics.errors import TypeMismatch
from semantics.expression import Expression
from semantics.value import Type

OfOne = Callable[[Expression], agg.Aggregate]


def _of_truth(name: str, make: OfOne, argument: Expression) -> agg.Aggregate:
    if argument.type is not Type.BOOL:
        raise TypeMismatch(f"{name}: argument must be BOOL, got {argument.type.name}", (argument,))
    return make(argument)


def _truths(make: OfOne, *names: str) -> dict[str, OfOne]:
    """FALSE is less than TRUE: all are true if the least is, and some are if the greatest is."""
    return {name: partial(_of_truth, name, make) for name in names}


def _count_if(condition: Expression) -> agg.Aggregate:
    return agg.filtered(agg.CountRows(), condition)


ONE_ARGUMENT: Final[dict[str, OfOne]] = {
    **{name.upper(): make for name, make in agg.ONE_ARGUMENT.items()},
    "VARIANCE": agg.VarSamp,
    "STDDEV": agg.StddevSamp,
    **_truths(agg.Min, "BOOL_AND", "EVERY", "LOGICAL_AND"),
    **_truths(agg.Max, "BOOL_OR", "ANY", "SOME", "LOGICAL_OR"),
    **{name: partial(_of_truth, name, _count_if) for name in ("COUNT_IF", "COUNTIF")},
    "ANY_VALUE": agg.Min,
    "APPROX_COUNT_DISTINCT": agg.CountDistinct,
    "APPROX_DISTINCT": agg.CountDistinct,
}
TWO_ARGUMENTS: Final[dict[str, Callable[[Expression, Expression], agg.Aggregate]]] = {
    **{name.upper(): make for name, make in agg.TWO_ARGUMENTS.items()},
    **dict.fromkeys(("ARG_MIN", "ARGMIN"), agg.TWO_ARGUMENTS["min_by"]),
    **dict.fromkeys(("ARG_MAX", "ARGMAX"), agg.TWO_ARGUMENTS["max_by"]),
}
PERCENTILES: Final = {
    **dict.fromkeys(("PERCENTILE_CONT", "PERCENTILE", "QUANTILE_CONT"), False),
    **dict.fromkeys(("PERCENTILE_DISC", "QUANTILE", "QUANTILE_DISC"), True),
    **dict.fromkeys(("APPROX_PERCENTILE", "PERCENTILE_APPROX", "APPROX_QUANTILE"), True),
}
"""Is it one of the values, and never a number between two of them?"""
ENDS: Final = {"FIRST_VALUE": False, "LAST_VALUE": True}
"""Is it the last value in the declared order?"""
JOINED_TEXTS: Final = ("STRING_AGG", "LISTAGG", "GROUP_CONCAT")
ARRAYS: Final = ("ARRAY_AGG", "COLLECT_LIST")
NAMES: Final = frozenset([*ONE_ARGUMENT, *TWO_ARGUMENTS, *PERCENTILES, *ENDS, *JOINED_TEXTS, *ARRAYS, "TOP"])
