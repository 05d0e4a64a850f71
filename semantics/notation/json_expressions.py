"""Expressions and aggregates as trees of JSON: an operation, its operands and the type of its value."""

from typing import Final, assert_never

from semantics import aggregate as aggregates
from semantics import expression as nodes
from semantics.aggregate import Aggregate
from semantics.expression import Expression, children
from semantics.notation.json_values import exact_time, exact_value
from semantics.ordering import SortKey
from semantics.over import EdgeValue, Frame, FrameAggregate, NeighbourValue, OverFunction, RowPlace

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
    nodes.Cast: "cast",
    nodes.Call: "call",
}
"""What an expression is called; arithmetic and comparisons are called by their symbols."""
AGGREGATES: Final = (
    "count rows",
    "count",
    "count distinct",
    "sum",
    "avg",
    "min",
    "max",
    "var_pop",
    "stddev_pop",
    "median",
    "largest",
)
"""What engines know if they do not list their aggregates."""
_WITH_DISTINCT: Final = (
    *("sum", "avg", "var_pop", "stddev_pop", "var_samp", "stddev_samp", "median", "largest"),
    *(
        "percentile_cont",
        "percentile_disc",
        "mode",
        "bit_xor",
        "covar_pop",
        "covar_samp",
        "corr",
        "string_agg",
        "array_agg",
    ),
)
FURTHER_AGGREGATES: Final = (
    "count distinct rows",
    *("var_samp", "stddev_samp", "percentile_cont", "percentile_disc", "mode", "bit_and", "bit_or", "bit_xor"),
    *("covar_pop", "covar_samp", "corr", "min_by", "max_by", "string_agg", "array_agg"),
    *(f"{name} distinct" for name in _WITH_DISTINCT),
)
"""What engines get only if they list it."""


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
        case nodes.Cast(safe=safe):
            return {"safe": safe}
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


def aggregate_name(aggregate: Aggregate) -> str:
    """The name of an aggregate in a tree."""
    match aggregate:
        case aggregates.CountRows():
            return "count rows"
        case aggregates.CountDistinct(others=others):
            return "count distinct rows" if others else "count distinct"
        case aggregates.Largest():
            return "largest"
        case aggregates.UserDefined():
            return "user-defined"
        case aggregates.OfDistinct(function=function):
            return f"{aggregate_name(function)} distinct"
        case _:
            return aggregates.name_of(aggregate)


def aggregate_to_json(aggregate: Aggregate) -> Tree:
    """An aggregate as a tree; COUNT(*) alone has no argument.

    >>> aggregate_to_json(aggregates.CountRows())
    {'function': 'count rows', 'type': 'int'}
    """
    parts: Tree = {"function": aggregate_name(aggregate), "type": aggregate.type.value}
    parts |= _parameters(aggregate.function if isinstance(aggregate, aggregates.OfDistinct) else aggregate)
    return parts if aggregate.argument is None else {**parts, "argument": expression_to_json(aggregate.argument)}


def over_to_json(function: OverFunction) -> Tree:
    """A function over rows as a tree; a frame that is unbounded has null rows or instants before."""
    match function:
        case FrameAggregate(aggregate=aggregate, frame=frame):
            return {"over": "aggregate", "aggregate": aggregate_to_json(aggregate), "frame": _frame(frame)}
        case EdgeValue(edge=edge, argument=argument, frame=frame):
            return {"over": f"{edge} value", "argument": expression_to_json(argument), "frame": _frame(frame)}
        case NeighbourValue(argument=argument, distance=distance):
            return {"over": "neighbour", "argument": expression_to_json(argument), "distance": exact_value(distance)}
        case RowPlace(ranking=ranking):
            return {"over": "place", "ranking": ranking}
        case _:
            assert_never(function)


def _frame(frame: Frame) -> Tree:
    return {"unit": frame.unit, "preceding": exact_time(frame.preceding)}


def sort_key_to_json(key: SortKey) -> Tree:
    """A column of a declared order, its direction, and where NULLs stand."""
    return {"column": key.column, "descending": key.descending, "nulls_last": key.ends_with_nulls}


def _parameters(aggregate: Aggregate) -> Tree:
    """What an aggregate says besides its argument."""
    match aggregate:
        case aggregates.Largest(rank=rank):
            return {"rank": rank}
        case aggregates.UserDefined(function=function):
            return {"name": function.name}
        case aggregates.Percentile(fraction=fraction):
            return {"fraction": aggregates.decimal_text(fraction)}
        case aggregates.CountDistinct(others=others) if others:
            return {"others": [expression_to_json(other) for other in others]}
        case aggregates.Paired(other=other):
            return {"other": expression_to_json(other)}
        case aggregates.ExtremeBy(by=by):
            return {"by": expression_to_json(by)}
        case aggregates.Listed(separator=separator, by=by, order=order):
            keys = [sort_key_to_json(key) for key in order]
            separated = {} if separator is None else {"separator": separator}
            return {**separated, "by": [expression_to_json(key) for key in by], "order": keys}
        case _:
            return {}
