"""Aggregates by the names that the notation and SQL have in common; those with more than arguments are not here."""

from collections.abc import Callable
from functools import partial
from typing import Final

from semantics.aggregate import of_rows as rows
from semantics.aggregate import of_values as values
from semantics.aggregate.union import Aggregate
from semantics.expression import Expression

ONE_ARGUMENT: Final[dict[str, Callable[[Expression], Aggregate]]] = {
    "count": values.Count,
    "sum": values.Sum,
    "avg": values.Avg,
    "min": values.Min,
    "max": values.Max,
    "var_pop": values.VarPop,
    "stddev_pop": values.StddevPop,
    "var_samp": values.VarSamp,
    "stddev_samp": values.StddevSamp,
    "median": values.Median,
    "mode": values.Mode,
    "bit_and": partial(values.Bitwise, "and"),
    "bit_or": partial(values.Bitwise, "or"),
    "bit_xor": partial(values.Bitwise, "xor"),
}
TWO_ARGUMENTS: Final[dict[str, Callable[[Expression, Expression], Aggregate]]] = {
    "covar_pop": partial(rows.Paired, "covar_pop"),
    "covar_samp": partial(rows.Paired, "covar_samp"),
    "corr": partial(rows.Paired, "corr"),
    "min_by": partial(rows.ExtremeBy, greatest=False),
    "max_by": partial(rows.ExtremeBy, greatest=True),
}
WORDS: Final = frozenset(
    [*ONE_ARGUMENT, *TWO_ARGUMENTS, "top", "percentile_cont", "percentile_disc", "string_agg", "array_agg"]
)
"""All names that aggregates have."""
