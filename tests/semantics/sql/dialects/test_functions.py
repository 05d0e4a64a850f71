"""Built-in functions of dialects: names that mean something else, and forms with words between arguments."""

import pytest

from semantics.functions.table import BY_NAME
from semantics.sql.dialects import function_names
from semantics.sql.dialects.registry import PROFILES, read_dialect

DECLARED = {
    "flink": "CREATE TABLE B (a INT, s STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND)",
    "duckdb": "CREATE TABLE B (a INT, s TEXT, ts TIMESTAMP)",
    "postgres": "CREATE TABLE B (a INT, s TEXT, ts TIMESTAMP)",
}


def written(value: str, dialect: str) -> str:
    reading = read_dialect(f"{DECLARED[dialect]}; SELECT {value} AS v FROM B", dialect)
    return " ".join(str(reading.query).split()).removeprefix("SELECT ").partition(" AS v")[0]


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
