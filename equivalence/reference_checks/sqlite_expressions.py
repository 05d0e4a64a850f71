"""Expressions and aggregates as SQLite writes them."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, assert_never

from semantics import Expression, Plan, Type
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
            return _constant(value)
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
            return f"({text(operand)} LIKE {text(pattern)}{f' ESCAPE {_constant(escape)}' if escape else ''})"
        case expr.Case(branches=branches, default=default):
            whens = " ".join(f"WHEN {text(condition)} THEN {text(result)}" for condition, result in branches)
            return f"(CASE {whens} ELSE {text(default)} END)"
        case expr.Coalesce(operands=operands):
            return f"coalesce({listed(operands)}, NULL)"
        case expr.Call(function=function, arguments=arguments):
            return f"user_{function.name}({listed(arguments)})"
        case _:
            assert_never(expression)


def sql_aggregate(aggregate: agg.Aggregate, columns: Sequence[str]) -> str:
    """The aggregate in SQLite's words."""
    if isinstance(aggregate, agg.CountRows):
        return "count(*)"
    argument = sql_expression(aggregate.argument, columns)
    match aggregate:
        case agg.Count():
            return f"count({argument})"
        case agg.CountDistinct():
            return f"count(DISTINCT {argument})"
        case agg.Sum():
            return f"{'sum' if aggregate.type is Type.INT else 'float_sum'}({argument})"
        case agg.Avg():
            return f"mean({argument})"
        case agg.Min():
            return f"min({argument})"
        case agg.Max():
            return f"max({argument})"
        case agg.VarPop():
            return f"variance({argument})"
        case agg.StddevPop():
            return f"deviation({argument})"
        case agg.Median():
            return f"median({argument})"
        case agg.Largest(rank=rank):
            return f"largest({argument}, {rank})"
        case agg.UserDefined(function=function):
            return f"user_{function.name}({argument})"
        case _:
            assert_never(aggregate)


def user_scalars(node: Plan) -> dict[str, expr.ScalarFunction]:
    """The user-defined functions that one operator calls, by their SQL names."""
    found = [e.function for root in node.own_expressions for e in _walk(root) if isinstance(e, expr.Call)]
    return {f"user_{function.name}": function for function in found}


def user_aggregates(node: Plan) -> dict[str, agg.AggregateFunction]:
    """The user-defined aggregates of one operator, by their SQL names."""
    aggregates = node.aggregates if isinstance(node, Aggregation | Grouping) else ()
    return {f"user_{a.function.name}": a.function for a in aggregates if isinstance(a, agg.UserDefined)}


def _walk(expression: Expression) -> Iterator[Expression]:
    yield expression
    for child in expr.children(expression):
        yield from _walk(child)


def _constant(value: Any) -> str:
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
