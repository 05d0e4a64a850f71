"""Expressions over one row as Python functions, for small batches.

What queries contain most is put together once: columns, constants, comparisons, AND, OR and NOT. For everything else
the reference evaluates the expression.
"""

import operator
from collections.abc import Callable
from functools import partial
from typing import Any

from semantics import scalar_operations
from semantics.expression import And, Comparison, Constant, Expression, Not, Or, Ref, evaluate
from semantics.scalar_operations import COMPARISON
from semantics.value import Row, Type, Value

RowFunction = Callable[[Row], Any]


def row_function(expression: Expression) -> RowFunction:
    """A function from a row to the value of the expression.

    >>> double = Ref(0, Type.FLOAT)
    >>> row_function(Comparison(">", double, Constant(10.0, Type.FLOAT)))((12.5,))
    True
    """
    match expression:
        case Ref(index=index):
            return operator.itemgetter(index)
        case Constant(value=value):
            return lambda _: value
        case Comparison(left=left, right=right) if left.type is right.type and _compares_as_python_does(left.type):
            return _comparison(COMPARISON[expression.symbol], row_function(left), row_function(right))
        case Comparison(symbol=symbol, left=left, right=right):
            return _float_comparison(symbol, row_function(left), row_function(right))
        case And(left=left, right=right):
            return _both(scalar_operations.kleene_and, row_function(left), row_function(right))
        case Or(left=left, right=right):
            return _both(scalar_operations.kleene_or, row_function(left), row_function(right))
        case Not(operand=operand):
            inner = row_function(operand)
            return lambda row: scalar_operations.kleene_not(inner(row))
        case _:
            return partial(evaluate, expression)


def _compares_as_python_does(type_: Type) -> bool:
    return type_ is not Type.FLOAT and not type_.is_nested


def rows_function(expressions: tuple[Expression, ...]) -> Callable[[Row], Row]:
    """A function from a row to the row of all these values."""
    if all(isinstance(expression, Ref) for expression in expressions):
        return columns_getter([expression.index for expression in expressions if isinstance(expression, Ref)])
    functions = [row_function(expression) for expression in expressions]
    return lambda row: tuple([function(row) for function in functions])


def columns_getter(positions: list[int] | tuple[int, ...]) -> Callable[[Row], Row]:
    """A function from a row to the row of the values at these positions."""
    if len(positions) == 1:
        only = positions[0]
        return lambda row: (row[only],)
    return operator.itemgetter(*positions) if positions else lambda _: ()


def _comparison(compare: Callable[[Any, Any], bool], left: RowFunction, right: RowFunction) -> RowFunction:
    def compared(row: Row) -> bool | None:
        one, other = left(row), right(row)
        return None if one is None or other is None else compare(one, other)

    return compared


def _float_comparison(symbol: str, left: RowFunction, right: RowFunction) -> RowFunction:
    """Floats, or an int and a float; NaN is left to the reference."""
    compare = COMPARISON[symbol]

    def compared(row: Row) -> bool | None:
        one: Value
        one, other = left(row), right(row)
        if type(one) is float and type(other) is float and one == one and other == other:  # not NaN
            return compare(one, other)
        return scalar_operations.comparison(symbol, one, other)

    return compared


def _both(combine: Callable[[Any, Any], bool | None], left: RowFunction, right: RowFunction) -> RowFunction:
    return lambda row: combine(left(row), right(row))
