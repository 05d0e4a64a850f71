"""Random queries of SQL whose result is a multiset that the tables alone decide.

Subqueries stand in every clause; derived tables are unique or not; set operations have columns that nobody uses; there
are outer joins, CTEs used once or twice, HAVING without GROUP BY, and LIMIT below other clauses, always over a total
order of what is shown. Windows are over groups of rows, and rank by a column: rows that tie have the same rank.
"""

import re
from collections.abc import Sequence
from typing import Final

from equivalence.cases.choices import Choices
from equivalence.fuzzing.placed_sql import PlacedWriter
from equivalence.fuzzing.query_scope import QueryScope, Visible, columns_named
from equivalence.fuzzing.relational_schema import RelationalSchema
from semantics import Type

_COMPARED: Final = re.compile(r"ON (q\d+\.\w+) = (q\d+\.\w+)")
"""Two columns that a join equates."""
_BLOCKS: Final = (1, 2, 3, 2, 3, 2, 3, 4)
"""SELECTs in one query, about."""
_SHOWN: Final = (Type.INT, Type.INT, Type.INT, Type.BOOL, Type.STR)
_JOINS: Final = ("JOIN", "JOIN", "LEFT JOIN", "LEFT JOIN", "CROSS JOIN", "RIGHT JOIN", "FULL JOIN")
_SET_OPERATIONS: Final = ("UNION ALL", "UNION", "EXCEPT", "INTERSECT")
_CHAINED: Final = ("UNION ALL", "UNION", "EXCEPT")
"""What every system takes from left to right."""
_AGGREGATES: Final = ("MIN", "MAX", "SUM", "COUNT", "COUNT")
_RANKS: Final = ("RANK", "DENSE_RANK")
_LIMITS: Final = (1, 2, 3, 1, 2, 0)
_ONE_ROW: Final = ("1", "1", "1", "1 OFFSET 1", "0")
_TRIVIAL: Final = ("1 = 2", "1 = 1", "NULL = 1")
_LINKS: Final = ("=", "=", "=", "=", "<", "<>", "IS NOT DISTINCT FROM")
"""How a subquery's rows are linked with the row around it."""
_BOUNDS: Final = ("=", ">", "<=", "<>")
_PADS: Final = {"LEFT JOIN": (False, True), "RIGHT JOIN": (True, False), "FULL JOIN": (True, True)}
"""Which side of a join gets NULLs: what came before, and what is joined."""


def choose_query(choices: Choices, schema: RelationalSchema) -> str:
    """A query over these tables; its columns are x0, x1, …"""
    return SqlWriter(choices, schema).query()


class SqlWriter(PlacedWriter):
    """Writes one query."""

    def __init__(self, choices: Choices, schema: RelationalSchema) -> None:
        super().__init__(choices)
        self._relations = [Visible(table.name, table.columns) for table in schema.tables]
        self.room = choices.of(_BLOCKS)
        self._aliases = 0

    def has_room(self) -> bool:
        return self.room > 0

    def query(self) -> str:
        """The whole query: small and of two parts, or anything, at times with a table that WITH names."""
        types = self.types()
        if self.choices.chance(1, 3):
            return self._pair(types, ())
        if not self.choices.chance(1, 6):
            return self.rows(types, ())
        named = [self._named(name) for name in (("w", "z") if self.choices.chance(1, 4) else ("w",))]
        return f"WITH {', '.join(named)} {self.rows(types, ())}"

    def _named(self, name: str) -> str:
        """A table that WITH names; what comes behind it may read it, other tables of WITH too."""
        types = self.types()
        inner = self.rows(types, ())
        self._relations.insert(0, Visible(name, columns_named(types)))
        self.room = max(self.room, 1)
        return f"{name} AS ({inner})"

    def rows_of(self, types: Sequence[Type], scope: QueryScope) -> str:
        return self.rows(types, scope.inside() if self.choices.chance(2, 3) else ())

    def plain_rows(self, scope: QueryScope, *, linked: bool) -> str:
        self.room -= 1
        table = self.choices.of(self._relations)
        mine = Visible(self.alias(), table.columns).of_type(Type.INT) or ["1"]
        around = QueryScope(scope.own, scope.outer).columns(Type.INT)
        link = f" WHERE {self.choices.of(mine)} = {self.choices.of(around)}" if linked and around else ""
        shown = self.choices.of(mine)
        if self.choices.chance(1, 5):
            shown = f"{self.choices.of(_AGGREGATES)}({shown})"
        return f"SELECT {shown} AS x0 FROM {table.alias} AS q{self._aliases}{link}"

    def average(self, scope: QueryScope) -> str:
        outer = scope.inside() if self.choices.chance(2, 3) else ()
        self.room -= 1
        source, inner = self.joined(outer)
        return f"SELECT AVG({self._counted(inner.alone())}) AS x0 {source}{self._where(inner)}"

    def one_value(self, type_: Type, scope: QueryScope) -> str:
        """One aggregate, or the first row of a total order."""
        outer = scope.inside() if self.choices.chance(2, 3) else ()
        if type_ is Type.INT and self.choices.chance(3, 4):
            return self.block((type_,), outer, grouped=False)
        return f"{self.block((type_,), outer)} {self.ordered(1)} LIMIT {self.choices.of(_ONE_ROW)}"

    def rows(self, types: Sequence[Type], outer: tuple[Visible, ...]) -> str:
        """A block, one right above another, or a set operation of two."""
        if self.has_room() and self.choices.chance(1, 3):
            return self._pair(types, outer)
        if not self.has_room() or not self.choices.chance(1, 5):
            return self._limited(types, outer)
        left, right = self.block(types, outer), self.block(types, outer)
        if self.choices.chance(1, 4):
            left = f"{left} {self.choices.of(_CHAINED)} {right}"
            return self._cut(f"{left} {self.choices.of(_CHAINED)} {self.block(types, outer)}", types)
        return self._cut(f"{left} {self.choices.of(_SET_OPERATIONS)} {right}", types)

    def _pair(self, types: Sequence[Type], outer: tuple[Visible, ...]) -> str:
        return self.choices.of((self.stacked, self.placed, self.placed))(types, outer)

    def _limited(self, types: Sequence[Type], outer: tuple[Visible, ...]) -> str:
        return self._cut(self.block(types, outer), types)

    def _cut(self, block: str, types: Sequence[Type]) -> str:
        """At times only the first rows."""
        if not self.choices.chance(1, 7):
            return block
        offset = f" OFFSET {self.choices.between(1, 2)}" if self.choices.chance(1, 4) else ""
        return f"{block} {self.ordered(len(types))} LIMIT {self.choices.of(_LIMITS)}{offset}"

    def ordered(self, width: int) -> str:
        """By all columns, so that rows which tie are the same; in words that leave no choice about NULL."""
        order = self.choices.of(("NULLS LAST", "DESC NULLS FIRST"))
        return f"ORDER BY {', '.join(f'{i + 1} {order}' for i in range(width))}"

    def types(self) -> tuple[Type, ...]:
        return tuple(self.choices.of(_SHOWN) for _ in range(self.choices.between(1, 3)))

    def alias(self) -> str:
        self._aliases += 1
        return f"q{self._aliases}"

    def block(self, types: Sequence[Type], outer: tuple[Visible, ...], grouped: bool | None = None) -> str:
        """SELECT … FROM … WHERE …; not `grouped` is one aggregate over all rows, None leaves it open."""
        self.room -= 1
        source, scope = self.joined(outer)
        where = self._where(scope)
        if grouped is False or (set(types) <= {Type.INT, Type.BOOL} and self.choices.chance(1, 5)):
            return self.aggregated(types, source + where, scope, keyed=grouped is None and self.choices.chance(2, 3))
        if self.choices.chance(1, 8):
            return self.grouped(types, source + where, scope)
        distinct = "DISTINCT " if self.choices.chance(1, 5) else ""
        shown = QueryScope(scope.own[:1], scope.outer) if self.choices.chance(1, 4) else scope
        items = [self.value(type_, shown) for type_ in types]
        if types[0] is Type.INT and self.choices.chance(1, 20):
            items[0] = self.window(scope.alone())
        return f"SELECT {distinct}{self.listed(items)} {source}{where}"

    def window(self, scope: QueryScope) -> str:
        """An aggregate or a rank among the rows that agree in a column or two, or among all."""
        types = (Type.INT, Type.INT, Type.STR)
        columns = [self.column(self.choices.of(types), scope) for _ in range(self.choices.between(1, 2))]
        keys = [column for column in dict.fromkeys(columns) if "." in column]
        groups = f"PARTITION BY {', '.join(keys)}" if keys and self.choices.chance(3, 4) else ""
        ranked = self.column(Type.INT, scope)
        if "." not in ranked or self.choices.chance(1, 3):
            return f"{self._aggregate(scope, distinct=False)} OVER ({groups})"
        order = f"ORDER BY {ranked} {self.choices.of(('NULLS LAST', 'DESC NULLS FIRST'))}"
        ranks = f"{self.choices.of(_RANKS)}()"
        called = ranks if self.choices.chance(1, 2) else self._aggregate(scope, distinct=False)
        return f"{called} OVER ({f'{groups} {order}'.strip()})"

    def _where(self, scope: QueryScope) -> str:
        """A condition or none; below another query, mostly one that links both."""
        mine, around = scope.columns(Type.INT), scope.outer_columns(Type.INT)
        if mine and around and self.choices.chance(2, 3):
            link = f"{self.choices.of(mine)} {self.choices.of(_LINKS)} {self.choices.of(around)}"
            return f" WHERE {link} AND {self.condition(scope)}" if self.choices.chance(1, 4) else f" WHERE {link}"
        if scope.columns(Type.INT, padded=True) and self.choices.chance(1, 3):
            return f" WHERE {self.padded_condition(scope)}"
        if scope.compared and self.choices.chance(1, 4):
            return f" WHERE {self.choices.of(scope.compared)} {self.choices.of(_BOUNDS)} {self.choices.of('012')}"
        return f" WHERE {self.condition(scope)}" if self.choices.chance(2, 3) else ""

    def listed(self, items: Sequence[str]) -> str:
        return ", ".join(f"{item} AS x{i}" for i, item in enumerate(items))

    def joined(self, outer: tuple[Visible, ...]) -> tuple[str, QueryScope]:
        """FROM, and what the rest of the query knows of it: some joined tables are never spoken of again."""
        text, first = self.relation()
        scope = QueryScope((first,), outer)
        seen = scope
        for _ in range(self.choices.of((0, 1, 0, 1, 2))):
            kind = self.choices.of(_JOINS)
            joined, visible = self.relation()
            before, after = _PADS.get(kind, (False, False))
            visible = Visible(visible.alias, visible.columns, after)
            if before:
                scope, seen = scope.all_padded(), seen.all_padded()
            scope = scope.plus(visible)
            seen = seen if self.choices.chance(1, 4) else seen.plus(visible)
            on = "" if kind == "CROSS JOIN" else f" ON {self.on(scope, visible)}"
            text = f"{text} {kind} {joined}{on}"
        return f"FROM {text}", seen.comparing(_COMPARED.findall(text))

    def relation(self) -> tuple[str, Visible]:
        """A table, or one that is derived: often unique in its columns, by DISTINCT or GROUP BY."""
        alias = self.alias()
        if self.has_room() and self.choices.chance(1, 3):
            types = self.types()[: self.choices.between(1, 3)]
            return f"({self._derived(types)}) AS {alias}", Visible(alias, columns_named(types))
        chosen = self.choices.of(self._relations)
        return f"{chosen.alias} AS {alias}", Visible(alias, chosen.columns)

    def _derived(self, types: Sequence[Type]) -> str:
        if not self.choices.chance(1, 2):
            return self.rows(types, ())
        self.room -= 1
        source, scope = self.joined(())
        if self.choices.chance(1, 2):
            return f"SELECT DISTINCT {self.listed([self.column(type_, scope) for type_ in types])} {source}"
        return self.grouped(types, source, scope)

    def on(self, scope: QueryScope, joined: Visible) -> str:
        """Equality with a column of what is joined, mostly; perhaps with more, or something else."""
        inside = scope.alone()
        mine, others = joined.of_type(Type.INT), QueryScope(scope.own[:-1]).columns(Type.INT)
        if not mine or not others or self.choices.chance(1, 6):
            return self._plain(inside)
        twins = [f"{one} = {two}" for one in others for two in mine if one.split(".")[1] == two.split(".")[1]]
        equality = f"{self.choices.of(others)} = {self.choices.of(mine)}"
        if twins and self.choices.chance(1, 4):
            equality = self.choices.of(twins)
        if not self.choices.chance(1, 3):
            return equality
        return f"{equality} {self.choices.of(('AND', 'AND', 'OR'))} {self._plain(inside)}"

    def _plain(self, scope: QueryScope) -> str:
        """A condition without subqueries: not every system has them in ON."""
        room, self.room = self.room, 0
        try:
            return self.condition(scope, 1)
        finally:
            self.room = room

    def grouped(self, types: Sequence[Type], rest: str, scope: QueryScope, *, chosen: bool = False) -> str:
        """Keys of any type, and aggregates among the numbers; if `chosen`, only some of the groups."""
        keys = [self._key(type_, scope.alone()) for type_ in types]
        items = [self._aggregate(scope) if i and types[i] is Type.INT else key for i, key in enumerate(keys)]
        distinct = "DISTINCT " if self.choices.chance(1, 6) else ""
        having = self._having(scope, keys, always=chosen)
        return f"SELECT {distinct}{self.listed(items)} {rest}{_group_by(keys)}{having}"

    def _key(self, type_: Type, scope: QueryScope) -> str:
        """A column to group by, at times something over one."""
        column = self.column(type_, scope)
        if type_ is not Type.INT or "." not in column or not self.choices.chance(1, 5):
            return column
        return self.choices.of((f"COALESCE({column}, 0)", f"({column} + 1)", f"ABS({column})"))

    def aggregated(
        self, types: Sequence[Type], rest: str, scope: QueryScope, *, keyed: bool, chosen: bool = False
    ) -> str:
        """Aggregates and what is asked of them, over groups or over all rows."""
        keys = [self._key(Type.INT, scope.alone()) for _ in range(self.choices.between(1, 2))] if keyed else []
        items = [
            self._over_aggregate(self._aggregate(scope), scope)
            if type_ is Type.INT
            else f"({self._asked(scope, keys)})"
            for type_ in types
        ]
        if keys and types[0] is Type.INT and self.choices.chance(1, 2):
            items[0] = keys[0]
        distinct = "DISTINCT " if keys and self.choices.chance(1, 5) else ""
        having = self._having(scope, keys, always=chosen)
        return f"SELECT {distinct}{self.listed(items)} {rest}{_group_by(keys)}{having}"

    def _having(self, scope: QueryScope, keys: Sequence[str], *, always: bool = False) -> str:
        if not always and not self.choices.chance(1, 4):
            return ""
        if self.has_room() and self.choices.chance(1, 4):
            return (
                f" HAVING {self._aggregate(scope)} {self.choices.of(('IN', 'NOT IN'))} ({self.rows((Type.INT,), ())})"
            )
        if self.choices.chance(1, 8):
            return f" HAVING {self.choices.of(_TRIVIAL)}"
        one = self._asked(scope, keys)
        if not self.choices.chance(1, 4):
            return f" HAVING {one}"
        other = self._asked(scope, keys)
        return f" HAVING {self.choices.of((f'{one} AND {other}', f'({one} OR {other})', f'NOT ({one})'))}"

    def _asked(self, scope: QueryScope, keys: Sequence[str]) -> str:
        """A condition on a group: on an aggregate, two of them, or what the group is formed by."""
        operator = self.choices.of(("=", "<>", "<", ">=", ">", "<="))
        grouped = [key for key in keys if "." in key]
        left = self.choices.of(grouped) if grouped and self.choices.chance(1, 4) else self._aggregate(scope)
        if self.choices.chance(1, 4):
            left = f"AVG({self._counted(scope.alone())})"
        if self.choices.chance(1, 8):
            return f"{left} IS {self.choices.of(('', 'NOT '))}NULL"
        right = self._aggregate(scope) if self.choices.chance(1, 5) else self.choices.of("012")
        return f"{left} {operator} {right}"

    def _over_aggregate(self, aggregate: str, scope: QueryScope) -> str:
        """Mostly the aggregate itself; else what hides, or shows, that there was nothing to aggregate."""
        if not self.choices.chance(1, 5):
            return aggregate
        other = self._aggregate(scope)
        return self.choices.of(
            (
                *(f"COALESCE({aggregate}, 0)", f"({aggregate} + 1)", f"NULLIF({aggregate}, 0)"),
                *(f"({aggregate} + {other})", f"CASE WHEN {aggregate} > 1 THEN {other} ELSE {aggregate} END"),
            )
        )

    def _aggregate(self, scope: QueryScope, *, distinct: bool = True) -> str:
        if self.choices.chance(1, 5):
            return "COUNT(*)"
        name = self.choices.of(_AGGREGATES)
        may_be_distinct = distinct and name in ("COUNT", "SUM")
        word = "DISTINCT " if may_be_distinct and self.choices.chance(1, 3) else ""
        return f"{name}({word}{self._counted(scope.alone())})"

    def _counted(self, scope: QueryScope) -> str:
        """A column of the query itself, or something simple over one."""
        column = self.column(Type.INT, scope)
        if self.choices.chance(2, 3):
            return column
        forms = (
            f"COALESCE({column}, {self.choices.of('012')})",
            f"({column} {self.choices.of('+-*')} {self.choices.of('12')})",
            f"CASE WHEN {column} {self.choices.of(('=', '>', '<>'))} {self.choices.of('01')} THEN {column} END",
        )
        return self.choices.of(forms)


def _group_by(keys: Sequence[str]) -> str:
    """GROUP BY columns; a constant there would be the number of a column."""
    columns = list(dict.fromkeys(key for key in keys if "." in key))
    return f" GROUP BY {', '.join(columns)}" if columns else ""
