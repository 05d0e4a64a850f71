"""The same SQL with subqueries for Spark and for the reference, on many snapshots."""

from collections.abc import Callable, Mapping
from functools import cache

import pytest
from pyspark.sql import DataFrame

from equivalence.cases.choices import SeededChoices
from equivalence.cases.situation import choose_case_in
from equivalence.cases.situations import SITUATIONS
from physical.adapters.spark.snapshots import as_stream, registered
from physical.adapters.spark.sql_engine import own_session
from physical.columns.stream import PhysicalStream
from semantics import LogicalStream, Multiset, Plan, RawStream, Schema, Stream, Value, evaluate, show
from semantics.constraint import elements_of
from semantics.sql import parse_query, read_script
from tests.physical.adapters.spark.blocks import Block, blocks
from tests.physical.engines.spark.lookahead import asked_ahead

SCHEMAS = {"A": Schema.of(x=int, f=float), "B": Schema.of(y=int, g=float)}
STREAM = "CREATE STREAM {}({}, ts BIGINT) ORDERED BY ts;"
CATALOGUE = read_script(STREAM.format("A", "x INT, f FLOAT") + STREAM.format("B", "y INT, g FLOAT"))
VALUES = [SITUATIONS[name] for name in ("nulls", "floats", "extremes", "duplicates", "empty")]
INSTANTS = 150
QUERIES = [
    "SELECT {t}x FROM A WHERE x IN (SELECT y FROM B WHERE {same})",
    "SELECT {t}x FROM A WHERE x NOT IN (SELECT y FROM B WHERE {same})",
    "SELECT {t}f FROM A WHERE f IN (SELECT g FROM B WHERE {same})",
    "SELECT {t}f FROM A WHERE f NOT IN (SELECT g FROM B WHERE {same})",
    "SELECT {t}x FROM A WHERE NOT EXISTS (SELECT 1 FROM B WHERE {same} AND B.y = A.x)",
    "SELECT {t}x FROM A WHERE EXISTS (SELECT 1 FROM B WHERE {same} AND B.g > A.f)",
    "SELECT {t}x, (SELECT MAX(y) FROM B WHERE {same}) AS m FROM A",
    "SELECT {t}f, COUNT(*) AS n FROM A GROUP BY {t}f HAVING COUNT(*) > 1",
    "SELECT {t}f FROM A WHERE x IS NOT DISTINCT FROM (SELECT MIN(y) FROM B WHERE {same})",
    "SELECT DISTINCT {t}f FROM A",
    "SELECT {t}x, f FROM A EXCEPT SELECT {t}y, g FROM B",
    "SELECT {t}x, f FROM A INTERSECT SELECT {t}y, g FROM B",
    "SELECT {t}f FROM A UNION SELECT {t}g FROM B",
    "SELECT {t}x FROM A EXCEPT ALL SELECT {t}y FROM B",
]

FOUND = blocks("spark-sql.md", "query")
TWO_COLUMNS = read_script(STREAM.format("A", "x INT") + STREAM.format("B", "y INT"))


@cache
def streams() -> dict[str, RawStream]:
    """A snapshot of its own at every instant, each in another situation."""
    rows: dict[str, list[tuple[tuple[Value, ...], int]]] = {name: [] for name in SCHEMAS}
    for t in range(INSTANTS):
        case = choose_case_in(SeededChoices(t), VALUES[t % len(VALUES)], SCHEMAS)
        for name, stream in case.items():
            rows[name] += [(row, t) for row, _ in elements_of(stream)]
    return {name: RawStream(SCHEMAS[name], found) for name, found in rows.items()}


def meant(text: str) -> Plan:
    return parse_query(text.format(t="", same="1 = 1"), CATALOGUE)


def by_spark(text: str) -> LogicalStream:
    schema = meant(text).schema
    answer = asked(text.format(t="t, ", same="B.t = A.t"), streams(), INSTANTS)
    return as_stream(answer.toDF("t", *(f"c{i}" for i in range(len(schema)))), schema).to_logical(INSTANTS)


found = asked_ahead(by_spark, QUERIES)


@pytest.mark.parametrize("text", QUERIES)
def test_oracle_subqueries(found: Callable[[str], LogicalStream], text: str) -> None:
    assert found(text) == evaluate(meant(text), streams(), INSTANTS)


@pytest.mark.usefixtures("spark")
@pytest.mark.parametrize("block", FOUND, ids=lambda block: block.lines["query"])
def test_spark_answers_as_the_page_says(block: Block) -> None:
    text, sources = block.lines["query"], block.streams
    assert show(evaluate(parse_query(text, TWO_COLUMNS), sources, 1).snapshots[0]) == block.lines["right"]
    found = Multiset(tuple(row) for row in asked(text, sources, 1).collect())
    assert show(found) == block.lines["spark"] != block.lines["right"]


def asked(text: str, sources: Mapping[str, Stream], horizon: int) -> DataFrame:
    """What Spark makes of a query over tables that have the instant of each row as another column."""
    session = own_session(True)
    tables = registered(session, {name: PhysicalStream.of(stream) for name, stream in sources.items()}, horizon)
    for name, table in tables.items():
        session.table(table).toDF("t", *sources[name].schema.names).createOrReplaceTempView(name)
    return session.sql(text)
