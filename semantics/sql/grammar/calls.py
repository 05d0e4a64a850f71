"""Calls of functions, also those whose arguments stand between words: SUBSTRING(x FROM 2 FOR 3)."""

from abc import abstractmethod
from typing import Final

from sqlglot import TokenType, exp

from semantics.functions.calendar_fields import UNIT
from semantics.sql.grammar.aggregate_clauses import AggregateGrammar

WORDS_BETWEEN: Final = {
    "SUBSTRING": ("FROM", "FOR"),
    "OVERLAY": ("PLACING", "FROM", "FOR"),
    "POSITION": ("IN",),
}
"""Words that may stand in the place of the commas."""
ROUNDED: Final = {"FLOOR": "DATE_TRUNC", "CEIL": "DATE_CEIL", "CEILING": "DATE_CEIL"}
"""What these are with `TO unit`."""
UNIT_FIRST: Final = ("TIMESTAMPADD", "TIMESTAMPDIFF", "DATEADD", "DATEDIFF", "DATE_DIFF", "DATE_TRUNC", "DATE_PART")
"""Functions whose first argument may be the bare name of a unit."""
UNIT_OR_NOT: Final = ("DATEDIFF", "DATE_DIFF")
"""Those of them that also take just two dates."""
TRIMS: Final = {"BOTH": "TRIM", "LEADING": "LTRIM", "TRAILING": "RTRIM"}


class CallGrammar(AggregateGrammar):
    @abstractmethod
    def expression_(self) -> exp.Expr:
        """The grammar of expressions says how."""

    @abstractmethod
    def concatenation(self) -> exp.Expr:
        """An expression without predicates."""

    def is_called(self) -> bool:
        """Does a function's name stand here, with a parenthesis behind it? LEFT and RIGHT are reserved otherwise."""
        return self.is_call("LEFT", "RIGHT") or (
            self.is_name() and bool(self._next) and self._next.token_type == TokenType.L_PAREN
        )

    def call_(self) -> exp.Anonymous:
        """name (arguments)"""
        if self.is_call("TRIM"):
            return self._trim()
        if self.is_call("EXTRACT"):
            return self._extract()
        words = WORDS_BETWEEN.get(self._word(), ()) if not self.is_kind(TokenType.IDENTIFIER) else ()
        token = self.take()
        name = self.at(token, exp.Identifier(this=token.text, quoted=token.token_type == TokenType.IDENTIFIER))
        if words:
            return exp.Anonymous(this=name, expressions=self.wrapped(lambda: self._between(words)))
        self.need("(")
        unit = self._unit(name.name.upper()) if name.name.upper() in UNIT_FIRST else []
        arguments = unit + self._arguments()
        if len(arguments) == 1 and name.name.upper() in ROUNDED and self.accept("TO"):
            name.set("this", ROUNDED[name.name.upper()])
            arguments.insert(0, self._word_as_text())
        return self.call_end(name, arguments)

    def _unit(self, function: str) -> list[exp.Expr]:
        """A name with a comma behind it; where the unit may be left out, one that is no unit is a column."""
        if not self.is_kind(TokenType.VAR) or not self._next or self._next.token_type != TokenType.COMMA:
            return []
        if function in UNIT_OR_NOT and str(self._curr.text).lower().removesuffix("s") not in UNIT.samples:
            return []
        unit = self._word_as_text()
        self.need(",")
        return [unit]

    def _between(self, words: tuple[str, ...]) -> list[exp.Expr]:
        """Arguments with these words between them, of which the last may be missing, or with commas."""
        arguments = [self.concatenation()]
        if not self.is_word(words[0]):
            return [*arguments, *(self.listed(self.expression_) if self.accept(",") else [])]
        return arguments + [self.concatenation() for word in words if self.accept(word)]

    def _trim(self) -> exp.Anonymous:
        """TRIM ([BOTH | LEADING | TRAILING] [characters] FROM text) | TRIM (text [, characters])"""
        name = self.name()
        self.need("(")
        kind = next((kind for kind in TRIMS if self.is_word(kind)), None)
        if kind and self._next and self._next.token_type not in (TokenType.R_PAREN, TokenType.COMMA):
            self.need(kind)
            name.set("this", TRIMS[kind])
        arguments = [] if self.is_word("FROM") else self.listed(self.expression_)
        if len(arguments) <= 1 and self.accept("FROM"):
            arguments.insert(0, self.expression_())
        self.need(")")
        return exp.Anonymous(this=name, expressions=arguments)

    def _extract(self) -> exp.Anonymous:
        """EXTRACT (field FROM expression)"""
        name = self.name()
        self.need("(")
        field = self._word_as_text() if self.is_name() else self.expression_()
        if not self.accept("FROM"):
            self.need(",")
        arguments = [field, self.expression_()]
        self.need(")")
        return exp.Anonymous(this=name, expressions=arguments)

    def _word_as_text(self) -> exp.Literal:
        token = self.take()
        return self.at(token, exp.Literal.string(token.text))

    def _arguments(self) -> list[exp.Expr]:
        start = self._curr
        if self.is_word(")"):
            return []
        if self.accept("*"):
            return [self.at(start, exp.Star())]
        if self.accept("DISTINCT"):
            return [self.at(start, exp.Distinct(expressions=self.listed(self.expression_)))]
        self.accept("ALL")
        return self.listed(self.expression_)
