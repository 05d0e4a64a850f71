"""Statements: CREATE STREAM, CREATE TABLE, SET TIME UNIT, INSERT INTO, and queries."""

from sqlglot import Token, exp

from semantics.sql.grammar.nodes import Constrained, CreateDerived, CreateStream, Declared, Insert, SetUnit
from semantics.sql.grammar.relations import RelationGrammar


class Grammar(RelationGrammar):
    """The whole language."""

    def statement(self, chunk: list[Token], text: str) -> exp.Expr:
        """The tree of one statement, given as its tokens."""
        self.reset()
        self.sql = text
        self._chunks = [chunk]
        self._advance_chunk()
        found = self._statement()
        if self._curr:
            raise self.unexpected()
        return found

    def _statement(self) -> exp.Expr:
        start = self._curr
        if self.accept("SET"):
            self.need("TIME", "UNIT")
            return self.at(start, SetUnit(this=self.name()))
        if self.accept("CREATE"):
            return self.at(start, self._create())
        if self.accept("INSERT"):
            self.need("INTO")
            return self.at(start, self._insert())
        return self.query()

    def _insert(self) -> Insert:
        """name [(column, …)] query"""
        name = self.name()
        columns = self._names() if self.is_word("(") and not self.starts_query() else None
        return Insert(this=name, columns=columns, query=self.query())

    def _create(self) -> exp.Expr:
        """TABLE name(column, …) | STREAM name(column, …) … | STREAM name AS query"""
        if self.accept("TABLE"):
            return CreateStream(this=self.name(), table=True, expressions=self._columns())
        self.need("STREAM")
        name = self.name()
        if self.accept("AS"):
            return CreateDerived(this=name, query=self.query())
        columns = self._columns()
        source = self._source() if self.accept("SOURCE") else None
        ordered = self.name() if self.accept("ORDERED", "BY") else None
        if ordered is None:
            self.need("VALID")
        clock = self.expression_() if ordered and self.accept("AS") else None
        valid = None if ordered else self.wrapped(self._bounds)
        return CreateStream(this=name, expressions=columns, source=source, ordered=ordered, clock=clock, valid=valid)

    def _source(self) -> exp.Anonymous:
        """A call that says where the data comes from; it is read and not used."""
        name = self.name()
        return exp.Anonymous(this=name, expressions=self.wrapped(self._arguments))

    def _bounds(self) -> list[exp.Identifier]:
        start = self.name()
        self.need(",")
        return [start, self.name()]

    def _columns(self) -> list[exp.Expr]:
        return self.wrapped(lambda: self.listed(self._column_or_constraint))

    def _column_or_constraint(self) -> exp.Expr:
        """name type [constraint …] | PRIMARY KEY (name, …) | UNIQUE (…) | ONCE (…) | FOREIGN KEY (…) REFERENCES …"""
        start = self._curr
        if self.is_call("UNIQUE") or self.is_call("ONCE") or self._is_pair("PRIMARY", "KEY"):
            kind = self._key_kind()
            return self.at(start, Constrained(kind=kind, columns=self._names()))
        if self._is_pair("FOREIGN", "KEY"):
            self.need("FOREIGN", "KEY")
            columns = self._names()
            self.need("REFERENCES")
            return self.at(start, self._reference(columns))
        name = self.name()
        kind_name = self.type_name()
        return self.at(start, Declared(this=name, type=kind_name, expressions=self._constraints()))

    def _is_pair(self, first: str, second: str) -> bool:
        return self.is_word(first) and bool(self._next) and self._next.text.upper() == second

    def _key_kind(self) -> str:
        for kind in ("UNIQUE", "ONCE"):
            if self.accept(kind):
                return kind
        self.need("PRIMARY", "KEY")
        return "PRIMARY KEY"

    def _constraints(self) -> list[exp.Expr]:
        found: list[exp.Expr] = []
        while self._curr and self.is_word("PRIMARY", "UNIQUE", "ONCE", "NOT", "REFERENCES"):
            found.append(self.at(self._curr, self._constraint()))
        return found

    def _constraint(self) -> Constrained:
        if self.accept("NOT", "NULL"):
            return Constrained(kind="NOT NULL")
        if self.accept("REFERENCES"):
            return self._reference(None)
        return Constrained(kind=self._key_kind())

    def _reference(self, columns: list[exp.Identifier] | None) -> Constrained:
        table = self.name()
        target = self._names() if self.is_word("(") else None
        return Constrained(kind="REFERENCES", columns=columns, table=table, target=target)

    def _names(self) -> list[exp.Identifier]:
        return self.wrapped(lambda: self.listed(self.name))
