"""What differs between the SQL of engines; a dialect overrides the few lines in which its engine is different."""

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import ClassVar, Final

from physical.adapters.sql.functions import Templates, template_of
from semantics import Plan, Type, Value
from semantics import aggregate as agg
from semantics.aggregate import Aggregate
from semantics.expression import Call
from semantics.over import FrameAggregate, OverFunction
from semantics.temporal import Counted

INTERVALS: Final = {Type.MONTH_INTERVAL: "months", Type.DAY_INTERVAL: "microseconds"}
"""The units in which constants are written."""

TIME_TYPES: Final = {Type.TIMESTAMP: "TIMESTAMP", Type.DATE: "DATE", Type.TIME: "TIME"}
EXACT_CASTS: Final = frozenset(
    {
        *(("int", "str"), ("bool", "int"), ("int", "bool"), ("bool", "str")),
        *(("int", "decimal"), ("decimal", "float"), ("decimal", "decimal"), ("decimal", "str")),
        *(("date", "timestamp"), ("timestamp", "date"), ("timestamp", "time"), ("date", "str")),
    }
)
"""Casts that mean the same in most engines."""


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
    decimal_type: ClassVar[str] = ""
    """What it calls exact decimal numbers, if they mean the same there."""
    has_intervals: ClassVar[bool] = False
    """May constant spans be added to points in time?"""
    casts: ClassVar[frozenset[tuple[str, str]]] = frozenset({("int", "float")})
    """Between which kinds of types a cast gives the same, if it has a value for all that there are."""
    functions: ClassVar[Templates] = {}
    """The functions that have the same meaning, by name and arguments."""
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
    has_nul: ClassVar[bool] = True
    """May a text hold the character of code 0?"""
    distinct_from: ClassVar[str] = "IS DISTINCT FROM"
    without_escape: ClassVar[str] = ""
    """What a LIKE needs so that no character is an escape."""
    binary_order: ClassVar[str] = ""
    """What ORDER BY needs so that texts are ordered by their characters."""

    def can_be_said(self, node: Plan) -> bool:  # noqa: ARG002  # others may look at it
        """Does it have words for this operator with these expressions?"""
        return True

    def can_compute(self, function: OverFunction) -> bool:
        """May it stand before OVER?"""
        if not isinstance(function, FrameAggregate):
            return True
        return type(function.aggregate) in self.aggregates - {agg.CountDistinct, agg.Median}

    def has_type(self, type_: Type) -> bool:
        return type_ in self.types or (type_.is_decimal and bool(self.decimal_type))

    def type_name(self, type_: Type) -> str:
        if type_.sizes is not None:
            return f"{self.decimal_type}({type_.sizes[0]}, {type_.sizes[1]})"
        return self.types[type_]

    def template(self, call: Call) -> str | None:
        """The text of a call with places for its arguments; None if no function of its has this meaning."""
        return template_of(self.functions, call)

    def cast(self, text: str, type_: Type) -> str:
        return f"CAST({text} AS {self.type_name(type_)})"

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
            case Counted() if type_ in INTERVALS:
                return f"INTERVAL '{int(value)} {INTERVALS[type_]}'"
            case Counted() | Decimal():
                return self.cast(f"'{value}'", type_)
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

    def aggregate(self, aggregate: Aggregate, argument: str, over: str = "") -> str:
        """One of its aggregates over an argument in words, of a group or of what OVER says."""
        match aggregate:
            case agg.CountRows():
                return f"count(*){over}"
            case agg.Count():
                return f"count({argument}){over}"
            case agg.CountDistinct():
                return f"count(DISTINCT {argument}){over}"
            case agg.Sum():
                return self.cast(f"sum({argument}){over}", aggregate.type)
            case agg.Avg() | agg.VarPop() | agg.StddevPop() | agg.Median():
                return f"{self.statistics[type(aggregate)]}({self.cast(argument, Type.FLOAT)}){over}"
            case agg.Min():
                return f"min({argument}){over}"
            case agg.Max():
                return f"max({argument}){over}"
            case _:
                raise AssertionError(f"no dialect has {type(aggregate).__name__}")


def _float_text(value: float) -> str:
    if math.isfinite(value):
        return repr(value)
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
