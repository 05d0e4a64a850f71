"""What differs between the SQL of engines; a dialect overrides the few lines in which its engine is different."""

import math
from collections.abc import Mapping, Sequence
from typing import ClassVar

from semantics import Plan, Type, Value
from semantics import aggregate as agg
from semantics.aggregate import Aggregate


class SqlDialect:
    """Standard SQL as most engines have it."""

    types: ClassVar[Mapping[Type, str]] = {
        Type.INT: "BIGINT",
        Type.FLOAT: "DOUBLE",
        Type.BOOL: "BOOLEAN",
        Type.STR: "VARCHAR",
    }
    aggregates: ClassVar[frozenset[type[Aggregate]]] = frozenset(
        {
            *(agg.CountRows, agg.Count, agg.CountDistinct, agg.Sum, agg.Avg, agg.Min, agg.Max),
            *(agg.VarPop, agg.StddevPop, agg.Median),
        }
    )
    """The aggregates that it has."""
    statistics: ClassVar[Mapping[type[Aggregate], str]] = {
        agg.Avg: "avg",
        agg.VarPop: "var_pop",
        agg.StddevPop: "stddev_pop",
        agg.Median: "median",
    }
    """What it calls the aggregates over floats."""
    has_all_set_operations: ClassVar[bool] = True
    """Does it know EXCEPT ALL and INTERSECT ALL? If not, equal rows are numbered, which makes sets of them."""
    has_semijoins: ClassVar[bool] = False
    """Is a semijoin written LEFT SEMI JOIN, and not EXISTS?"""
    has_float_modulo: ClassVar[bool] = True
    has_escapes: ClassVar[bool] = True
    """May a LIKE name its escape?"""
    has_pattern_columns: ClassVar[bool] = True
    """May the pattern of a LIKE be anything but a constant?"""
    has_special_floats: ClassVar[bool] = True
    """Are NaN and the infinities values like any others?"""
    distinct_from: ClassVar[str] = "IS DISTINCT FROM"
    without_escape: ClassVar[str] = ""
    """What a LIKE needs so that no character is an escape."""
    binary_order: ClassVar[str] = ""
    """What ORDER BY needs so that texts are ordered by their characters."""

    def can_be_said(self, node: Plan) -> bool:  # noqa: ARG002  # others may look at it
        """Does it have words for this operator with these expressions?"""
        return True

    def cast(self, text: str, type_: Type) -> str:
        return f"CAST({text} AS {self.types[type_]})"

    def constant(self, value: Value, type_: Type) -> str:
        """A literal of exactly this type."""
        match value:
            case None:
                return self.cast("NULL", type_)
            case bool():
                return str(value).upper()
            case str():
                return self.text(value)
            case float():
                return self.cast(f"'{_float_text(value)}'", type_)
            case int():
                return self.cast(f"'{value}'" if value < 0 else str(value), type_)
            case _:
                raise AssertionError(f"no dialect has {type_.name}")

    def text(self, value: str) -> str:
        """A text literal."""
        return "'" + value.replace("'", "''") + "'"

    def modulo(self, left: str, right: str, type_: Type) -> str:  # noqa: ARG002  # others may need the type
        """The remainder with the sign of the dividend; the divisor is never 0."""
        return f"({left} % {right})"

    def inside(self, text: str, options: Sequence[str]) -> str:
        """Is this one of the options?"""
        return f"({text} IN ({', '.join(options)}))"

    def aggregate(self, aggregate: Aggregate, argument: str) -> str:
        """One of its aggregates over an argument in words."""
        match aggregate:
            case agg.CountRows():
                return "count(*)"
            case agg.Count():
                return f"count({argument})"
            case agg.CountDistinct():
                return f"count(DISTINCT {argument})"
            case agg.Sum():
                return self.cast(f"sum({argument})", aggregate.type)
            case agg.Avg() | agg.VarPop() | agg.StddevPop() | agg.Median():
                return f"{self.statistics[type(aggregate)]}({self.cast(argument, Type.FLOAT)})"
            case agg.Min():
                return f"min({argument})"
            case agg.Max():
                return f"max({argument})"
            case _:
                raise AssertionError(f"no dialect has {type(aggregate).__name__}")


def _float_text(value: float) -> str:
    if math.isfinite(value):
        return repr(value)
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
