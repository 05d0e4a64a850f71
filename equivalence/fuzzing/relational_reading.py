"""SQL texts over tables as plans: what the reference, the cases and the prover work on."""

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from equivalence.fuzzing.relational_schema import RelationalSchema
from semantics import Plan, SnapeqError
from semantics.sql import parse_query


class Unreadable(SnapeqError):
    """A text that our language has no plan for."""


def read_relational(text: str, schema: RelationalSchema) -> Plan:
    """The plan of a query over tables.

    Without GROUP BY, an aggregate over no rows gives a row in standard SQL, which our language writes as GROUP BY ().

    >>> from semantics import Type, show
    >>> from equivalence.fuzzing.relational_schema import Table
    >>> schema = RelationalSchema((Table("t", (("a", Type.INT),)),))
    >>> show(read_relational("SELECT COUNT(*) AS n FROM t", schema))
    't(a int) | total(count(*) as n)'
    """
    try:
        tree = parse_one(text)
        if tree.find(exp.AggFunc, exp.Having):
            text = _with_total_aggregates(tree).sql()
        return parse_query(text, schema.catalogue, hints=False)
    except (SnapeqError, SqlglotError) as error:
        raise Unreadable(str(error)) from None


def _with_total_aggregates(tree: exp.Expr) -> exp.Expr:
    for select in tree.find_all(exp.Select):
        if not select.args.get("group") and (select.args.get("having") or any(map(_aggregates, select.selects))):
            select.set("group", exp.Group(expressions=[exp.Tuple()]))
    return tree


def _aggregates(item: exp.Expr) -> bool:
    """Does it aggregate the rows of its own query? Those of a subquery are another matter, and so is OVER."""
    if isinstance(item, exp.Query | exp.Window):
        return False
    return isinstance(item, exp.AggFunc) or any(map(_aggregates, item.iter_expressions()))
