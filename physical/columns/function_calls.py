"""Functions over columns: by numpy where it computes the same, else once for each distinct row of arguments."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from physical.columns.column import ColumnVector, from_values, identity_codes
from physical.columns.function_rounding import rounded_floats
from physical.columns.function_times import beginnings, fields, shown_part
from physical.kernels.types import Array, Bools, Ints
from semantics.expression import ScalarFunction, applied
from semantics.functions.definition import BuiltIn
from semantics.value import INT_MIN, Type

Columns = Sequence[ColumnVector]
Fast = Callable[..., tuple[Array, Bools | None] | None]
"""The values for all slots, and where there are any if not everywhere; None if one of them overflows."""


def called(function: ScalarFunction, arguments: Columns, length: int) -> ColumnVector:
    """The value of a function for every row of a batch."""
    if not isinstance(function, BuiltIn) or not arguments or not length:
        return _by_rows(function, arguments, length)
    made = _by_numpy(function, arguments)
    return _by_distinct_rows(function, arguments) if made is None else made


def _by_rows(function: ScalarFunction, arguments: Columns, length: int) -> ColumnVector:
    values = [argument.to_values() for argument in arguments]
    return from_values([applied(function, [v[row] for v in values]) for row in range(length)], function.result)


def _by_distinct_rows(function: ScalarFunction, arguments: Columns) -> ColumnVector:
    """In the order in which they come first, so that an error is that of the first row that has one."""
    if function.name == "date_format":
        arguments = [_shown_part(arguments[0], arguments[1]), arguments[1]]
    firsts, rows = _distinct_rows(arguments)
    return _by_rows(function, [argument.take(firsts) for argument in arguments], len(firsts)).take(rows)


def _shown_part(points: ColumnVector, pattern: ColumnVector) -> ColumnVector:
    """Points in time without what the format does not show: there are fewer of them."""
    words = pattern.words
    values = points.values if words is None or len(words) != 1 else shown_part(str(words[0]), points.values)
    return ColumnVector(points.type, values * points.mask(), points.valid)


def _distinct_rows(columns: Columns) -> tuple[Ints, Ints]:
    """Where each distinct row comes first, and which of them every row is."""
    codes, bound = _codes(columns[0])
    for column in columns[1:]:
        own, size = _codes(column)
        if bound * size >= 2**62:
            codes, bound = _dense(codes)
        codes, bound = codes * size + own, bound * size
    if bound > 4 * len(codes):
        codes, bound = _dense(codes)
    first = np.full(bound, len(codes))
    np.minimum.at(first, codes, np.arange(len(codes)))
    firsts = np.sort(first[first < len(codes)])
    place = np.zeros(len(codes), np.int64)
    place[firsts] = np.arange(len(firsts))
    return firsts, place[first[codes]]


def _codes(column: ColumnVector) -> tuple[Ints, int]:
    """Small numbers that are equal where the values are, and a bound above all of them; NULL is 0."""
    codes, valid = identity_codes(column)
    low, high = int(codes.min()), int(codes.max())
    if high - low >= 4 * len(codes):
        codes, size = _dense(codes)
    else:
        codes, size = codes - low, high - low + 1
    return (codes, size) if valid is None else (np.where(valid, codes + 1, 0), size + 1)


def _dense(codes: Ints) -> tuple[Ints, int]:
    distinct, places = np.unique(codes, return_inverse=True)
    return places.astype(np.int64), len(distinct)


@np.errstate(all="ignore")
def _by_numpy(function: ScalarFunction, arguments: Columns) -> ColumnVector | None:
    """By numpy, if it can, the arguments are numbers of the parameters' types, and nothing overflows.

    Large decimals and texts are numbers of words: their values say nothing to numpy.
    """
    fast = _FAST.get((function.name, function.result))
    alike = all(a.type is p and p.is_numeric for a, p in zip(arguments, function.parameters, strict=True))
    made = fast(*(argument.values for argument in arguments)) if fast and alike else _with_word(function, arguments)
    if made is None:
        return None
    masks = [made[1], *(argument.valid for argument in arguments)]
    there = [mask for mask in masks if mask is not None]
    if not there:
        return ColumnVector(function.result, made[0])
    valid = np.logical_and.reduce(there)
    return ColumnVector(function.result, np.where(valid, made[0], made[0].dtype.type(0)), valid)


def _with_word(function: ScalarFunction, arguments: Columns) -> tuple[Array, Bools | None] | None:
    """A function whose first argument is one word, the same for all rows, and whose second is a TIMESTAMP."""
    of = {"extract": fields, "date_trunc": beginnings}.get(function.name)
    if of is None or arguments[1].type is not Type.TIMESTAMP or arguments[0].words is None:
        return None
    words = arguments[0].words
    values = of(str(words[0]), arguments[1].values) if len(words) == 1 else None
    return None if values is None else (values, None)


def _plain(of: Callable[..., Any]) -> Fast:
    return lambda *values: (of(*values), None)


def _folded(of: np.ufunc) -> Fast:
    return lambda first, *others: (_fold(of, first, others), None)


def _fold(of: np.ufunc, first: Array, others: Sequence[Array]) -> Array:
    for other in others:
        first = of(first, other)
    return first


def _absolute(values: Ints) -> tuple[Array, Bools | None] | None:
    return None if (values == INT_MIN).any() else (np.abs(values), None)


def _root(values: Array) -> tuple[Array, Bools | None]:
    return np.sqrt(values), ~(values < 0)


def _round(values: Array, decimals: Ints | None = None) -> tuple[Array, Bools | None] | None:
    found = rounded_floats(values, decimals)
    return None if found is None else (found, None)


def _floor_mod(left: Ints, right: Ints) -> tuple[Array, Bools | None]:
    return np.mod(left, right), right != 0


def _quotient(left: Ints, right: Ints) -> tuple[Array, Bools | None] | None:
    if (left == INT_MIN).any():
        return None
    size = np.floor_divide(np.abs(left), np.maximum(np.abs(right), 1))
    return None if (right == INT_MIN).any() else (np.where((left < 0) == (right < 0), size, -size), right != 0)


_FAST: Final[dict[tuple[str, Type], Fast]] = {
    ("abs", Type.INT): _absolute,
    ("abs", Type.FLOAT): _plain(np.abs),
    ("sign", Type.INT): _plain(np.sign),
    ("sign", Type.FLOAT): _plain(np.sign),
    ("floor", Type.INT): _plain(np.array),
    ("floor", Type.FLOAT): _plain(np.floor),
    ("ceil", Type.INT): _plain(np.array),
    ("ceil", Type.FLOAT): _plain(np.ceil),
    ("sqrt", Type.FLOAT): _root,
    ("round", Type.FLOAT): _round,
    ("is_nan", Type.BOOL): _plain(np.isnan),
    ("div", Type.INT): _quotient,
    ("floor_mod", Type.INT): _floor_mod,
    ("bitand", Type.INT): _plain(np.bitwise_and),
    ("bitor", Type.INT): _plain(np.bitwise_or),
    ("bitxor", Type.INT): _plain(np.bitwise_xor),
    ("bitnot", Type.INT): _plain(np.invert),
    ("greatest", Type.INT): _folded(np.maximum),
    ("greatest", Type.FLOAT): _folded(np.maximum),  # NaN is the last in our order
    ("least", Type.INT): _folded(np.minimum),
    ("least", Type.FLOAT): _folded(np.fmin),
}
"""Functions for which numpy has the same value, by name and type of the result."""
