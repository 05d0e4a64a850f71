"""Constructs × dialects: the same rows in, the same rows out, as worked out by hand from the definitions."""

import pytest

from tests.semantics.sql.dialects.golden import SECOND, Golden, answer, at

BIDS = [((1, 10), 0), ((1, 20), 9_999), ((2, 5), 10_000), ((1, 7), 25_000)]
"""At the start of a pane, at its last instant, at the start of the next, and after an empty one."""

BY_PANE = "SELECT item, window_start, window_end, COUNT(*) AS n FROM {} GROUP BY item, window_start, window_end"
BY_CALL = "SELECT item, window.start, window.end, count(*) AS n FROM bid GROUP BY item, {}"
BY_ALIAS = "SELECT item, {} AS w, count(*) AS n FROM bid GROUP BY item, w"
TUMBLE_IN_GROUP_BY = """
SELECT item, TUMBLE_START(ts, INTERVAL '10' SECOND) AS a, TUMBLE_END(ts, INTERVAL '10' SECOND) AS b, COUNT(*) AS n
FROM bid GROUP BY item, TUMBLE(ts, INTERVAL '10' SECOND)
"""
TUMBLING_CLAUSE = """
SELECT item, WINDOWSTART AS s, COUNT(*) AS n FROM bid WINDOW TUMBLING (SIZE 10 SECONDS) GROUP BY item EMIT CHANGES
"""
LAST = """
SELECT item, price FROM (
    SELECT item, price, ROW_NUMBER() OVER (PARTITION BY item ORDER BY ts DESC) AS rn FROM bid) AS t
WHERE rn = 1
"""
DEAREST = """
SELECT item, price, place FROM (
    SELECT *, ROW_NUMBER() OVER (PARTITION BY item ORDER BY price DESC) AS place FROM bid) AS t
WHERE place <= 2
"""
DEAREST_IN_PANE = """
SELECT price, window_end FROM (
    SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY price DESC) AS place
    FROM TABLE(TUMBLE(TABLE bid, DESCRIPTOR(ts), INTERVAL '10' SECOND)))
WHERE place <= 1
"""
NEAR_BY_WHERE = """
SELECT b.item, price, factor FROM bid AS b, rate AS r
WHERE b.item = r.item AND b.ts BETWEEN r.ts - INTERVAL '2' SECOND AND r.ts + INTERVAL '1' SECOND
"""
NEAR_BY_ON = """
SELECT b.item, price, factor FROM bid AS b JOIN rate AS r
ON b.item = r.item AND b.ts >= r.ts - INTERVAL '2' SECOND AND b.ts <= r.ts + INTERVAL '1' SECOND
"""
NEAR_BY_WITHIN = """
SELECT b.item, price, factor FROM bid b JOIN rate r WITHIN (1 SECOND, 2 SECONDS) ON b.item = r.item EMIT CHANGES
"""
AS_OF = "SELECT price * factor AS x FROM bid JOIN rate FOR SYSTEM_TIME AS OF bid.ts ON bid.item = rate.item"
ASOF = "SELECT price * factor AS x FROM bid ASOF JOIN rate ON bid.item = rate.item AND bid.ts >= rate.ts"
SUMS = "SELECT item, SUM(price) AS total FROM bid GROUP BY item"
FIRST_OF_ORDER = "SELECT DISTINCT ON (item) item, price FROM bid ORDER BY item, ts DESC"
HOPS = "TABLE(HOP(TABLE bid, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND))"
NAMED = "TABLE(TUMBLE(DATA => TABLE bid, TIMECOL => DESCRIPTOR(ts), SIZE => INTERVAL '10' SECOND))"
OFFSET = "TABLE(TUMBLE(TABLE bid, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '3' SECOND))"
CUMULATE = "TABLE(CUMULATE(TABLE bid, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND))"

TUMBLING = Golden(
    BIDS,
    [(1, at(0), at(10), 2), (2, at(10), at(20), 1), (1, at(20), at(30), 1)],
    {
        "flink": BY_PANE.format("TABLE(TUMBLE(TABLE bid, DESCRIPTOR(ts), INTERVAL '10' SECOND))"),
        "calcite": BY_PANE.format(NAMED),
        "feldera": BY_PANE.format("TABLE(TUMBLE(TABLE bid, DESCRIPTOR(ts), INTERVAL 10 SECONDS))"),
        "risingwave": BY_PANE.format("TUMBLE(bid, ts, INTERVAL '10 seconds')") + " EMIT ON WINDOW CLOSE",
        "spark": BY_CALL.format("window(ts, '10 seconds')"),
        "arroyo": BY_ALIAS.format("tumble(interval '10 seconds')"),
    },
)
OLDER = Golden(BIDS, TUMBLING.answer, dict.fromkeys(("flink", "calcite", "feldera"), TUMBLE_IN_GROUP_BY))
KSQL = Golden(BIDS, [(1, 0, 2), (2, 10_000, 1), (1, 20_000, 1)], {"ksqldb": TUMBLING_CLAUSE})
SHIFTED = Golden(
    [((1, 10), 2_999), ((1, 20), 3_000), ((1, 30), 12_999)],
    [(1, at(-7), at(3), 1), (1, at(3), at(13), 2)],
    {
        **dict.fromkeys(("flink", "calcite", "feldera"), BY_PANE.format(OFFSET)),
        "risingwave": BY_PANE.format("TUMBLE(bid, ts, INTERVAL '10 seconds', INTERVAL '3 seconds')"),
        "spark": BY_CALL.format("window(ts, '10 seconds', '10 seconds', '3 seconds')"),
    },
)
HOPPING = Golden(
    [((1, 10), 6_000)],
    [(1, at(0), at(10), 1), (1, at(5), at(15), 1)],
    {
        "flink": BY_PANE.format(HOPS),
        "calcite": BY_PANE.format(HOPS),
        "feldera": BY_PANE.format(HOPS),
        "risingwave": BY_PANE.format("HOP(bid, ts, INTERVAL '5 seconds', INTERVAL '10 seconds')"),
        "spark": BY_CALL.format("window(ts, '10 seconds', '5 seconds')"),
        "arroyo": BY_ALIAS.format("hop(interval '5 seconds', interval '10 seconds')"),
    },
)
KSQL_HOPPING = Golden(
    [((1, 10), 6_000)],
    [(1, 0, 10_000, 1), (1, 5_000, 15_000, 1)],
    {
        "ksqldb": "SELECT item, WINDOWSTART, WINDOWEND, COUNT(*) AS n FROM bid"
        " WINDOW HOPPING (SIZE 10 SECONDS, ADVANCE BY 5 SECONDS, GRACE PERIOD 0 SECONDS) GROUP BY item EMIT FINAL"
    },
)
UNEVEN_HOPPING = Golden(
    [((1, 10), 6_000)],
    [(1, at(0), at(7), 1), (1, at(3), at(10), 1), (1, at(6), at(13), 1)],
    {"spark": BY_CALL.format("window(ts, '7 seconds', '3 seconds')")},
)
CUMULATING = Golden(
    [((1, 10), 1_000), ((1, 20), 7_000), ((1, 30), 11_000)],
    [(1, at(0), at(5), 1), (1, at(0), at(10), 2), (1, at(10), at(15), 1), (1, at(10), at(20), 1)],
    {"flink": BY_PANE.format(CUMULATE)},
)
STREAMING = ("flink", "calcite", "feldera", "risingwave", "spark", "arroyo", "materialize", "ksqldb")
WITHOUT_WINDOW = Golden(BIDS, [(1, 37), (2, 5)], dict.fromkeys((*STREAMING, "postgres", "duckdb", "cql"), SUMS))
NOT_KEPT_APART = Golden(
    [((1, 10), 6_000), ((2, 10), 6_000)],
    [(4,)],
    {
        "flink": f"SELECT COUNT(*) FROM {HOPS}",
        "spark": "SELECT count(*) FROM bid WHERE window(ts, '10 seconds', '5 seconds').start IS NOT NULL",
    },
)
"""A row is in two windows, and windows are not told apart."""
RANKING = ("flink", "feldera", "risingwave", "spark", "materialize", "arroyo", "calcite", "duckdb", "postgres")
LAST_OF_EACH = Golden(BIDS, [(1, 7), (2, 5)], dict.fromkeys(RANKING, LAST))
DISTINCT_ON = Golden(
    BIDS, [(1, 7), (2, 5)], dict.fromkeys(("postgres", "duckdb", "materialize", "risingwave"), FIRST_OF_ORDER)
)
TWO_DEAREST = Golden(BIDS, [(1, 20, 1), (1, 10, 2), (2, 5, 1)], dict.fromkeys(RANKING, DEAREST))
DEAREST_OF_EACH_PANE = Golden(BIDS, [(20, at(10)), (5, at(20)), (7, at(30))], {"flink": DEAREST_IN_PANE})
NEAR_EACH_OTHER = Golden(
    [((1, 10), 5_000), ((2, 20), 5_000)],
    [(1, 10, 100), (1, 10, 102)],
    {"flink": NEAR_BY_WHERE, "feldera": NEAR_BY_ON, "ksqldb": NEAR_BY_WITHIN},
    [((1, 99), 3_999), ((1, 100), 4_000), ((1, 102), 7_000), ((1, 103), 7_001)],
)
"""Both bounds are inclusive, and the instants next to them are not."""
VERSIONS = Golden(
    [((1, 10), 5_000), ((1, 10), 7_000)],
    [(1000,), (1010,)],
    {"flink": AS_OF, "risingwave": ASOF},
    [((1, 99), 3_000), ((1, 100), 5_000), ((1, 101), 6_000)],
)
"""A version of an instant is seen at that instant."""
SESSIONS = [((1, 10), 0), ((2, 10), 3_000), ((1, 20), 5_000), ((1, 30), 10_001)]
"""The first two of item 1 are just a gap of 5 s apart, and the last one is a millisecond more from them."""
BY_KEY = "TABLE(SESSION(TABLE bid PARTITION BY item, DESCRIPTOR(ts), INTERVAL '5' SECOND))"
TOUCHING = Golden(
    SESSIONS,
    [(1, at(0), at(10), 2), (2, at(3), at(8), 1), (1, at(10.001), at(15.001), 1)],
    {
        "flink": BY_PANE.format(BY_KEY),
        "calcite": BY_PANE.format("TABLE(SESSION(TABLE bid, DESCRIPTOR(ts), DESCRIPTOR(item), INTERVAL '5' SECOND))"),
        "spark": BY_CALL.replace("window.", "session_window.").format("session_window(ts, '5 seconds')"),
    },
)
APART = Golden(
    SESSIONS,
    [(1, at(0), at(5), 1), (2, at(3), at(8), 1), (1, at(5), at(10), 1), (1, at(10.001), at(15.001), 1)],
    {
        "feldera": BY_PANE.format(BY_KEY),
        "arroyo": BY_ALIAS.format("session(interval '5 seconds')"),
    },
)
KSQL_SESSIONS = Golden(
    SESSIONS,
    [(1, 0, 5_000, 2), (2, 3_000, 3_000, 1), (1, 10_001, 10_001, 1)],
    {
        "ksqldb": "SELECT item, WINDOWSTART AS s, WINDOWEND AS e, COUNT(*) AS n FROM bid WINDOW SESSION (5 SECONDS)"
        " GROUP BY item HAVING WINDOWEND >= WINDOWSTART EMIT CHANGES"
    },
)
"""The end is the time of the last row."""
FRAME_OF_SESSION = """
SELECT item, price, first_value(ts) OVER w AS s, last_value(price) OVER w AS p, count(*) OVER w AS n FROM bid
WINDOW w AS (PARTITION BY item ORDER BY ts SESSION WITH GAP INTERVAL '5 seconds')
"""
SESSION_FRAMES = Golden(
    [((1, 10), 0), ((1, 20), 4_999), ((2, 30), 5_000), ((1, 40), 9_999)],
    [(1, 10, at(0), 20, 2), (1, 20, at(0), 20, 2), (2, 30, at(5), 30, 1), (1, 40, at(9.999), 40, 1)],
    {"risingwave": FRAME_OF_SESSION},
)
"""The second row of item 1 is less than a gap behind the first, the third just a gap behind the second."""
LOOKING_BACK = """
SELECT item, price, SUM(price) OVER (
    PARTITION BY item ORDER BY ts RANGE BETWEEN INTERVAL '5' SECOND PRECEDING AND CURRENT ROW) AS recent
FROM bid
"""
OVER_RANGE = Golden(
    SESSIONS,
    [(1, 10, 10), (2, 10, 10), (1, 20, 30), (1, 30, 30)],
    dict.fromkeys(("flink", "calcite", "feldera", "risingwave"), LOOKING_BACK),
)
"""The frame is [t - 5 s, t]."""
OVER_ROWS = Golden(
    SESSIONS,
    [(1, 10, 10), (2, 10, 10), (1, 20, 30), (1, 30, 50)],
    dict.fromkeys(
        ("flink", "calcite", "feldera", "risingwave"),
        LOOKING_BACK.replace("RANGE BETWEEN INTERVAL '5' SECOND", "ROWS BETWEEN 1"),
    ),
)
RUNNING_SUMS = "SELECT item, price, SUM(price) OVER (PARTITION BY item ORDER BY price) AS s FROM bid"
OVER_PRICES = Golden(
    [((1, 20), 0), ((1, 10), 1_000), ((2, 5), 2_000), ((1, 20), 3_000)],
    [(1, 10, 10), (1, 20, 50), (1, 20, 50), (2, 5, 5)],
    dict.fromkeys(("flink", "spark", "duckdb", "postgres", "materialize"), RUNNING_SUMS),
)
"""In an order that is not time, equal prices are peers."""
IN_SAME_PANE = """
SELECT L.item, L.price FROM TABLE(TUMBLE(TABLE bid, DESCRIPTOR(ts), INTERVAL '10' SECOND)) AS L
WHERE {} (SELECT 1 FROM TABLE(TUMBLE(TABLE rate, DESCRIPTOR(ts), INTERVAL '10' SECOND)) AS R
          WHERE R.item = L.item AND R.window_start = L.window_start AND R.window_end = L.window_end)
"""
RATES = [((1, 1), 9_000), ((2, 1), 9_000), ((1, 1), 9_500)]
WINDOW_SEMIJOIN = Golden(BIDS, [(1, 10), (1, 20)], {"flink": IN_SAME_PANE.format("EXISTS")}, RATES)
WINDOW_ANTIJOIN = Golden(BIDS, [(2, 5), (1, 7)], {"flink": IN_SAME_PANE.format("NOT EXISTS")}, RATES)
"""The rate of item 2 is of another pane than its bid."""
TEMPORAL_FILTER = Golden(
    [],
    [],
    {
        "materialize": "SELECT item FROM bid WHERE mz_now() <= ts + INTERVAL '5 seconds'",
        "risingwave": "SELECT item FROM bid WHERE ts >= now() - INTERVAL '5 seconds'",
        "feldera": "SELECT item FROM bid WHERE ts >= NOW() - INTERVAL '5' SECOND",
    },
)
GOLDEN = {
    "tumbling": TUMBLING,
    "tumbling in GROUP BY": OLDER,
    "tumbling clause": KSQL,
    "tumbling with an offset": SHIFTED,
    "hopping": HOPPING,
    "hopping clause": KSQL_HOPPING,
    "hopping unevenly": UNEVEN_HOPPING,
    "cumulating": CUMULATING,
    "no window": WITHOUT_WINDOW,
    "windows not told apart": NOT_KEPT_APART,
    "last of each key": LAST_OF_EACH,
    "DISTINCT ON": DISTINCT_ON,
    "top 2": TWO_DEAREST,
    "top 1 of each pane": DEAREST_OF_EACH_PANE,
    "interval join": NEAR_EACH_OTHER,
    "versions": VERSIONS,
    "session, touching": TOUCHING,
    "session, apart": APART,
    "session clause": KSQL_SESSIONS,
    "session frame": SESSION_FRAMES,
    "window semijoin": WINDOW_SEMIJOIN,
    "window antijoin": WINDOW_ANTIJOIN,
    "OVER RANGE": OVER_RANGE,
    "OVER ROWS": OVER_ROWS,
    "OVER in another order": OVER_PRICES,
}
PAIRS = [(name, dialect) for name, golden in GOLDEN.items() for dialect in golden.queries]


@pytest.mark.parametrize(("name", "dialect"), PAIRS)
def test_a_construct_means_the_same_in_every_dialect(name: str, dialect: str) -> None:
    golden = GOLDEN[name]
    assert sorted(answer(golden, dialect), key=repr) == sorted(golden.answer, key=repr)


@pytest.mark.parametrize("dialect", TEMPORAL_FILTER.queries)
def test_a_temporal_filter_holds_a_row_until_its_time_and_the_duration_have_passed(dialect: str) -> None:
    from semantics import RawStream, evaluate_sparse
    from semantics.sql import parse_script
    from semantics.sql.dialects.registry import read_dialect
    from tests.semantics.sql.dialects.golden import DECLARED

    script = parse_script(read_dialect(DECLARED[dialect] + TEMPORAL_FILTER.queries[dialect], dialect).text)
    schema = script.catalogue.sources["bid"]
    result = evaluate_sparse(script.plan, {"bid": RawStream(schema, [((7, 1), 3 * SECOND)])})
    assert [(row, i.start, i.end) for row, i, _ in result.runs] == [((7,), 3 * SECOND, 8 * SECOND + 1)]
