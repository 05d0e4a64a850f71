"""Arrays, rows and JSON in dialects: fields, positions, elements, by hand."""

import pytest

from semantics import FOREVER, Interval, IntervalStream, RawStream, Row, evaluate_sparse
from semantics.sql import Declaration, parse_script
from semantics.sql.dialects.refusals import Refused
from semantics.sql.dialects.registry import read_dialect
from semantics.sql.errors import SqlError
from semantics.stream import Stream
from semantics.temporal import Timestamp

ROWS: list[tuple[Row, int]] = [
    ((1, (5, 6, 5), (7, ("x",)), ((1, "a"), (2, None)), '{"a": {"b": 1}}'), 0),
    ((2, (), None, None, "no json"), 1_000),
    ((3, (None,), (None, None), (), None), 2_000),
]
"""An array with equal elements, one without any, one of NULL; rows with fields, NULL, and a row of NULLs."""
STRUCT = "k BIGINT, xs {array}, r STRUCT<a BIGINT, b STRUCT<c {text}>>, ps {pairs}, s {text}"
POSTGRES = STRUCT.format(array="BIGINT[]", pairs="STRUCT<a BIGINT, b VARCHAR>[]", text="VARCHAR")
SPARK = STRUCT.format(array="ARRAY<BIGINT>", pairs="ARRAY<STRUCT<a BIGINT, b STRING>>", text="STRING")
FLINK = SPARK.replace("STRUCT", "ROW")
FELDERA = "k BIGINT, xs BIGINT ARRAY, r ROW(a BIGINT, b ROW(c VARCHAR)), ps ROW(a BIGINT, b VARCHAR) ARRAY, s VARCHAR"
DECLARED = {
    "flink": f"CREATE TABLE t ({FLINK}, ts TIMESTAMP(3), WATERMARK FOR ts AS ts);",
    "calcite": f"CREATE STREAM t ({FLINK}, ts TIMESTAMP) ORDERED BY ts;",
    "feldera": f"CREATE TABLE t ({FELDERA}, ts TIMESTAMP LATENESS INTERVAL 1 SECOND);",
    "risingwave": f"CREATE SOURCE t ({POSTGRES}, ts TIMESTAMP, WATERMARK FOR ts AS ts) WITH (connector = 'x');",
    "materialize": f"CREATE TABLE t ({POSTGRES}, ts TIMESTAMP);",
    "arroyo": f"CREATE TABLE t ({POSTGRES}, ts TIMESTAMP) WITH (connector = 'x', event_time_field = 'ts');",
    "spark": f"CREATE TABLE t ({SPARK}, ts TIMESTAMP);",
    "ksqldb": f"CREATE STREAM t ({SPARK}) WITH (kafka_topic = 't', value_format = 'json');",
    "duckdb": f"CREATE TABLE t ({POSTGRES}, ts TIMESTAMP);",
    "postgres": f"CREATE TABLE t ({POSTGRES}, ts TIMESTAMP);",
}
STANDARD = ("flink", "calcite", "feldera")
LIKE_POSTGRES = ("risingwave", "materialize", "postgres", "arroyo")


def answer(dialect: str, query: str) -> list[tuple[object, ...]]:
    """All rows of a query that come for an instant, or those that are there in the end."""
    reading = read_dialect(DECLARED[dialect] + query, dialect)
    script = parse_script(reading.text)
    streams: dict[str, Stream] = {}
    for name, found in script.catalogue.relations.items():
        assert isinstance(found, Declaration)
        if found.is_table:
            rows = [((*row, Timestamp(1000 * t)), Interval(0, FOREVER)) for row, t in ROWS]
            streams[name] = IntervalStream(found.schema, rows)
        else:
            streams[name] = RawStream(found.schema, ROWS)
    passing = reading.kind in ("panes", "events")
    runs = [run for run in evaluate_sparse(script.plan, streams).runs if passing or run[1].end == FOREVER]
    return [row for row, interval, n in runs for _ in range(n * (int(interval.end) - interval.start if passing else 1))]


FIELD_QUERIES = {
    **dict.fromkeys(("flink", "calcite", "feldera"), "SELECT t.r.a, t.r.b.c FROM t"),
    **dict.fromkeys(("spark", "duckdb"), "SELECT r.a, r.b.c FROM t"),
    **dict.fromkeys(LIKE_POSTGRES, "SELECT (r).a, (r).b.c FROM t"),
    "ksqldb": "SELECT r->a, r->b->c FROM t EMIT CHANGES",
}


@pytest.mark.parametrize("dialect", FIELD_QUERIES)
def test_fields_of_rows(dialect: str) -> None:
    assert sorted(answer(dialect, FIELD_QUERIES[dialect]), key=str) == [(7, "x"), (None, None), (None, None)]


ELEMENT_QUERIES = {
    **{(dialect, "cross"): "SELECT k, x FROM t CROSS JOIN UNNEST(xs) AS u (x)" for dialect in (*STANDARD, "duckdb")},
    **{(dialect, "comma"): "SELECT t.k, u.x FROM t, UNNEST(t.xs) AS u (x)" for dialect in (*STANDARD, *LIKE_POSTGRES)},
    **{(dialect, "select"): "SELECT k, unnest(xs) AS x FROM t" for dialect in (*LIKE_POSTGRES, "duckdb")},
    ("spark", "select"): "SELECT k, explode(xs) AS x FROM t",
    ("spark", "view"): "SELECT k, x FROM t LATERAL VIEW explode(xs) e AS x",
    ("spark", "lateral"): "SELECT k, x FROM t, LATERAL explode(xs) AS e (x)",
    ("postgres", "lateral"): "SELECT k, x FROM t CROSS JOIN LATERAL unnest(xs) AS u (x)",
    ("ksqldb", "select"): "SELECT k, EXPLODE(xs) AS x FROM t EMIT CHANGES",
}


@pytest.mark.parametrize(("dialect", "how"), ELEMENT_QUERIES)
def test_elements_of_arrays(dialect: str, how: str) -> None:
    found = answer(dialect, ELEMENT_QUERIES[dialect, how])
    assert sorted(found, key=str) == [(1, 5), (1, 5), (1, 6), (3, None)]


OUTER_QUERIES = {
    **dict.fromkeys((*STANDARD, "postgres"), "SELECT k, x FROM t LEFT JOIN UNNEST(xs) AS u (x) ON TRUE"),
    "spark": "SELECT k, x FROM t LATERAL VIEW OUTER explode(xs) e AS x",
}


@pytest.mark.parametrize("dialect", OUTER_QUERIES)
def test_rows_without_elements_may_be_kept(dialect: str) -> None:
    found = answer(dialect, OUTER_QUERIES[dialect])
    assert sorted(found, key=str) == [(1, 5), (1, 5), (1, 6), (2, None), (3, None)]


@pytest.mark.parametrize("dialect", ["flink", "calcite", "feldera", "postgres"])
def test_elements_are_numbered_from_1(dialect: str) -> None:
    found = answer(dialect, "SELECT k, x, n FROM t CROSS JOIN UNNEST(xs) WITH ORDINALITY AS u (x, n)")
    assert sorted(found, key=str) == [(1, 5, 1), (1, 5, 3), (1, 6, 2), (3, None, 1)]


FIELDS_OF_ELEMENTS = {
    **dict.fromkeys((*STANDARD, *LIKE_POSTGRES), "SELECT u.a, u.b FROM t CROSS JOIN UNNEST(ps) AS u (a, b)"),
    "duckdb": "SELECT e.a, e.b FROM t, UNNEST(ps) AS u (e)",
    "spark": "SELECT e.a, e.b FROM t LATERAL VIEW explode(ps) AS e",
}


@pytest.mark.parametrize("dialect", FIELDS_OF_ELEMENTS)
def test_elements_that_are_rows(dialect: str) -> None:
    """Standard SQL makes columns of their fields, DuckDB and Spark leave them whole."""
    assert sorted(answer(dialect, FIELDS_OF_ELEMENTS[dialect]), key=str) == [(1, "a"), (2, None)]


POSITIONS = {
    **dict.fromkeys((*STANDARD, *LIKE_POSTGRES, "duckdb", "ksqldb"), "SELECT xs[2] AS x FROM t"),
    "spark": "SELECT xs[1] AS x FROM t",
}


@pytest.mark.parametrize("dialect", POSITIONS)
def test_positions_count_from_1_but_in_spark(dialect: str) -> None:
    end = " EMIT CHANGES" if dialect == "ksqldb" else ""
    assert sorted(answer(dialect, POSITIONS[dialect] + end), key=str) == [(6,), (None,), (None,)]


COUNTED = "SELECT x, COUNT(*) AS n FROM {} GROUP BY x"


@pytest.mark.parametrize(
    ("dialect", "origin"),
    [
        *((dialect, "t, UNNEST(xs) AS u (x)") for dialect in (*STANDARD, *LIKE_POSTGRES, "duckdb")),
        ("spark", "t LATERAL VIEW explode(xs) e AS x"),
    ],
)
def test_elements_are_grouped(dialect: str, origin: str) -> None:
    assert set(answer(dialect, COUNTED.format(origin))) == {(5, 2), (6, 1), (None, 1)}


JSON = {
    "flink": "JSON_VALUE(s, '$.a.b' RETURNING INT)",
    "calcite": "CAST(JSON_VALUE(s, '$.a.b') AS INTEGER)",
    "spark": "CAST(get_json_object(s, '$.a.b') AS INT)",
    "duckdb": "CAST(s ->> '$.a.b' AS INT)",
    "ksqldb": "CAST(EXTRACTJSONFIELD(s, '$.a.b') AS INT)",
    **dict.fromkeys(("postgres", "risingwave", "materialize"), "CAST(s -> 'a' ->> 'b' AS INT)"),
}


@pytest.mark.parametrize("dialect", JSON)
def test_paths_into_json(dialect: str) -> None:
    end = " EMIT CHANGES" if dialect == "ksqldb" else ""
    assert sorted(answer(dialect, f"SELECT {JSON[dialect]} AS n FROM t{end}"), key=str) == [(1,), (None,), (None,)]


def test_panes_of_elements() -> None:
    """Both rows with elements lie in the first pane of two seconds, or in the second."""
    windows = "TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '2' SECOND))"
    elements = f"{windows} CROSS JOIN UNNEST(xs) AS u (x)"
    query = f"SELECT window_end, COUNT(x) AS n FROM {elements} GROUP BY window_start, window_end"
    assert answer("flink", query) == [(Timestamp(2_000_000), 3), (Timestamp(4_000_000), 0)]


@pytest.mark.parametrize(
    ("dialect", "query", "reason"),
    [
        ("spark", "SELECT posexplode(xs) FROM t", "POSEXPLODE"),
        ("duckdb", "SELECT unnest(xs), unnest(ps) FROM t", "two of UNNEST or EXPLODE"),
        ("flink", "SELECT * FROM t CROSS JOIN UNNEST(ps) AS u", "UNNEST without names of columns"),
        ("flink", "SELECT JSON_VALUE(s, '$.a' ERROR ON ERROR) FROM t", "JSON_VALUE with ERROR"),
        ("postgres", "SELECT s -> 'a' FROM t", "a path into JSON with -> at its end"),
        ("flink", "SELECT xs['a'] FROM t", "a value of a map"),
        ("flink", "SELECT x FROM t, UNNEST(xs, ps) AS u (x, y)", "UNNEST of several arrays"),
        ("postgres", "SELECT k, COUNT(unnest(xs)) FROM t GROUP BY k", "UNNEST beside groups"),
    ],
)
def test_what_is_refused_is_named(dialect: str, query: str, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        answer(dialect, query)


def test_an_unknown_field_is_named() -> None:
    with pytest.raises(SqlError, match="has no field z; expected one of: a, b"):
        answer("flink", "SELECT r.z FROM t")
