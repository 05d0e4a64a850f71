"""Calls of aggregates: which calls are some, and what they mean."""

from collections.abc import Callable, Iterator
from typing import Final

from sqlglot import exp

from semantics import aggregate as agg
from semantics.expression import Expression
from semantics.sql.catalogue import Catalogue, find
from semantics.sql.constants import whole_number
from semantics.sql.errors import blaming, wrong
from semantics.sql.grammar.nodes import Block

SIMPLE: Final[dict[str, Callable[[Expression], agg.Aggregate]]] = {
    "COUNT": agg.Count,
    "SUM": agg.Sum,
    "AVG": agg.Avg,
    "MIN": agg.Min,
    "MAX": agg.Max,
    "VAR_POP": agg.VarPop,
    "STDDEV_POP": agg.StddevPop,
    "MEDIAN": agg.Median,
}
COUNTS: Final = (agg.CountRows, agg.Count, agg.CountDistinct)
"""Aggregates that are 0 where there is nothing; the others are NULL there."""

Translate = Callable[[exp.Expr], Expression]


def is_aggregate(node: exp.Expr, catalogue: Catalogue) -> bool:
    """Is it a call of an aggregate, built in or brought by the user?"""
    if not isinstance(node, exp.Anonymous):
        return False
    name = called(node)
    return name.upper() in SIMPLE or name.upper() == "TOP" or find(catalogue.aggregates, name) is not None


def called(node: exp.Anonymous) -> str:
    """The name of the function that is called."""
    return str(node.this.name)


def is_subquery(node: exp.Expr) -> bool:
    """Does a query hang below this node, inside an expression?"""
    nested = isinstance(node, exp.Subquery | exp.Exists) or isinstance(node.expression, exp.Any | exp.All)
    return nested or (isinstance(node, exp.In) and bool(node.args.get("query")))


def has_subquery(node: exp.Expr) -> bool:
    return any(is_subquery(part) for part in node.walk())


def aggregate_calls(node: exp.Expr, catalogue: Catalogue) -> Iterator[exp.Anonymous]:
    """The calls of aggregates in an expression, not those inside its subqueries."""
    if isinstance(node, exp.Anonymous) and is_aggregate(node, catalogue):
        yield node
    elif not isinstance(node, exp.Query):
        for child in node.iter_expressions():
            yield from aggregate_calls(child, catalogue)


def is_aggregated(block: Block, catalogue: Catalogue) -> bool:
    """Has a block aggregates, or GROUP BY?"""
    having = block.args.get("having")
    nodes = [*block.expressions, *([having] if having else [])]
    return block.args.get("grouped") is not None or any(any(aggregate_calls(n, catalogue)) for n in nodes)


def aggregate(node: exp.Anonymous, translate: Translate, catalogue: Catalogue) -> agg.Aggregate:
    """The aggregate that a call means."""
    name, arguments = called(node), node.expressions
    for inner in aggregate_arguments(node, catalogue):
        raise wrong(inner, f"{name.upper()}: an aggregate inside an aggregate", "an expression over rows")
    with blaming(node, f"an argument that fits {name.upper()}"):
        if name.upper() == "COUNT" and len(arguments) == 1 and isinstance(arguments[0], exp.Star):
            return agg.CountRows()
        if name.upper() == "TOP":
            return _largest(node, translate)
        argument = _only_argument(node)
        if isinstance(argument, exp.Distinct):
            if name.upper() != "COUNT":
                raise wrong(argument, f"{name.upper()}(DISTINCT …) is not offered", "COUNT(DISTINCT …)")
            return agg.CountDistinct(translate(argument.expressions[0]))
        user = find(catalogue.aggregates, name)
        return agg.UserDefined(user, translate(argument)) if user else SIMPLE[name.upper()](translate(argument))


def aggregate_arguments(node: exp.Anonymous, catalogue: Catalogue) -> Iterator[exp.Anonymous]:
    for argument in node.expressions:
        yield from aggregate_calls(argument, catalogue)


def _only_argument(node: exp.Anonymous) -> exp.Expr:
    name, arguments = called(node).upper(), node.expressions
    if len(arguments) != 1 or isinstance(arguments[0], exp.Star):
        expected = "COUNT(*) or one argument" if name == "COUNT" else "one argument"
        raise wrong(node, f"{name}: wrong number of arguments", expected)
    found: exp.Expr = arguments[0]
    return found


def _largest(node: exp.Anonymous, translate: Translate) -> agg.Largest:
    arguments = node.expressions
    if len(arguments) != 2 or not (isinstance(arguments[1], exp.Literal) and arguments[1].is_int):
        raise wrong(node, "TOP: wrong arguments", "TOP(expression, rank), the rank a number ≥ 1")
    return agg.Largest(translate(arguments[0]), whole_number(arguments[1], arguments[1].name))
