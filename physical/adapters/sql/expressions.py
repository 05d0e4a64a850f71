"""Expressions in the SQL of an engine, with all parentheses and conversions: engines bind and convert differently."""

from collections.abc import Callable, Iterator, Sequence
from typing import assert_never

from physical.adapters.sql.dialect import SqlDialect
from semantics import Expression, Type, decimal
from semantics import expression as expr
from semantics.result_types import sizes


def sql_expression(expression: Expression, columns: Sequence[str], dialect: SqlDialect, now: str = "l.t") -> str:
    """An expression over columns with these names; `now` is the column of instants.

    >>> half = expr.Arithmetic("/", expr.Ref(0, Type.INT), expr.Constant(2, Type.INT))
    >>> sql_expression(half, ["l.c0"], SqlDialect())
    "(CAST(l.c0 AS DOUBLE) / nullif(CAST(CAST(2 AS BIGINT) AS DOUBLE), CAST('0.0' AS DOUBLE)))"
    """

    def of(part: Expression, type_: Type | None = None) -> str:
        text = sql_expression(part, columns, dialect, now)
        return dialect.cast(text, type_) if type_ is not None and type_ is not part.type else text

    def divisor(part: Expression, type_: Type) -> str:
        return f"nullif({of(part, type_)}, {dialect.constant(0.0 if type_ is Type.FLOAT else 0, type_)})"

    def alike(parts: Sequence[Expression]) -> list[str]:
        type_ = expr.common_type("comparison", parts)
        return [of(part, type_) for part in parts]

    match expression:
        case expr.Ref(index=index):
            return columns[index]
        case expr.Constant(value=value, type=type_):
            return dialect.constant(value, type_)
        case expr.Now():
            return now
        case expr.Arithmetic(symbol="/", left=left, right=right):
            return f"({of(left, Type.FLOAT)} / {divisor(right, Type.FLOAT)})"
        case expr.Arithmetic(symbol="MOD", left=left, right=right, type=type_):
            return dialect.modulo(of(left, type_), divisor(right, type_), type_)
        case expr.Arithmetic(symbol=symbol, left=left, right=right, type=type_) if type_.is_numeric:
            return f"({of(left, type_)} {symbol} {of(right, type_)})"
        case expr.Arithmetic(symbol=symbol, left=left, right=right, type=type_):
            return dialect.cast(f"({_exact(left, of, dialect)} {symbol} {_exact(right, of, dialect)})", type_)
        case expr.Negation(operand=operand):
            return f"(- {of(operand)})"
        case expr.Comparison(symbol=symbol, left=left, right=right):
            x, y = alike((left, right))
            return f"({x} {symbol} {y})"
        case expr.And(left=left, right=right):
            return f"({of(left)} AND {of(right)})"
        case expr.Or(left=left, right=right):
            return f"({of(left)} OR {of(right)})"
        case expr.Not(operand=operand):
            return f"(NOT {of(operand)})"
        case expr.IsNull(operand=operand):
            return f"({of(operand)} IS NULL)"
        case expr.IsDistinct(left=left, right=right):
            x, y = alike((left, right))
            return f"({x} {dialect.distinct_from} {y})"
        case expr.In(operand=operand, options=options):
            first, *others = alike((operand, *options))
            return dialect.inside(first, others)
        case expr.Like(operand=operand, pattern=pattern, escape=escape):
            tail = dialect.without_escape if escape is None else f" ESCAPE {dialect.text(escape)}"
            return f"({of(operand)} LIKE {of(pattern)}{tail})"
        case expr.Case(branches=branches, default=default, type=type_):
            whens = " ".join(f"WHEN {of(when)} THEN {of(then, type_)}" for when, then in branches)
            return f"(CASE {whens} ELSE {of(default, type_)} END)"
        case expr.Coalesce(operands=(only,)):  # some engines want two
            return of(only)
        case expr.Coalesce(operands=operands, type=type_):
            return f"coalesce({', '.join(of(operand, type_) for operand in operands)})"
        case expr.Cast(operand=operand, type=type_):
            return of(operand, type_)
        case expr.Call(function=function, arguments=arguments):
            template = dialect.template(expression)
            assert template is not None, f"{function.name} means something else there, or nothing"
            pairs = zip(arguments, function.parameters, strict=True)
            return template.format(*(of(argument, type_) for argument, type_ in pairs))
        case _:
            assert_never(expression)


def _exact(part: Expression, of: Callable[[Expression], str], dialect: SqlDialect) -> str:
    """An INT beside a DECIMAL is one without digits behind the point."""
    return dialect.cast(of(part), decimal(*sizes(part.type))) if part.type is Type.INT else of(part)


def parts(expression: Expression) -> Iterator[Expression]:
    """An expression and all that it is made of."""
    yield expression
    for child in expr.children(expression):
        yield from parts(child)
