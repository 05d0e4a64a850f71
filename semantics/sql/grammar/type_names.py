"""Types and constants that name their type: DECIMAL(10, 2), ARRAY<INT>, DATE '2024-01-31', INTERVAL '5' MINUTE."""

from typing import Final

from sqlglot import Token, TokenType, exp

from semantics.sql.grammar.base import Steps, Unexpected
from semantics.sql.grammar.nodes import Field, IntervalText, TypedText, TypeName

SECOND_WORDS: Final = {"DOUBLE": "PRECISION", "CHARACTER": "VARYING", "CHAR": "VARYING"}
TEXTS: Final = ("DATE", "TIME", "TIMESTAMP", "TIMESTAMP_NTZ", "TIMESTAMP_LTZ", "TIMESTAMPTZ", "DECIMAL", "NUMERIC")
"""Types that may stand before a text."""


class TypeGrammar(Steps):
    def type_name(self) -> TypeName:
        """name [word] [(number, …)] [WITH … TIME ZONE] [ARRAY], INTERVAL … TO …, ARRAY<type>, ROW(name type, …)"""
        start, made = self._curr, self._one_type()
        while self.accept("ARRAY"):
            made = self.at(start, TypeName(this=exp.Identifier(this="ARRAY"), expressions=[made]))
        return made

    def _one_type(self) -> TypeName:
        start, kind = self._curr, self.name()
        word = kind.name.upper()
        if word == "INTERVAL":
            return self.at(start, TypeName(this=kind, units=self._units()))
        if word in ("ROW", "STRUCT") and self.is_word("<", "("):
            return self.at(start, TypeName(this=kind, fields=self._bracketed(self._field)))
        if word == "ARRAY" and self.is_word("<", "("):
            return self.at(start, TypeName(this=kind, expressions=self._bracketed(self.type_name)))
        if word in SECOND_WORDS:
            self.accept(SECOND_WORDS[word])
        numbers = self.wrapped(lambda: self.listed(self.number)) if self.is_word("(") else []
        return self.at(start, TypeName(this=kind, numbers=numbers, zone=self._zone(word)))

    def _bracketed(self, part: "object") -> list[exp.Expr]:
        """Parts in < > or in ( )."""
        closing = ">" if self.take().text == "<" else ")"
        parts: list[exp.Expr] = self.listed(part)  # type: ignore[arg-type]
        self.need(closing)
        return parts

    def _field(self) -> Field:
        start, name = self._curr, self.name()
        self.accept(":")
        return self.at(start, Field(this=name, type=self.type_name()))

    def _zone(self, word: str) -> str | None:
        """WITH TIME ZONE, WITH LOCAL TIME ZONE or WITHOUT TIME ZONE."""
        if word not in ("TIMESTAMP", "TIME") or not self.is_word("WITH", "WITHOUT"):
            return None
        first = self.take().text.upper()
        self.accept("LOCAL")
        self.need("TIME", "ZONE")
        return first

    def _units(self) -> list[exp.Identifier]:
        """[unit [(number)] [TO unit [(number)]]]"""
        units = []
        while self.is_name() and not self.is_word("ARRAY"):
            units.append(self.name())
            if self.is_word("("):
                self.wrapped(self.number)
            if not self.accept("TO"):
                break
        return units

    def is_text_with_type(self) -> bool:
        """Does DATE '…', DECIMAL(10, 2) '…' or INTERVAL '…' stand here?"""
        if not self.is_kind(TokenType.VAR) or not self._next:
            return False
        if self.is_word("INTERVAL"):
            return self._next.token_type in (TokenType.STRING, TokenType.NUMBER) or self._ahead(1, "-", "+")
        if not self.is_word(*TEXTS):
            return False
        return self._next.token_type == TokenType.STRING or self._is_type_and_text()

    def _ahead(self, by: int, *signs: str) -> bool:
        """Is it a sign with a text behind it?"""
        tokens: list[Token] = self._tokens[self._index + by : self._index + by + 2]
        return len(tokens) == 2 and tokens[0].text in signs and tokens[1].token_type == TokenType.STRING

    def _is_type_and_text(self) -> bool:
        index = self._index
        try:
            self.type_name()
            return self.is_kind(TokenType.STRING)
        except Unexpected:
            return False
        finally:
            self._retreat(index)

    def text_with_type(self) -> exp.Expr:
        if not self.is_word("INTERVAL"):
            return TypedText(type=self.type_name(), this=self.literal())
        self.take()
        sign = self.take().text if self.is_word("-", "+") else ""
        text = self.literal()
        return IntervalText(this=text, negative=sign == "-", units=self._interval_units())

    def _interval_units(self) -> list[exp.Identifier]:
        """A unit behind an interval is a word that is one, so that an alias may follow."""
        words = [*UNIT_WORDS, *(f"{word}S" for word in UNIT_WORDS)]
        return self._units() if self.is_word(*words) else []

    def literal(self) -> exp.Literal:
        if not self.is_kind(TokenType.STRING, TokenType.NUMBER):
            raise self.unexpected()
        token = self.take()
        is_string = token.token_type == TokenType.STRING
        return self.at(token, exp.Literal(this=token.text, is_string=is_string))


UNIT_WORDS: Final = tuple("YEAR QUARTER MONTH WEEK DAY HOUR MINUTE SECOND MILLISECOND MICROSECOND".split())
