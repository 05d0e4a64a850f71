"""CQL of the STREAM project: windows in brackets, which are this language's windows under other signs."""

from typing import Final

from sqlglot import Token, TokenType, exp, tokens
from sqlglot.dialects.dialect import Dialect

from semantics.sql.catalogue import Catalogue, Declaration
from semantics.sql.dialects.ddl import Declarations, SourceColumn, SourceTable, matching
from semantics.sql.dialects.parsing import chunks_of
from semantics.sql.dialects.profile import Profile
from semantics.sql.dialects.reading import Reading, declaration
from semantics.sql.dialects.scope import Scope
from semantics.sql.dialects.type_names import type_name
from semantics.sql.errors import SqlError

TIME: Final = "ts"
"""CQL gives every element a timestamp that has no name."""
AFTER_RELATIONS: Final = ("WHERE", "GROUP", "GROUP BY", "HAVING", "UNION", "EXCEPT", "INTERSECT", "ORDER BY", ")", "ON")


class Cql(Dialect):
    class Tokenizer(tokens.Tokenizer):
        IDENTIFIERS = ['"']  # noqa: RUF012  # sqlglot asks for a plain attribute
        QUOTES = ["'"]  # noqa: RUF012


SCOPE: Final = Scope(Profile("cql", Cql))


def read_cql(text: str, catalogue: Catalogue | None = None) -> Reading:
    """A script of CQL in this language: a stream without a window holds all rows so far."""
    declared: list[str] = []
    streams = {name.lower() for name in _streams(catalogue)}
    query = ""
    for chunk in chunks_of(text, Cql()):
        words = [token.text.upper() for token in chunk]
        if words[0] in ("REGISTER", "CREATE") and words[1:2] and words[1] in ("STREAM", "RELATION", "TABLE"):
            made, is_stream = _declared(chunk, words, text)
            declared.append(made)
            if is_stream:
                streams.add(chunk[2].text.lower())
        else:
            query = _rewritten(chunk, text, streams)
    if not query:
        raise SqlError("there is no query", "Select, Istream, Dstream or Rstream")
    changing = query.lstrip().upper().startswith(("ISTREAM", "DSTREAM", "RSTREAM"))
    return Reading("cql", tuple(declared), query, "events" if changing else "retract")


def _streams(catalogue: Catalogue | None) -> list[str]:
    found = {} if catalogue is None else catalogue.relations
    return [name for name, one in found.items() if isinstance(one, Declaration) and one.ordered]


def _declared(chunk: list[Token], words: list[str], text: str) -> tuple[str, bool]:
    """REGISTER STREAM S(…), or this language's own declaration as it stands."""
    if words[0] == "CREATE" and ("ORDERED" in words or "VALID" in words or words[1] == "TABLE"):
        return text[chunk[0].start : chunk[-1].end + 1], "ORDERED" in words
    table = Declarations(chunk, _no_expression).table(chunk[2], 3)
    if words[1] != "STREAM":
        return declaration(table, SCOPE), False
    if table.column(TIME) is None:
        table = SourceTable(table.name, (*table.columns, SourceColumn(TIME, ("BIGINT",))))
    for column in table.columns:
        type_name(column.type)
    return declaration(SourceTable(table.name, table.columns, time=TIME), SCOPE), True


def _no_expression(tokens: list[Token]) -> exp.Expr:
    raise SqlError("CQL has no computed columns", "a name and a type", tokens[0].start)


def _rewritten(chunk: list[Token], text: str, streams: set[str]) -> str:
    """The query with WINDOW(…) for brackets, and RANGE UNBOUNDED for streams that have none."""
    chunk = _with_operator_around(chunk)
    made: list[str] = []
    i, expecting, depth_of_from = 0, False, []
    while i < len(chunk):
        token, word = chunk[i], chunk[i].text.upper()
        if word == "(":
            depth_of_from.append(False)
        elif word == ")" and depth_of_from:
            depth_of_from.pop()
        in_from = bool(depth_of_from and depth_of_from[-1]) or (
            not depth_of_from and "FROM" in [m.upper() for m in made]
        )
        if word == "FROM":
            expecting = True
            if depth_of_from:
                depth_of_from[-1] = True
        elif (word == "," and in_from) or word == "JOIN":
            expecting = True
        elif expecting and token.token_type in (TokenType.VAR, TokenType.IDENTIFIER):
            i, relation = _relation(chunk, i, text, streams)
            made.append(relation)
            expecting = False
            continue
        else:
            expecting = expecting and word == "("
        made.append(text[token.start : token.end + 1])
        i += 1
    return " ".join(made)


def _with_operator_around(chunk: list[Token]) -> list[Token]:
    """Select Istream(a, b) From … as Istream(Select a, b From …)."""
    words = [token.text.upper() for token in chunk[:3]]
    if words[:1] != ["SELECT"] or words[1:2] not in (["ISTREAM"], ["DSTREAM"], ["RSTREAM"]) or words[2:] != ["("]:
        return chunk
    end = matching(chunk, 2)
    return [chunk[1], chunk[2], chunk[0], *chunk[3:end], *chunk[end + 1 :], chunk[end]]


def _relation(chunk: list[Token], i: int, text: str, streams: set[str]) -> tuple[int, str]:
    """name [window] [[As] alias]"""
    name = chunk[i]
    written = text[name.start : name.end + 1]
    i += 1
    window = " WINDOW(RANGE UNBOUNDED)" if name.text.lower() in streams else ""
    if i < len(chunk) and chunk[i].token_type == TokenType.L_BRACKET:
        end = next((k for k in range(i, len(chunk)) if chunk[k].token_type == TokenType.R_BRACKET), None)
        if end is None:
            raise SqlError("a bracket is not closed", "]", chunk[i].start)
        inner = text[chunk[i].end + 1 : chunk[end].start].strip()
        window = "" if inner.upper() == "NOW" else f" WINDOW({inner})"
        i = end + 1
    return i, written + window
