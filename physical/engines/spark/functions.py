"""Built-in functions that Spark computes with our meaning, in every session and for all values."""

from collections.abc import Callable
from functools import reduce
from typing import Final

from pyspark.sql import Column
from pyspark.sql import functions as f

from semantics.expression import Call
from semantics.functions.definition import BuiltIn
from semantics.value import Type

Make = Callable[..., Column]


def native_function(call: Call) -> Make | None:
    """How Spark computes a call, if it does so; what may overflow is left to the worker."""
    function = call.function
    if not isinstance(function, BuiltIn) or not function.total:
        return None
    return _NATIVE.get((function.name, len(call.arguments), function.result))


def _extreme(pick: Make) -> Make:
    """Spark's own leaves out NULL."""

    def made(*columns: Column) -> Column:
        known = reduce(lambda one, other: one & other, [column.isNotNull() for column in columns])
        return f.when(known, pick(*columns))

    return made


def _root(column: Column) -> Column:
    return f.when(~(column < 0), f.sqrt(column))


def _not_a_number(column: Column) -> Column:
    return f.when(column.isNotNull(), f.isnan(column))


_NUMBERS: Final = (Type.INT, Type.FLOAT)
_NATIVE: Final[dict[tuple[str, int, Type], Make]] = {
    ("length", 1, Type.INT): lambda text: f.char_length(text).cast("long"),
    ("octet_length", 1, Type.INT): lambda text: f.octet_length(text).cast("long"),
    ("reverse", 1, Type.STR): f.reverse,
    ("trim", 1, Type.STR): f.trim,
    ("ltrim", 1, Type.STR): f.ltrim,
    ("rtrim", 1, Type.STR): f.rtrim,
    ("starts_with", 2, Type.BOOL): lambda text, part: text.startswith(part),
    ("ends_with", 2, Type.BOOL): lambda text, part: text.endswith(part),
    ("contains", 2, Type.BOOL): lambda text, part: text.contains(part),
    ("abs", 1, Type.FLOAT): f.abs,
    ("sign", 1, Type.FLOAT): f.signum,
    ("sqrt", 1, Type.FLOAT): _root,
    ("is_nan", 1, Type.BOOL): _not_a_number,
    ("bitand", 2, Type.INT): lambda left, right: left.bitwiseAND(right),
    ("bitor", 2, Type.INT): lambda left, right: left.bitwiseOR(right),
    ("bitxor", 2, Type.INT): lambda left, right: left.bitwiseXOR(right),
    ("bitnot", 1, Type.INT): f.bitwise_not,
    **{("greatest", number, type_): _extreme(f.greatest) for number in (2, 3) for type_ in _NUMBERS},
    **{("least", number, type_): _extreme(f.least) for number in (2, 3) for type_ in _NUMBERS},
}
"""By name, number of arguments and type of the result. Letters in upper and lower case are left out: Java and Python
may know different versions of Unicode."""
