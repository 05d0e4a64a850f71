"""Expressions and aggregates as trees of JSON: an operation, its operands and the type of its value."""

from typing import Final, assert_never

from semantics import aggregate as aggregates
from semantics import expression as nodes
from semantics.aggregate import Aggregate
from semantics.expression import Expression, children
from semantics.notation.json_values import exact_value

Tree = dict[str, object]

OPERATIONS: Final[dict[type[Expression], str]] = {
    nodes.Ref: "column",
    nodes.Constant: "constant",
    nodes.Now: "now",
    nodes.Negation: "negate",
    nodes.And: "and",
    nodes.Or: "or",
    nodes.Not: "not",
    nodes.IsNull: "is null",
    nodes.IsDistinct: "is distinct from",
    nodes.In: "in",
    nodes.Like: "like",
    nodes.Case: "case",
    nodes.Coalesce: "coalesce",
    nodes.Call: "call",
}
"""What an expression is called; arithmetic and comparisons are called by their symbols."""
AGGREGATES: Final[dict[type[Aggregate], str]] = {
    aggregates.CountRows: "count rows",
    aggregates.Count: "count",
    aggregates.CountDistinct: "count distinct",
    aggregates.Sum: "sum",
    aggregates.Avg: "avg",
    aggregates.Min: "min",
    aggregates.Max: "max",
    aggregates.VarPop: "var_pop",
    aggregates.StddevPop: "stddev_pop",
    aggregates.Median: "median",
    aggregates.Largest: "largest",
    aggregates.UserDefined: "user-defined",
}


def operation(expression: Expression) -> str:
    """The name of what an expression does."""
    if isinstance(expression, nodes.Arithmetic | nodes.Comparison):
        return "mod" if expression.symbol == "MOD" else expression.symbol
    return OPERATIONS[type(expression)]


def expression_to_json(expression: Expression) -> Tree:
    """An expression as a tree.

    >>> from semantics import Type
    >>> expression_to_json(nodes.IsNull(nodes.Ref(0, Type.INT)))
    {'op': 'is null', 'type': 'bool', 'args': [{'op': 'column', 'type': 'int', 'index': 0}]}
    """
    parts: Tree = {"op": operation(expression), "type": expression.type.value, **_more(expression)}
    operands = [expression_to_json(child) for child in children(expression)]
    return {**parts, "args": operands} if operands else parts


def _more(expression: Expression) -> Tree:
    """What an expression says besides its operands."""
    match expression:
        case nodes.Ref(index=index):
            return {"index": index}
        case nodes.Constant(value=value):
            return {"value": exact_value(value)}
        case nodes.Like(escape=escape):
            return {"escape": escape}
        case nodes.Call(function=function):
            return {"function": function.name}
        case (
            nodes.Now()
            | nodes.Arithmetic()
            | nodes.Negation()
            | nodes.Comparison()
            | nodes.And()
            | nodes.Or()
            | nodes.Not()
            | nodes.IsNull()
            | nodes.IsDistinct()
            | nodes.In()
            | nodes.Case()
            | nodes.Coalesce()
        ):
            return {}
        case _:
            assert_never(expression)


def aggregate_to_json(aggregate: Aggregate) -> Tree:
    """An aggregate as a tree; COUNT(*) alone has no argument.

    >>> aggregate_to_json(aggregates.CountRows())
    {'function': 'count rows', 'type': 'int'}
    """
    parts: Tree = {"function": AGGREGATES[type(aggregate)], "type": aggregate.type.value}
    if isinstance(aggregate, aggregates.Largest):
        parts["rank"] = aggregate.rank
    if isinstance(aggregate, aggregates.UserDefined):
        parts["name"] = aggregate.function.name
    return parts if aggregate.argument is None else {**parts, "argument": expression_to_json(aggregate.argument)}
