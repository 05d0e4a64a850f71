"""Places, neighbours and names of dialects: top N, deduplication, LAG, windows as one value, QUALIFY, by hand."""

import pytest

from tests.semantics.sql.dialects.golden import Golden, answer, at

BIDS = [((1, 10), 0), ((1, 20), 9_999), ((2, 5), 10_000), ((1, 7), 25_000)]
STREAMS = ("flink", "feldera", "risingwave", "spark", "materialize", "arroyo", "calcite")
TABLES = ("duckdb", "postgres")
IN_TIME = ("flink", "feldera", "risingwave", "calcite", "spark", "arroyo")
"""Dialects whose OVER in the order of time gives each row at its instant, or in the end."""


def everywhere(query: str, dialects: tuple[str, ...] = (*STREAMS, *TABLES)) -> dict[str, str]:
    return dict.fromkeys(dialects, query)


FIRST = """
SELECT item, price FROM (SELECT item, price, ROW_NUMBER() OVER (PARTITION BY item ORDER BY ts ASC) AS rn FROM bid) AS t
WHERE rn = 1
"""
BEST_OF_PANE = """
SELECT price, window_end FROM (
    SELECT price, window_end, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY price DESC) AS place
    FROM {}) AS t
WHERE place <= 1
"""
STANDARD = BEST_OF_PANE.format("TABLE(TUMBLE(TABLE bid, DESCRIPTOR(ts), INTERVAL '10' SECOND))")
COUNTED = "SELECT item, tumble(interval '10 seconds') AS window, max(price) AS price FROM bid GROUP BY item, window"
BEST_BY_WINDOW = f"""
SELECT price, window.end FROM (
    SELECT *, ROW_NUMBER() OVER (PARTITION BY window ORDER BY price DESC) AS place FROM ({COUNTED}) AS c) AS t
WHERE place <= 1
"""
OVER = "SELECT item, price, {} OVER (PARTITION BY item ORDER BY ts{}) AS v FROM bid"
ROWS_BACK = " ROWS BETWEEN 1 PRECEDING AND CURRENT ROW"
TOGETHER = " RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW"
OUTER_WINDOW = """
SELECT w.start AS s, n FROM (
    SELECT window(ts, '10 seconds') AS w, count(*) AS n FROM bid GROUP BY window(ts, '10 seconds'))
"""
WINDOW_TIME = """
SELECT window_time(window) AS t, n FROM (SELECT window, count(*) AS n FROM bid GROUP BY window(ts, '10 seconds'))
"""
BUCKETS = "SELECT item * 10 AS bucket, SUM(price) AS total FROM bid GROUP BY bucket HAVING total > 5"
GOLDEN = {
    "first of each key": Golden(BIDS, [(1, 10), (2, 5)], everywhere(FIRST)),
    "two dearest of all": Golden(
        BIDS, [(1, 20), (1, 10)], everywhere("SELECT item, price FROM bid ORDER BY price DESC LIMIT 2")
    ),
    "third of all": Golden(
        BIDS, [(1, 7)], everywhere("SELECT item, price FROM bid ORDER BY price DESC LIMIT 1 OFFSET 2")
    ),
    "best of each pane": Golden(
        BIDS,
        [(20, at(10)), (5, at(20)), (7, at(30))],
        {
            **everywhere(STANDARD, ("flink", "feldera", "calcite")),
            "risingwave": BEST_OF_PANE.format("TUMBLE(bid, ts, INTERVAL '10 seconds')"),
            "arroyo": BEST_BY_WINDOW,
        },
    ),
    "rows with ties": Golden(
        [((1, 5), 0), ((1, 9), 1_000), ((1, 9), 2_000), ((1, 4), 3_000)],
        [(9,), (9,)],
        everywhere(
            "SELECT price FROM (SELECT price, RANK() OVER (ORDER BY price DESC) AS r FROM bid) AS t WHERE r <= 2"
        ),
    ),
    "the row before": Golden(
        BIDS, [(1, 10, None), (1, 20, 10), (2, 5, None), (1, 7, 20)], everywhere(OVER.format("LAG(price)", ""), IN_TIME)
    ),
    "the row before, or a default": Golden(
        BIDS,
        [(1, 10, -1), (1, 20, 10), (2, 5, -1), (1, 7, 20)],
        everywhere(OVER.format("LAG(price, 1, -1)", ""), IN_TIME),
    ),
    "the row behind": Golden(
        BIDS, [(1, 10, 20), (1, 20, 7), (2, 5, None), (1, 7, None)], everywhere(OVER.format("LEAD(price)", ""), IN_TIME)
    ),
    "two rows": Golden(
        BIDS,
        [(1, 10, 10), (1, 20, 30), (2, 5, 5), (1, 7, 27)],
        everywhere(OVER.format("SUM(price)", ROWS_BACK), IN_TIME),
    ),
    "all rows so far": Golden(
        BIDS,
        [(1, 10, 10), (1, 20, 30), (2, 5, 5), (1, 7, 37)],
        everywhere(OVER.format("SUM(price)", TOGETHER), IN_TIME),
    ),
    "a window as one value": Golden(BIDS, [(at(0), 2), (at(10), 1), (at(20), 1)], {"spark": OUTER_WINDOW}),
    "the time of a window": Golden(
        BIDS, [(at(9.999999), 2), (at(19.999999), 1), (at(29.999999), 1)], {"spark": WINDOW_TIME}
    ),
    "names of SELECT": Golden(BIDS, [(10, 37)], everywhere(BUCKETS, ("duckdb", "spark", "materialize"))),
    "places and a condition": Golden(
        BIDS,
        [(1, 20), (1, 10)],
        everywhere(
            "SELECT item, price FROM bid QUALIFY ROW_NUMBER() OVER (PARTITION BY item ORDER BY price DESC) <= 2"
            " AND price > 5",
            ("duckdb", "spark"),
        ),
    ),
    "a condition on a sum": Golden(
        BIDS,
        [(2, 5)],
        everywhere(
            "SELECT item, SUM(price) OVER (PARTITION BY item) AS s FROM bid QUALIFY s < 10", ("duckdb", "spark")
        ),
    ),
}
CASES = [(name, dialect) for name, golden in GOLDEN.items() for dialect in golden.queries]


@pytest.mark.parametrize(("name", "dialect"), CASES)
def test_the_rows_that_have_a_place_are_kept(name: str, dialect: str) -> None:
    golden = GOLDEN[name]
    assert sorted(answer(golden, dialect), key=repr) == sorted(golden.answer, key=repr)
