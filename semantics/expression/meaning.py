"""What an expression means: its value for one row."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Final, assert_never, cast

from semantics import scalar_operations
from semantics.casts import cast_value
from semantics.decimals import rounded
from semantics.errors import ArithmeticOverflow, FunctionError, TypeMismatch
from semantics.expression.nodes import (
    And,
    Arithmetic,
    Call,
    Case,
    Cast,
    Coalesce,
    Comparison,
    Constant,
    Expression,
    In,
    IsDistinct,
    IsNull,
    Like,
    Negation,
    Not,
    Now,
    Or,
    Ref,
    ScalarFunction,
)
from semantics.scalar_operations import Number, Truth
from semantics.temporal import Date
from semantics.typed_arithmetic import opposite, typed_arithmetic
from semantics.value import NULL, Row, Type, Value, conform, identical, promoted_to

PLAIN_NUMBERS: Final = frozenset({int, float})
PROMOTED: Final = frozenset({int, Decimal, Date})
"""Values that may have to become values of a wider type: an int a float, a date a timestamp."""


def evaluate(expression: Expression, row: Row) -> Value:
    """The value of an expression for one row.

    AND, OR and IN evaluate all their operands; CASE and COALESCE only what they need.

    >>> price = Ref(0, Type.FLOAT)
    >>> evaluate(Comparison(">", price, Constant(10.0, Type.FLOAT)), (12.5,))
    True
    """
    value = _value(expression, row)
    if type(value) in PROMOTED:  # an int result of a branch becomes a float where the whole expression is one
        return promoted_to(value, expression.type)
    return identical(value) if type(value) is float else value


def holds(predicate: Expression, row: Row) -> bool:
    """A filter keeps a row only where its predicate is TRUE: neither FALSE nor unknown."""
    return evaluate(predicate, row) is True


def _value(expression: Expression, row: Row) -> Value:
    match expression:
        case Ref(index=index):
            return row[index]
        case Constant(value=value):
            return value
        case Now():
            raise TypeMismatch("NOW: a row alone has no instant; the operator must put one in its place")
        case Arithmetic(symbol=symbol, left=left, right=right):
            return _arithmetic(expression, symbol, _number(left, row), _number(right, row))
        case Negation(operand=operand):
            value = evaluate(operand, row)
            return scalar_operations.negate(cast(Number, value)) if type(value) in PLAIN_NUMBERS else opposite(value)
        case Comparison(symbol=symbol, left=left, right=right):
            return scalar_operations.comparison(symbol, evaluate(left, row), evaluate(right, row))
        case And(left=left, right=right):
            return scalar_operations.kleene_and(_truth(left, row), _truth(right, row))
        case Or(left=left, right=right):
            return scalar_operations.kleene_or(_truth(left, row), _truth(right, row))
        case Not(operand=operand):
            return scalar_operations.kleene_not(_truth(operand, row))
        case IsNull(operand=operand):
            return evaluate(operand, row) is NULL
        case IsDistinct(left=left, right=right):
            return scalar_operations.distinct(evaluate(left, row), evaluate(right, row))
        case In(operand=operand, options=options):
            return _in(evaluate(operand, row), [evaluate(option, row) for option in options])
        case Like(operand=operand, pattern=pattern, escape=escape):
            return scalar_operations.like(_text(operand, row), _text(pattern, row), escape)
        case Case(branches=branches, default=default):
            chosen = (result for condition, result in branches if holds(condition, row))
            return evaluate(next(chosen, default), row)
        case Coalesce(operands=operands):
            values = (evaluate(operand, row) for operand in operands)
            return next((value for value in values if value is not NULL), NULL)
        case Cast(operand=operand, type=type_, safe=safe):
            return cast_value(evaluate(operand, row), operand.type, type_, safe=safe)
        case Call(function=function, arguments=arguments):
            return applied(function, [evaluate(argument, row) for argument in arguments])
        case _:
            assert_never(expression)


# The same function, of which the types of operands say more.
_number = cast("Callable[[Expression, Row], Number | None]", evaluate)
_truth = cast("Callable[[Expression, Row], Truth]", evaluate)
_text = cast("Callable[[Expression, Row], str | None]", evaluate)


def _arithmetic(whole: Arithmetic, symbol: str, left: Value, right: Value) -> Value:
    if left is NULL or right is NULL:
        return NULL
    if type(left) in PLAIN_NUMBERS and type(right) in PLAIN_NUMBERS:
        return scalar_operations.arithmetic(symbol, cast(Number, left), cast(Number, right))
    type_ = whole.type
    if type_ is Type.FLOAT:  # a DECIMAL meets a FLOAT
        return scalar_operations.arithmetic(symbol, float(cast(Number, left)), float(cast(Number, right)))
    return typed_arithmetic(symbol, left, right, type_)


def _in(value: Value, options: Sequence[Value]) -> Truth:
    """SQL's IN: TRUE if equal to one option, unknown if that depends on a NULL."""
    found: Truth = False
    for option in options:
        found = scalar_operations.kleene_or(found, scalar_operations.comparison("=", value, option))
    return found


def applied(function: ScalarFunction, values: Sequence[Value]) -> Value:
    """The value of a function for these arguments."""
    if function.strict and any(value is NULL for value in values):
        return NULL
    arguments = [conform(v, p, f"{function.name}: argument") for v, p in zip(values, function.parameters, strict=True)]
    try:
        result = function.call(*arguments)
    except ArithmeticOverflow:
        raise
    except Exception as error:
        raise FunctionError(f"{function.name}: failed for {tuple(arguments)!r}: {error!r}") from error
    return conform(_in_size(result, function), function.result, f"{function.name}: result")


def _in_size(result: Value, function: ScalarFunction) -> Value:
    """A DECIMAL that fits into its type; one that does not is an overflow."""
    sizes = function.result.sizes
    if sizes is not None and isinstance(result, Decimal) and rounded(result, *sizes) is None:
        raise ArithmeticOverflow(f"{function.name}: result must fit into {function.result.name}, got {result}")
    return result
