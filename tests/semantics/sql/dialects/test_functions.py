"""Built-in functions of dialects: names that mean something else, and forms with words between arguments."""

import pytest

from semantics.expression import ScalarFunction
from semantics.functions.table import BY_NAME
from semantics.sql.catalogue import Catalogue
from semantics.sql.dialects import function_names
from semantics.sql.dialects.refusals import Refused
from semantics.sql.dialects.registry import PROFILES, read_dialect
from semantics.types import Type

DECLARED = {
    "flink": "CREATE TABLE B (a INT, s STRING, u TIMESTAMP(3), ts TIMESTAMP(3), WATERMARK FOR ts AS ts)",
    "duckdb": "CREATE TABLE B (a INT, s TEXT, ts TIMESTAMP)",
    "postgres": "CREATE TABLE B (a INT, s TEXT, ts TIMESTAMP)",
    "spark": "CREATE TABLE B (a INT, s STRING, ts TIMESTAMP)",
    "feldera": "CREATE TABLE B (a INT, s VARCHAR, ts TIMESTAMP, u TIMESTAMP)",
    "materialize": "CREATE TABLE B (a INT, s TEXT, ts TIMESTAMP, u TIMESTAMP)",
    "ksqldb": "CREATE STREAM B (a BIGINT, s VARCHAR)",
}


def written(value: str, dialect: str) -> str:
    reading = read_dialect(f"{DECLARED[dialect]}; SELECT {value} AS v FROM B", dialect)
    plain = " ".join(str(reading.query).split()).replace("( ", "(").replace(" )", ")")
    return plain.removeprefix("SELECT ").partition(" AS v")[0]


@pytest.mark.parametrize(
    ("dialect", "value", "ours"),
    [
        ("flink", "SUBSTRING(s FROM 2 FOR 1)", "SUBSTR(s, 2, 1)"),
        ("flink", "GREATEST(a, 1)", "GREATEST(a, 1)"),
        ("flink", "TRIM(LEADING 'x' FROM s)", "LTRIM(s, 'x')"),
        ("flink", "TRIM(BOTH 'x' FROM s)", "TRIM(s, 'x')"),
        ("flink", "TRIM(s)", "TRIM(s)"),
        ("postgres", "SUBSTRING(s FROM 2)", "SUBSTRING(s, 2)"),
        ("postgres", "GREATEST(a, 1)", "GREATEST_IGNORE_NULLS(a, 1)"),
        ("postgres", "CONCAT(s, 'x')", "CONCAT_IGNORE_NULLS(s, 'x')"),
        ("postgres", "LOG(a)", "LOG10(a)"),
        ("duckdb", "SUBSTRING(s, -2)", "SUBSTR(s, -2)"),
        ("flink", "TO_TIMESTAMP(s)", "CAST(s AS TIMESTAMP)"),
        ("flink", "TO_TIMESTAMP(FROM_UNIXTIME(a))", "CAST((a) * 1000000 AS TIMESTAMP)"),
        ("flink", "FROM_UNIXTIME(a)", "CAST(CAST((a) * 1000000 AS TIMESTAMP) AS TEXT)"),
        ("flink", "TO_TIMESTAMP_LTZ(a, 0)", "CAST((a) * 1000000 AS TIMESTAMP)"),
        ("flink", "TO_TIMESTAMP_LTZ(a)", "CAST((a) * 1000 AS TIMESTAMP)"),
        ("flink", "SPLIT_INDEX(s, '-', a)", "SPLIT_INDEX(s, '-', a)"),
        ("flink", "SPLIT_INDEX(s, '-')", "SPLIT_INDEX(s, '-')"),
        ("flink", "UNIX_TIMESTAMP(s)", "UNIX_TIMESTAMP(s)"),
        ("spark", "timestamp_micros(a)", "CAST(a AS TIMESTAMP)"),
        ("spark", "timestamp_seconds(a)", "CAST((a) * 1000000 AS TIMESTAMP)"),
        ("spark", "to_date(ts)", "TRY_CAST(ts AS DATE)"),
        ("feldera", "TIMESTAMP_TRUNC(ts, HOUR)", "DATE_TRUNC('hour', ts)"),
        (
            "duckdb",
            "time_bucket(INTERVAL '2 hours', ts)",
            "DATE_BIN(INTERVAL '2' HOUR, ts, CAST('2000-01-03 00:00:00' AS TIMESTAMP))",
        ),
        (
            "materialize",
            "date_bin('1 minute', ts, '2000-01-01')",
            "DATE_BIN(INTERVAL '1' MINUTE, ts, CAST('2000-01-01' AS TIMESTAMP))",
        ),
        ("ksqldb", "TIMESTAMPTOSTRING(a, 'HH:mm')", "DATE_FORMAT(CAST((a) * 1000 AS TIMESTAMP), 'HH:mm')"),
        ("ksqldb", "STRINGTOTIMESTAMP(s, 'HH:mm')", "DIV(CAST(TO_TIMESTAMP(s, 'HH:mm') AS BIGINT), 1000)"),
        ("ksqldb", "FROM_UNIXTIME(a)", "CAST((a) * 1000 AS TIMESTAMP)"),
        ("duckdb", "quantile_cont(a, 0.5)", "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY a)"),
        ("duckdb", "list(a)", "ARRAY_AGG(a)"),
        ("spark", "collect_set(a)", "ARRAY_AGG(DISTINCT a)"),
        ("ksqldb", "COUNT_DISTINCT(a)", "COUNT(DISTINCT a)"),
        (
            "postgres",
            "percentile_cont(0.5) WITHIN GROUP (ORDER BY a DESC)",
            "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY a DESC)",
        ),
        ("postgres", "s ILIKE 'A%'", "LOWER(s) LIKE LOWER('A%')"),
        ("postgres", "s ~ '^a'", "REGEXP_LIKE(s, '^a')"),
        ("flink", "a / 2", "DIV(a, 2)"),
        (
            "flink",
            "-(a + 1) * 2 / CAST(s AS INT)",
            "DIV(-(a + 1) * 2, CAST(s AS BIGINT))",
        ),
        ("flink", "a / 2.5", "a / 2.5"),
        ("spark", "a / 2", "a / NULLIF(2, 0)"),
        ("flink", "AVG(a)", "DIV(SUM(a), COUNT(a))"),
        (
            "flink",
            "AVG(DISTINCT a) FILTER (WHERE a > 1)",
            "DIV(SUM(DISTINCT a) FILTER(WHERE a > 1), COUNT(DISTINCT a) FILTER(WHERE a > 1))",
        ),
        ("flink", "ts - INTERVAL '1' MONTH", "ts - INTERVAL '1' MONTH"),
        ("flink", "CAST(a AS DECIMAL)", "CAST(a AS DECIMAL(38, 10))"),
        ("flink", "CAST(a AS DECIMAL(8, 2))", "CAST(a AS DECIMAL(8, 2))"),
        ("flink", "TRY_CAST(s AS DATE)", "TRY_CAST(s AS DATE)"),
        ("flink", "EXTRACT(HOUR FROM u)", "EXTRACT(HOUR FROM u)"),
        ("flink", "INTERVAL '1.5' SECOND", "INTERVAL '1.500000' SECOND"),
        ("flink", "POSITION('x' IN s)", "POSITION('x', s)"),
        ("flink", "a IS NOT DISTINCT FROM 1", "a IS NOT DISTINCT FROM 1"),
        ("spark", "a <=> 1", "a IS NOT DISTINCT FROM 1"),
    ],
)
def test_functions_keep_their_meaning(dialect: str, value: str, ours: str) -> None:
    assert written(value, dialect) == ours


@pytest.mark.parametrize(
    "names", [function_names.FLINK, function_names.SPARK, function_names.POSTGRES, function_names.DUCKDB]
)
def test_every_name_is_one_of_ours(names: dict[str, str]) -> None:
    assert {name.lower() for pair in names.items() for name in pair} <= BY_NAME.keys()


def test_profiles_have_them() -> None:
    assert {name for name, profile in PROFILES.items() if profile.functions} >= {"flink", "spark", "postgres", "duckdb"}


@pytest.mark.parametrize(
    ("dialect", "value", "construct"),
    [
        ("postgres", "s -> 'x'", "a path into JSON"),
        ("postgres", "s SIMILAR TO 'x'", "SIMILAR TO"),
        ("duckdb", "[1, 2][1:2]", "a value of a map, or a part of an array"),
        ("flink", "TO_TIMESTAMP_LTZ(a, 4)", "TO_TIMESTAMP_LTZ with precision 4"),
        ("flink", "my_function(a)", "the function MY_FUNCTION"),
        ("ksqldb", "HISTOGRAM(a)", "the function HISTOGRAM"),
        ("flink", "UNIX_TIMESTAMP()", "UNIX_TIMESTAMP"),
        ("flink", "CURRENT_DATE", "CURRENTDATE"),
        ("spark", "first(a)", "FIRST without ORDER BY"),
    ],
)
def test_what_has_no_counterpart_is_refused_by_name(dialect: str, value: str, construct: str) -> None:
    with pytest.raises(Refused, match=construct):
        written(value, dialect)


def test_a_field_of_a_row_is_no_column_of_a_table() -> None:
    assert "( r ).x" in " ".join(
        read_dialect("CREATE TABLE t (r ROW<x INT>); SELECT r.x FROM t", "flink").query.split()
    )


def test_functions_of_the_user_are_known() -> None:
    known = Catalogue.of({}, [ScalarFunction("my_function", (Type.INT,), Type.INT, lambda a: a)])
    reading = read_dialect("CREATE TABLE t (a INT); SELECT my_function(a) AS v FROM t", "flink", known)
    assert "MY_FUNCTION(a)" in reading.query
