"""Queries of one dialect in the words of another: they give the same rows there, or are refused by name."""

import pytest

from semantics.sql.dialects.refusals import Refused
from semantics.sql.dialects.translation import translate
from semantics.sql.errors import SqlError
from tests.semantics.sql.dialects.golden import DECLARED, Golden, answer_of
from tests.semantics.sql.dialects.test_golden_dialects import GOLDEN

PANES = ("flink", "calcite", "feldera", "risingwave", "spark", "arroyo")
"""Dialects that write windows in ways that are translated."""
STREAMS = ("flink", "calcite", "spark", "arroyo")
VIEWS = ("feldera", "risingwave")
TABLES = ("duckdb", "postgres")
WITH_OFFSET = ("flink", "calcite", "feldera", "risingwave", "spark")
BOTH_HAVE = {
    "tumbling": PANES,
    "hopping": PANES,
    "tumbling with an offset": WITH_OFFSET,
    "session, touching": ("flink", "calcite", "spark"),
    "session, apart": ("feldera", "arroyo"),
    "no window": (*STREAMS, *VIEWS),
    "last of each key": STREAMS,
    "top 2": STREAMS,
    "OVER RANGE": ("flink", "calcite"),
    "OVER in another order": TABLES,
    "DISTINCT ON": TABLES,
}
PAIRS = [
    (name, source, target)
    for name, dialects in BOTH_HAVE.items()
    for source in dialects
    for target in dialects
    if source in GOLDEN[name].queries
]


@pytest.mark.parametrize(("name", "source", "target"), PAIRS)
def test_a_construct_that_both_have_gives_the_same_rows(name: str, source: str, target: str) -> None:
    golden: Golden = GOLDEN[name]
    made = translate(DECLARED[source] + golden.queries[source], source, target)
    assert sorted(answer_of(made.text, target, golden), key=repr) == sorted(golden.answer, key=repr)


ARROYO = (
    "CREATE TABLE t (a INT, ts TIMESTAMP); SELECT tumble(interval '1 minute') AS w, count(*) AS n FROM t GROUP BY w"
)
FLINK = "CREATE TABLE t (a INT, ts TIMESTAMP(3), p AS PROCTIME(), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND);"
TUMBLE = "TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1.5' SECOND))"
COUNTED = f"{FLINK} SELECT COUNT(*) AS n FROM {TUMBLE} GROUP BY window_start, window_end"
KSQLDB = "CREATE STREAM t (a INT, ts BIGINT) WITH (timestamp = 'ts');"


@pytest.mark.parametrize(
    ("text", "source", "target", "part"),
    [
        (ARROYO, "arroyo", "flink", "DESCRIPTOR(ts)"),
        (ARROYO, "arroyo", "flink", "WATERMARK FOR ts AS ts"),
        (f"{FLINK} SELECT DISTINCT a FROM t", "flink", "feldera", "ts TIMESTAMP(3) LATENESS INTERVAL '5' SECOND"),
        (f"{FLINK} SELECT DISTINCT a FROM t", "flink", "risingwave", "WATERMARK FOR ts AS ts - INTERVAL '5 SECOND'"),
        (f"{FLINK} SELECT a FROM t", "flink", "calcite", "ORDERED BY ts"),
        (COUNTED, "flink", "spark", "1.500 seconds"),
        (f"{COUNTED} HAVING window_end > window_start", "flink", "spark", "HAVING\n  window.end > window.start"),
        (f"{FLINK} CREATE VIEW v AS SELECT a FROM t; SELECT x.a FROM v AS x WHERE x.a > 1", "flink", "spark", "AS x"),
        (f"{KSQLDB} SELECT a FROM t", "ksqldb", "arroyo", "WATERMARK FOR ts AS ts"),
        (f"{FLINK} SELECT /*+ STATE_TTL('t' = '1d') */ a FROM t", "flink", "spark", "a\nFROM t"),
    ],
)  # fmt: skip
def test_times_views_and_watermarks_are_written_as_the_target_does(
    text: str, source: str, target: str, part: str
) -> None:
    assert part in translate(text, source, target).text


@pytest.mark.parametrize(
    ("text", "source", "target", "construct"),
    [
        (f"{FLINK} SELECT a FROM t", "flink", "oracle", "there is no way from flink to oracle"),
        (f"{FLINK} SELECT * FROM {TUMBLE}", "flink", "duckdb", "the column p is refused"),
        (f"{FLINK} SELECT a FROM {TUMBLE}", "flink", "duckdb", "TUMBLE windows is refused: duckdb writes them"),
        (f"{FLINK} SELECT a FROM {TUMBLE}", "flink", "spark", "windows whose rows are not grouped by them"),
        ("CREATE TABLE t (a INT, b AS a + 1); SELECT b FROM t", "flink", "spark", "the computed column b is refused"),
        (f"{FLINK} SELECT DISTINCT a FROM t", "flink", "duckdb", "its words would mean something else there"),
        (
            "CREATE TABLE t (a STRING, ts TIMESTAMP); SELECT a, count(*) AS n FROM t"
            " GROUP BY a, session_window(ts, CASE WHEN a = 'x' THEN '1 hour' ELSE '2 hours' END)",
            "spark",
            "flink",
            "a gap that rows differ in",
        ),
        (GOLDEN["tumbling with an offset"].queries["flink"], "flink", "arroyo", "the offset of a window"),
        (GOLDEN["session, touching"].queries["flink"], "flink", "risingwave", "SESSION over this relation"),
        (GOLDEN["session, touching"].queries["flink"], "flink", "feldera", "its words would mean something else"),
    ],
)
def test_what_cannot_be_kept_is_said(text: str, source: str, target: str, construct: str) -> None:
    script = text if text.startswith("CREATE") else DECLARED[source] + text
    with pytest.raises((SqlError, Refused), match=construct):
        translate(script, source, target)


def test_declarations_may_stand_elsewhere() -> None:
    made = translate("SELECT a FROM t WHERE a > 1", "flink", "spark", FLINK)
    assert made.text.startswith("CREATE TABLE t (a INT, ts TIMESTAMP);")
    assert made.lost == ("the watermark of t: spark says it elsewhere",)


def test_a_row_for_nothing_is_said_to_be_lost() -> None:
    ddl = "CREATE TABLE t (k INT, ts TIMESTAMP, WATERMARK FOR ts AS ts);"
    made = translate(f"{ddl} SELECT COUNT(*) AS n FROM t", "flink", "spark")
    assert made.lost == ("the row of an aggregate where there is nothing: flink has none before the first row comes",)


@pytest.mark.parametrize(
    ("source", "target", "query", "words"),
    [
        ("materialize", "risingwave", "SELECT k FROM t WHERE mz_now() <= ts + INTERVAL '5 minutes'", "NOW() <="),
        ("feldera", "materialize", "SELECT k FROM t WHERE ts >= NOW() - INTERVAL '5' MINUTE", "MZ_NOW() -"),
        (
            "spark",
            "flink",
            "SELECT k, COUNT(*) AS n FROM t GROUP BY k, ts GROUPING SETS ((k), (ts))",
            "GROUPING SETS (",
        ),
    ],
)
def test_other_words_for_the_same_are_found(source: str, target: str, query: str, words: str) -> None:
    assert words in translate(f"CREATE TABLE t (k INT, ts TIMESTAMP); {query}", source, target).text
