"""FROM: streams and queries with their windows and aliases, and joins between them."""

from typing import Final

from sqlglot import Token, exp

from semantics.sql.grammar.expressions import STREAM_FUNCTIONS
from semantics.sql.grammar.nodes import Chain, Duration, Item, Joining, Relations, StreamWindow, Unnested
from semantics.sql.grammar.queries import QueryGrammar

JOINS: Final = ("JOIN", "INNER", "LEFT", "RIGHT", "FULL", "CROSS", "SEMI", "ANTI", "NATURAL")


class RelationGrammar(QueryGrammar):
    def relations(self) -> Relations:
        """[FROM chain, …]"""
        start = self._curr
        if not self.accept("FROM"):
            return Relations(expressions=[])
        chains = self.listed(self._chain_of_joins)
        return self.at(start, Relations(expressions=_with_lateral(chains)))

    def _chain_of_joins(self) -> Chain:
        start, first, joined = self._curr, self._relation(), []
        while self._curr and self.is_word(*JOINS):
            joined.append(self._joining())
        return self.at(start, Chain(this=first, expressions=joined))

    def _joining(self) -> Joining:
        start, natural = self._curr, self.accept("NATURAL")
        kind = self._join_kind()
        relation = self._relation()
        if kind == "CROSS" or natural:
            return self.at(start, Joining(this=relation, kind=kind, natural=natural))
        if self.accept("USING"):
            names = self.wrapped(lambda: self.listed(self.name))
            return self.at(start, Joining(this=relation, kind=kind, using=names))
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
        """[LATERAL] (name | (query) | (chain) | ISTREAM(query)), then a window and an alias in either order"""
        start, lateral = self._curr, self._is_lateral() and self.accept("LATERAL")
        of = self._origin()
        lateral = lateral or isinstance(of, Unnested)
        alias, columns = self._alias_with_columns()
        window = self._window() if self.is_word("WINDOW") else None
        if window and not alias:
            alias, columns = self._alias_with_columns()
        return self.at(start, Item(this=of, alias=alias, columns=columns, window=window, lateral=lateral))

    def _is_lateral(self) -> bool:
        """LATERAL is no reserved word: it is one only before a parenthesis."""
        return self.is_call("LATERAL")

    def _alias_with_columns(self) -> tuple[exp.Identifier | None, list[exp.Identifier] | None]:
        """[[AS] name [(column, …)]]"""
        alias = self.alias()
        columns = self.wrapped(lambda: self.listed(self.name)) if alias and self.is_word("(") else None
        return alias, columns

    def _origin(self) -> exp.Expr:
        if self.is_word("("):
            return self.wrapped(self.query if self.is_query() else self._chain_of_joins)
        if self.is_call(*STREAM_FUNCTIONS):
            return self.at(self._curr, self.streamed())
        if self.is_call("UNNEST", "EXPLODE"):
            return self.at(self._curr, self._unnested())
        return exp.Table(this=self.name())

    def _unnested(self) -> Unnested:
        """(UNNEST | EXPLODE) (array) [WITH ORDINALITY]"""
        whole = self.take().text.upper() == "EXPLODE"
        array = self.wrapped(self.expression_)
        return Unnested(this=array, whole=whole, numbered=self.accept("WITH", "ORDINALITY"))

    def _window(self) -> StreamWindow:
        start = self.need("WINDOW")
        return self.at(start, self.wrapped(self._specification))

    def _specification(self) -> StreamWindow:
        if self.accept("LANDMARK"):
            landmark = self._duration()
            reset = self._duration() if self.accept("RESET") else None
            slide = self._duration() if self.accept("SLIDE") else None
            return StreamWindow(kind="LANDMARK", size=landmark, reset=reset, slide=slide)
        keys = self.listed(self._key) if self.accept("PARTITION", "BY") else None
        if self.accept("RANGE"):
            size = None if self.accept("UNBOUNDED") else self._duration()
            slide = self._duration() if self.accept("SLIDE") else None
            return StreamWindow(kind="RANGE", size=size, partition=keys, slide=slide)
        if self.accept("SESSION"):
            return self._session(keys)
        self.need("ROWS")
        if self.accept("UNBOUNDED"):
            return StreamWindow(kind="RANGE", partition=keys)
        size = Duration(this=self.number())
        if self.accept("WITH", "TIES"):
            return StreamWindow(kind="ROWS", size=size, partition=keys, ties=True)
        slide = Duration(this=self.number()) if self.accept("SLIDE") else None
        return StreamWindow(kind="ROWS", size=size, partition=keys, slide=slide)

    def _session(self, keys: list[exp.Column] | None) -> StreamWindow:
        """duration [TOUCHING] [AS start, end]"""
        gap, touching = self._duration(), self.accept("TOUCHING")
        names = self.listed(self.name) if self.accept("AS") else None
        return StreamWindow(kind="SESSION", size=gap, partition=keys, touching=touching, names=names)

    def _key(self) -> exp.Column:
        name = self.name()
        return exp.Column(this=self.name(), table=name) if self.accept(".") else exp.Column(this=name)

    def _duration(self) -> Duration:
        """number [unit]"""
        start: Token = self._curr
        number = self.number()
        unit = self.name() if self.is_name() and not self.is_word("SLIDE", "RESET", "TOUCHING") else None
        return self.at(start, Duration(this=number, unit=unit))


def _with_lateral(chains: list[Chain]) -> list[Chain]:
    """A chain that begins with LATERAL sees all before it, so these become one chain with cross joins."""
    made: list[Chain] = []
    for chain in chains:
        if made and chain.this.args.get("lateral"):
            first, *others = made
            joined = [Joining(this=Item(this=other), kind="CROSS") for other in others]
            own = Joining(this=chain.this, kind="CROSS").update_positions(chain.this)
            made = [Chain(this=first.this, expressions=[*first.expressions, *joined, own, *chain.expressions])]
        else:
            made.append(chain)
    return made
