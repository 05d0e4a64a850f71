"""Expressions as Spark columns, with the same NULLs, overflows and divisions.

They mean the same in every session, whatever its settings are (ANSI mode, time zone). An overflow makes an expression
NULL here, because Spark's optimiser and short-circuit evaluation may skip what is not needed, and an overflow is an
error even if its value does not matter. So the parts that may overflow are listed, and every use of an expression must
look at each of them for every row (`native._watched`).
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import assert_never

from pyspark.sql import Column
from pyspark.sql import functions as f

from physical.engines.spark.frame import SPARK_TYPES
from physical.engines.spark.functions import native_function
from semantics import Expression, Type
from semantics import expression as expr
from semantics.types import BASIC_TYPES

Columns = Sequence[Column]


def is_native(expression: Expression) -> bool:
    """Can Spark evaluate this with our meaning?

    It cannot evaluate a user's function or most of ours, a pattern that differs from row to row, or an expression that
    may overflow but is evaluated for some rows only. Points in time and decimals are ours to compute with.
    """
    match expression:
        case expr.Ref():
            return True
        case expr.Now() | expr.Cast():
            return False
        case _ if not {expression.type, *(part.type for part in expr.children(expression))} <= set(BASIC_TYPES):
            return False
        case expr.Call() if native_function(expression) is None:
            return False
        case expr.Like(pattern=pattern) if not isinstance(pattern, expr.Constant):
            return False
        case expr.Case() | expr.Coalesce():
            return all(map(is_native, expr.children(expression))) and not any(map(risky, lazy(expression)))
        case _:
            return all(map(is_native, expr.children(expression)))


def lazy(expression: expr.Case | expr.Coalesce) -> tuple[Expression, ...]:
    """The parts that are not evaluated for every row."""
    return expr.children(expression)[1:]


def risky(expression: Expression) -> bool:
    """Can any part of it overflow?"""
    return _may_overflow(expression) or any(map(risky, expr.children(expression)))


def risks(expression: Expression) -> Iterator[Expression]:
    """All parts that may overflow."""
    if _may_overflow(expression):
        yield expression
    for child in expr.children(expression):
        yield from risks(child)


def _may_overflow(expression: Expression) -> bool:
    if isinstance(expression, expr.Arithmetic):
        return expression.type is Type.INT and expression.symbol in ("+", "-", "*")
    return isinstance(expression, expr.Negation) and expression.type is Type.INT


def overflows(part: Expression, columns: Columns) -> Column:
    """Does this part overflow, other than by what is inside it?"""
    known = [column(operand, columns).isNotNull() for operand in expr.children(part)]
    return reduce(lambda one, other: one & other, known) & column(part, columns).isNull()


def column(expression: Expression, columns: Columns) -> Column:
    """A native expression over these columns; NULL if it overflows."""
    match expression:
        case expr.Ref(index=index):
            return columns[index]
        case expr.Constant(value=value, type=type_):
            return f.lit(value).cast(SPARK_TYPES[type_])
        case expr.Arithmetic():
            return _arithmetic(expression, columns)
        case expr.Negation(operand=operand):
            return _negated(column(operand, columns), operand.type)
        case expr.Comparison(symbol=symbol, left=left, right=right):
            return compared(symbol, *_alike((left, right), columns))
        case expr.And(left=left, right=right):
            return column(left, columns) & column(right, columns)
        case expr.Or(left=left, right=right):
            return column(left, columns) | column(right, columns)
        case expr.Not(operand=operand):
            return ~column(operand, columns)
        case expr.IsNull(operand=operand):
            return column(operand, columns).isNull()
        case expr.IsDistinct(left=left, right=right):
            one, other = _alike((left, right), columns)
            return ~one.eqNullSafe(other)
        case expr.In(operand=operand, options=options):
            tests = [compared("=", *_alike((operand, option), columns)) for option in options]
            return reduce(lambda one, other: one | other, tests)
        case expr.Like(operand=operand, pattern=pattern, escape=escape):
            return _like(column(operand, columns), pattern, escape)
        case expr.Case(branches=branches, default=default):
            return _case(branches, default, expression.type, columns)
        case expr.Coalesce(operands=operands):
            return f.coalesce(*_alike(operands, columns))
        case expr.Cast():
            raise ValueError("CAST: is evaluated row by row, it is no Spark expression")
        case expr.Call():
            return _call(expression, columns)
        case expr.Now():
            raise ValueError("NOW: cuts and splits intervals, it is no Spark expression")
        case _:
            assert_never(expression)


def _call(call: expr.Call, columns: Columns) -> Column:
    made = native_function(call)
    if made is None:
        raise ValueError(f"{call.function.name}: a function that is no Spark expression")
    pairs = zip(call.arguments, call.function.parameters, strict=True)
    return made(*(column(argument, columns).cast(SPARK_TYPES[type_]) for argument, type_ in pairs))


def _alike(operands: Sequence[Expression], columns: Columns) -> list[Column]:
    """All operands as floats, if any of them is one."""
    mixed = {operand.type for operand in operands} == {Type.INT, Type.FLOAT}
    made = [column(operand, columns) for operand in operands]
    return [one.cast("double") for one in made] if mixed else made


def _arithmetic(node: expr.Arithmetic, columns: Columns) -> Column:
    left, right = column(node.left, columns), column(node.right, columns)
    exact = node.type is Type.INT
    if node.type is Type.FLOAT:
        left, right = left.cast("double"), right.cast("double")
    match node.symbol:
        case "+":
            return f.try_add(left, right) if exact else left + right
        case "-":
            return f.try_subtract(left, right) if exact else left - right
        case "*":
            return f.try_multiply(left, right) if exact else left * right
        case "/":
            return f.when(right != 0, left / right)
        case "MOD":
            return f.when(right != 0, left % right)
        case _:
            assert_never(node.symbol)


def _negated(operand: Column, type_: Type) -> Column:
    return f.try_subtract(f.lit(0).cast("long"), operand) if type_ is Type.INT else -operand


def compared(symbol: str, left: Column, right: Column) -> Column:
    """A comparison of two columns of one type; Spark's order of floats is ours: NaN equals NaN and is the last."""
    match symbol:
        case "=":
            return left == right
        case "<>":
            return left != right
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case _:
            return left >= right


def _case(
    branches: Sequence[tuple[Expression, Expression]], default: Expression, type_: Type, columns: Columns
) -> Column:
    spark_type = SPARK_TYPES[type_]
    made = column(default, columns).cast(spark_type)
    for condition, result in reversed(branches):
        made = f.when(column(condition, columns), column(result, columns).cast(spark_type)).otherwise(made)
    return made


def _like(text: Column, pattern: Expression, escape: str | None) -> Column:
    """LIKE as a regular expression, because the escape character of Spark's own LIKE cannot be turned off."""
    assert isinstance(pattern, expr.Constant)
    if pattern.value is None:
        return f.lit(None).cast("boolean")
    return text.rlike("(?s)\\A" + "".join(_regex(str(pattern.value), escape)) + "\\z")


def _regex(pattern: str, escape: str | None) -> Iterator[str]:
    characters = iter(pattern)
    for character in characters:
        if character == escape:
            yield _quoted(next(characters, character))
        else:
            yield {"%": ".*", "_": "."}.get(character) or _quoted(character)


def _quoted(character: str) -> str:
    return f"\\x{{{ord(character):x}}}"
