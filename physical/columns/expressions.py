"""Expressions over columns: what `semantics.expression` computes for one row, numpy computes for all rows of a batch.

Results and errors are the same as row by row: an overflow raises what the reference raises for the first such row.
"""

from collections.abc import Sequence
from functools import reduce
from itertools import product
from typing import Final, assert_never

import numpy as np

from physical.columns import typed_expressions as typed
from physical.columns.column import ColumnVector, constant, dtype_of, unified
from physical.kernels.types import Array, Bools, Ints
from semantics import StreamError, scalar_operations
from semantics import expression as expr
from semantics.expression import Expression
from semantics.value import INT_MAX, INT_MIN, Type

Columns = Sequence[ColumnVector]
Part = tuple[Ints, ColumnVector]
"""Some rows of a batch, and their values."""

_ARITHMETIC: Final = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "MOD": np.fmod}
_COMPARISON: Final[dict[str, np.ufunc]] = {
    "=": np.equal,
    "<>": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}


def evaluate(expression: Expression, columns: Columns, length: int) -> ColumnVector:
    """The value of an expression for every row of a batch of this length.

    >>> from physical.columns.column import from_values
    >>> price = from_values([12.5, None, 8.0], Type.FLOAT)
    >>> dear = expr.Comparison(">", expr.Ref(0, Type.FLOAT), expr.Constant(10.0, Type.FLOAT))
    >>> evaluate(dear, [price], 3).to_values()
    [True, None, False]
    """

    def of(operand: Expression) -> ColumnVector:
        return evaluate(operand, columns, length)

    match expression:
        case expr.Ref(index=index):
            return columns[index]
        case expr.Constant(value=value, type=type_):
            return constant(value, type_, length)
        case expr.Now():
            raise StreamError("NOW: an operator gives the instants as a column")
        case expr.Arithmetic(left=left, right=right) if not (left.type.is_numeric and right.type.is_numeric):
            return typed.arithmetic(expression, of(left), of(right))
        case expr.Arithmetic(symbol=symbol, left=left, right=right):
            return _arithmetic(symbol, of(left), of(right))
        case expr.Negation(operand=operand) if not operand.type.is_numeric:
            return typed.negation(expression, of(operand))
        case expr.Negation(operand=operand):
            return _negation(of(operand))
        case expr.Comparison(symbol=symbol, left=left, right=right):
            return _comparison(symbol, of(left), of(right))
        case expr.And(left=left, right=right):
            return _and(of(left), of(right))
        case expr.Or(left=left, right=right):
            return _or(of(left), of(right))
        case expr.Not(operand=operand):
            return _not(of(operand))
        case expr.IsNull(operand=operand):
            return ColumnVector(Type.BOOL, ~of(operand).mask())
        case expr.IsDistinct(left=left, right=right):
            return _distinct(of(left), of(right))
        case expr.In(operand=operand, options=options):
            return _in(of(operand), [of(option) for option in options])
        case expr.Like(operand=operand, pattern=pattern, escape=escape):
            return _like(of(operand), of(pattern), escape)
        case expr.Case():
            return _case(expression, columns, length)
        case expr.Coalesce():
            return _coalesce(expression, columns, length)
        case expr.Cast(operand=operand):
            return typed.cast(expression, of(operand))
        case expr.Call(function=function, arguments=arguments):
            from physical.columns.function_calls import called  # a selection needs no functions

            return called(function, [of(argument) for argument in arguments], length)
        case _:
            assert_never(expression)


def holds(predicate: Expression, columns: Columns, length: int) -> Bools:
    """Where a predicate is TRUE: neither FALSE nor unknown."""
    truth: Bools = evaluate(predicate, columns, length).values
    return truth


def _fresh(type_: Type, values: Array, valid: Bools | None, words: Array | None = None) -> ColumnVector:
    """A column of new values; values that are not valid may be anything, and become 0."""
    if valid is None or valid.all():
        return ColumnVector(type_, values, None, words)
    bits = values.view(f"i{values.itemsize}")
    bits *= valid  # three times as fast as values[~valid] = 0, which branches at every row
    return ColumnVector(type_, values, valid, words)


def _both(left: Bools | None, right: Bools | None) -> Bools | None:
    if left is None or right is None:
        return right if left is None else left
    return left & right


def _as_type(column: ColumnVector, type_: Type) -> ColumnVector:
    """The column in this type: ints become the nearest doubles."""
    if column.type is type_:
        return column
    if not column.type.is_numeric or not type_.is_numeric:
        return typed.as_type(column, type_)
    return ColumnVector(type_, column.values.astype(dtype_of(type_)), column.valid)


def _promoted(left: ColumnVector, right: ColumnVector) -> tuple[ColumnVector, ColumnVector]:
    """Both columns as floats if one of them is."""
    type_ = Type.FLOAT if Type.FLOAT in (left.type, right.type) else left.type
    return _as_type(left, type_), _as_type(right, type_)


@np.errstate(all="ignore")
def _arithmetic(symbol: str, left: ColumnVector, right: ColumnVector) -> ColumnVector:
    left, right = _promoted(_as_type(left, Type.FLOAT) if symbol == "/" else left, right)
    valid = _both(left.valid, right.valid)
    values = _ARITHMETIC[symbol](left.values, right.values)
    if symbol in ("/", "MOD"):
        valid = _both(valid, right.values != 0)
    elif left.type is Type.INT:
        _check_overflow(symbol, left.values, right.values, values, valid)
    return _fresh(left.type, values, valid)


def _check_overflow(symbol: str, left: Ints, right: Ints, wrapped: Ints, valid: Bools | None) -> None:
    """Raise what the reference raises for the first row whose result has wrapped around."""
    if _cannot_overflow(symbol, left, right):
        return
    # A wrapped result is off by at least 2^64 and by almost the whole exact one. The estimate in doubles is off by
    # less than 2^13, or by a 2^-50th of the exact one. So the distance of the two tells, without any exception.
    estimate = _ARITHMETIC[symbol](left.astype(np.float64), right.astype(np.float64))
    wrong = np.abs(estimate - wrapped) > 2.0**62
    if valid is not None:
        wrong &= valid
    if wrong.any():
        first = np.argmax(wrong)
        scalar_operations.arithmetic(symbol, int(left[first]), int(right[first]))


def _cannot_overflow(symbol: str, left: Ints, right: Ints) -> bool:
    """Can no row overflow? Sums, differences and products all lie between those of the extremes."""
    if len(left) == 0:
        return True
    extremes = ([int(side.min()), int(side.max())] for side in (left, right))
    exact = {"+": int.__add__, "-": int.__sub__, "*": int.__mul__}[symbol]
    return all(INT_MIN <= exact(x, y) <= INT_MAX for x, y in product(*extremes))


def _negation(operand: ColumnVector) -> ColumnVector:
    if operand.type is Type.INT and (operand.values == INT_MIN).any():
        scalar_operations.negate(INT_MIN)
    return _fresh(operand.type, -operand.values, operand.valid)


def _comparison(symbol: str, left: ColumnVector, right: ColumnVector) -> ColumnVector:
    return _fresh(Type.BOOL, _compared(symbol, left, right), _both(left.valid, right.valid))


@np.errstate(all="ignore")
def _compared(symbol: str, left: ColumnVector, right: ColumnVector) -> Bools:
    """The comparison of all slots, including those of NULL."""
    if left.type is not right.type and not (left.type.is_numeric and right.type.is_numeric):
        alike = typed.compared_in_integers(left, right)
        if alike is None:
            return _compared_one_by_one(symbol, left, right)
        left, right = alike
    left, right = _promoted(left, right)
    compare = _COMPARISON[symbol]
    x, y = _comparable(left, right)
    result: Bools = compare(x, y)
    if left.type is Type.FLOAT and (nan := np.isnan(x) | np.isnan(y)).any():
        result[nan] = compare(np.isnan(x[nan]), np.isnan(y[nan]))
    return result


def _compared_one_by_one(symbol: str, left: ColumnVector, right: ColumnVector) -> Bools:
    pairs = zip(left.to_values(), right.to_values(), strict=True)
    return np.fromiter((bool(scalar_operations.comparison(symbol, x, y)) for x, y in pairs), np.bool_, len(left))


def _comparable(left: ColumnVector, right: ColumnVector) -> tuple[Array, Array]:
    """Numbers that compare as the values of both columns do, row by row."""
    if left.words is None or right.words is None or left.words is right.words:
        return left.values, right.values
    if left.type.is_nested:
        x, y = unified([left, right])
        return x.values, y.values
    if len(left.words) < len(right.words):
        mine, other = _comparable(right, left)
        return other, mine
    # The i-th word on the left is 2i + 1. One on the right is that too if it is the same word, else even and between:
    # merging both lists of words would cost more, above all where the right one is that of a constant.
    before, upto = (np.searchsorted(left.words, right.words, side) for side in ("left", "right"))
    return 2 * left.values + 1, (before + upto)[right.values]


def _and(left: ColumnVector, right: ColumnVector) -> ColumnVector:
    return _not(_or(_not(left), _not(right)))


def _or(left: ColumnVector, right: ColumnVector) -> ColumnVector:
    true = left.values | right.values
    known = _both(left.valid, right.valid)
    return _fresh(Type.BOOL, true, None if known is None else known | true)


def _not(operand: ColumnVector) -> ColumnVector:
    return _fresh(Type.BOOL, ~operand.values, operand.valid)


def _distinct(left: ColumnVector, right: ColumnVector) -> ColumnVector:
    different = _compared("<>", left, right)
    known = _both(left.valid, right.valid)
    if known is None:
        return ColumnVector(Type.BOOL, different)
    return ColumnVector(Type.BOOL, (different & known) | (left.mask() != right.mask()))


def _in(operand: ColumnVector, options: Columns) -> ColumnVector:
    return reduce(_or, [_comparison("=", operand, option) for option in options])


def _like(text: ColumnVector, pattern: ColumnVector, escape: str | None) -> ColumnVector:
    """LIKE of every distinct pair of words."""
    assert text.words is not None
    assert pattern.words is not None
    pairs, rows = _numbered(text.values * len(pattern.words) + pattern.values, len(text.words) * len(pattern.words))
    texts, patterns = np.divmod(pairs, max(len(pattern.words), 1))
    words = zip(text.words[texts], pattern.words[patterns], strict=True)
    matches = np.fromiter((scalar_operations.like(t, p, escape) for t, p in words), np.bool_, len(pairs))
    return _fresh(Type.BOOL, matches[rows], _both(text.valid, pattern.valid))


def _numbered(codes: Ints, bound: int) -> tuple[Ints, Ints]:
    """The distinct codes, all below the bound, and the position of each row's code among them."""
    if bound > len(codes):
        return np.unique(codes, return_inverse=True)
    present = np.zeros(bound, np.bool_)
    present[codes] = True
    return np.flatnonzero(present), (np.cumsum(present) - 1)[codes]


def _case(case: expr.Case, columns: Columns, length: int) -> ColumnVector:
    parts: list[Part] = []
    rest = np.arange(length)
    for condition, result in case.branches:
        true = _at(rest, condition, columns, length).values
        parts.append((rest[true], _at(rest[true], result, columns, length)))
        rest = rest[~true]
    parts.append((rest, _at(rest, case.default, columns, length)))
    return _assembled(case.type, parts, length)


def _coalesce(coalesce: expr.Coalesce, columns: Columns, length: int) -> ColumnVector:
    parts: list[Part] = []
    rest = np.arange(length)
    for operand in coalesce.operands:
        column = _at(rest, operand, columns, length)
        parts.append((rest, column))
        rest = rest[~column.mask()]
    return _assembled(coalesce.type, parts, length)


def _at(rows: Ints, expression: Expression, columns: Columns, length: int) -> ColumnVector:
    """The expression for these rows only: it must neither overflow nor call a function for the others."""
    if len(rows) == length:
        return evaluate(expression, columns, length)
    used = {ref.index for ref in expr.refs(expression)}
    taken = [column.take(rows) if i in used else column for i, column in enumerate(columns)]
    return evaluate(expression, taken, len(rows))


def _assembled(type_: Type, parts: Sequence[Part], length: int) -> ColumnVector:
    """One column from these parts; a later part replaces an earlier one."""
    values: Array = np.zeros(length, dtype_of(type_))
    valid = np.zeros(length, np.bool_)
    columns = unified([_as_type(column, type_) for _, column in parts])
    for (rows, _), column in zip(parts, columns, strict=True):
        values[rows], valid[rows] = column.values, column.mask()
    return _fresh(type_, values, valid, columns[0].words)
