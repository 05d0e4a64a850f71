"""Calls of aggregates: which calls are some, and where they stand."""

from collections.abc import Iterator

from sqlglot import exp

from semantics.sql.catalogue import Catalogue, find
from semantics.sql.grammar.nodes import Block, OverCall
from semantics.sql.to_plan.aggregate_names import NAMES


def is_aggregate(node: exp.Expr, catalogue: Catalogue) -> bool:
    """Is it a call of an aggregate, built in or brought by the user?"""
    if not isinstance(node, exp.Anonymous):
        return False
    name = called(node)
    return name.upper() in NAMES or find(catalogue.aggregates, name) is not None


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
    elif not isinstance(node, exp.Query | OverCall):
        for child in node.iter_expressions():
            yield from aggregate_calls(child, catalogue)


def is_aggregated(block: Block, catalogue: Catalogue) -> bool:
    """Has a block aggregates, or GROUP BY?"""
    having = block.args.get("having")
    nodes = [*block.expressions, *([having] if having else [])]
    return block.args.get("grouped") is not None or any(any(aggregate_calls(n, catalogue)) for n in nodes)


def inner_calls(node: exp.Anonymous, catalogue: Catalogue) -> Iterator[exp.Anonymous]:
    """The calls of aggregates inside a call: in its arguments, its order or its filter."""
    for part in node.iter_expressions():
        yield from aggregate_calls(part, catalogue)
