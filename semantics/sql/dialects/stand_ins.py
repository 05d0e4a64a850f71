"""Streams in the place of tables that nobody declares: they have the columns that a query asks for, and a time.

So a query can be shown in this language's words before its declarations are known; their types are not.
"""

import re
from typing import Final

from sqlglot import exp

from semantics.sql.catalogue import Catalogue
from semantics.sql.dialects.registry import profile_named, read_dialect
from semantics.sql.dialects.statements import StatementReader
from semantics.sql.dialects.window_calls import NAMES
from semantics.sql.errors import SqlError
from semantics.sql.script import read_script

UNKNOWN: Final = re.compile(r"unknown table (\w+)")
TIME: Final = re.compile(r"(.*_)?(ts|time|timestamp|rowtime|at)|\w*time", re.IGNORECASE)
OF_WINDOWS: Final = ("window", "session_window", *NAMES)
MOST_TABLES: Final = 20


def query_in_own_words(text: str, dialect: str, known: Catalogue | None) -> str:
    """The query of a script, some of whose tables are unknown; the error if something else is wrong with it."""
    catalogue = known
    for _ in range(MOST_TABLES):
        try:
            return read_dialect(text, dialect, catalogue).query
        except SqlError as error:
            unknown = UNKNOWN.match(error.problem)
            if unknown is None:
                raise
            catalogue = read_script(_stand_in(unknown[1], text, dialect), catalogue)
    return read_dialect(text, dialect, catalogue).query


def _stand_in(table: str, text: str, dialect: str) -> str:
    """CREATE STREAM with the columns that the query may mean of the table, and one that may be its time."""
    tree = StatementReader(text, profile_named(dialect)).read().query
    assert tree is not None
    aliases = {found.alias_or_name.lower(): found.name.lower() for found in tree.find_all(exp.Table)}
    mine = [c for c in tree.find_all(exp.Column) if aliases.get(c.table.lower(), table.lower()) == table.lower()]
    names = dict.fromkeys(c.name for c in mine if c.name and c.name.lower() not in (*aliases, *OF_WINDOWS))
    time = next((name for name in names if TIME.fullmatch(name)), "ts")
    columns = [f'"{name}" TEXT' for name in names if name != time] or ['"x" TEXT']
    return f'CREATE STREAM "{table}"({", ".join(columns)}, "{time}" TIMESTAMP) ORDERED BY "{time}"'
