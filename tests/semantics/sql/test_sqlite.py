"""SQLite runs the text itself on every snapshot: a second opinion on what a query means, subqueries above all."""

import sqlite3
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from semantics import Multiset, Plan, RawStream, Schema, Type, evaluate
from semantics.sql import Catalogue, parse_query
from tests.semantics.sql.random_queries import TABLES, Queries

SCHEMAS = {name: Schema.of(**dict.fromkeys(columns, int)) for name, columns in TABLES.items()}
CATALOGUE = Catalogue.of(SCHEMAS)
INSTANTS = 12


def random_streams(random: Random) -> dict[str, RawStream]:
    """Small snapshots, some empty, with NULLs and duplicates."""

    def rows(width: int) -> Iterator[tuple[tuple[int | None, ...], int]]:
        for t in range(INSTANTS):
            for _ in range(random.choice([0, 1, 2, 3])):
                yield tuple(random.choice([None, 0, 1, 1, 2]) for _ in range(width)), t

    return {name: RawStream(schema, rows(len(schema))) for name, schema in SCHEMAS.items()}


def by_sqlite(text: str, plan: Plan, streams: dict[str, RawStream], t: int) -> Multiset:
    """What SQLite makes of the snapshot at t."""
    connection = sqlite3.connect(":memory:")
    try:
        for name, stream in streams.items():
            connection.execute(f"CREATE TABLE {name} ({', '.join(stream.schema.names)})")
            rows = [row for row, instant in stream.elements if instant == t]
            marks = ", ".join("?" * len(stream.schema))
            connection.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)
        return Multiset(decoded(row, plan) for row in connection.execute(text))
    finally:
        connection.close()


def decoded(row: tuple[Any, ...], plan: Plan) -> tuple[Any, ...]:
    """SQLite has no booleans."""
    pairs = zip(row, plan.schema.types, strict=True)
    return tuple(bool(value) if type_ is Type.BOOL and value is not None else value for value, type_ in pairs)


def check_queries(random: Random, number: int) -> None:
    """Do we and SQLite agree about so many random queries, each on random streams?"""
    for _ in range(number):
        text = Queries(random).query()
        plan = parse_query(text.ours, CATALOGUE)
        streams = random_streams(random)
        ours = evaluate(plan, streams, INSTANTS)
        for t in range(INSTANTS):
            assert ours.at(t) == by_sqlite(text.sqlite, plan, streams, t), text.ours


@pytest.mark.parametrize("seed", range(40))
def test_random_queries_mean_what_sqlite_says(seed: int) -> None:
    check_queries(Random(seed), 10)


FIRST_ROWS = [
    "SELECT x, y FROM A ORDER BY y DESC, x LIMIT 2",
    "SELECT x, y FROM A ORDER BY x NULLS LAST, y DESC NULLS FIRST LIMIT 1 OFFSET 1",
    "SELECT x FROM A ORDER BY x + y DESC, y, x LIMIT 2",
    "SELECT y, COUNT(*) AS n FROM A GROUP BY y ORDER BY n DESC, y LIMIT 1",
    "SELECT DISTINCT x FROM A ORDER BY 1 DESC LIMIT 2",
    "SELECT x FROM A UNION ALL SELECT x FROM B ORDER BY x LIMIT 3",
    "SELECT x FROM (SELECT x, y FROM A ORDER BY y, x LIMIT 2) AS t WHERE x > 0",
    "SELECT x FROM A WHERE y = (SELECT z FROM B WHERE B.x = A.x ORDER BY z DESC LIMIT 1)",
    "SELECT x FROM A WHERE EXISTS (SELECT z FROM B WHERE B.x = A.x ORDER BY z LIMIT 1 OFFSET 1)",
    "SELECT x FROM A WHERE x IN (SELECT x FROM B ORDER BY z, x LIMIT 1)",
]


@pytest.mark.parametrize("text", FIRST_ROWS)
def test_the_first_rows_are_those_of_sqlite(text: str) -> None:
    plan = parse_query(text, CATALOGUE)
    for seed in range(20):
        streams = random_streams(Random(seed))
        ours = evaluate(plan, streams, INSTANTS)
        for t in range(INSTANTS):
            assert ours.at(t) == by_sqlite(text, plan, streams, t)
