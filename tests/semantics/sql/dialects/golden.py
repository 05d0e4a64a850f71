"""One construct in the words of many dialects: rows that come in, and rows that must come out, worked out by hand."""

from dataclasses import dataclass, field

from semantics import FOREVER, Interval, IntervalStream, RawStream, evaluate_sparse
from semantics.sql import Declaration, parse_script
from semantics.sql.dialects.registry import read_dialect
from semantics.stream import Stream
from semantics.temporal import Timestamp

SECOND = 1000
"""Milliseconds, the unit of the dialects."""
COLUMNS = "(item BIGINT, price BIGINT, ts TIMESTAMP)"
RATE = "CREATE TABLE rate (item BIGINT, factor BIGINT, ts TIMESTAMP);"
FLINK = """
CREATE TABLE bid (item BIGINT, price BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts);
CREATE TABLE rate (item BIGINT, factor BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts,
                   PRIMARY KEY (item) NOT ENFORCED);
"""
RISINGWAVE = """
CREATE SOURCE bid (item BIGINT, price BIGINT, ts TIMESTAMP, WATERMARK FOR ts AS ts) WITH (connector = 'x');
"""
KSQLDB = """
CREATE STREAM bid (item BIGINT, price BIGINT, ts BIGINT) WITH (kafka_topic = 'x', timestamp = 'ts');
CREATE STREAM rate (item BIGINT, factor BIGINT, ts BIGINT) WITH (kafka_topic = 'y', timestamp = 'ts');
"""
DECLARED = {
    "flink": FLINK,
    "calcite": f"CREATE STREAM bid {COLUMNS} ORDERED BY ts;"
    + RATE.replace("TABLE", "STREAM").replace(";", " ORDERED BY ts;"),
    "feldera": f"CREATE TABLE bid (item BIGINT, price BIGINT, ts TIMESTAMP LATENESS INTERVAL 1 SECOND);{RATE}",
    "risingwave": RISINGWAVE + RATE,
    "spark": f"CREATE TABLE bid {COLUMNS};{RATE}",
    "arroyo": f"CREATE TABLE bid {COLUMNS} WITH (connector = 'x', event_time_field = 'ts');{RATE}",
    "materialize": f"CREATE TABLE bid {COLUMNS};{RATE}",
    "ksqldb": KSQLDB,
    "postgres": f"CREATE TABLE bid {COLUMNS};{RATE}",
    "duckdb": f"CREATE TABLE bid {COLUMNS};{RATE}",
    "cql": "REGISTER STREAM bid (item integer, price integer); REGISTER STREAM rate (item integer, factor integer);",
}


@dataclass(frozen=True)
class Golden:
    """Rows with their instants in milliseconds, the rows that are right, and the query in each dialect."""

    bids: list[tuple[tuple[int, int], int]]
    answer: list[tuple[object, ...]]
    queries: dict[str, str]
    rates: list[tuple[tuple[int, int], int]] = field(default_factory=list)


def at(seconds: float) -> Timestamp:
    return Timestamp(round(seconds * 1_000_000))


def answer(golden: Golden, dialect: str) -> list[tuple[object, ...]]:
    """What the reference gives: all rows that come for an instant, or those that are there in the end."""
    reading = read_dialect(DECLARED[dialect] + golden.queries[dialect], dialect)
    script = parse_script(reading.text)
    streams: dict[str, Stream] = {}
    for name, found in script.catalogue.relations.items():
        assert isinstance(found, Declaration)
        given = {"bid": golden.bids, "rate": golden.rates}.get(name.lower(), [])
        if found.is_table:
            rows = [((*row, at(t / SECOND)), Interval(0, FOREVER)) for row, t in given]
            streams[name] = IntervalStream(found.schema, rows)
        else:
            streams[name] = RawStream(found.schema, given)
    passing = reading.kind in ("panes", "events")
    runs = [run for run in evaluate_sparse(script.plan, streams).runs if passing or run[1].end == FOREVER]
    return [row for row, interval, n in runs for _ in range(n * (int(interval.end) - interval.start if passing else 1))]
