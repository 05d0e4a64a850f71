"""Expressions as SQLite writes them."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, assert_never

from semantics import Expression, Plan, Type, Unsupported
from semantics import aggregate as agg
from semantics import expression as expr
from semantics.plan import Aggregation, Grouping


def sql_expression(expression: Expression, columns: Sequence[str]) -> str:
    """The expression in SQLite's words, over columns with these names."""

    def text(operand: Expression) -> str:
        return sql_expression(operand, columns)

    def listed(operands: Sequence[Expression]) -> str:
        return ", ".join(text(operand) for operand in operands)

    match expression:
        case expr.Ref(index=index):
            return columns[index]
        case expr.Constant(value=value):
            return sql_constant(value)
        case expr.Now():
            return "now()"
        case expr.Arithmetic(symbol="/", left=left, right=right):
            return f"({_real(text(left))} / {_real(text(right))})"
        case expr.Arithmetic(symbol="MOD", left=left, right=right) if expression.type is Type.FLOAT:
            dividend, divisor = text(left), text(right)
            guard = f"{dividend} IS NULL OR {divisor} IS NULL OR {divisor} = 0"
            return f"(CASE WHEN {guard} THEN NULL ELSE float_mod({dividend}, {divisor}) END)"
        case expr.Arithmetic(symbol=symbol, left=left, right=right):
            return f"({text(left)} {'%' if symbol == 'MOD' else symbol} {text(right)})"
        case expr.Negation(operand=operand):
            return f"(-({text(operand)}))"
        case expr.Comparison(symbol=symbol, left=left, right=right):
            return f"({_alike(left, right, text)} {symbol} {_alike(right, left, text)})"
        case expr.And(left=left, right=right):
            return f"({text(left)} AND {text(right)})"
        case expr.Or(left=left, right=right):
            return f"({text(left)} OR {text(right)})"
        case expr.Not(operand=operand):
            return f"(NOT {text(operand)})"
        case expr.IsNull(operand=operand):
            return f"({text(operand)} IS NULL)"
        case expr.IsDistinct(left=left, right=right):
            return f"({_alike(left, right, text)} IS NOT {_alike(right, left, text)})"
        case expr.In(operand=operand, options=options):
            return f"({text(operand)} IN ({listed(options)}))"
        case expr.Like(operand=operand, pattern=pattern, escape=escape):
            return f"({text(operand)} LIKE {text(pattern)}{f' ESCAPE {sql_constant(escape)}' if escape else ''})"
        case expr.Case(branches=branches, default=default):
            whens = " ".join(f"WHEN {text(condition)} THEN {text(result)}" for condition, result in branches)
            return f"(CASE {whens} ELSE {text(default)} END)"
        case expr.Coalesce(operands=operands):
            return f"coalesce({listed(operands)}, NULL)"
        case expr.Cast():
            raise Unsupported("CAST: SQLite casts to other types than these")
        case expr.Call(function=function, arguments=arguments):
            return f"{_sql_name(function)}({listed(arguments)})"
        case _:
            assert_never(expression)


def user_scalars(node: Plan) -> dict[str, expr.ScalarFunction]:
    """The functions that one operator calls, by their SQL names."""
    found = [e.function for root in node.own_expressions for e in _walk(root) if isinstance(e, expr.Call)]
    return {_sql_name(function): function for function in found}


def _sql_name(function: expr.ScalarFunction) -> str:
    """SQLite knows no types, so that each function has a name for its own."""
    return "_".join(["user", function.name, *(type_.name for type_ in function.parameters)])


def user_aggregates(node: Plan) -> dict[str, agg.AggregateFunction]:
    """The user-defined aggregates of one operator, by their SQL names."""
    aggregates = node.aggregates if isinstance(node, Aggregation | Grouping) else ()
    plain = [a.function if isinstance(a, agg.OfDistinct) else a for a in aggregates]
    return {f"user_{a.function.name}": a.function for a in plain if isinstance(a, agg.UserDefined)}


def _walk(expression: Expression) -> Iterator[Expression]:
    yield expression
    for child in expr.children(expression):
        yield from _walk(child)


def sql_constant(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return f"({value!r})"


def _real(text: str) -> str:
    return f"CAST({text} AS REAL)"


def _alike(operand: Expression, other: Expression, text: Callable[[Expression], str]) -> str:
    """An int that meets a float is compared as a float."""
    mixed = operand.type is Type.INT and other.type is Type.FLOAT
    return _real(text(operand)) if mixed else text(operand)
