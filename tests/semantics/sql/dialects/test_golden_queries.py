"""Relational SQL in dialects: sets, names of columns, parentheses, places in every comparison, by hand."""

import pytest

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
}


@pytest.mark.parametrize("dialect", EVERY)
@pytest.mark.parametrize("query", QUERIES)
def test_a_query_without_windows_sees_all_rows_so_far(query: str, dialect: str) -> None:
    golden = Golden(BIDS, [], {dialect: query}, RATES)
    assert sorted(answer(golden, dialect), key=repr) == sorted(QUERIES[query], key=repr)


@pytest.mark.parametrize("query", DUCKDB)
def test_duckdb_has_shorter_words(query: str) -> None:
    found = [row[:2] for row in answer(Golden(BIDS, [], {"duckdb": query}, RATES), "duckdb")]
    assert sorted(found, key=repr) == sorted(DUCKDB[query], key=repr)


@pytest.mark.parametrize(
    ("dialect", "query", "problem"),
    [
        ("flink", PLACES.format("rn > 1").replace("SELECT price", "SELECT *", 1), "the place of a row as a value"),
        ("flink", "SELECT x.* FROM bid", "unknown table x before"),
        ("flink", "SELECT *", "needs columns"),
        ("flink", "SELECT 1 JOIN bid ON TRUE", "JOIN without FROM"),
        ("flink", "DELETE FROM bid", "this is no query"),
        ("flink", "SELECT item, LAG(item) OVER (ORDER BY ts) AS l FROM bid GROUP BY item", "beside groups"),
        ("flink", OVER.format("ORDER BY b.ts").replace("bid", JOINED), "OVER over a join of streams"),
        ("flink", OVER.format("ORDER BY price").replace("bid", JOINED), "OVER over a join is refused"),
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
