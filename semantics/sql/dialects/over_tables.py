"""OVER in an order that is not time: of all rows so far, what comes before and after each in that order.

Each call becomes a subquery over the same rows. Rows that tie where it matters are put in the order of their columns,
which is one of the orders that engines may choose; rows that are equal in all columns count as one place.
"""

from dataclasses import dataclass
from typing import Final

from sqlglot import exp

from semantics.sql.dialects.columns import PLAIN_AGGREGATES, Columns
from semantics.sql.dialects.nodes import InOwnWords
from semantics.sql.dialects.refusals import Refused
from semantics.sql.dialects.table_frames import condition_of, is_whole
from semantics.sql.dialects.window_calls import name_of
from semantics.sql.dialects.writing import written
from semantics.sql.errors import place, wrong

OTHER: Final = "other_rows"
OWN: Final = "own_rows"
PICKED: Final = ("LAG", "LEAD", "FIRST_VALUE", "LAST_VALUE")


@dataclass(frozen=True)
class Key:
    """One part of an order: its value for other rows and for the row itself."""

    other: str
    own: str
    down: bool = False
    nulls_first: bool = True

    def ordered(self, *, reverse: bool) -> str:
        """The part in ORDER BY."""
        down, first = (self.down, self.nulls_first) if not reverse else (not self.down, not self.nulls_first)
        return f"{self.other} {'DESC' if down else 'ASC'} NULLS {'FIRST' if first else 'LAST'}"


class OverTable:
    """A call with OVER over `rows`, a query in parentheses, which is called OWN around it."""

    def __init__(self, call: exp.Window, columns: Columns, rows: str) -> None:
        self.call, self.columns, self.rows = call, columns, rows
        order = call.args.get("order")
        self.order = [self._key(item) for item in (order.expressions if order is not None else [])]
        self.alike = [
            f"{self._of(key, OTHER)} IS NOT DISTINCT FROM {self._of(key, OWN)}"
            for key in call.args.get("partition_by") or []
        ]

    def value(self) -> exp.Expr:
        """The value of the call for a row, as a subquery."""
        function = self.call.this.this if isinstance(self.call.this, exp.Filter) else self.call.this
        name = name_of(function)
        if name == "ROW_NUMBER":
            return self._query("COUNT(*)", [before(self.total, peers=True)])
        if name == "RANK":
            return self._query("COUNT(*) + 1", [before(self.order, peers=False)])
        if name == "DENSE_RANK" and len(self.order) == 1:
            return self._dense_rank(self.order[0])
        if name in PICKED and self.order:
            return self._picked(name, function)
        if name in PLAIN_AGGREGATES:
            return self._query(self._of(self.call.this, OTHER), self._frame())
        raise Refused(
            f"{name or self.call.this.key.upper()} OVER in an order that is not the time of a stream",
            "aggregates, places, LAG, LEAD, FIRST_VALUE and LAST_VALUE are read",
            place(self.call),
        )

    @property
    def total(self) -> list[Key]:
        """The order with all other columns behind it."""
        there = {key.other for key in self.order}
        names = [written(exp.to_identifier(name)) for name in self.columns.items[0].shape.columns]
        return [*self.order, *(Key(f"{OTHER}.{n}", f"{OWN}.{n}") for n in names if f"{OTHER}.{n}" not in there)]

    def _query(self, value: str, conditions: list[str], behind: str = "") -> exp.Expr:
        where = " AND ".join([*self.alike, *conditions])
        text = f"SELECT {value} AS value FROM {self.rows} AS {OTHER}{f' WHERE {where}' if where else ''}{behind}"
        return exp.Subquery(this=InOwnWords(this=text))

    def _dense_rank(self, key: Key) -> exp.Expr:
        """How many values come before; NULL is one of them."""
        null = f"COALESCE(MAX(CASE WHEN {key.other} IS NULL THEN 1 ELSE 0 END), 0)"
        return self._query(f"COUNT(DISTINCT {key.other}) + {null} + 1", [before(self.order, peers=False)])

    def _picked(self, name: str, function: exp.Expr) -> exp.Expr:
        """The value of one row: the n-th before or behind this one, or the first or last of the frame."""
        if not function.expressions:
            raise wrong(function, f"{name} of nothing", f"{name}(column)")
        value, *further = function.expressions
        number = int(further[0].name) if further and further[0].is_int else 1
        if len(further) > 1 or number < 1 or (further and not further[0].is_int):
            raise Refused(f"{name} with these arguments", "LAG(x) and LAG(x, n) are read here", place(self.call))
        if name in ("FIRST_VALUE", "LAST_VALUE"):
            conditions, number = self._frame(), 1
        else:
            conditions = [before(self.total if name == "LAG" else _mirrored(self.total), peers=False)]
        reverse = name in ("LAG", "LAST_VALUE")
        order = ", ".join(key.ordered(reverse=reverse) for key in self.total)
        skipped = f" OFFSET {number - 1}" if number > 1 else ""
        return self._query(self._of(value, OTHER), conditions, f" ORDER BY {order} LIMIT 1{skipped}")

    def _frame(self) -> list[str]:
        """Which rows the call looks at; without an order, all of them."""
        spec = self.call.args.get("spec")
        if is_whole(spec) or (not self.order and spec is None):
            return []
        if spec is None:
            return [before(self.order, peers=True)]
        return condition_of(spec, self, place(self.call))

    def upto(self, *, by_rows: bool, peers: bool = True) -> str:
        return before(self.total if by_rows else self.order, peers=peers)

    def from_on(self, *, by_rows: bool) -> str:
        return before(_mirrored(self.total if by_rows else self.order), peers=True)

    def _key(self, ordered: exp.Ordered) -> Key:
        down, nulls_first = bool(ordered.args.get("desc")), bool(ordered.args.get("nulls_first"))
        return Key(self._of(ordered.this, OTHER), self._of(ordered.this, OWN), down, nulls_first)

    def _of(self, node: exp.Expr, side: str) -> str:
        """An expression over the rows of one side."""
        made = exp.paren(self.columns.expression(node.copy()), copy=False)
        for column in list(made.find_all(exp.Column)):
            column.set("table", exp.to_identifier(side))
        return written(made.this)


def _mirrored(order: list[Key]) -> list[Key]:
    """The order from back to front."""
    return [Key(key.other, key.own, not key.down, not key.nulls_first) for key in order]


def before(order: list[Key], *, peers: bool) -> str:
    """Is the other row before this one, or, if they count, a peer of it?"""
    if not order:
        return "TRUE" if peers else "FALSE"
    key, *rest = order
    first, second = (key.other, key.own) if key.nulls_first else (key.own, key.other)
    null_before = f"({first} IS NULL AND {second} IS NOT NULL)"
    earlier = f"(({key.other} {'>' if key.down else '<'} {key.own}) IS TRUE OR {null_before})"
    return f"({earlier} OR ({key.other} IS NOT DISTINCT FROM {key.own} AND {before(rest, peers=peers)}))"
