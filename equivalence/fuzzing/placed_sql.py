"""A query of each shape in each place: below EXISTS, IN and comparisons, in a set operation; and joins in long chains.

Beside them stand single operations on columns. `stacked_sql` has such pairs in FROM. Elsewhere they would meet by
chance only, and a rule about one is hardly ever tried.
"""

from collections.abc import Callable, Sequence
from typing import Final

from equivalence.fuzzing.query_scope import QueryScope, Visible, columns_named
from equivalence.fuzzing.stacked_sql import SHAPES, StackedWriter
from semantics import Type

_OPERANDS: Final = tuple(shape for shape in SHAPES if shape not in ("limited", "united"))
"""What a set operation takes without parentheses, which SQLite does not read there."""
_BELOW: Final = {"EXISTS": (*SHAPES, "counted", "counted", "total"), "compared": ("total", "total", "first")}
"""What matters there more than elsewhere: whether an aggregate gives a row of nothing, and that there is one row."""
_SET_OPERATIONS: Final = ("UNION ALL", "UNION", "EXCEPT", "INTERSECT")
_CHAINS: Final = ("JOIN", "LEFT JOIN", "LEFT JOIN", "FULL JOIN", "FULL JOIN", "RIGHT JOIN")
_NEGATED: Final = ("", "NOT ")
_BOUNDS: Final = ("=", ">", "<=", "<>")
_FIRST_PLACES: Final = ("= 1", "<= 2", "> 1")


class PlacedWriter(StackedWriter):
    """Writes them, given how their parts are written."""

    def placed(self, types: Sequence[Type], outer: tuple[Visible, ...]) -> str:
        ways: tuple[Callable[[Sequence[Type], tuple[Visible, ...]], str], ...] = (
            *(self._asking, self._asking, self._asking),
            *(
                self._of_two_shapes,
                self._chained,
                self._chained,
                self._first_places,
                self._of_one_form,
                self._of_one_form,
            ),
        )
        return self.choices.of(ways)(types, outer)

    def _of_one_form(self, types: Sequence[Type], outer: tuple[Visible, ...]) -> str:
        """One table, and operations on its columns: nothing else decides what is shown."""
        source, scope = self.table()
        scope, self.room = QueryScope(scope.own, outer), 0
        if self.choices.chance(1, 2):
            shown = [f"({self.asked(scope, 1)})" if one is Type.BOOL else self.formed(one, scope, 2) for one in types]
            return f"SELECT {self.listed(shown)} {source}"
        shown = [self.column(type_, scope) for type_ in types]
        return f"SELECT {self.listed(shown)} {source} WHERE {self.asked(scope, 1)}"

    def _asking(self, types: Sequence[Type], outer: tuple[Visible, ...]) -> str:
        """One table, and one condition on a query of some shape, which knows of its rows or does not."""
        source, scope = self.table()
        scope = QueryScope(scope.own, outer)
        shown = self.listed([self.column(type_, scope) for type_ in types])
        return f"SELECT {shown} {source} WHERE {self._asked_of_a_shape(scope)}"

    def _asked_of_a_shape(self, scope: QueryScope) -> str:
        place = self.choices.of(("EXISTS", "EXISTS", "IN", "IN", "compared"))
        shape = self.choices.of(_BELOW.get(place, SHAPES))
        below = self._linked(shape, scope)
        if place == "EXISTS":
            return f"{self.choices.of(_NEGATED)}EXISTS ({below})"
        asked = self.column(Type.INT, scope)
        if place == "IN":
            return f"{asked} {self.choices.of(_NEGATED)}IN ({below})"
        return f"{asked} {self.choices.of(_BOUNDS)} ({below})"

    def _linked(self, shape: str, scope: QueryScope) -> str:
        """A query of that shape with one column; half of the time, its table is linked with the rows around it."""
        source, own = self.table()
        mine, around = own.columns(Type.INT), scope.columns(Type.INT)
        if not mine or not around or shape in ("filtered", "padded") or not self.choices.chance(1, 2):
            return self.shaped(shape, (Type.INT,), source, own)
        link = f"{self.choices.of(mine)} {self.choices.of(('=', '=', '=', '<'))} {self.choices.of(around)}"
        return self.shaped(shape, (Type.INT,), f"{source} WHERE {link}", own)

    def _of_two_shapes(self, types: Sequence[Type], outer: tuple[Visible, ...]) -> str:
        del outer
        left, right = (self.shaped(self.choices.of(_OPERANDS), types, *self.table()) for _ in range(2))
        return f"{left} {self.choices.of(_SET_OPERATIONS)} {right}"

    def _chained(self, types: Sequence[Type], outer: tuple[Visible, ...]) -> str:
        """Joins by equal columns, mostly outer ones, of which some sides are unique; what is shown comes from few."""
        first, visible = self._side()
        text, scope = f"FROM {first}", QueryScope((visible,), outer)
        for _ in range(self.choices.of((2, 2, 3, 3, 4, 1))):
            kind = self.choices.of(_CHAINS)
            joined, visible = self._side()
            before = kind in ("RIGHT JOIN", "FULL JOIN")
            after = Visible(visible.alias, visible.columns, kind in ("LEFT JOIN", "FULL JOIN"))
            scope = (scope.all_padded() if before else scope).plus(after)
            text = f"{text} {kind} {joined} ON {self.on(scope, after)}"
        few = QueryScope((self.choices.of(scope.own), scope.own[-1])) if self.choices.chance(1, 2) else scope.alone()
        shown = self.listed([self.column(type_, few) for type_ in types])
        return f"SELECT {shown} {text}{self._bounded(scope)}"

    def _side(self) -> tuple[str, Visible]:
        """A table as it is, or made unique in its columns."""
        text, visible = self.relation()
        if self.choices.chance(1, 2):
            return text, visible
        alias = self.alias()
        types = (visible.columns[0][1], *(Type.INT for _ in range(self.choices.between(0, 1))))
        shape = self.choices.of(("distinct", "keyed"))
        below = self.shaped(shape, types, f"FROM {text}", QueryScope((visible,)))
        return f"({below}) AS {alias}", Visible(alias, columns_named(types))

    def _bounded(self, scope: QueryScope) -> str:
        """WHERE over single columns, which may be NULL because a join pads them; perhaps none."""
        columns = scope.columns(Type.INT)
        if not columns or not self.choices.chance(3, 4):
            return ""

        def one() -> str:
            column = self.choices.of(columns)
            compared = f"{column} {self.choices.of(_BOUNDS)} {self.choices.of('012')}"
            return self.choices.of((compared, compared, f"{column} IS NULL"))

        return f" WHERE {self.choices.of((one(), one(), f'{one()} AND ({one()} OR {one()})'))}"

    def _first_places(self, types: Sequence[Type], outer: tuple[Visible, ...]) -> str:
        """The first rows of each group, in an order of all that is shown: rows that tie are the same."""
        del outer
        source, scope = self.joined(()) if self.choices.chance(1, 2) else self.table()
        shown = [self.column(type_, scope) for type_ in types]
        columns = [column for column in dict.fromkeys(shown) if "." in column]
        order = ", ".join(f"{column} {self.choices.of(('NULLS LAST', 'DESC NULLS FIRST'))}" for column in columns)
        groups = f"PARTITION BY {columns[0]}" if columns and self.choices.chance(2, 3) else ""
        over = f"{groups} ORDER BY {order}".strip() if order else groups
        place = self.choices.of(("ROW_NUMBER()", "ROW_NUMBER()", "RANK()")) if order else "COUNT(*)"
        alias, name = self.alias(), f"x{len(types)}"
        below = f"SELECT {self.listed([*shown, f'{place} OVER ({over})'])} {source}"
        above = self.listed([f"{alias}.x{i}" for i in range(len(types))])
        return f"SELECT {above} FROM ({below}) AS {alias} WHERE {alias}.{name} {self.choices.of(_FIRST_PLACES)}"
