"""FROM: streams and queries with their windows and aliases, and joins between them."""

from typing import Final

from sqlglot import Token, exp

from semantics.sql.grammar.expressions import STREAM_FUNCTIONS
from semantics.sql.grammar.nodes import Chain, Duration, Item, Joining, Relations, StreamWindow
from semantics.sql.grammar.queries import QueryGrammar

JOINS: Final = ("JOIN", "INNER", "LEFT", "RIGHT", "FULL", "CROSS", "SEMI", "ANTI")


class RelationGrammar(QueryGrammar):
    def relations(self) -> Relations:
        """FROM chain, …"""
        start = self.need("FROM")
        return self.at(start, Relations(expressions=self.listed(self._chain_of_joins)))

    def _chain_of_joins(self) -> Chain:
        start, first, joined = self._curr, self._relation(), []
        while self._curr and self.is_word(*JOINS):
            joined.append(self._joining())
        return self.at(start, Chain(this=first, expressions=joined))

    def _joining(self) -> Joining:
        start, kind = self._curr, self._join_kind()
        relation = self._relation()
        if kind == "CROSS":
            return self.at(start, Joining(this=relation, kind=kind))
        self.need("ON")
        return self.at(start, Joining(this=relation, kind=kind, on=self.expression_()))

    def _join_kind(self) -> str:
        """[INNER] JOIN | CROSS JOIN | (LEFT | RIGHT | FULL) [OUTER] JOIN | [LEFT] (SEMI | ANTI) JOIN"""
        word = self.take().text.upper()
        if word == "JOIN":
            return "INNER"
        if word == "LEFT" and self.is_word("SEMI", "ANTI"):
            word = self.take().text.upper()
        elif word in ("LEFT", "RIGHT", "FULL"):
            self.accept("OUTER")
        self.need("JOIN")
        return word

    def _relation(self) -> Item:
        """(name | (query) | ISTREAM(query)), then a window and an alias in either order"""
        start = self._curr
        of = self._origin()
        alias = self.alias()
        window = self._window() if self.is_word("WINDOW") else None
        if window and not alias:
            alias = self.alias()
        return self.at(start, Item(this=of, alias=alias, window=window))

    def _origin(self) -> exp.Expr:
        if self.is_word("("):
            return self.wrapped(self.query)
        if self.is_call(*STREAM_FUNCTIONS):
            return self.at(self._curr, self.streamed())
        return exp.Table(this=self.name())

    def _window(self) -> StreamWindow:
        start = self.need("WINDOW")
        return self.at(start, self.wrapped(self._specification))

    def _specification(self) -> StreamWindow:
        if self.accept("LANDMARK"):
            landmark = self._duration()
            return StreamWindow(
                kind="LANDMARK", size=landmark, reset=self._duration() if self.accept("RESET") else None
            )
        keys = self.listed(self._key) if self.accept("PARTITION", "BY") else None
        if self.accept("RANGE"):
            size = None if self.accept("UNBOUNDED") else self._duration()
            slide = self._duration() if self.accept("SLIDE") else None
            return StreamWindow(kind="RANGE", size=size, partition=keys, slide=slide)
        self.need("ROWS")
        if self.accept("UNBOUNDED"):
            return StreamWindow(kind="RANGE", partition=keys)
        size = Duration(this=self.number())
        if self.accept("WITH", "TIES"):
            return StreamWindow(kind="ROWS", size=size, partition=keys, ties=True)
        slide = Duration(this=self.number()) if self.accept("SLIDE") else None
        return StreamWindow(kind="ROWS", size=size, partition=keys, slide=slide)

    def _key(self) -> exp.Column:
        name = self.name()
        return exp.Column(this=self.name(), table=name) if self.accept(".") else exp.Column(this=name)

    def _duration(self) -> Duration:
        """number [unit]"""
        start: Token = self._curr
        number = self.number()
        unit = self.name() if self.is_name() and not self.is_word("SLIDE", "RESET") else None
        return self.at(start, Duration(this=number, unit=unit))
