"""What relational SQL means at one snapshot: DuckDB and SQLite run the text itself."""

from random import Random
from typing import Any

import pytest

from semantics import ArithmeticOverflow, Multiset, Plan, RawStream, Schema, evaluate, parse, show
from semantics.sql import Catalogue, parse_query, to_sql
from tests.paths import ROOT
from tests.semantics.sql.test_sqlite import by_sqlite, decoded

SCHEMAS = {"A": Schema.of(x=int, y=int), "B": Schema.of(x=int, z=int)}
CATALOGUE = Catalogue.of(SCHEMAS)
SNAPSHOTS = 6
FILE = ROOT / "tests" / "semantics" / "sql" / "relational_queries.txt"
LINES = [line for line in FILE.read_text(encoding="utf-8").splitlines()[1:] if line]
QUERIES = {line.split(" | ")[0]: line.split(" | ")[1:] for line in LINES}
"""Each query, and how SQLite and DuckDB have it where they have it in another way."""


def random_streams(random: Random) -> dict[str, RawStream]:
    """A snapshot at each instant; the first one is empty."""

    def rows(width: int) -> list[tuple[tuple[int | None, ...], int]]:
        sizes = {t: random.choice([0, 1, 2, 3]) for t in range(1, SNAPSHOTS)}
        return [
            (tuple(random.choice([None, 0, 1, 1, 2]) for _ in range(width)), t)
            for t, n in sizes.items()
            for _ in range(n)
        ]

    return {name: RawStream(schema, rows(len(schema))) for name, schema in SCHEMAS.items()}


def by_duckdb(text: str, plan: Plan, streams: dict[str, RawStream], t: int) -> Multiset:
    """What DuckDB makes of the snapshot at t."""
    duckdb: Any = pytest.importorskip("duckdb")
    with duckdb.connect() as connection:
        for name, stream in streams.items():
            connection.execute(
                f"CREATE TABLE {name} ({', '.join(f'{column} BIGINT' for column in stream.schema.names)})"
            )
            rows = [row for row, instant in stream.elements if instant == t]
            if rows:
                connection.executemany(f"INSERT INTO {name} VALUES (?, ?)", rows)
        return Multiset(decoded(row, plan) for row in connection.execute(text).fetchall())


def texts_for_others(text: str) -> tuple[str, str]:
    """How SQLite and DuckDB have it; `-` if they do not."""
    others = QUERIES[text]
    return (others[0] if others else text), (others[1] if len(others) > 1 else text)


@pytest.mark.parametrize("text", QUERIES)
def test_a_query_means_what_others_say(text: str) -> None:
    plan = parse_query(text, CATALOGUE)
    streams = random_streams(Random(text))
    ours = evaluate(plan, streams, SNAPSHOTS)
    for t in range(SNAPSHOTS):
        for engine, asked in zip((by_sqlite, by_duckdb), texts_for_others(text), strict=False):
            if asked != "-":
                assert ours.at(t) == engine(asked, plan, streams, t), (engine, show(plan), streams, t)


@pytest.mark.parametrize("text", QUERIES)
def test_its_plan_has_a_text_that_means_the_same(text: str) -> None:
    plan = parse_query(text, CATALOGUE)
    assert parse_query(to_sql(plan), CATALOGUE) == plan


def test_a_second_row_of_a_scalar_subquery_is_an_error() -> None:
    plan = parse_query("SELECT x, (SELECT z FROM B WHERE B.x = A.x) AS v FROM A", CATALOGUE)
    one = parse("raw(x int, z int): (1, 7)@0 (2, 8)@0")
    two = parse("raw(x int, z int): (1, 7)@0 (1, 7)@0")
    rows = parse("raw(x int, y int): (1, 0)@0 (3, 0)@0")
    assert isinstance(one, RawStream)
    assert isinstance(two, RawStream)
    assert isinstance(rows, RawStream)
    assert evaluate(plan, {"A": rows, "B": one}, 1).at(0) == Multiset([(1, 7), (3, None)])
    with pytest.raises(ArithmeticOverflow, match="a scalar subquery with 2 rows"):
        evaluate(plan, {"A": rows, "B": two}, 1)
