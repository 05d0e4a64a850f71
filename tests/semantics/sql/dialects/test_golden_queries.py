"""Relational SQL in dialects: sets, names of columns, parentheses, places in every comparison, by hand."""

import pytest

from semantics.sql import parse_script
from semantics.sql.dialects.refusals import Refused
from semantics.sql.dialects.registry import read_dialect
from semantics.sql.errors import SqlError
from tests.semantics.sql.dialects.golden import DECLARED, Golden, answer

BIDS = [((1, 10), 0), ((1, 20), 1_000), ((2, 5), 2_000), ((1, 7), 3_000)]
RATES = [((1, 2), 500), ((3, 4), 700)]
EVERY = ("flink", "spark", "risingwave", "materialize", "feldera", "arroyo", "calcite", "duckdb", "postgres")
PLACES = "SELECT price FROM (SELECT price, ROW_NUMBER() OVER (ORDER BY price DESC) AS rn FROM bid) AS t WHERE {}"
OVER = "SELECT SUM(price) OVER ({}) AS s FROM bid"
GAP = "ORDER BY ts SESSION WITH GAP INTERVAL"
JOINED = "bid AS b JOIN rate AS r ON b.item = r.item"
Rows = list[tuple[object, ...]]
QUERIES: dict[str, Rows] = {
    "SELECT item FROM bid UNION ALL SELECT item FROM rate": [(1,), (1,), (2,), (1,), (1,), (3,)],
    "SELECT item FROM bid UNION SELECT item FROM rate": [(1,), (2,), (3,)],
    "SELECT item FROM bid INTERSECT SELECT item FROM rate": [(1,)],
    "SELECT item FROM bid EXCEPT SELECT item FROM rate": [(2,)],
    "(SELECT item FROM bid UNION ALL SELECT item FROM rate) ORDER BY item DESC LIMIT 2": [(3,), (2,)],
    "SELECT item FROM bid UNION ALL SELECT item FROM rate ORDER BY item DESC LIMIT 1": [(3,)],
    "SELECT a, b FROM (VALUES (1, 'x'), (2, 'y')) AS t (a, b) WHERE a > 1": [(2, "y")],
    "SELECT 1 + 1 AS two": [(2,)],
    "SELECT x.a FROM bid AS x (a, b, c) WHERE x.b = 5": [(2,)],
    "WITH v (a, b) AS (SELECT item, price FROM bid) SELECT b FROM v WHERE a = 2": [(5,)],
    "WITH v AS (SELECT item FROM bid), w AS (SELECT item FROM v WHERE item = 2) SELECT item FROM w": [(2,)],
    "SELECT t.* FROM (SELECT item FROM bid) AS t WHERE t.item = 2": [(2,)],
    "SELECT item FROM bid WHERE price = (SELECT MAX(price) FROM bid)": [(1,)],
    "SELECT item FROM bid WHERE item NOT IN (SELECT item FROM rate)": [(2,)],
    "SELECT DISTINCT item FROM bid": [(1,), (2,)],
    "SELECT item, COUNT(*) AS n FROM bid GROUP BY 1": [(1, 3), (2, 1)],
    "SELECT COUNT(*) AS n FROM bid HAVING COUNT(*) > 3": [(4,)],
    "SELECT b.item, r.factor FROM bid AS b FULL JOIN rate AS r ON b.item = r.item WHERE b.price IS NULL": [(None, 4)],
    "SELECT factor FROM bid JOIN rate USING (item) WHERE price = 20": [(2,)],
    "SELECT x.p FROM rate AS r, LATERAL (SELECT price AS p FROM bid WHERE item = r.item AND price > 10) AS x": [(20,)],
    "SELECT item, SUM(price) OVER w AS s FROM bid WINDOW w AS (PARTITION BY item)": [(1, 37), (1, 37), (1, 37), (2, 5)],
    "SELECT item, RANK() OVER (ORDER BY SUM(price) DESC) AS r FROM bid GROUP BY item": [(1, 1), (2, 2)],
    "SELECT b.item, SUM(SUM(price)) OVER () AS s FROM bid AS b GROUP BY item HAVING SUM(price) > 5": [(1, 37)],
    "SELECT DISTINCT item, MAX(price) OVER (PARTITION BY item) AS m FROM bid": [(1, 20), (2, 5)],
    "SELECT price, RANK() OVER (ORDER BY price) AS r FROM bid ORDER BY price LIMIT 2": [(5, 1), (7, 2)],
    f"SELECT factor, ROW_NUMBER() OVER (ORDER BY price) AS n, price FROM {JOINED}": [(2, 1, 7), (2, 2, 10), (2, 3, 20)],
    f"SELECT r.item, SUM(price) OVER (PARTITION BY b.item) AS s FROM {JOINED} WHERE price > 7": [(1, 30)] * 2,
    "SELECT item, DENSE_RANK() OVER (ORDER BY item, price % 2) AS r FROM bid": [(1, 1), (1, 1), (1, 2), (2, 3)],
    "SELECT item FROM bid WHERE item IN (SELECT 1 + ROW_NUMBER() OVER (ORDER BY price) FROM bid)": [(2,)],
    PLACES.format("rn = 2"): [(10,)],
    PLACES.format("rn < 2"): [(20,)],
    PLACES.format("2 >= rn"): [(20,), (10,)],
    PLACES.format("rn BETWEEN 2 AND 3"): [(10,), (7,)],
    PLACES.format("(rn > 2)"): [(7,), (5,)],
    PLACES.format("rn >= 4"): [(5,)],
    PLACES.format("rn > 1 AND rn <= 2 AND price > 1"): [(10,)],
    PLACES.format("rn <= 0"): [],
    PLACES.format("rn <= 2").replace("SELECT price FROM (", "SELECT * FROM (", 1): [(20, 1), (10, 2)],
    PLACES.format("rn <= 0").replace("SELECT price FROM (", "SELECT * FROM (", 1): [],
}  # fmt: skip
DUCKDB: dict[str, Rows] = {
    "SELECT item, SUM(price) AS s FROM bid GROUP BY ALL": [(1, 37), (2, 5)],
    "SELECT SUM(price) AS s FROM bid GROUP BY ALL": [(42,)],
    "FROM rate": [(1, 2), (3, 4)],
    "SELECT * EXCLUDE (ts) FROM rate": [(1, 2), (3, 4)],
    "SELECT range AS a, 1 AS b FROM range(3)": [(0, 1), (1, 1), (2, 1)],
}
SPARK: dict[str, Rows] = {
    "SELECT item, ts, COUNT(*) AS n FROM bid GROUP BY item, ts GROUPING SETS (item, ())": [
        (1, None, 3), (2, None, 1), (None, None, 4)],
    "SELECT item, price % 2 AS odd FROM bid GROUP BY item, price % 2 GROUPING SETS (price % 2)": [(None, 0), (None, 1)],
    "SELECT item, grouping__id, COUNT(*) AS n FROM bid GROUP BY item WITH ROLLUP": [(1, 0, 3), (2, 0, 1), (None, 1, 4)],
    "SELECT item FROM bid GROUP BY CUBE (item, price) HAVING GROUPING_ID() = 1": [(1,), (2,)],
    "SELECT item, GROUPING_ID(price, item) AS g FROM bid WHERE item = 2 GROUP BY CUBE (item, price)": [
        (2, 0), (2, 2), (None, 1), (None, 3)],
    "SELECT id FROM range(1, 3)": [(1,), (2,)],
    "SELECT 7 AS seven FROM bid HAVING TRUE": [(7,)],
    "SELECT price, FIRST_VALUE(NULLIF(price, 10), TRUE) OVER (ORDER BY ts) AS f FROM bid": [
        (10, None), (20, 20), (5, 20), (7, 20)],
    "SELECT price, FIRST_VALUE(NULLIF(price, 10), FALSE) OVER (ORDER BY ts) AS f FROM bid": [
        (10, None), (20, None), (5, None), (7, None)],
    "SELECT item, ANY(price > 10) AS a, SOME(price > 20) FROM bid GROUP BY item": [
        (1, True, False), (2, False, False)],
}  # fmt: skip
NOTHING = "SELECT COUNT(*) AS n, MAX(price) AS m FROM bid WHERE price > 99"
TWICE = [((1, 10), 0), ((1, 10), 0), ((1, 20), 1_000)]
COPIES: dict[str, Rows] = {
    "ROW_NUMBER() OVER (ORDER BY price)": [(10, 1), (10, 2), (20, 3)],
    "LAG(price) OVER (ORDER BY price)": [(10, None), (10, 10), (20, 10)],
    "LEAD(price) OVER (ORDER BY price)": [(10, 10), (10, 20), (20, None)],
    "NTILE(3) OVER (ORDER BY price)": [(10, 1), (10, 2), (20, 3)],
    "SUM(price) OVER (ORDER BY price ROWS UNBOUNDED PRECEDING)": [(10, 10), (10, 20), (20, 40)],
    "RANK() OVER (ORDER BY price)": [(10, 1), (10, 1), (20, 3)],
}
"""Two rows that are equal, time included: each has a place of its own."""
TWO_FRAMES = """
    SELECT price, COUNT(*) OVER w AS n, COUNT(*) OVER v AS k FROM bid
    WINDOW w AS (PARTITION BY item ORDER BY ts SESSION WITH GAP INTERVAL '2 seconds'),
        v AS (PARTITION BY item ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
"""


@pytest.mark.parametrize("dialect", EVERY)
@pytest.mark.parametrize("query", QUERIES)
def test_a_query_without_windows_sees_all_rows_so_far(query: str, dialect: str) -> None:
    golden = Golden(BIDS, [], {dialect: query}, RATES)
    assert sorted(answer(golden, dialect), key=repr) == sorted(QUERIES[query], key=repr)


@pytest.mark.parametrize("query", DUCKDB)
def test_duckdb_has_shorter_words(query: str) -> None:
    found = [row[:2] for row in answer(Golden(BIDS, [], {"duckdb": query}, RATES), "duckdb")]
    assert sorted(found, key=repr) == sorted(DUCKDB[query], key=repr)


@pytest.mark.parametrize("query", SPARK)
def test_spark_has_words_of_its_own(query: str) -> None:
    assert sorted(answer(Golden(BIDS, [], {"spark": query}), "spark"), key=repr) == sorted(SPARK[query], key=repr)


@pytest.mark.parametrize("dialect", EVERY)
def test_an_aggregate_over_nothing_has_a_row_but_in_streams_of_rows(dialect: str) -> None:
    found = answer(Golden(BIDS, [], {dialect: NOTHING}), dialect)
    assert found == ([] if dialect in ("flink", "arroyo") else [(0, None)])


@pytest.mark.parametrize("dialect", ["postgres", "materialize", "spark"])
@pytest.mark.parametrize("call", COPIES)
def test_equal_rows_have_places_of_their_own(call: str, dialect: str) -> None:
    found = answer(Golden(TWICE, [], {dialect: f"SELECT price, {call} AS v FROM bid"}), dialect)
    assert sorted(found, key=repr) == sorted(COPIES[call], key=repr)


def test_sessions_and_other_frames_stand_side_by_side() -> None:
    found = answer(Golden(BIDS, [], {"risingwave": TWO_FRAMES}), "risingwave")
    assert sorted(found, key=repr) == [(10, 2, 1), (20, 2, 2), (5, 1, 1), (7, 1, 3)]


def test_ksqldb_has_no_windows_before_1970() -> None:
    query = "SELECT item, COUNT(*) AS n FROM bid WINDOW HOPPING (SIZE 4 SECONDS, ADVANCE BY 2 SECONDS) GROUP BY item"
    found = answer(Golden(BIDS, [], {"ksqldb": f"{query} EMIT FINAL"}), "ksqldb")
    assert sorted(found, key=repr) == [(1, 1), (1, 3), (2, 1), (2, 1)]


def test_columns_of_a_join_say_their_stream_in_ksqldb() -> None:
    query = "SELECT b.*, r.item, factor FROM bid b JOIN rate r WITHIN 1 SECONDS ON b.item = r.item"
    plan = parse_script(read_dialect(DECLARED["ksqldb"] + query, "ksqldb").text).plan
    assert plan.schema.names == ("b_item", "b_price", "b_ts", "r_item", "factor")


@pytest.mark.parametrize(
    ("dialect", "query", "problem"),
    [
        ("flink", PLACES.format("rn > 1").replace("SELECT price", "SELECT *", 1), "the place of a row as a value"),
        ("flink", "SELECT x.* FROM bid", "unknown table x before"),
        ("flink", "SELECT *", "needs columns"),
        ("flink", "SELECT 1 JOIN bid ON TRUE", "JOIN without FROM"),
        ("flink", "DELETE FROM bid", "this is no query"),
        ("flink", "SELECT item, LAG(item) OVER (ORDER BY ts) AS l FROM bid GROUP BY item", "ts is neither grouped"),
        ("flink", "SELECT RANK() OVER (ORDER BY SUM(item)) FROM bid GROUP BY CUBE (item)", "several grouping sets"),
        ("flink", "SELECT RANK() OVER (ORDER BY item) AS r FROM bid ORDER BY price LIMIT 1", "of something else"),
        ("flink", "SELECT item FROM bid WHERE ROW_NUMBER() OVER () > 1", "OVER in a condition"),
        ("flink", OVER.format("ORDER BY b.ts").replace("bid", JOINED), "OVER over a join of streams"),
        ("flink", OVER.format("ORDER BY ts ROWS BETWEEN 3 PRECEDING AND item PRECEDING"), "this frame in an order"),
        ("flink", OVER.format("ORDER BY ts RANGE BETWEEN item PRECEDING AND CURRENT ROW"), "this frame"),
        ("postgres", OVER.format("ORDER BY price GROUPS 2 PRECEDING"), "this frame in an order"),
        ("postgres", "SELECT LAG() OVER (ORDER BY price) AS s FROM bid", "LAG of nothing"),
        ("risingwave", OVER.format("SESSION WITH GAP INTERVAL '1 hour'"), "without an order"),
        ("risingwave", f"SELECT sum(item) OVER ({GAP} '1 h'), sum(item) OVER ({GAP} '2 h') FROM bid", "different gaps"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_told_by_name(dialect: str, query: str, problem: str) -> None:
    with pytest.raises((SqlError, Refused), match=problem):
        read_dialect(DECLARED[dialect] + query, dialect)
