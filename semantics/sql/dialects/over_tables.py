"""OVER in an order that is not time: of all rows so far, what comes before each in that order.

Each call becomes a subquery over the same rows. Rows that tie in a frame of ROWS are put in the order of their columns,
which is one of the orders that engines may choose; rows that are equal in all columns count as one place.
"""

from typing import Final

from sqlglot import exp

from semantics.sql.dialects.columns import PLAIN_AGGREGATES
from semantics.sql.dialects.nodes import InOwnWords
from semantics.sql.dialects.refusals import Refused
from semantics.sql.dialects.shapes import Item
from semantics.sql.dialects.window_calls import name_of
from semantics.sql.dialects.writing import written
from semantics.sql.errors import place

OTHER: Final = "other_rows"
OWN: Final = "own_rows"


def over_table(call: exp.Window, item: Item, rows: str) -> exp.Expr:
    """The value of a call for a row of `rows`, a query in parentheses, which is called OWN around it."""
    name = name_of(call.this)
    conditions = [_alike(key, item) for key in call.args.get("partition_by") or []]
    order = [_key(item_, item) for item_ in _ordered(call)]
    if name in ("ROW_NUMBER", "RANK"):
        value = "COUNT(*)" if name == "ROW_NUMBER" else "COUNT(*) + 1"
        conditions.append(
            _upto(_total(order, item), strict=False) if name == "ROW_NUMBER" else _upto(order, strict=True)
        )
    elif name in PLAIN_AGGREGATES and not call.find(exp.Filter):
        value = _aggregate(call.this, item)
        conditions += [_upto(_total(order, item) if _by_rows(call) else order, strict=False)] if order else []
    else:
        raise Refused(f"{name} OVER in an order that is not the time of a stream", "aggregates are read", place(call))
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    return exp.Subquery(this=InOwnWords(this=f"SELECT {value} AS value FROM {rows} AS {OTHER}{where}"))


def _ordered(call: exp.Window) -> list[exp.Ordered]:
    order = call.args.get("order")
    return list(order.expressions) if order is not None else []


def _by_rows(call: exp.Window) -> bool:
    """Is the frame of rows? It must begin with the first and end with its own."""
    spec = call.args.get("spec")
    if spec is None:
        return False
    start, end = spec.args.get("start"), spec.args.get("end") or "CURRENT ROW"
    if not isinstance(start, str) or start.upper() != "UNBOUNDED" or str(end).upper() != "CURRENT ROW":
        reason = "frames from UNBOUNDED PRECEDING to CURRENT ROW are read"
        raise Refused("this frame in an order that is not the time of a stream", reason, place(call))
    return str(spec.args.get("kind")).upper() == "ROWS"


def _column(node: exp.Expr, item: Item) -> str:
    if not isinstance(node, exp.Column) or item.column(node) is None:
        raise Refused(
            "OVER by an expression", "keys and orders are columns; compute them in a query of FROM", place(node)
        )
    return written(exp.to_identifier(node.name))


def _alike(node: exp.Expr, item: Item) -> str:
    column = _column(node, item)
    return f"{OTHER}.{column} IS NOT DISTINCT FROM {OWN}.{column}"


def _key(ordered: exp.Ordered, item: Item) -> tuple[str, bool, bool]:
    """A column, whether it goes down, and whether NULLs come first."""
    return _column(ordered.this, item), bool(ordered.args.get("desc")), bool(ordered.args.get("nulls_first"))


def _total(order: list[tuple[str, bool, bool]], item: Item) -> list[tuple[str, bool, bool]]:
    """The order with all other columns behind it."""
    there = {column for column, _, _ in order}
    rest = [written(exp.to_identifier(name)) for name in item.shape.columns]
    return [*order, *((column, False, True) for column in rest if column not in there)]


def _upto(order: list[tuple[str, bool, bool]], *, strict: bool) -> str:
    """Is the other row before this one, or, if not strictly, a peer of it?"""
    if not order:
        return "FALSE" if strict else "TRUE"
    (column, down, nulls_first), *rest = order
    first, second = (OTHER, OWN) if nulls_first else (OWN, OTHER)
    null_before = f"({first}.{column} IS NULL AND {second}.{column} IS NOT NULL)"
    before = f"(({OTHER}.{column} {'>' if down else '<'} {OWN}.{column}) IS TRUE OR {null_before})"
    peers = f"{OTHER}.{column} IS NOT DISTINCT FROM {OWN}.{column}"
    return f"({before} OR ({peers} AND {_upto(rest, strict=strict)}))"


def _aggregate(node: exp.Expr, item: Item) -> str:
    """The aggregate over the other rows."""
    made = node.copy()
    for column in list(made.find_all(exp.Column)):
        _column(column, item)
        column.set("table", exp.to_identifier(OTHER))
    return written(made)
