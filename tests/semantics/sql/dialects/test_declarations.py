"""CREATE statements of dialects in this language, what stands around queries, and what is wrong with others."""

import pytest

from semantics import show
from semantics.sql import parse_query, parse_script
from semantics.sql.dialects.ddl import SourceTable
from semantics.sql.dialects.refusals import Refused
from semantics.sql.dialects.registry import profile_named, read_dialect
from semantics.sql.dialects.statements import StatementReader
from semantics.sql.dialects.type_names import type_name
from semantics.sql.errors import SqlError


def table(ddl: str, dialect: str, name: str = "t") -> SourceTable:
    return StatementReader(ddl, profile_named(dialect)).read().tables[name]


def declared(script: str, dialect: str) -> str:
    return read_dialect(script, dialect).declarations[1]


def plan_of(script: str, dialect: str = "calcite") -> str:
    """The plan in a dialect, or in this language."""
    return show(parse_query(read_dialect(script, dialect).text if dialect else script))


def test_a_stream_may_have_no_column_beside_its_time() -> None:
    reading = read_dialect("CREATE TABLE t (a TIMESTAMP); SELECT a FROM t", "risingwave")
    assert reading.declarations[1] == "CREATE STREAM t(a TIMESTAMP) ORDERED BY event_time AS a"
    assert parse_script(reading.text).plan.schema.names == ("a",)


def test_a_column_may_be_the_watermark() -> None:
    columns = "a TIMESTAMP, watermark TIMESTAMP GENERATED ALWAYS AS (a - INTERVAL '10 minute') STORED"
    options = "event_time_field = 'a', watermark_field = 'watermark'"
    found = table(f"CREATE TABLE t ({columns}) WITH ({options})", "arroyo")
    assert (found.time, found.delay) == ("a", 600_000_000)


@pytest.mark.parametrize(
    ("dialect", "script", "own"),
    [
        ("flink", "CREATE TABLE t (a INT NOT NULL, b STRING COMMENT 'x')", "CREATE TABLE t(a BIGINT NOT NULL, b TEXT)"),
        (
            "flink",
            "CREATE TABLE t (a DECIMAL(10, 2), b DECIMAL)",
            "CREATE TABLE t(a DECIMAL(10, 2), b DECIMAL(38, 10))",
        ),
        (
            "flink",
            "CREATE TABLE t (a ARRAY<INT>, b ROW<x INT, y ROW<z STRING NOT NULL>>)",
            "CREATE TABLE t(a ARRAY<BIGINT>, b ROW<x BIGINT, y ROW<z TEXT>>)",
        ),
        ("spark", "CREATE TABLE t (a STRUCT<x: INT, y: STRING>)", "CREATE TABLE t(a ROW<x BIGINT, y TEXT>)"),
        (
            "postgres",
            "CREATE TABLE t (a int[], b double precision, c character varying(20))",
            "CREATE TABLE t(a ARRAY<BIGINT>, b DOUBLE, c TEXT)",
        ),
        (
            "feldera",
            "CREATE TABLE t (a INT ARRAY, ts TIMESTAMP LATENESS INTERVAL 1 HOUR)",
            "CREATE STREAM t(a ARRAY<BIGINT>, ts TIMESTAMP) ORDERED BY ts",
        ),
        (
            "flink",
            "CREATE TABLE t (ts TIMESTAMP(3), a INT, WATERMARK FOR ts AS ts)",
            "CREATE STREAM t(ts TIMESTAMP, a BIGINT) ORDERED BY ts",
        ),
        (
            "risingwave",
            "CREATE SOURCE t (a INT, ts TIMESTAMP, WATERMARK FOR ts) WITH (connector = 'x')",
            "CREATE STREAM t(a BIGINT, ts TIMESTAMP) ORDERED BY ts",
        ),
        (
            "arroyo",
            "CREATE TABLE t (a INT, ts TIMESTAMP, u TIMESTAMP) WITH (event_time_field = 'u')",
            "CREATE STREAM t(a BIGINT, ts TIMESTAMP, u TIMESTAMP) ORDERED BY u",
        ),
        (
            "spark",
            "CREATE TABLE t (a INT, ts TIMESTAMP, u TIMESTAMP)",
            "CREATE TABLE t(a BIGINT, ts TIMESTAMP, u TIMESTAMP)",
        ),
        (
            "ksqldb",
            "CREATE STREAM t (a INT, ts BIGINT) WITH (timestamp = 'ts')",
            "CREATE STREAM t(a BIGINT, ts BIGINT) ORDERED BY ts",
        ),
        (
            "ksqldb",
            "CREATE STREAM t (a INT, s VARCHAR) WITH (timestamp = 's', timestamp_format = 'yyyy-MM-dd')",
            "CREATE STREAM t(a BIGINT, s TEXT) ORDERED BY ROWTIME AS TO_TIMESTAMP(s, 'yyyy-MM-dd')",
        ),
        (
            "ksqldb",
            "CREATE STREAM t (a INT, s VARCHAR) WITH (timestamp = 's', timestamp_format = 'yyyy-MM-dd HH:mm:ssX')",
            "CREATE STREAM t(a BIGINT, s TEXT) ORDERED BY ROWTIME AS CAST(s AS TIMESTAMP)",
        ),
        (
            "calcite",
            "CREATE STREAM t (a INT, s BIGINT, e BIGINT) VALID (s, e)",
            "CREATE STREAM t(a BIGINT, s BIGINT, e BIGINT) VALID (s, e)",
        ),
        ("flink", "CREATE TABLE m (a INT, b INT); CREATE TABLE t (LIKE m)", "CREATE TABLE t(a BIGINT, b BIGINT)"),
        (
            "flink",
            "CREATE TABLE m (a INT); CREATE TABLE t (b INT) WITH ('x' = 'y') LIKE m",
            "CREATE TABLE t(a BIGINT, b BIGINT)",
        ),
        (
            "flink",
            "CREATE TABLE t (a INT, ms BIGINT, rt AS TO_TIMESTAMP(FROM_UNIXTIME(ms / 1000)), WATERMARK FOR rt AS rt)",
            "CREATE STREAM t(a BIGINT, ms BIGINT) ORDERED BY rt AS CAST((DIV(ms, 1000)) * 1000000 AS TIMESTAMP)",
        ),
    ],
)
def test_a_declaration_keeps_columns_types_and_time(dialect: str, script: str, own: str) -> None:
    found = declared(f"{script}; SELECT a FROM t", dialect)
    assert found == own
    parse_script(f"{found}; SELECT a FROM t")


@pytest.mark.parametrize(
    ("dialect", "ddl", "keys"),
    [
        ("flink", "CREATE TABLE t (a INT, b INT, PRIMARY KEY (a, b) NOT ENFORCED)", ("a", "b")),
        ("flink", "CREATE TABLE t (a INT, CONSTRAINT pk PRIMARY KEY (a) NOT ENFORCED)", ("a",)),
        ("postgres", "CREATE TABLE t (a INT PRIMARY KEY, b INT UNIQUE, UNIQUE (a, b), CHECK (a > 0))", ("a",)),
        ("feldera", "CREATE TABLE t (a INT NOT NULL FOREIGN KEY REFERENCES u(id))", ()),
    ],
)
def test_a_primary_key_is_found_where_it_is_said(dialect: str, ddl: str, keys: tuple[str, ...]) -> None:
    assert table(ddl, dialect).keys == keys


@pytest.mark.parametrize(
    ("dialect", "ddl", "own"),
    [
        (
            "postgres",
            "CREATE TABLE u (id INT PRIMARY KEY); CREATE TABLE t (a INT NOT NULL REFERENCES u, b INT UNIQUE)",
            (
                "u(id BIGINT, PRIMARY KEY (id))",
                "t(a BIGINT NOT NULL, b BIGINT, FOREIGN KEY (a) REFERENCES u (id), UNIQUE (b))",
            ),
        ),
        (
            "calcite",
            "CREATE TABLE u (id INT); CREATE TABLE t (a INT, b INT, UNIQUE (a, b), FOREIGN KEY (a) REFERENCES s.u(id))",
            ("u(id BIGINT)", "t(a BIGINT, b BIGINT, UNIQUE (a, b), FOREIGN KEY (a) REFERENCES u (id))"),
        ),
        ("flink", "CREATE TABLE t (a INT REFERENCES t (a), b INT REFERENCES gone)", ("t(a BIGINT, b BIGINT)",)),
        (
            "postgres",
            "CREATE TABLE u (id INT PRIMARY KEY, b INT REFERENCES t (a)); CREATE TABLE t (a INT, b INT REFERENCES u)",
            ("t(a BIGINT, b BIGINT)",),
        ),
    ],
)
def test_what_is_known_of_a_table_is_kept(dialect: str, ddl: str, own: tuple[str, ...]) -> None:
    assert read_dialect(f"{ddl}; SELECT a FROM t", dialect).declarations[1:] == tuple(
        f"CREATE TABLE {one}" for one in own
    )
    parse_script(read_dialect(f"{ddl}; SELECT a FROM t", dialect).text)


def test_nothing_is_assumed_of_a_stream() -> None:
    ddl = (
        "CREATE TABLE t (a INT NOT NULL UNIQUE, ts TIMESTAMP(3), PRIMARY KEY (a) NOT ENFORCED, WATERMARK FOR ts AS ts)"
    )
    assert declared(f"{ddl}; SELECT a FROM t", "flink") == "CREATE STREAM t(a BIGINT, ts TIMESTAMP) ORDERED BY ts"


def test_a_number_in_group_by_that_is_no_place_is_a_constant() -> None:
    script = "CREATE TABLE t (a INT); SELECT a, MAX(a) AS m FROM t GROUP BY {}"
    assert plan_of(script.format("a, 7")) == plan_of(script.format("a, 7 + 0"))
    with pytest.raises(SqlError, match="SELECT has no column 7"):
        plan_of(script.format("a, 7"), "")


@pytest.mark.parametrize("rows", ["FETCH NEXT 2 ROWS ONLY", "OFFSET 1 ROWS", "LIMIT 2"])
def test_rows_are_limited_without_an_order(rows: str) -> None:
    script = f"CREATE TABLE t (a INT); SELECT * FROM (SELECT * FROM t {rows}) AS u"
    assert plan_of(script).count("limit(") == plan_of(script, "").count("limit(") == 1


def test_a_frame_does_not_matter_to_a_place() -> None:
    script = (
        "CREATE TABLE t (a INT, b INT); SELECT a FROM"
        " (SELECT a, RANK() OVER (PARTITION BY b ORDER BY a{}) r FROM t) u WHERE r < 3"
    )
    assert plan_of(script.format("")) == plan_of(script.format(" RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW"))


@pytest.mark.parametrize(
    ("ddl", "delay"),
    [
        ("WATERMARK FOR ts AS ts - INTERVAL '5' SECOND", 5_000_000),
        ("WATERMARK FOR ts AS CAST((ts - INTERVAL '1' MINUTE) AS TIMESTAMP(3))", 60_000_000),
        ("WATERMARK FOR ts AS ts", 0),
        ("WATERMARK FOR ts", 0),
    ],
)
def test_a_watermark_is_so_far_behind(ddl: str, delay: int) -> None:
    assert table(f"CREATE TABLE t (ts TIMESTAMP(3), {ddl})", "flink").delay == delay


def test_a_mark_behind_a_column_is_a_watermark_without_delay() -> None:
    found = table("CREATE TABLE t (a INT, ts TIMESTAMP WATERMARK)", "risingwave")
    assert (found.time, found.delay) == ("ts", 0)


def test_options_and_comments_of_columns_say_nothing_about_rows() -> None:
    found = table("CREATE TABLE t (a INT AS 1 + 1 STORED, `watermark` STRING) WITH ('a.b' = 'c', d = 2)", "flink")
    assert [column.name for column in found.columns] == ["a", "watermark"]
    assert found.options == {"a.b": "c", "d": "2"}


@pytest.mark.parametrize("words", [["MAP", "<", "INT", ",", "INT", ">"], ["BLOB"], ["GEOMETRY"]])
def test_types_that_this_language_lacks_are_refused_by_name(words: list[str]) -> None:
    with pytest.raises(Refused, match=f"the type {words[0]}"):
        type_name(words)


def test_a_column_without_a_type_is_refused() -> None:
    with pytest.raises(Refused, match="a column without a type"):
        type_name([])


STREAM = "CREATE STREAM t (a INT); "
QUERY = "CREATE TABLE t (a INT); "


@pytest.mark.parametrize(
    ("dialect", "script"),
    [
        ("flink", QUERY + "SET 'x' = 'y'; USE CATALOG c; SELECT a FROM t"),
        ("flink", QUERY + "CREATE FUNCTION f AS 'x.Y'; SELECT a FROM t"),
        ("flink", QUERY + "EXECUTE STATEMENT SET BEGIN INSERT INTO s SELECT a FROM t; END"),
        ("flink", QUERY + "INSERT INTO c.d.s (b) SELECT a FROM t"),
        ("flink", QUERY + "INSERT OVERWRITE TABLE s SELECT a FROM t"),
        ("flink", QUERY + "CREATE TABLE s WITH ('x' = 'y') AS SELECT a FROM t"),
        ("flink", QUERY + "CREATE TEMPORARY VIEW IF NOT EXISTS v (b) AS SELECT a FROM t; SELECT b AS a FROM v"),
        ("risingwave", QUERY + "CREATE MATERIALIZED VIEW v AS SELECT a FROM t; CREATE SINK s FROM v WITH (x = 'y')"),
        ("risingwave", QUERY + "CREATE SINK s AS SELECT a FROM (SELECT a FROM t) AS u WITH (connector = 'x')"),
        ("materialize", QUERY + "SUBSCRIBE (SELECT a FROM t) WITH (SNAPSHOT)"),
        ("materialize", QUERY + "SUBSCRIBE TO t"),
        ("spark", QUERY + "CREATE OR REFRESH STREAMING TABLE s AS SELECT a FROM STREAM(t)"),
        ("spark", QUERY + "SELECT a FROM STREAM t WATERMARK a DELAY OF INTERVAL 3 MINUTES"),
        ("materialize", QUERY + "SELECT a FROM t GROUP BY a OPTIONS (AGGREGATE INPUT GROUP SIZE = 3)"),
        ("feldera", QUERY + "LATENESS t.a INTERVAL 1 HOUR; SELECT a FROM t"),
        ("ksqldb", "CREATE STREAM t (a INT); SELECT a FROM t PARTITION BY a EMIT CHANGES"),
    ],
)
def test_the_last_query_is_the_one_whatever_stands_around_it(dialect: str, script: str) -> None:
    names = parse_script(read_dialect(script, dialect).text).plan.schema.names
    assert names in (("a",), ("b",))


@pytest.mark.parametrize(
    ("dialect", "script", "problem"),
    [
        ("flink", "CREATE TABLE t (a INT)", "there is no query"),
        ("flink", "CREATE", "CREATE ends too early, behind CREATE"),
        ("flink", "CREATE TABLE t (a INT", "a parenthesis is not closed"),
        ("flink", "INSERT INTO t", "INSERT ends too early, behind T"),
        ("flink", "INSERT INTO t VALUES (1)", "INSERT … VALUES"),
        ("flink", "SELECT * FROM TABLE(TUMBLE(DATA => TABLE t, ( => 1))", "Expecting a name before =>"),
        ("flink", f"SELECT {'(' * 3000}1{')' * 3000}", "nested too deeply"),
        ("flink", "SELECT 'a", "this cannot be read"),
        (
            "flink",
            "SELECT a FROM t WHERE",
            "column 17: something is missing at WHERE; expected a query of this dialect",
        ),
        ("flink", "SELECT a FROM", "column 10: Expected table name at FROM; expected a query of this dialect"),
        ("postgres", "SELECT a b c FROM t", "column 12: a word that nobody expects at c; expected a query of this"),
        ("flink", "CREATE TABLE t (a INT) ; SELECT b FROM u", "unknown table u; expected t"),
        (
            "materialize",
            "CREATE SOURCE s FROM LOAD GENERATOR AUCTION; SELECT * FROM s",
            "CREATE SOURCE s says no columns",
        ),
        ("flink", "CREATE TABLE t (WATERMARK FOR ts AS ts) LIKE u; SELECT * FROM t", "CREATE TABLE t says no columns"),
        ("risingwave", "CREATE SINK s INTO t", "CREATE SINK without a query"),
        ("feldera", "DECLARE RECURSIVE VIEW v(a int); SELECT 1", "DECLARE RECURSIVE VIEW is refused"),
        (
            "materialize",
            "WITH MUTUALLY RECURSIVE r (a int) AS (SELECT 1) SELECT * FROM r",
            "MUTUALLY RECURSIVE is refused",
        ),
        ("postgres", "WITH RECURSIVE r AS (SELECT 1) SELECT * FROM r", "WITH RECURSIVE is refused"),
        ("ksqldb", "CREATE STREAM t (a INT); SELECT a FROM t JOIN t u WITHIN 1 HOUR", "WITHIN needs a duration"),
        ("ksqldb", STREAM + "SELECT a FROM t WINDOW TUMBLING (SIZE x HOUR) GROUP BY a", "X HOUR is no duration"),
        (
            "ksqldb",
            STREAM + "SELECT a FROM t WINDOW TUMBLING (RETENTION 1 HOUR) GROUP BY a",
            "WINDOW TUMBLE has no size",
        ),
        ("ksqldb", "SELECT 1 WINDOW TUMBLING (SIZE 1 HOUR)", "WINDOW TUMBLE needs rows"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(dialect: str, script: str, problem: str) -> None:
    with pytest.raises(SqlError, match=problem):
        read_dialect(script, dialect)
