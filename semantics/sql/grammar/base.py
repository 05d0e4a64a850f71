"""What all parts of the grammar share: strict steps over sqlglot's tokens."""

from abc import ABC
from collections.abc import Callable
from typing import TypeVar

from sqlglot import Token, TokenType, exp
from sqlglot.errors import ParseError
from sqlglot.parser import Parser

N = TypeVar("N", bound=exp.Expr)
T = TypeVar("T")


class Unexpected(ParseError):
    """The token at this index cannot stand here."""

    def __init__(self, index: int, problem: str = "", expected: str = "") -> None:
        super().__init__(problem)
        self.index = index
        self.problem = problem
        self.expected = expected


class Steps(Parser, ABC):
    """A parser that never guesses: a step either takes what must stand here or says what cannot."""

    def unexpected(self, problem: str = "", expected: str = "") -> Unexpected:
        return Unexpected(self._index, problem, expected)

    def at(self, token: Token, node: N) -> N:
        """A node that remembers where it begins."""
        return node.update_positions(token)

    def is_kind(self, *kinds: TokenType) -> bool:
        return bool(self._curr) and self._curr.token_type in kinds

    def is_word(self, *words: str) -> bool:
        """Is the next token one of these words, reserved or not?"""
        return bool(self._curr) and not self.is_kind(TokenType.STRING, TokenType.IDENTIFIER) and self._word() in words

    def is_call(self, *names: str) -> bool:
        """Is the next token one of these words, and a parenthesis behind it?"""
        return self.is_word(*names) and bool(self._next) and self._next.token_type == TokenType.L_PAREN

    def _word(self) -> str:
        return str(self._curr.text).upper()

    def take(self) -> Token:
        """The next token, whatever it is."""
        if not self._curr:
            raise self.unexpected()
        self._advance()
        return self._prev

    def accept(self, *words: str) -> bool:
        """Take these words one after the other if the first is there; then the others must be."""
        if not self.is_word(words[0]):
            return False
        self.need(*words)
        return True

    def need(self, *words: str) -> Token:
        for word in words:
            if not self.is_word(word):
                raise self.unexpected()
            self._advance()
        return self._prev

    def is_name(self) -> bool:
        return self.is_kind(TokenType.VAR, TokenType.IDENTIFIER)

    def name(self) -> exp.Identifier:
        """A name: a word that is not reserved, or anything in double quotes."""
        if not self.is_name():
            raise self.unexpected()
        token = self.take()
        return self.at(token, exp.Identifier(this=token.text, quoted=token.token_type == TokenType.IDENTIFIER))

    def number(self) -> exp.Literal:
        if not self.is_kind(TokenType.NUMBER):
            raise self.unexpected()
        token = self.take()
        return self.at(token, exp.Literal(this=token.text, is_string=False))

    def listed(self, part: Callable[[], T]) -> list[T]:
        """One or more, with commas between."""
        parts = [part()]
        while self.accept(","):
            parts.append(part())
        return parts

    def wrapped(self, part: Callable[[], T]) -> T:
        """Something in parentheses."""
        self.need("(")
        inside = part()
        self.need(")")
        return inside
