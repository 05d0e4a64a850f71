"""OVER in an order that is not time: of all rows so far, what comes before and after each in that order.

Each call becomes a subquery over the same rows. Rows that tie where it matters are put in the order of their columns,
which is one of the orders that engines may choose; rows that are equal in all columns are numbered where that matters.
"""

from dataclasses import dataclass
from typing import Final

from sqlglot import exp

from semantics.sql.dialects.columns import PLAIN_AGGREGATES, Columns
from semantics.sql.dialects.nodes import InOwnWords
from semantics.sql.dialects.refusals import Refused
from semantics.sql.dialects.table_frames import condition_of, excluded, is_whole
from semantics.sql.dialects.window_calls import name_of
from semantics.sql.dialects.writing import written
from semantics.sql.errors import place, wrong

OTHER: Final = "other_rows"
OWN: Final = "own_rows"
BEFORE: Final = "rows_before"
PLACE: Final = "row_place"
"""How many other rows stand before a row."""
COPY: Final = "number_of_copy"
"""Which of several equal rows a row is, counted from 1."""
NEIGHBOURS: Final = ("LAG", "LEAD")
PICKED: Final = (*NEIGHBOURS, "FIRST_VALUE", "LAST_VALUE", "NTH_VALUE")


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

    def __init__(self, call: exp.Window, columns: Columns, rows: str, other: str = OTHER, own: str = OWN) -> None:
        self.call, self.columns, self.rows, self.other, self.own = call, columns, rows, other, own
        order = call.args.get("order")
        self.order = [self._key(item) for item in (order.expressions if order is not None else [])]
        self.alike = [
            f"{self._of(key, other)} IS NOT DISTINCT FROM {self._of(key, own)}"
            for key in call.args.get("partition_by") or []
        ]

    def value(self) -> exp.Expr:
        """The value of the call for a row, as a subquery or several."""
        function = self.call.this
        while isinstance(function, exp.Filter | exp.IgnoreNulls | exp.RespectNulls):
            function = function.this
        name = name_of(function)
        if name == "DENSE_RANK" and self.order:
            return self._dense_rank()
        if name in PICKED and self.order:
            return self._picked(name, function)
        if name in PLAIN_AGGREGATES and not isinstance(self.call.this, exp.IgnoreNulls):
            return self._query(self._of(self.call.this, OTHER), self._frame())
        share = self._place(name, function)
        if share:
            return exp.Paren(this=InOwnWords(this=share))
        raise Refused(
            f"{name or self.call.this.key.upper()} OVER in an order that is not the time of a stream",
            "aggregates, places, LAG, LEAD, FIRST_VALUE, LAST_VALUE and NTH_VALUE are read",
            place(self.call),
        )

    def _place(self, name: str, function: exp.Expr) -> str:
        """A number that follows from how many rows there are, and how many of them before this one."""
        every, first = self._count(), f"CAST({self._count(before(self.order, peers=False))} AS DOUBLE)"
        match name:
            case "ROW_NUMBER":
                return self._count(before(self.total, peers=True))
            case "RANK":
                return f"{self._count(before(self.order, peers=False))} + 1"
            case "PERCENT_RANK":
                return f"COALESCE({first} / ({every} - 1), 0.0)"
            case "CUME_DIST":
                return f"CAST({self._count(before(self.order, peers=True))} AS DOUBLE) / {every}"
            case "NTILE" if len(function.expressions) == 1 and function.expressions[0].is_int:
                return self._tile(self.number, every, int(function.expressions[0].name))
            case _:
                return ""

    def _tile(self, at: str, every: str, tiles: int) -> str:
        """Rows are dealt out to tiles; the first ones get those that are left over."""
        size, larger = f"DIV({every}, {tiles})", f"MOD({every}, {tiles})"
        inside = f"DIV({at}, {size} + 1)"
        behind = f"{larger} + DIV({at} - {larger} * ({size} + 1), {size})"
        return f"1 + CASE WHEN {at} < {larger} * ({size} + 1) THEN {inside} ELSE {behind} END"

    @property
    def number(self) -> str:
        """How many rows stand before this one."""
        return self._count(before(self.total, peers=False))

    def _count(self, *conditions: str) -> str:
        return written(self._query("COUNT(*)", list(conditions)))

    @property
    def total(self) -> list[Key]:
        """The order with all other columns behind it."""
        there = {key.other for key in self.order}
        names = [written(exp.to_identifier(name)) for name in self.columns.items[0].shape.columns]
        names += [COPY] * (COPY in self.rows)
        further = [n for n in names if f"{self.other}.{n}" not in there]
        return [*self.order, *(Key(f"{self.other}.{n}", f"{self.own}.{n}") for n in further)]

    def _query(self, value: str, conditions: list[str], behind: str = "") -> exp.Expr:
        where = " AND ".join([*self.alike, *conditions])
        rows = self._with_places() if any(PLACE in condition for condition in conditions) else self.rows
        text = f"SELECT {value} AS value FROM {rows} AS {self.other}{f' WHERE {where}' if where else ''}{behind}"
        return exp.Subquery(this=InOwnWords(this=text))

    def _with_places(self) -> str:
        """The other rows, each with how many rows stand before it."""
        inner = OverTable(self.call, self.columns, self.rows, BEFORE, self.other)
        return f"(SELECT {self.other}.*, {inner.number} AS {PLACE} FROM {self.rows} AS {self.other})"

    def between_places(self, low: int | None, high: int | None) -> list[str]:
        """Is the other row so many places away from this one?"""
        own = OverTable(self.call, self.columns, self.rows, BEFORE, self.own).number
        bounds = ((low, ">="), (high, "<="))
        return [f"{self.other}.{PLACE} {sign} {own} + {bound}" for bound, sign in bounds if bound is not None]

    def _dense_rank(self) -> exp.Expr:
        """How many values come before; NULL is one of them."""
        key, *further = self.order
        if further:
            values = ", ".join(one.other for one in self.order)
            return self._query(f"COUNT(DISTINCT ROW({values})) + 1", [before(self.order, peers=False)])
        null = f"COALESCE(MAX(CASE WHEN {key.other} IS NULL THEN 1 ELSE 0 END), 0)"
        return self._query(f"COUNT(DISTINCT {key.other}) + {null} + 1", [before(self.order, peers=False)])

    def _picked(self, name: str, function: exp.Expr) -> exp.Expr:
        """The value of one row: the n-th before or behind this one, or the first, last or n-th of the frame."""
        if not function.expressions:
            raise wrong(function, f"{name} of nothing", f"{name}(column)")
        value, *further = function.expressions
        number = int(further[0].name) if further and further[0].is_int else 1
        if number < 1 or (further and not further[0].is_int) or len(further) > (2 if name in NEIGHBOURS else 1):
            raise Refused(
                f"{name} with these arguments", "constant distances from 1 on are read here", place(self.call)
            )
        conditions = self._where_picked(name, value)
        reverse = name in ("LAG", "LAST_VALUE")
        order = ", ".join(key.ordered(reverse=reverse) for key in self.total)
        skipped = f" OFFSET {number - 1}" if number > 1 else ""
        found = self._query(self._of(value, OTHER), conditions, f" ORDER BY {order} LIMIT 1{skipped}")
        if len(further) < 2:
            return found
        missing = exp.LT(this=self._query("COUNT(*)", conditions), expression=further[0].copy())
        default = InOwnWords(this=self._of(further[1], OWN))
        return exp.Case(ifs=[exp.If(this=missing, true=default)], default=found)

    def _where_picked(self, name: str, value: exp.Expr) -> list[str]:
        """Which rows are looked at; with IGNORE NULLS those that have a value."""
        known = [f"{self._of(value, OTHER)} IS NOT NULL"] if isinstance(self.call.this, exp.IgnoreNulls) else []
        if name not in NEIGHBOURS:
            return [*known, *self._frame()]
        return [*known, before(self.total if name == "LAG" else _mirrored(self.total), peers=False)]

    def _frame(self) -> list[str]:
        """Which rows the call looks at; without an order, all of them."""
        spec = self.call.args.get("spec")
        left_out = [self._is_another] if excluded(spec, place(self.call)) else []
        if is_whole(spec) or (not self.order and spec is None):
            return left_out
        if spec is None:
            return [before(self.order, peers=True)]
        return [*left_out, *condition_of(spec, self, place(self.call))]

    @property
    def _is_another(self) -> str:
        """Is the other row not this one?"""
        own = OverTable(self.call, self.columns, self.rows, BEFORE, self.own).number
        return f"{self.other}.{PLACE} <> {own}"

    def upto(self, *, by_rows: bool, peers: bool = True) -> str:
        return before(self.total if by_rows else self.order, peers=peers)

    def from_on(self, *, by_rows: bool) -> str:
        return before(_mirrored(self.total if by_rows else self.order), peers=True)

    def _key(self, ordered: exp.Ordered) -> Key:
        down, nulls_first = bool(ordered.args.get("desc")), bool(ordered.args.get("nulls_first"))
        return Key(self._of(ordered.this, self.other), self._of(ordered.this, self.own), down, nulls_first)

    def _of(self, node: exp.Expr, side: str) -> str:
        """An expression over the rows of one side."""
        made = exp.paren(self.columns.expression(node.copy()), copy=False)
        for column in list(made.find_all(exp.Column)):
            column.set("table", exp.to_identifier(side))
        return written(made.this)


def tells_copies_apart(call: exp.Window) -> bool:
    """Does a call give equal rows places of their own?"""
    spec = call.args.get("spec")
    by_rows = spec is not None and (str(spec.args.get("kind")).upper() == "ROWS" or bool(spec.args.get("exclude")))
    function = call.this
    while isinstance(function, exp.Filter | exp.IgnoreNulls | exp.RespectNulls):
        function = function.this
    return by_rows or name_of(function) in ("ROW_NUMBER", "NTILE", *NEIGHBOURS)


def with_copies_numbered(rows: exp.Select, names: list[exp.Column]) -> exp.Subquery:
    """The rows, of which equal ones are numbered: they are counted, and taken apart again."""
    listed = ", ".join(written(name) for name in names)
    counted = f"SELECT {listed}, COUNT(*) AS copies FROM ({written(rows)}) AS rows_of_table GROUP BY {listed}"
    apart = f"CROSS JOIN UNNEST(SEQUENCE(1, copies, 1)) AS numbers({COPY})"
    made = InOwnWords(this=f"SELECT {listed}, {COPY} FROM ({counted}) AS counted {apart}")
    made.set("reads", [table.copy() for table in rows.find_all(exp.Table)])
    return exp.Subquery(this=made)


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
