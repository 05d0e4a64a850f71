"""The statements of a dialect's script: what is declared, what has a name, and the query at the end."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from sqlglot import Token, TokenType, exp

from semantics.sql.dialects.ddl import Declarations, SourceTable, inside, matching
from semantics.sql.dialects.parsing import chunks_of, parsed, parsed_expression
from semantics.sql.dialects.profile import Profile
from semantics.sql.dialects.refusals import FIXED_POINTS, Refused
from semantics.sql.dialects.scope import View
from semantics.sql.dialects.unread import check_read
from semantics.sql.errors import SqlError

SKIPPED: Final = frozenset(
    "SET RESET USE DROP SHOW DESCRIBE EXPLAIN LOAD ADD REMOVE BEGIN END COMMIT EXECUTE ALTER GRANT PRAGMA PRINT DEFINE"
    " UNSET COMMENT LATENESS COPY ANALYZE DECLARE".split()
)
"""Statements that change how a query runs, not what it means."""
EXECUTE: Final = re.compile(r"\bEXECUTE\s+(STATEMENT\s+SET\s+BEGIN\s+)?(?=INSERT\b)", re.IGNORECASE)
WITHOUT_ROWS: Final = frozenset(
    "FUNCTION AGGREGATE CATALOG DATABASE SCHEMA CONNECTION CONNECTOR TYPE INDEX SECRET CLUSTER MODEL ROLE USER".split()
)
"""What CREATE makes that no query reads from."""
EMITS: Final = (("EMIT", "CHANGES"), ("EMIT", "FINAL"), ("EMIT", "ON", "WINDOW", "CLOSE"), ("EMIT", "STREAM"))
MODIFIERS: Final = (
    "OR",
    "REPLACE",
    "REFRESH",
    "LIVE",
    "TEMPORARY",
    "TEMP",
    "LOCAL",
    "FOREIGN",
    "EXTERNAL",
    "UNLOGGED",
    "SYSTEM",
)


@dataclass
class Statements:
    """What a script says."""

    tables: dict[str, SourceTable] = field(default_factory=dict)
    views: dict[str, View] = field(default_factory=dict)
    query: exp.Expr | None = None
    emit: str = ""
    target: SourceTable | None = None
    """The table that the query fills, if it is declared."""
    target_columns: tuple[str, ...] = ()
    unknown: dict[str, str] = field(default_factory=dict)
    """Relations whose columns are said elsewhere, and what is wrong with their declarations."""


class StatementReader:
    """Reads a script of one dialect."""

    def __init__(self, text: str, profile: Profile) -> None:
        self.text, self.profile, self.dialect = text, profile, profile.syntax()
        self.found = Statements()

    def read(self, known: Statements | None = None) -> Statements:
        """What the script says, on top of what is known already."""
        if known is not None:
            self.found = Statements(dict(known.tables), dict(known.views), unknown=dict(known.unknown))
        for chunk in chunks_of(_without_execute(self.text), self.dialect):
            self._statement(chunk)
        return self.found

    def _statement(self, chunk: list[Token]) -> None:
        words = [token.text.upper() for token in chunk]
        if " ".join(words).startswith("DECLARE RECURSIVE"):
            raise Refused("DECLARE RECURSIVE VIEW", FIXED_POINTS, chunk[0].start)
        try:
            self._read_statement(chunk, words)
        except IndexError:
            raise SqlError(f"{words[0]} ends too early, behind {words[-1]}", "its rest", chunk[-1].start) from None

    def _read_statement(self, chunk: list[Token], words: list[str]) -> None:
        if words[0] == "CREATE":
            self._create(chunk, words)
        elif words[0] == "INSERT":
            self._insert(chunk, words)
        elif words[0] == "SUBSCRIBE":
            self._subscribe(chunk, words)
        elif words[0] not in SKIPPED:
            self._set_query(chunk)

    def _set_query(self, chunk: list[Token]) -> None:
        tokens, emit = without_emit(chunk)
        self.found.query, self.found.emit = self._tree(tokens), emit
        self.found.target, self.found.target_columns = None, ()

    def _tree(self, tokens: list[Token]) -> exp.Expr:
        prepared = self.profile.prepare(tokens, self.text)
        tree = parsed(prepared.tokens, self.text, self.dialect)
        check_read(tree)
        return prepared.after(tree)

    def _expression(self, tokens: list[Token]) -> exp.Expr:
        return parsed_expression(tokens, self.text, self.dialect)

    def _insert(self, chunk: list[Token], words: list[str]) -> None:
        """INSERT (INTO | OVERWRITE) [TABLE] name [(columns)] query"""
        at = 2 + (words[2] == "TABLE")
        name, behind = self._name(chunk, at)
        columns: tuple[str, ...] = ()
        if words[behind] == "PARTITION":
            behind = matching(chunk, behind + 1) + 1
        if words[behind] == "(" and words[behind + 1] not in ("SELECT", "WITH", "(", "VALUES"):
            columns = tuple(token.text for token in inside(chunk, behind) if token.text != ",")
            behind = matching(chunk, behind) + 1
        if words[behind] == "VALUES":
            raise SqlError("INSERT … VALUES", "rows from files: --stream NAME=FILE", chunk[0].start)
        self._set_query(chunk[behind:])
        self.found.target, self.found.target_columns = self.found.tables.get(name.lower()), columns
        self.found.views[name.lower()] = View(self._copied_query(), None, columns)

    def _copied_query(self) -> exp.Expr:
        assert self.found.query is not None
        return self.found.query.copy()

    def _name(self, chunk: Sequence[Token], at: int) -> tuple[str, int]:
        """A name, perhaps of several parts, the last of which counts; and what stands behind it."""
        while at + 1 < len(chunk) and chunk[at + 1].token_type == TokenType.DOT:
            at += 2
        return chunk[at].text, at + 1

    def _create(self, chunk: list[Token], words: list[str]) -> None:
        at = 1
        while words[at] in MODIFIERS:
            at += 1
        kind = words[at]
        if kind == "MATERIALIZED" or kind == "STREAMING":
            at += 1
            kind = words[at]
        if kind in WITHOUT_ROWS:
            return
        at += 1
        if words[at : at + 3] == ["IF", "NOT", "EXISTS"]:
            at += 3
        name, behind = self._name(chunk, at)
        query = _query_behind_as(chunk, words, behind)
        if query is not None:
            self._view(name, _without_sink_options(chunk, query) if kind == "SINK" else chunk, query, behind)
        elif kind == "SINK":
            self._sink(chunk, words, behind)
        elif behind < len(chunk) and chunk[behind].token_type == TokenType.L_PAREN:
            self._table(name, kind, chunk, behind)
        elif "LIKE" in words[behind:-1] and (found := self._like(chunk[behind:], words[behind:])) is not None:
            self.found.tables[name.lower()] = replace(found, name=chunk[behind - 1].text)
        else:
            self.found.unknown[name.lower()] = f"CREATE {kind} {name} says no columns"
            self._generated(name, kind, words)

    def _generated(self, name: str, kind: str, words: list[str]) -> None:
        """The tables of a generator, whose columns everybody knows."""
        for table, columns in self.profile.generated(name, words).items():
            (chunk,) = chunks_of(f"{table} ({columns})", self.dialect)
            self._table(table, kind, chunk, 1)

    def _like(self, chunk: list[Token], words: list[str]) -> SourceTable | None:
        """The table behind LIKE, in a declaration without columns of its own."""
        model, _ = self._name(chunk, words.index("LIKE") + 1)
        return self.found.tables.get(model.lower())

    def _table(self, name: str, kind: str, chunk: list[Token], behind: int) -> None:
        table = Declarations(chunk, self._expression).table(chunk[behind - 1], behind, self.found.tables)
        if table.columns:
            self.found.tables[name.lower()] = self.profile.completed(table, kind)
        else:
            self.found.unknown[name.lower()] = f"CREATE {kind} {name} says no columns"

    def _view(self, name: str, chunk: list[Token], query: int, behind: int) -> None:
        columns: tuple[str, ...] = ()
        if chunk[behind].token_type == TokenType.L_PAREN:
            columns = tuple(token.text for token in inside(chunk, behind) if token.text != ",")
        self._set_query(chunk[query:])
        self.found.views[name.lower()] = View(self._copied_query(), None, columns)
        self.found.tables.pop(name.lower(), None)

    def _sink(self, chunk: list[Token], words: list[str], behind: int) -> None:
        """CREATE SINK name FROM relation"""
        if words[behind : behind + 1] != ["FROM"]:
            raise SqlError("CREATE SINK without a query", "AS and a query, or FROM and a name", chunk[0].start)
        relation, _ = self._name(chunk, behind + 1)
        self.found.query = exp.select("*").from_(exp.Table(this=exp.to_identifier(relation)))

    def _subscribe(self, chunk: list[Token], words: list[str]) -> None:
        """SUBSCRIBE [TO] (query) or a name, as Materialize writes it."""
        at = 1 + (words[1:2] == ["TO"])
        stop = next((i for i in range(at, len(words)) if words[i] in ("WITH", "AS", "UP", "ENVELOPE")), len(words))
        if chunk[at : at + 1] and chunk[at].token_type == TokenType.L_PAREN:
            self._set_query(chunk[at : matching(chunk, at) + 1])
        else:
            relation, _ = self._name(chunk[:stop], at)
            self.found.query = exp.select("*").from_(exp.Table(this=exp.to_identifier(relation)))


def _without_execute(text: str) -> str:
    """A text whose inserts stand alone: sqlglot reads nothing of what EXECUTE stands before."""
    return EXECUTE.sub(lambda found: " " * len(found[0]), text)


def _query_behind_as(chunk: Sequence[Token], words: Sequence[str], behind: int) -> int | None:
    """Where the query behind AS begins, outside of all parentheses."""
    depth = 0
    for i in range(behind, len(chunk) - 1):
        depth += (chunk[i].token_type == TokenType.L_PAREN) - (chunk[i].token_type == TokenType.R_PAREN)
        if depth == 0 and words[i] == "AS" and words[i + 1] in ("SELECT", "WITH", "(", "VALUES"):
            return i + 1
    return None


def _without_sink_options(chunk: list[Token], query: int) -> list[Token]:
    """`CREATE SINK s AS query WITH (…)`: without what stands behind the query."""
    depth = 0
    for i in range(query + 1, len(chunk)):
        depth += (chunk[i].token_type == TokenType.L_PAREN) - (chunk[i].token_type == TokenType.R_PAREN)
        if depth == 0 and chunk[i].token_type == TokenType.WITH:
            return chunk[:i]
    return chunk


def without_emit(chunk: list[Token]) -> tuple[list[Token], str]:
    """The tokens without EMIT, behind which ksqlDB has LIMIT, and what it says."""
    words = [token.text.upper() for token in chunk]
    for emit in EMITS:
        for at in range(len(words) - len(emit), 0, -1):
            if tuple(words[at : at + len(emit)]) == emit:
                return chunk[:at] + chunk[at + len(emit) :], " ".join(emit[1:])
    return chunk, ""
