"""One clause right above another: what an optimizer exchanges, merges or drops, and may not always.

Each shape of a query stands above each other one equally often, over few tables: a filter above LIMIT, LIMIT above
LIMIT, a grouping above DISTINCT, a join above a window. Elsewhere such neighbours meet by chance only.
"""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Final

from equivalence.fuzzing.query_scope import QueryScope, Visible, columns_named
from equivalence.fuzzing.random_sql_expressions import ExpressionWriter
from semantics import Type

SHAPES: Final = (
    *("filtered", "filtered", "distinct", "keyed", "counted", "chosen", "total"),
    *("limited", "ranked", "united", "padded"),
)
_MORE: Final = ((), (), (Type.INT,))
"""What the query below shows beyond that."""


class StackedWriter(ExpressionWriter):
    """Writes two such queries, given how their parts are written."""

    room: int

    def stacked(self, types: Sequence[Type], outer: tuple[Visible, ...]) -> str:
        """A query over one derived table, which is a query of some other shape, or of the same."""
        below = (*types, *self.choices.of(_MORE))
        text = self.shaped(self.choices.of(SHAPES), below, *self.table())
        alias = self.alias()
        scope = QueryScope((Visible(alias, columns_named(below)),), outer)
        return self.shaped(self.choices.of(SHAPES), types, f"FROM ({text}) AS {alias}", scope)

    def table(self) -> tuple[str, QueryScope]:
        """Mostly one table by itself."""
        if self.choices.chance(1, 4):
            return self.joined(())
        text, visible = self.relation()
        return f"FROM {text}", QueryScope((visible,))

    def shaped(self, shape: str, types: Sequence[Type], source: str, scope: QueryScope) -> str:
        self.room -= 1
        shown = self.listed([self.column(type_, scope) for type_ in types])
        match shape:
            case "filtered":
                return f"SELECT {shown} {source} WHERE {self._bound(scope)}"
            case "distinct":
                return f"SELECT DISTINCT {shown} {source}"
            case "keyed":
                return self.grouped(types, source, scope)
            case "chosen" | "counted" if set(types) <= {Type.INT, Type.BOOL}:
                return self.aggregated(types, source, scope, keyed=True, chosen=shape == "chosen")
            case "chosen":
                return self.grouped(types, source, scope, chosen=True)
            case "total" if set(types) <= {Type.INT, Type.BOOL}:
                return self.aggregated(types, source, scope, keyed=False)
            case "limited":
                return f"SELECT {shown} {source} {self.ordered(len(types))} LIMIT {self.choices.between(1, 2)}"
            case "first":
                return f"SELECT {shown} {source} {self.ordered(len(types))} LIMIT 1"
            case "ranked" if types[0] is Type.INT:
                rest = [self.column(type_, scope) for type_ in types[1:]]
                return f"SELECT {self.listed([self.window(scope.alone()), *rest])} {source}"
            case "united":
                return f"SELECT {shown} {source} {self.choices.of(('UNION ALL', 'UNION'))} {self.block(types, ())}"
            case _:
                return self._joined_above(types, source, scope)

    def _bound(self, scope: QueryScope) -> str:
        """What is mostly true of some rows only: a column against a constant; at times anything else."""
        columns = scope.columns(Type.INT)
        if not columns or self.choices.chance(1, 4):
            return self.condition(scope)
        return f"{self.choices.of(columns)} {self.choices.of(('=', '<=', '>', '<>'))} {self.choices.of('012')}"

    def _joined_above(self, types: Sequence[Type], source: str, scope: QueryScope) -> str:
        joined, visible = self.relation()
        kind = self.choices.of(("JOIN", "LEFT JOIN", "LEFT JOIN"))
        both = scope.plus(Visible(visible.alias, visible.columns, kind != "JOIN"))
        on = self.on(both, visible)
        if kind == "JOIN" or not self.choices.chance(1, 3):
            shown = self.listed([self.column(type_, both) for type_ in types])
            return f"SELECT {shown} {source} {kind} {joined} ON {on}"
        shown = self.listed([self.column(type_, scope) for type_ in types])
        absent = f"{visible.alias}.{self.choices.of(visible.columns)[0]} IS NULL"
        return f"SELECT {shown} {source} LEFT JOIN {joined} ON {on} WHERE {absent}"

    @abstractmethod
    def alias(self) -> str:
        """One that no other table of the query has."""

    @abstractmethod
    def relation(self) -> tuple[str, Visible]:
        """A table, or one that is derived."""

    @abstractmethod
    def joined(self, outer: tuple[Visible, ...]) -> tuple[str, QueryScope]:
        """FROM with joins."""

    @abstractmethod
    def on(self, scope: QueryScope, joined: Visible) -> str:
        """The condition of a join."""

    @abstractmethod
    def block(self, types: Sequence[Type], outer: tuple[Visible, ...]) -> str:
        """SELECT with all that belongs to it."""

    @abstractmethod
    def grouped(self, types: Sequence[Type], rest: str, scope: QueryScope, *, chosen: bool = False) -> str:
        """SELECT keys and aggregates, perhaps with HAVING; always, if `chosen`."""

    @abstractmethod
    def aggregated(
        self, types: Sequence[Type], rest: str, scope: QueryScope, *, keyed: bool, chosen: bool = False
    ) -> str:
        """SELECT aggregates, perhaps with HAVING; always, if `chosen`."""

    @abstractmethod
    def window(self, scope: QueryScope) -> str:
        """An aggregate or a rank among rows."""

    @abstractmethod
    def listed(self, items: Sequence[str]) -> str:
        """Items with their names."""

    @abstractmethod
    def ordered(self, width: int) -> str:
        """ORDER BY all columns."""
