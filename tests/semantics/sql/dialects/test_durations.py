"""Durations in the words of dialects, in microseconds."""

import pytest

from semantics.sql.dialects.durations import microseconds
from semantics.sql.dialects.parsing import parsed_expression
from semantics.sql.dialects.registry import profile_named
from semantics.sql.errors import SqlError

MINUTE = 60_000_000


def length(text: str, dialect: str) -> int:
    syntax = profile_named(dialect).syntax()
    return microseconds(parsed_expression(syntax.tokenize(text), text, syntax))


@pytest.mark.parametrize(
    ("dialect", "text", "micros"),
    [
        ("flink", "INTERVAL '5' SECOND", 5_000_000),
        ("flink", "INTERVAL '10' MINUTES", 10 * MINUTE),
        ("flink", "INTERVAL '0.005' SECOND", 5_000),
        ("flink", "INTERVAL '20:10.525' MINUTE TO SECOND", 20 * MINUTE + 10_525_000),
        ("flink", "INTERVAL '1 02:00' DAY TO MINUTE", 26 * 60 * MINUTE),
        ("flink", "INTERVAL '-1:30' MINUTE TO SECOND", -90_000_000),
        ("flink", "-INTERVAL '5' SECOND", -5_000_000),
        ("flink", "INTERVAL -'5' SECOND", -5_000_000),
        ("flink", "(INTERVAL '1' HOUR + INTERVAL '1' MINUTE)", 61 * MINUTE),
        ("flink", "2 * INTERVAL '1' MINUTE", 2 * MINUTE),
        ("calcite", "TIME '0:12'", 12 * MINUTE),
        ("calcite", "TIME '0:12:30'", 12 * MINUTE + 30_000_000),
        ("postgres", "INTERVAL '1 hour 30 minutes'", 90 * MINUTE),
        ("postgres", "INTERVAL '1 02:03:04'", ((24 + 2) * 60 + 3) * MINUTE + 4_000_000),
        ("spark", "'10 minutes'", 10 * MINUTE),
        ("spark", "'interval 1 day'", 24 * 60 * MINUTE),
        ("spark", "INTERVAL 3 HOURS", 180 * MINUTE),
        ("arroyo", "interval '250 ms'", 250_000),
        ("arroyo", "interval '2 w'", 14 * 24 * 60 * MINUTE),
    ],
)
def test_a_duration_has_its_length(dialect: str, text: str, micros: int) -> None:
    assert length(text, dialect) == micros


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("INTERVAL '1' MONTH", "has no fixed length"),
        ("INTERVAL '1-2' YEAR TO MONTH", "is no number of seconds"),
        ("INTERVAL '1:2:3' MINUTE TO SECOND", "has 3 parts; expected 2"),
        ("INTERVAL '0.0000001' SECOND", "finer than a microsecond"),
        ("INTERVAL x SECOND", "is no duration"),
        ("'soon'", "soon is no duration"),
        ("1 + 2", "is no duration"),
    ],
)
def test_what_has_no_length_is_refused(text: str, problem: str) -> None:
    with pytest.raises(SqlError, match=problem):
        length(text, "flink")
