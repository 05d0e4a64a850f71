"""Joins of dialects: rows that are near each other in time, that are valid, or that share a window, by hand."""

import pytest

from tests.semantics.sql.dialects.golden import Golden, answer

ON = "b.item = r.item AND b.ts BETWEEN r.ts - INTERVAL '2' SECOND AND r.ts + INTERVAL '1' SECOND"
NEAR = f"SELECT b.item, price, factor FROM bid AS b {{}} JOIN rate AS r ON {ON}"
BIDS = [((1, 10), 5_000), ((2, 20), 5_000)]
RATES = [((1, 99), 3_999), ((1, 100), 4_000), ((1, 102), 7_000), ((1, 103), 7_001)]
PAIRS: list[tuple[object, ...]] = [(1, 10, 100), (1, 10, 102)]
"""The rate may be from 1 s before the bid to 2 s behind it, both included."""
ALONE_LEFT: list[tuple[object, ...]] = [(2, 20, None)]
ALONE_RIGHT: list[tuple[object, ...]] = [(None, None, 99), (None, None, 103)]
STREAMS = ("flink", "spark", "feldera", "risingwave", "calcite", "arroyo", "materialize", "postgres", "duckdb")


def near(side: str, rows: list[tuple[object, ...]]) -> Golden:
    return Golden(BIDS, rows, dict.fromkeys(STREAMS, NEAR.format(side)), RATES)


def everywhere(query: str, dialects: tuple[str, ...] = STREAMS) -> dict[str, str]:
    return dict.fromkeys(dialects, query)


PANES_OF_BOTH = """
SELECT b.item, price, factor FROM {} AS b JOIN {} AS r ON b.item = r.item AND b.window_start = r.window_start
    AND b.window_end = r.window_end
"""
STANDARD = "TABLE(TUMBLE(TABLE {}, DESCRIPTOR(ts), INTERVAL '10' SECOND))"
RISING = "TUMBLE({}, ts, INTERVAL '10 seconds')"
COUNTED = "(SELECT item, tumble(interval '10 seconds') AS window, {} AS n FROM {} GROUP BY item, window)"
SAME_PANE = Golden(
    [((1, 10), 0), ((2, 5), 10_000)],
    [(1, 10, 7)],
    {
        "flink": PANES_OF_BOTH.format(STANDARD.format("bid"), STANDARD.format("rate")),
        "feldera": PANES_OF_BOTH.format(STANDARD.format("bid"), STANDARD.format("rate")),
        "calcite": PANES_OF_BOTH.format(STANDARD.format("bid"), STANDARD.format("rate")),
        "risingwave": PANES_OF_BOTH.format(RISING.format("bid"), RISING.format("rate")),
        "arroyo": f"SELECT b.item, b.n AS price, r.n AS factor FROM {COUNTED.format('max(price)', 'bid')} b"
        f" JOIN {COUNTED.format('max(factor)', 'rate')} r ON b.item = r.item AND b.window = r.window",
    },
    [((1, 7), 9_999), ((2, 8), 9_999)],
)
"""The rate of item 2 comes a millisecond before the window of its bid."""
VERSIONS = [((1, 99), 3_000), ((1, 100), 5_000), ((1, 101), 6_000), ((2, 7), 9_000)]
AT_BIDS = [((1, 10), 1_000), ((1, 10), 5_000), ((1, 10), 7_000), ((2, 10), 8_000)]
ASOF = "SELECT price * factor AS x FROM bid ASOF {} JOIN rate ON bid.item = rate.item AND bid.ts >= rate.ts"
FELDERA_ASOF = """
SELECT price * factor AS x FROM bid LEFT ASOF JOIN rate MATCH_CONDITION (bid.ts >= rate.ts) ON bid.item = rate.item
"""
LAST_VERSION = Golden(AT_BIDS, [(1000,), (1010,)], everywhere(ASOF.format(""), ("risingwave", "duckdb")), VERSIONS)
LAST_OR_NONE = Golden(
    AT_BIDS,
    [(None,), (1000,), (1010,), (None,)],
    {**everywhere(ASOF.format("LEFT"), ("risingwave", "duckdb")), "feldera": FELDERA_ASOF},
    VERSIONS,
)
NEXT_VERSION = Golden(AT_BIDS, [(990,), (1000,), (70,)], {"duckdb": ASOF.format("").replace(">=", "<=")}, VERSIONS)
"""The other way round: the first rate that is not before the bid."""
SEMIJOIN = Golden(
    AT_BIDS,
    [(1, 10), (1, 10), (1, 10)],
    {
        "spark": "SELECT * EXCEPT (ts) FROM bid LEFT SEMI JOIN rate ON bid.item = rate.item AND factor > 90",
        "duckdb": "SELECT item, price FROM bid SEMI JOIN (SELECT * FROM rate WHERE factor > 90) AS rate USING (item)",
    },
    VERSIONS,
)
ANTIJOIN = Golden(
    AT_BIDS,
    [(2, 10)],
    {
        "spark": "SELECT item, price FROM bid LEFT ANTI JOIN rate ON bid.item = rate.item AND factor > 90",
        "duckdb": "SELECT item, price FROM bid ANTI JOIN (SELECT * FROM rate WHERE factor > 90) AS rate USING (item)",
    },
    VERSIONS,
)
WITHIN = "SELECT b.item, price, factor FROM bid b {} JOIN rate r WITHIN {} ON b.item = r.item EMIT CHANGES"
WITHIN_INNER = Golden(BIDS, PAIRS, {"ksqldb": WITHIN.format("INNER", "(1 SECOND, 2 SECONDS)")}, RATES)
WITHIN_GRACE = Golden(BIDS, PAIRS, {"ksqldb": WITHIN.format("", "(1 SECOND, 2 SECONDS) GRACE PERIOD 1 HOUR")}, RATES)
WITHIN_LEFT = Golden(BIDS, PAIRS + ALONE_LEFT, {"ksqldb": WITHIN.format("LEFT", "(1 SECOND, 2 SECONDS)")}, RATES)
GOLDEN = {
    "interval": near("INNER", PAIRS),
    "interval, left": near("LEFT", PAIRS + ALONE_LEFT),
    "interval, right": near("RIGHT", PAIRS + ALONE_RIGHT),
    "interval, full": near("FULL OUTER", PAIRS + ALONE_LEFT + ALONE_RIGHT),
    "within": WITHIN_INNER,
    "within, with grace": WITHIN_GRACE,
    "within, left": WITHIN_LEFT,
    "same pane": SAME_PANE,
    "last version": LAST_VERSION,
    "last version or none": LAST_OR_NONE,
    "next version": NEXT_VERSION,
    "semijoin": SEMIJOIN,
    "antijoin": ANTIJOIN,
}
CASES = [(name, dialect) for name, golden in GOLDEN.items() for dialect in golden.queries]


@pytest.mark.parametrize(("name", "dialect"), CASES)
def test_a_join_finds_the_partners_that_it_should(name: str, dialect: str) -> None:
    golden = GOLDEN[name]
    assert sorted(answer(golden, dialect), key=repr) == sorted(golden.answer, key=repr)
