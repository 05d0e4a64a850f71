"""How scripts of other dialects are read: declarations, times, refusals, and what is said about the output."""

import pytest

from semantics.sql import parse_script, read_script
from semantics.sql.dialects.recognition import lesson, looks_like
from semantics.sql.dialects.refusals import NotByEventTime, Refused
from semantics.sql.dialects.registry import DIALECTS, read_dialect
from semantics.sql.dialects.translation import translate
from semantics.sql.errors import SqlError

FLINK = """
CREATE TABLE Bid (item BIGINT, price DECIMAL(10, 2), `user` STRING, ts TIMESTAMP(3), arrived AS PROCTIME(),
                  WATERMARK FOR ts AS ts - INTERVAL '5' SECOND, PRIMARY KEY (item) NOT ENFORCED)
WITH ('connector' = 'kafka', 'topic' = 'bids');
"""
PANES = """
SELECT item, window_start, window_end, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE Bid, DESCRIPTOR(ts), INTERVAL '10' SECOND))
GROUP BY item, window_start, window_end
"""


def test_a_watermark_names_the_time_and_says_how_far_behind_it_is() -> None:
    reading = read_dialect(FLINK + PANES, "flink")
    assert reading.watermarks == {"Bid": ("ts", 5_000_000)}
    assert reading.declarations[1].endswith("ORDERED BY ts")


def test_a_computed_time_is_declared_as_what_it_is_computed_from() -> None:
    ddl = "CREATE TABLE T (ms BIGINT, x INT, rt AS TO_TIMESTAMP_LTZ(ms, 3), WATERMARK FOR rt AS rt);"
    reading = read_dialect(ddl + "SELECT x, rt FROM T", "flink")
    assert "ORDERED BY rt AS CAST((ms) * 1000 AS TIMESTAMP)" in reading.text
    assert parse_script(reading.text).catalogue.relations["T"].clock is not None  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        (PANES, "panes"),
        ("SELECT item FROM Bid WHERE price > 5", "events"),
        ("SELECT item, COUNT(*) AS n FROM Bid GROUP BY item", "retract"),
        ("SELECT DISTINCT item FROM Bid", "retract"),
        ("SELECT item FROM Bid WHERE item IN (SELECT item FROM Bid WHERE price > 5)", "retract"),
    ],
)
def test_the_kind_of_output_follows_from_the_query(query: str, kind: str) -> None:
    assert read_dialect(FLINK + query, "flink").kind == kind


@pytest.mark.parametrize(
    ("query", "construct"),
    [
        ("SELECT item, arrived FROM Bid", "the column arrived"),
        ("SELECT * FROM Bid", "the column arrived"),
        ("SELECT item, CURRENT_TIMESTAMP FROM Bid", "CURRENT_TIMESTAMP"),
        (PANES.replace("DESCRIPTOR(ts)", "DESCRIPTOR(arrived)"), "a window over arrived"),
        ("SELECT B.item FROM Bid B JOIN Bid FOR SYSTEM_TIME AS OF B.arrived AS S ON B.item = S.item", "a lookup join"),
        ("SELECT FIRST_VALUE(price) FROM Bid", "FIRST_VALUE without ORDER BY"),
    ],
)
def test_what_event_time_does_not_determine_is_refused_by_name(query: str, construct: str) -> None:
    with pytest.raises(NotByEventTime, match=construct) as caught:
        read_dialect(FLINK + query, "flink")
    assert caught.value.reason


@pytest.mark.parametrize(
    ("query", "construct"),
    [
        ("SELECT item, my_own(price) FROM Bid", "the function MY_OWN"),
        ("SELECT * FROM TABLE(explode_it(TABLE Bid))", "the function EXPLODE_IT in FROM"),
        ("SELECT item, SUM(price) OVER (ORDER BY price GROUPS 1 PRECEDING) FROM Bid", "this frame in an order"),
        ("SELECT item, LAG(price, item) OVER (ORDER BY price) FROM Bid", "LAG with these arguments"),
        (
            "SELECT item, SUM(price) OVER (ORDER BY price ROWS BETWEEN item PRECEDING AND CURRENT ROW) FROM Bid",
            "this frame in an order that is not the time",
        ),
        (
            "SELECT * FROM Bid MATCH_RECOGNIZE (PARTITION BY item ORDER BY ts MEASURES A.price AS p PATTERN (A B)"
            " DEFINE B AS B.price > A.price) AS m",
            "MATCH_RECOGNIZE",
        ),
    ],
)
def test_what_this_language_lacks_is_refused_by_name(query: str, construct: str) -> None:
    with pytest.raises(Refused, match=construct):
        read_dialect(FLINK + query, "flink")


def test_an_error_names_the_line_and_the_column_in_the_text_of_the_dialect() -> None:
    with pytest.raises(SqlError) as caught:
        read_dialect("CREATE TABLE T (x INT);\nSELECT x\nFROM Other", "flink")
    assert (caught.value.line, caught.value.column) == (3, 6)


def test_an_unknown_dialect_is_told_the_known_ones() -> None:
    with pytest.raises(SqlError, match="one of: snapeq, flink, spark"):
        read_dialect("SELECT 1", "oracle")


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("SELECT * FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '1' DAY, INTERVAL '2' DAY))", "flink"),
        ("SELECT window.start, count(*) FROM t GROUP BY window(ts, '5 minutes')", "spark"),
        ("SELECT count(*) FROM t WINDOW TUMBLING (SIZE 1 HOUR) GROUP BY k EMIT CHANGES", "ksqldb"),
        ("SELECT * FROM t WHERE mz_now() <= ts", "materialize"),
        ("SELECT count(*) FROM tumble(t, ts, INTERVAL '1 minute') GROUP BY window_start", "risingwave"),
        ("SELECT tumble(interval '1 minute') AS w FROM t GROUP BY w", "arroyo"),
        ("CREATE TABLE t (ts TIMESTAMP LATENESS INTERVAL 1 HOUR)", "feldera"),
        ("SELECT STREAM * FROM t", "calcite"),
        ("Istream(Select * From S [Range 5 Minutes])", "cql"),
        ("SELECT * FROM a ASOF JOIN b ON a.ts >= b.ts", "duckdb"),
        ("SELECT x::int FROM t", "postgres"),
        ("SELECT x FROM t", None),
    ],
)
def test_a_dialect_is_recognised_by_what_only_it_writes(text: str, dialect: str | None) -> None:
    assert looks_like(text) == dialect


@pytest.mark.parametrize("target", ["spark", "risingwave", "arroyo", "feldera", "calcite", "flink"])
def test_a_tumbling_count_is_translated_and_means_the_same_when_it_is_read_again(target: str) -> None:
    ddl = "CREATE TABLE Bid (item BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND);"
    made = translate(ddl + PANES, "flink", target)
    own = parse_script(read_dialect(ddl + PANES, "flink").text).plan
    assert parse_script(read_dialect(made.text, target).text).plan == own
    assert bool(made.lost) is (target in ("spark", "calcite"))


@pytest.mark.parametrize("target", ["spark", "risingwave"])
def test_windows_that_grow_cannot_be_kept_elsewhere(target: str) -> None:
    growing = PANES.replace("TUMBLE(", "CUMULATE(").replace("INTERVAL '10'", "INTERVAL '5' SECOND, INTERVAL '10'")
    with pytest.raises(Refused, match="CUMULATE"):
        translate(FLINK + growing, "flink", target)


def test_cql_has_this_languages_windows_in_brackets() -> None:
    text = "REGISTER STREAM S(a integer); Istream(Select T.a From S [Range 5 Seconds], S As T, S [Now] As U)"
    windows = [
        node.operator for node in parse_script(read_dialect(text, "cql").text).plan.walk() if "Window" in node.operator
    ]
    assert windows == ["TimeWindow", "TimeWindow"]


def test_the_list_of_dialects_is_the_one_that_is_promised() -> None:
    promised = "snapeq flink spark risingwave materialize feldera arroyo ksqldb calcite cql duckdb postgres"
    assert sorted(DIALECTS) == sorted(promised.split())


def test_the_columns_of_a_target_give_names_and_types() -> None:
    script = (
        FLINK + "CREATE TABLE out_ (x STRING, y DECIMAL(8, 1), z AS x); INSERT INTO out_ SELECT item, item FROM Bid"
    )
    reading = read_dialect(script, "flink")
    plan = parse_script(reading.text).plan
    assert [(column.name, str(column.type)) for column in plan.schema.columns] == [("x", "STR"), ("y", "DECIMAL(8, 1)")]


def test_what_a_catalogue_declares_is_known_with_its_time_and_key() -> None:
    keyed = "CREATE STREAM S(k INT, ts TIMESTAMP, PRIMARY KEY (k)) ORDERED BY ts"
    known = read_script(f"{keyed}; CREATE STREAM R(k INT, at BIGINT) ORDERED BY at")
    query = "SELECT S.k FROM S JOIN R FOR SYSTEM_TIME AS OF S.ts AS R ON S.k = R.k"
    with pytest.raises(SqlError, match="R has no primary key"):
        read_dialect(query, "flink", known)
    assert read_dialect("SELECT k, COUNT(*) AS n FROM S GROUP BY k", "flink", known).watermarks == {"S": ("ts", 0)}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("SELECT x FROM t", ""),
        (
            "SELECT mz_now() AS x FROM t",
            "this looks like materialize: say --dialect materialize. The same in snapeq's words:\nSELECT",
        ),
        (
            "SELECT STREAM 1 AS one",
            "this looks like calcite: say --dialect calcite. The same in snapeq's words:\nSET TIME",
        ),
    ],
)
def test_a_lesson_names_the_dialect_and_says_the_same_in_own_words(text: str, told: str) -> None:
    assert lesson(text).startswith(told)
    assert bool(lesson(text)) is bool(told)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("SELECT a, COUNT(*) FROM s GROUP BY a WITH ROLLUP", "spark. The same in snapeq's words:\nSELECT\n  a,"),
        ("SELECT s.a, r.b FROM s JOIN r WITHIN 1 HOUR ON s.a = r.a", "ksqldb. The same in snapeq's words:\nSELECT\n"),
        ("SELECT a FROM s WHERE mz_now() <= ts + INTERVAL '1' DAY", "materialize. The same in snapeq's words:\nSELECT"),
        ("SELECT PROCTIME() AS p FROM s", "flink (which then says: line 1, column 8: PROCTIME is refused"),
        (
            "SELECT * FROM s MATCH_RECOGNIZE (x)",
            "flink (which then says: line 1, column 17: MATCH_RECOGNIZE is refused",
        ),
    ],
)
def test_a_lesson_needs_no_declarations(text: str, told: str) -> None:
    name = told.split(" ")[0].rstrip(".")
    assert lesson(text).startswith(f"this looks like {name}: say --dialect {told}")


def test_a_lesson_knows_what_is_declared() -> None:
    known = read_script("CREATE STREAM s(a INT, b INT, ts TIMESTAMP) ORDERED BY ts")
    assert lesson("SELECT * FROM s EMIT CHANGES", known).count("CREATE STREAM s(a BIGINT, b BIGINT, ts TIMESTAMP)")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("SELECT TOP 5 a FROM s", "SELECT TOP n is ORDER BY … LIMIT n here"),
        ("SELECT a FROM s LIMIT 5, 10", "LIMIT m, n is LIMIT n OFFSET m here"),
        ("SELECT `a` FROM s", 'a name in quotes is written "so" here'),
        ("SELECT a FROM s GROUP BY GROUPING SETS ((a), (b, c)", ""),
    ],
)
def test_habits_of_others_have_a_word_of_advice(text: str, told: str) -> None:
    assert lesson(text) == told
