"""The words of the notation, and a cursor that walks over them."""

import re
import sys
from dataclasses import dataclass
from typing import Final, NoReturn

from semantics.errors import NotationError
from semantics.value import brief

_TOKEN: Final = re.compile(
    r"""(?P<float>\d+(\.\d+([eE][+-]?\d+)?|[eE][+-]?\d+))
      | (?P<int>\d+)
      | (?P<text>'(?:[^'\\]|\\.)*')
      | (?P<quoted>"(?:[^"\\]|\\.)*")
      | (?P<unclosed>['"].*)
      | (?P<word>[A-Za-z_][A-Za-z0-9_]*)
      | (?P<position>\$\d{1,6})
      | (?P<symbol><=|>=|<>|!=|[-<>=+*/(){}\[\],;:@|.∞])
      | (?P<space>\s+)
      | (?P<wrong>.)""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE: Final = re.compile(r"\\(?:u\{([0-9a-f]{1,6})\}|(.))", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    text: str
    position: int


class Cursor:
    """A place in a text. `take_…` steps over what is there or says what was expected; `skip` only if it is there."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = [
            Token(match.lastgroup or "", match.group(), match.start())
            for match in _TOKEN.finditer(text)
            if match.lastgroup != "space"
        ]
        self.tokens.append(Token("end", "the end", len(text)))
        self.index = 0

    @property
    def here(self) -> Token:
        return self.tokens[self.index]

    def fail(self, expected: str) -> NoReturn:
        token = self.here
        got = token.text if token.kind == "end" else brief(token.text[:60])
        around = self.text[max(token.position - 20, 0) : token.position] + "▶" + self.text[token.position :][:20]
        around = "".join(character if character.isprintable() else "·" for character in around)
        raise NotationError(f"column {token.position + 1}: expected {expected}, got {got} in: {around}")

    def step(self) -> Token:
        token = self.here
        self.index += 1
        return token

    def sees(self, *words: str, ahead: int = 0) -> bool:
        """Are these unquoted words or symbols next?"""
        tokens = self.tokens[self.index + ahead : self.index + ahead + len(words)]
        found = [token.text.lower() for token in tokens if token.kind in ("word", "symbol")]
        return found == list(words)

    def skip(self, *words: str) -> bool:
        """Step over these words if they are next."""
        found = self.sees(*words)
        if found:
            self.index += len(words)
        return found

    def take(self, *words: str) -> None:
        for word in words:
            if not self.skip(word):
                self.fail(repr(word))

    def take_kind(self, kind: str, expected: str) -> str:
        if self.here.kind != kind:
            self.fail(expected)
        return self.step().text

    def take_int(self, expected: str = "a whole number") -> int:
        if len(self.here.text) > 30:
            self.fail(f"{expected} of at most 30 digits")
        return int(self.take_kind("int", expected))

    def take_name(self, expected: str = "a name") -> str:
        return self._take_quoted() if self.here.kind == "quoted" else self.take_kind("word", expected)

    def take_text(self) -> str:
        if self.here.kind != "text":
            self.fail("a text in single quotes")
        return self._take_quoted()

    def _take_quoted(self) -> str:
        """What stands between quotes, its escapes replaced."""

        def character(match: re.Match[str]) -> str:
            code, literal = match.groups()
            if literal is not None:
                return str(literal)
            if int(code, 16) > sys.maxunicode:
                self.fail("a text whose character codes go up to 10ffff")
            return chr(int(code, 16))

        text = _ESCAPE.sub(character, self.here.text[1:-1])
        self.step()
        return text

    def take_end(self) -> None:
        if self.here.kind != "end":
            self.fail("the end")
