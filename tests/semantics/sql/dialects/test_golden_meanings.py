"""Functions and operators whose meaning depends on the dialect: what each gives for the same rows, by hand."""

import pytest

from semantics.sql.dialects.refusals import Refused
from semantics.sql.dialects.registry import read_dialect
from semantics.sql.errors import SqlError
from semantics.temporal import Date
from tests.semantics.sql.dialects.golden import DECLARED, Golden, answer, answer_of, at

BIDS = [((1, 10), 1_500), ((1, 20), 2_000), ((2, 5), 3_000), ((1, 7), 4_000)]
"""The first comes at half past one second of a Thursday."""
POSTGRES = ("postgres", "risingwave", "materialize")
STANDARD = ("flink", "calcite", "feldera")
EVERY = (*POSTGRES, *STANDARD, "spark", "arroyo", "duckdb")
WHOLE = tuple(name for name in EVERY if name not in ("spark", "duckdb"))
FIRST = "FROM bid WHERE price = 10"
SMALL = "SUM(CASE WHEN price > 6 THEN 1 ELSE 0 END)"


def in_each(query: str, meanings: dict[tuple[str, ...], object]) -> list[tuple[str, str, object]]:
    return [(dialect, query, value) for dialects, value in meanings.items() for dialect in dialects]


@pytest.mark.parametrize(
    ("dialect", "query", "value"),
    [
        *in_each(f"SELECT {SMALL} / COUNT(*) AS v FROM bid", {WHOLE: 0, ("spark", "duckdb"): 0.75}),
        *in_each(f"SELECT -COALESCE(price, 0) / 4 AS v {FIRST}", {WHOLE: -2, ("spark", "duckdb"): -2.5}),
        *in_each(f"SELECT (SELECT COUNT(*) FROM bid) / 3 AS v {FIRST}", {WHOLE: 1, ("spark", "duckdb"): 4 / 3}),
        *in_each(f"SELECT price / 4.0 AS v {FIRST}", {EVERY: 2.5}),
        *in_each("SELECT AVG(CASE WHEN price > 6 THEN 1 ELSE 0 END) AS v FROM bid", {STANDARD: 0, POSTGRES: 0.75}),
        *in_each(f"SELECT EXTRACT(DOW FROM ts) AS v {FIRST}", {(*STANDARD, "spark"): 5, (*POSTGRES, "duckdb"): 4}),
        *in_each(f"SELECT EXTRACT(ISODOW FROM ts) AS v {FIRST}", {(*STANDARD, *POSTGRES): 4}),
        *in_each(
            f"SELECT EXTRACT(SECOND FROM ts) AS v {FIRST}",
            {(*STANDARD, "arroyo", "duckdb"): 1, (*POSTGRES, "spark"): 1.5},
        ),
        *in_each(f"SELECT EXTRACT(EPOCH FROM ts) AS v {FIRST}", {STANDARD: 1, (*POSTGRES, "arroyo", "duckdb"): 1.5}),
        *in_each(f"SELECT EXTRACT(SECOND FROM ts) / 2 AS v {FIRST}", {STANDARD: 0, POSTGRES: 0.75}),
        *in_each(f"SELECT DATE_PART('epoch', ts) AS v {FIRST}", {POSTGRES: 1.5}),
        *in_each(f"SELECT TO_TIMESTAMP(item) AS v {FIRST}", {(*POSTGRES, "spark", "arroyo", "duckdb"): at(1)}),
        *in_each(f"SELECT TO_TIMESTAMP(1.5) AS v {FIRST}", {(*POSTGRES, "duckdb"): at(1.5)}),
        *in_each(f"SELECT TO_TIMESTAMP('1970-01-01 00:00:07') AS v {FIRST}", {("flink", "spark"): at(7)}),
        *in_each(f"SELECT TO_TIMESTAMP('02.01.1970 01', 'DD.MM.YYYY HH24') AS v {FIRST}", {POSTGRES: at(90_000)}),
        *in_each(f"SELECT FROM_UNIXTIME(item) AS v {FIRST}", {("flink",): "1970-01-01 00:00:01", ("arroyo",): at(1)}),
        *in_each(
            f"SELECT REGEXP_REPLACE('a1b2', '[0-9]', '-') AS v {FIRST}",
            {(*POSTGRES, "arroyo", "duckdb"): "a-b2", (*STANDARD, "spark"): "a-b-"},
        ),
        *in_each(
            f"SELECT REGEXP_REPLACE('a1b2', '[0-9]', '-', 'g') AS v {FIRST}", {(*POSTGRES, "arroyo", "duckdb"): "a-b-"}
        ),
        *in_each(f"SELECT LEFT('abc', -1) AS v {FIRST}", {(*POSTGRES, "duckdb"): "ab", ("spark", "flink"): ""}),
        *in_each(f"SELECT LENGTH(LEFT('abc', item - 6)) AS v {FIRST}", {(*POSTGRES, "duckdb"): 0}),
        *in_each(f"SELECT (SELECT LENGTH(LEFT('abc', price - 15)) {FIRST}) AS v {FIRST}", {(*POSTGRES, "duckdb"): 0}),
        *in_each(f"SELECT RIGHT('abc', item - 3) AS v {FIRST}", {(*POSTGRES, "duckdb"): "c"}),
        *in_each(f"SELECT LEFT('abc', 2) AS v {FIRST}", {EVERY: "ab"}),
        *in_each(
            f"SELECT CAST(price / 4.0 AS INT) AS v {FIRST}",
            {POSTGRES: 3, (*STANDARD, "spark", "arroyo", "duckdb"): 2},
        ),
        *in_each(
            f"SELECT CAST(CAST(price AS DOUBLE PRECISION) * 0.05 AS INT) AS v {FIRST}", {("duckdb",): 0, STANDARD: 0}
        ),
        *in_each(f"SELECT CAST('7' AS INT) AS v {FIRST}", {EVERY: 7}),
        *in_each(f"SELECT ARRAY_LENGTH(ARRAY[1, 2], 1) AS v {FIRST}", {(*POSTGRES, "duckdb", "arroyo"): 2}),
        *in_each(f"SELECT ARRAY_POSITION(ARRAY[1, 2], 3) IS NULL AS v {FIRST}", {(*POSTGRES, "duckdb"): True}),
        *in_each(f"SELECT EXTRACT(MILLISECONDS FROM ts) AS v {FIRST}", {(*POSTGRES, "duckdb"): 1_500}),
        *in_each(f"SELECT EXTRACT(MILLISECOND FROM ts) AS v {FIRST}", {("flink",): 500}),
        *in_each(f"SELECT CAST('1970-01-31' AS DATE) + item AS v {FIRST}", {(*POSTGRES, "duckdb"): Date("1970-02-01")}),
        *in_each(f"SELECT DATE '1970-03-01' - DATE '1970-02-01' AS v {FIRST}", {(*POSTGRES, "duckdb"): 28}),
        *in_each("SELECT FIRST_VALUE(item ORDER BY price) AS v FROM bid", {POSTGRES: 2}),
        *in_each("SELECT LAST_VALUE(price ORDER BY item DESC) AS v FROM bid WHERE price < 8", {POSTGRES: 7}),
        *in_each(f"SELECT SUBSTRING('abc', 0, 2) AS v {FIRST}", {(*POSTGRES, "duckdb"): "a", ("flink", "spark"): "ab"}),
        *in_each(f"SELECT CONCAT('n', item) AS v {FIRST}", {(*POSTGRES, "spark", "duckdb"): "n1"}),
        *in_each(f"SELECT 'n' || item AS v {FIRST}", {POSTGRES: "n1"}),
        *in_each(f"SELECT STRFTIME(ts, '%Y/%m/%d at %H:%M:%S') AS v {FIRST}", {("duckdb",): "1970/01/01 at 00:00:01"}),
        *in_each(f"SELECT TO_CHAR(ts, '%F %T') AS v {FIRST}", {("arroyo",): "1970-01-01 00:00:01"}),
        *in_each(f"SELECT ts + '1 hour' AS v {FIRST}", {POSTGRES: at(3_601.5)}),
        *in_each(f"""SELECT ('{{"a": null}}'::JSONB) ? 'a' AS v {FIRST}""", {POSTGRES: True}),
        *in_each(f"SELECT '[1]' IS JSON ARRAY AS v {FIRST}", {("flink", "calcite"): True}),
        *in_each(f"SELECT '[1' IS JSON AS v {FIRST}", {("flink", "calcite"): False}),
    ],
)
def test_what_a_call_means_depends_on_the_dialect(dialect: str, query: str, value: object) -> None:
    if dialect == "feldera":
        query = f"CREATE VIEW v AS {query}"
    assert answer(Golden(BIDS, [], {dialect: query}), dialect) == [(value,)]


@pytest.mark.parametrize(
    ("dialect", "query", "answer_by_hand"),
    [
        *in_each(f"SELECT item, GENERATE_SERIES(1, item + 1) AS i {FIRST}", {POSTGRES: [(1, 1), (1, 2)]}),
        *in_each(f"SELECT GENERATE_SERIES(1, item + 1) AS i {FIRST}", {("duckdb",): [((1, 2),)]}),
        *in_each(
            "SELECT g.t FROM GENERATE_SERIES(TIMESTAMP '1970-01-01', TIMESTAMP '1970-01-01 03:00:00',"
            " INTERVAL '90 minutes') AS g(t)",
            {("postgres", "materialize"): [(at(0),), (at(5_400),), (at(10_800),)]},
        ),
        *in_each(
            f"""SELECT jsonb_array_elements('[{{"a": 5}}, {{"a": 6}}]') ->> 'a' AS a {FIRST}""",
            {POSTGRES: [("5",), ("6",)]},
        ),
        *in_each(
            """SELECT x.value AS a FROM bid, jsonb_array_elements_text('["p", null]') AS x WHERE price = 10""",
            {POSTGRES: [("p",), (None,)]},
        ),
        *in_each(
            "SELECT i, x, i + 1 AS n FROM bid LATERAL VIEW POSEXPLODE(ARRAY('a', 'b')) e AS i, x WHERE price = 10",
            {("spark",): [(0, "a", 1), (1, "b", 2)]},
        ),
        *in_each(
            "SELECT p, q FROM bid LATERAL VIEW INLINE(ARRAY(STRUCT(1 AS a, 2 AS b))) e AS p, q WHERE price = 10",
            {("spark",): [(1, 2)]},
        ),
    ],
)
def test_rows_of_calls(dialect: str, query: str, answer_by_hand: list[tuple[object, ...]]) -> None:
    assert sorted(answer(Golden(BIDS, [], {dialect: query}), dialect), key=repr) == sorted(answer_by_hand, key=repr)


WITH_NULL = "FROM bid AS b LEFT JOIN (SELECT 2 AS item, 9 AS w) AS r USING (item)"
SHARED = "FROM (SELECT price, item FROM bid) AS b {} JOIN (SELECT 2 AS item, 9 AS w) AS r {}"
IN_ORDER = [(1, 7, None), (1, 10, None), (1, 20, None), (2, 5, 9)]


@pytest.mark.parametrize(
    ("dialect", "query", "answer_by_hand"),
    [
        *in_each(
            f"SELECT ARRAY_AGG(w ORDER BY price) AS v, CARDINALITY(ARRAY_AGG(w)) AS n {WITH_NULL}",
            {(*POSTGRES, "duckdb", "arroyo", "flink"): [((9, None, None, None), 4)], ("spark",): [((9,), 1)]},
        ),
        *in_each(
            f"SELECT ARRAY_AGG(w ORDER BY price) FILTER (WHERE price > 8) AS v {WITH_NULL}",
            {(*POSTGRES, "duckdb"): [((None, None),)]},
        ),
        *in_each(f"SELECT * {SHARED.format('LEFT', 'USING (item)')}", {(*POSTGRES, "spark", "flink"): IN_ORDER}),
        *in_each(
            f"SELECT * {SHARED.format('LEFT', 'USING (item)')}",
            {("duckdb",): [(price, item, w) for item, price, w in IN_ORDER]},
        ),
        *in_each(f"SELECT * {SHARED.format('NATURAL LEFT', '')}", {(*POSTGRES, "spark", "flink"): IN_ORDER}),
        *in_each(f"SELECT COUNT(*) AS n {SHARED.format('NATURAL', '')}", {EVERY[:-1]: [(1,)], ("duckdb",): [(1,)]}),
    ],
)
def test_null_in_arrays_and_columns_that_both_sides_have(
    dialect: str, query: str, answer_by_hand: list[tuple[object, ...]]
) -> None:
    if dialect == "feldera":
        query = f"CREATE VIEW v AS {query}"
    assert sorted(answer(Golden(BIDS, [], {dialect: query}), dialect), key=repr) == sorted(answer_by_hand, key=repr)


KSQL_TEXTS = {
    "'n' + CAST(item AS VARCHAR) + '!'": "n1!",
    "CONCAT('a', CAST(NULL AS VARCHAR))": "a",
    "REGEXP_EXTRACT('b.', 'abc')": "bc",
    "REGEXP_EXTRACT('(a)(b)', 'abc', 2)": "b",
    "SUBSTRING('stream', -3, 2)": "ea",
    "GREATEST(item, NULL)": 1,
    "TIMESTAMPTOSTRING(ROWTIME, 'yyyy-MM-dd HH:mm:ss Z', 'UTC')": "1970-01-01 00:00:01 +0000",
}


@pytest.mark.parametrize(("call", "value"), KSQL_TEXTS.items())
def test_functions_of_ksqldb(call: str, value: object) -> None:
    query = f"SELECT {call} AS v FROM bid WHERE price = 10 EMIT CHANGES;"
    assert answer(Golden(BIDS, [], {"ksqldb": query}), "ksqldb") == [(value,)]


def test_a_stream_made_of_another_has_the_times_of_its_rows() -> None:
    made = "CREATE STREAM dear AS SELECT item, price FROM bid WHERE price > 6 EMIT CHANGES;"
    query = "SELECT item, WINDOWSTART AS s, COUNT(*) AS n FROM dear WINDOW TUMBLING (SIZE 2 SECONDS) GROUP BY item"
    expected = [(1, 0, 1), (1, 2_000, 1), (1, 4_000, 1)]
    assert sorted(answer(Golden(BIDS, [], {"ksqldb": made + query}), "ksqldb")) == expected
    assert answer(Golden(BIDS, [], {"ksqldb": made + "SELECT * FROM dear WHERE ROWTIME = 1500"}), "ksqldb") == [(1, 10)]


def test_windows_of_windows_may_be_called_alike() -> None:
    inner = """CREATE VIEW short AS SELECT TUMBLE_START(ts, INTERVAL '1' SECOND) AS window_start,
        TUMBLE_ROWTIME(ts, INTERVAL '1' SECOND) AS window_end, SUM(price) AS p
        FROM bid GROUP BY TUMBLE(ts, INTERVAL '1' SECOND);"""
    query = """SELECT TUMBLE_START(window_end, INTERVAL '2' SECOND) AS window_start, SUM(p) AS p
        FROM short GROUP BY TUMBLE(window_end, INTERVAL '2' SECOND)"""
    expected = [(at(0), 10), (at(2), 25), (at(4), 7)]
    assert sorted(answer(Golden(BIDS, [], {"flink": inner + query}), "flink")) == expected


def test_a_window_that_would_hide_one_that_is_asked_for_is_no_other() -> None:
    inner = """CREATE VIEW short AS SELECT TUMBLE_START(ts, INTERVAL '1' SECOND) AS window_start,
        TUMBLE_ROWTIME(ts, INTERVAL '1' SECOND) AS at, SUM(price) AS p
        FROM bid GROUP BY TUMBLE(ts, INTERVAL '1' SECOND);"""
    query = "SELECT window_start, SUM(p) AS p FROM short GROUP BY window_start, TUMBLE(at, INTERVAL '2' SECOND)"
    with pytest.raises(SqlError, match="two columns are called window_start"):
        answer(Golden(BIDS, [], {"flink": inner + query}), "flink")


TIMELESS = {
    "arroyo": (
        "CREATE TABLE bid (item BIGINT, price BIGINT) WITH (connector = 'x');",
        "SELECT item, COUNT(*) AS n FROM bid GROUP BY item, TUMBLE(INTERVAL '2 seconds')",
    ),
    "flink": (
        "CREATE TABLE bid (item BIGINT, price BIGINT);",
        "SELECT item, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE bid, DESCRIPTOR($rowtime), INTERVAL '2' SECOND))"
        " GROUP BY item, window_start, window_end",
    ),
}


@pytest.mark.parametrize(("dialect", "script"), TIMELESS.items())
def test_rows_have_a_time_that_nobody_declares(dialect: str, script: tuple[str, str]) -> None:
    made = answer_of("".join(script), dialect, Golden(BIDS, [], {}))
    assert sorted(made) == [(1, 1), (1, 1), (1, 1), (2, 1)]
    every = read_dialect(script[0] + "SELECT * FROM bid", dialect)
    assert every.query.split() == "SELECT item, price FROM bid".split()


def test_generators_have_the_columns_that_everybody_knows() -> None:
    bids = read_dialect("CREATE TABLE n WITH (connector = 'nexmark'); SELECT (bid).price FROM n", "arroyo")
    assert "bid ROW<auction BIGINT" in bids.text
    counter = read_dialect("CREATE SOURCE c FROM LOAD GENERATOR COUNTER; SELECT counter FROM c", "materialize")
    assert "CREATE TABLE c(counter BIGINT)" in counter.text
    house = "CREATE SOURCE h FROM LOAD GENERATOR AUCTION FOR ALL TABLES; SELECT item FROM auctions"
    assert "item TEXT" in read_dialect(house, "materialize").text


def test_lateness_of_a_number_is_no_event_time() -> None:
    script = "CREATE TABLE t (k BIGINT LATENESS 0, ts TIMESTAMP LATENESS INTERVAL 1 SECOND);"
    assert "ORDERED BY ts" in read_dialect(f"{script} CREATE VIEW v AS SELECT k FROM t", "feldera").text


def test_the_last_column_of_using_is_the_time_of_an_asof_join() -> None:
    query = "SELECT b.price, r.factor FROM bid b ASOF JOIN rate r USING (item, ts)"
    rates = [((1, 3), 1_000), ((1, 4), 2_000), ((1, 5), 9_000)]
    assert sorted(answer(Golden(BIDS, [], {"duckdb": query}, rates), "duckdb")) == [(7, 4), (10, 3), (20, 4)]


@pytest.mark.parametrize(
    ("dialect", "value", "construct"),
    [
        ("postgres", "REGEXP_REPLACE('a', 'b', 'c', 'gi')", "the flags gi of REGEXP_REPLACE"),
        ("postgres", "TO_TIMESTAMP('1', 'Q')", "Q in a format"),
        ("duckdb", "STRFTIME(ts, '%j')", "%j in a format"),
        ("ksqldb", "TIMESTAMPTOSTRING(ROWTIME, 'HH:mm', 'Europe/Paris')", "a time zone other than UTC"),
        ("spark", "INITCAP('a')", "INITCAP"),
        ("flink", "'{}' IS JSON OBJECT WITH UNIQUE KEYS", "IS JSON WITH UNIQUE KEYS"),
    ],
)
def test_what_is_not_known_is_refused_by_name(dialect: str, value: str, construct: str) -> None:
    with pytest.raises(Refused) as refused:
        read_dialect(f"{DECLARED[dialect]} SELECT {value} AS v FROM bid", dialect)
    assert refused.value.construct == construct
