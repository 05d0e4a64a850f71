"""What may stand inside and behind the call of an aggregate: an order, WITHIN GROUP, FILTER; and declared orders."""

from abc import abstractmethod

from sqlglot import Token, exp

from semantics.sql.grammar.base import Steps
from semantics.sql.grammar.nodes import CalledAggregate, Sorted


class AggregateGrammar(Steps):
    @abstractmethod
    def expression_(self) -> exp.Expr:
        """The grammar of expressions says how."""

    def call_end(self, name: exp.Identifier, arguments: list[exp.Expr]) -> exp.Anonymous:
        """[ORDER BY …]) [WITHIN GROUP (ORDER BY …)] [FILTER (WHERE condition)]"""
        clauses: dict[str, object] = {"order": self.order() if self.is_word("ORDER") else None}
        self.need(")")
        if self.accept("WITHIN", "GROUP"):
            clauses["within"] = self.wrapped(self.order)
        if self.is_call("FILTER"):
            self.need("FILTER")
            clauses["filter"] = self.wrapped(self._condition)
        clauses = {clause: part for clause, part in clauses.items() if part}
        kind = CalledAggregate if clauses else exp.Anonymous
        return kind(this=name, expressions=arguments, **clauses)

    def order(self) -> list[Sorted]:
        self.need("ORDER", "BY")
        return self.listed(self._sorted)

    def one_of(self, *words: str) -> Token:
        if not self.is_word(*words):
            raise self.unexpected()
        return self.take()

    def _condition(self) -> exp.Expr:
        self.need("WHERE")
        return self.expression_()

    def _sorted(self) -> Sorted:
        """expression [ASC | DESC] [NULLS (FIRST | LAST)]"""
        start, by = self._curr, self.expression_()
        descending = self.accept("DESC")
        if not descending:
            self.accept("ASC")
        nulls = self.one_of("FIRST", "LAST").text.upper() if self.accept("NULLS") else None
        return self.at(start, Sorted(this=by, descending=descending, nulls=nulls))
