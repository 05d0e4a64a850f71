"""A wrong rewrite as it is reported: query, data, both answers, and a script that shows it without snapeq."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp, parse_one

from equivalence.fuzzing.foreign_call import TIMEOUT
from equivalence.fuzzing.relational_schema import RelationalSchema
from equivalence.fuzzing.small_databases import Tables
from equivalence.fuzzing.sql_executors import insertion
from semantics import Row
from semantics.notation.json_values import json_value


@dataclass(frozen=True)
class FuzzFinding:
    """One cause: a rule, and the smallest query and data on which it is wrong."""

    rule: str
    query: str
    rewritten: str
    """The text that the rule made; empty if it made none."""
    schema: RelationalSchema
    tables: Tables
    expected: tuple[Row, ...]
    got: tuple[Row, ...] | str
    """Rows, or an error."""
    oracle: str
    confirmed_by: tuple[str, ...]
    reproduction: str
    number: int = 0
    """The query of the seed that led to it."""

    @property
    def features(self) -> frozenset[str]:
        return features(self.query)

    def is_like(self, other: "FuzzFinding") -> bool:
        """Is the other one the same cause with more around it? Queries that get no answer are not made small."""
        never_ends = self.got == other.got and str(self.got).startswith(TIMEOUT)
        return self.rule == other.rule and (never_ends or self.features <= other.features)

    def to_json(self) -> dict[str, object]:
        got = self.got if isinstance(self.got, str) else _rows(self.got)
        return {
            "rule": self.rule,
            "query": self.query,
            "rewritten": self.rewritten,
            "declared": self.schema.ddl,
            "data": {name: _rows(rows) for name, rows in self.tables.items()},
            "expected": _rows(self.expected),
            "got": got,
            "oracle": self.oracle,
            "confirmed_by": list(self.confirmed_by),
            "number": self.number,
            "reproduction": self.reproduction,
        }

    def __str__(self) -> str:
        got = self.got if isinstance(self.got, str) else shown(self.got)
        return "\n".join(
            [
                f"{self.rule} is wrong (by {self.oracle}; confirmed by {', '.join(self.confirmed_by)})",
                f"  query      {self.query}",
                f"  rewritten  {self.rewritten or 'none'}",
                *(f"  {name:10} {shown(rows)}" for name, rows in self.tables.items()),
                f"  expected   {shown(self.expected)}",
                f"  got        {got}",
            ]
        )


def features(sql: str) -> frozenset[str]:
    """What a query is made of: kinds of nodes, and which sides joins keep.

    >>> sorted(features("SELECT a AS x FROM t") - features("SELECT a AS x FROM t LEFT JOIN u ON TRUE"))
    []
    """
    tree = parse_one(sql)
    kinds = {type(node).__name__ for node in tree.walk() if not isinstance(node, exp.Paren)}
    return frozenset(kinds | {f"{join.side} JOIN" for join in tree.find_all(exp.Join) if join.side})


def shown(rows: Sequence[Row]) -> str:
    """Rows as SQL writes them: `(1, NULL), (2, 'a')`."""
    return ", ".join(insertion("", row).partition("VALUES ")[2] for row in rows) or "no rows"


def _rows(rows: Sequence[Row]) -> list[list[object]]:
    return [[json_value(value) for value in row] for row in rows]


def script(made: Sequence[str], schema: RelationalSchema, tables: Tables, system: str) -> str:
    """A Python program: the given lines make the texts `before` and `after`, and both are run."""
    module = "duckdb" if system == "duckdb" else "sqlite3"
    connection = "duckdb.connect()" if system == "duckdb" else 'sqlite3.connect(":memory:")'
    filled = [insertion(name, row) for name, rows in tables.items() for row in rows]
    return "\n".join(
        [
            f"import {module}",
            "",
            *made,
            f"connection = {connection}",
            "for statement in (",
            *(f"    {statement!r}," for statement in (*schema.ddl, *filled)),
            "):",
            "    connection.execute(statement)",
            "for text in (before, after):",
            "    print(text)",
            "    print(connection.execute(text).fetchall())",
            "",
        ]
    )
