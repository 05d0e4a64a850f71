"""CREATE TABLE, CREATE SOURCE and CREATE STREAM as dialects write them: columns, times, watermarks and keys.

They are read from tokens, the same way for all dialects: what a dialect adds behind the columns is options, which say
nothing about meaning but for a few.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from sqlglot import Token, TokenType, exp

from semantics.sql.catalogue import Constraint
from semantics.sql.dialects.durations import microseconds
from semantics.sql.errors import SqlError

OPENING: Final = (TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.LT)
CLOSING: Final = (TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.GT)
IGNORED: Final = frozenset(("NOT", "NULL", "ENFORCED", "VIRTUAL", "STORED"))
WORDS_OF_TYPES: Final = frozenset("PRECISION VARYING WITHOUT WITH LOCAL TIME ZONE UNSIGNED [ ] ARRAY".split())
"""What may stand behind the first word of a type."""
Expression = Callable[[list[Token]], exp.Expr]
"""How a dialect reads an expression."""


@dataclass(frozen=True)
class SourceColumn:
    """A column: what type it has, or how it is computed from others."""

    name: str
    type: tuple[str, ...] = ()
    """The words of its type, as they stand there."""
    computed: exp.Expr | None = None
    not_null: bool = False


@dataclass(frozen=True)
class SourceTable:
    """A table, source or stream of a dialect."""

    name: str
    columns: tuple[SourceColumn, ...]
    time: str | None = None
    """The column with the event time; without one, the rows are there at every instant."""
    delay: int | None = None
    """By how many microseconds the watermark is behind the latest time; None if there is no watermark."""
    keys: tuple[str, ...] = ()
    """The primary key."""
    options: dict[str, str] = field(default_factory=dict)
    valid: tuple[str, str] | None = None
    """The two time columns of a stream of intervals, as this language declares it."""
    versioned: bool = False
    """Does a row replace the one before with its key?"""
    constraints: tuple[Constraint, ...] = ()
    """What else is declared of its rows: UNIQUE and REFERENCES; without columns of the target, these are its key."""

    def column(self, name: str) -> SourceColumn | None:
        return next((column for column in self.columns if column.name.lower() == name.lower()), None)


class Declarations:
    """Reads what stands between CREATE and the semicolon."""

    def __init__(self, tokens: Sequence[Token], expression: Expression) -> None:
        self.tokens, self.expression = tokens, expression

    def table(self, name: Token, behind: int, known: Mapping[str, "SourceTable"] = {}) -> SourceTable:
        """The table whose columns begin at this token, a parenthesis; it may be LIKE one that is known."""
        end = matching(self.tokens, behind)
        model = _model(self.tokens[behind:], known)
        made = SourceTable(name.text, ()) if model is None else replace(model, name=name.text)
        for part in split(self.tokens[behind + 1 : end]):
            made = self._with_part(made, part)
        return self._with_options(made, self.tokens[end + 1 :])

    def _with_part(self, made: SourceTable, part: list[Token]) -> SourceTable:
        words = [token.text.upper() for token in part]
        quoted = part[0].token_type == TokenType.IDENTIFIER
        if words[:2] == ["WATERMARK", "FOR"] and not quoted:
            return self._with_watermark(made, part, words)
        opening = next((i for i, token in enumerate(part) if token.token_type == TokenType.L_PAREN), len(part))
        if " ".join(words[:opening]) == "PRIMARY KEY":
            return replace(made, keys=_listed(part, opening))
        if words[0] == "CONSTRAINT" and not quoted and len(part) > 3:
            return self._with_part(made, part[2:])
        if words[0] == "LIKE" and not quoted:
            return made
        if words[0].split()[0] in ("UNIQUE", "FOREIGN", "PERIOD", "CHECK") and not quoted and len(part) > 2:
            return replace(made, constraints=(*made.constraints, *_declared(part, words, opening)))
        return self._with_column(made, part, words)

    def _with_watermark(self, made: SourceTable, part: list[Token], words: list[str]) -> SourceTable:
        """WATERMARK FOR column [AS expression]"""
        if "AS" not in words:
            return replace(made, time=part[2].text, delay=0)
        return replace(made, time=part[2].text, delay=self._delay(part[words.index("AS") + 1 :]))

    def _delay(self, tokens: list[Token]) -> int:
        """How far behind the time a watermark is: `ts - INTERVAL '5' SECOND`."""
        found = self.expression(tokens)
        while isinstance(found, exp.Paren | exp.Cast):
            found = found.this
        return microseconds(found.expression) if isinstance(found, exp.Sub) else 0

    def _with_column(self, made: SourceTable, part: list[Token], words: list[str]) -> SourceTable:
        name, rest = part[0].text, part[1:]
        upper = words[1:]
        computed = None
        if "AS" in upper and "METADATA" not in upper:
            start = upper.index("AS") + 1
            before = upper.index("GENERATED") if "GENERATED" in upper[: start - 1] else start - 1
            stop = next(
                (i for i in range(start, len(upper)) if upper[i] in ("STORED", "VIRTUAL", "COMMENT")), len(upper)
            )
            computed = self.expression(rest[start:stop])
            rest, upper = rest[:before], upper[:before]
        type_, after = _type_words(rest)
        following = [word for token in after for word in token.text.upper().split()]
        if "LATENESS" in following:
            made = self._with_lateness(made, name, self.expression(_behind(after, "LATENESS")))
        if "WATERMARK" in following and made.time is None:
            made = replace(made, time=name, delay=0)
        if "KEY" in following:
            made = replace(made, keys=(*made.keys, name) if "PRIMARY" in following else made.keys)
        column = SourceColumn(name, type_, computed, _pair(following, "NOT", "NULL"))
        constraints = (*made.constraints, *_declared_of(name, after))
        return replace(made, columns=(*made.columns, column), constraints=constraints)

    def _with_lateness(self, made: SourceTable, name: str, lateness: exp.Expr) -> SourceTable:
        """A column with LATENESS is the time; of a number it only says that old rows may be forgotten."""
        if isinstance(lateness, exp.Literal) and not lateness.is_string:
            return made
        return replace(made, time=name, delay=microseconds(lateness))

    def _with_options(self, made: SourceTable, rest: Sequence[Token]) -> SourceTable:
        """WITH ('key' = 'value', …), and what this language says behind the columns."""
        words = [token.text.upper() for token in rest]
        if "ORDERED" in words:
            return replace(made, time=rest[words.index("ORDERED") + 2].text)
        if "VALID" in words and "(" in words:
            names = [token.text for token in inside(rest, words.index("VALID") + 1) if token.text != ","]
            return replace(made, valid=(names[0], names[1]))
        made = replace(made, columns=(*made.columns, *_included(rest, words)))
        options: dict[str, str] = {}
        if "WITH" in words and words.index("WITH") + 1 < len(rest):
            for part in split(inside(rest, words.index("WITH") + 1)):
                key = "".join(token.text for token in part[:-2])
                options[key.lower()] = part[-1].text
        return replace(made, options=options)


def _behind(tokens: Sequence[Token], word: str) -> list[Token]:
    """What stands behind a word that may share its token with others."""
    at = next(i for i, token in enumerate(tokens) if word in token.text.upper().split())
    return list(tokens[at + 1 :])


def _included(tokens: Sequence[Token], words: Sequence[str]) -> list[SourceColumn]:
    """INCLUDE timestamp AS name, and what else RisingWave takes from a record beside its value."""
    places = [i for i in range(len(words) - 3) if words[i] == "INCLUDE" and words[i + 2] == "AS"]
    types = {"TIMESTAMP": "TIMESTAMP"}
    return [SourceColumn(tokens[i + 3].text, (types.get(words[i + 1], "VARCHAR"),)) for i in places]


def is_processing_time(column: SourceColumn) -> bool:
    """Is it computed as the time at which its row is processed?"""
    return column.computed is not None and column.computed.name.upper() in ("PROCTIME", "NOW", "CURRENT_TIMESTAMP")


def _model(tokens: Sequence[Token], known: Mapping[str, SourceTable]) -> SourceTable | None:
    """The table behind LIKE, in the parentheses or behind them."""
    words = [token.text.upper() for token in tokens]
    names = [tokens[i + 1].text.lower() for i in range(len(words) - 1) if words[i] == "LIKE"]
    return next((known[name] for name in names if name in known), None)


def _type_words(tokens: Sequence[Token]) -> tuple[tuple[str, ...], list[Token]]:
    """The words of a type, and what stands behind them."""
    if not tokens:
        return (), []
    words, i = [tokens[0].text.upper()], 1
    while i < len(tokens):
        text = tokens[i].text.upper()
        if tokens[i].token_type in OPENING:
            end = matching(tokens, i)
            words += [token.text for token in tokens[i : end + 1]]
            i = end + 1
        elif text in WORDS_OF_TYPES:
            words.append(text)
            i += 1
        else:
            break
    return tuple(words), list(tokens[i:])


def _declared(part: Sequence[Token], words: Sequence[str], opening: int) -> list[Constraint]:
    """UNIQUE (…) or FOREIGN KEY (…) REFERENCES table [(…)], behind the columns."""
    columns = _listed(part, opening)
    if words[0] == "UNIQUE":
        return [Constraint("UNIQUE", columns)] if columns else []
    return [_reference(columns, part, words.index("REFERENCES"))] if "REFERENCES" in words else []


def _declared_of(column: str, behind: Sequence[Token]) -> list[Constraint]:
    """UNIQUE or REFERENCES behind the type of a column."""
    words = [token.text.upper() for token in behind]
    unique = [Constraint("UNIQUE", (column,))] if "UNIQUE" in words else []
    return unique + ([_reference((column,), behind, words.index("REFERENCES"))] if "REFERENCES" in words else [])


def _reference(columns: tuple[str, ...], part: Sequence[Token], at: int) -> Constraint:
    while part[at + 2 : at + 3] and part[at + 2].token_type == TokenType.DOT:
        at += 2
    return Constraint("REFERENCES", columns, part[at + 1].text, _listed(part, at + 2))


def _listed(tokens: Sequence[Token], start: int) -> tuple[str, ...]:
    """The names in the parentheses that open here."""
    return tuple(token.text for token in inside(tokens, start) if token.token_type != TokenType.COMMA)


def _pair(words: Sequence[str], first: str, second: str) -> bool:
    return (first, second) in pairwise(words)


def matching(tokens: Sequence[Token], start: int) -> int:
    """Where the parenthesis that opens here closes."""
    depth = 0
    for i in range(start, len(tokens)):
        depth += (tokens[i].token_type in OPENING) - (tokens[i].token_type in CLOSING)
        if depth == 0:
            return i
    raise SqlError("a parenthesis is not closed", "its end", tokens[start].start)


def inside(tokens: Sequence[Token], start: int) -> list[Token]:
    """What stands in the parentheses that open here; nothing if none do."""
    if start >= len(tokens) or tokens[start].token_type not in OPENING:
        return []
    return list(tokens[start + 1 : matching(tokens, start)])


def split(tokens: Sequence[Token]) -> list[list[Token]]:
    """The parts between commas that are in no parentheses."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token.token_type in OPENING) - (token.token_type in CLOSING)
        if token.token_type == TokenType.COMMA and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]
