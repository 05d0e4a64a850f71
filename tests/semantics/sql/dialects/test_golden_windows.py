"""Windows in less usual places: over other columns, inside each other, beside joins, in sets of groups, by hand."""

import pytest

from semantics.sql import parse_script
from semantics.sql.dialects.refusals import NotByEventTime, Refused
from semantics.sql.dialects.registry import read_dialect
from semantics.sql.errors import SqlError
from tests.semantics.sql.dialects.golden import DECLARED, Golden, answer, at

BIDS = [((1, 10), 0), ((1, 20), 9_999), ((2, 5), 10_000), ((1, 7), 25_000)]
TUMBLE = "TABLE(TUMBLE(TABLE bid, DESCRIPTOR(ts), INTERVAL '10' SECOND))"
NESTED = "SELECT window.start AS s, count(*) AS n FROM bid GROUP BY window(window(ts, '10 seconds'), '20 seconds')"
CASCADE = f"""
WITH small AS (SELECT item, window_time AS rowtime, COUNT(*) AS n FROM {TUMBLE}
               GROUP BY item, window_start, window_end, window_time)
SELECT window_start, window_end, SUM(n) AS total
FROM TABLE(TUMBLE(TABLE small, DESCRIPTOR(rowtime), INTERVAL '20' SECOND)) GROUP BY window_start, window_end
"""
OLD_CASCADE = """
SELECT TUMBLE_START(rt, INTERVAL '20' SECOND) AS s, SUM(n) AS total FROM (
    SELECT TUMBLE_ROWTIME(ts, INTERVAL '10' SECOND) AS rt, COUNT(*) AS n
    FROM bid GROUP BY TUMBLE(ts, INTERVAL '10' SECOND)) AS t
GROUP BY TUMBLE(rt, INTERVAL '20' SECOND)
"""
BESIDE_JOIN = """
SELECT b.item, window.start AS s, count(*) AS n FROM rate AS r JOIN bid AS b ON b.item = r.item
GROUP BY b.item, window(b.ts, '10 seconds')
"""
OF_EXPRESSION = "SELECT window.end AS e, count(*) AS n FROM bid GROUP BY window(ts + INTERVAL 5 SECONDS, '10 seconds')"
OWN_SESSION = "SELECT price, session_window(ts, '5 seconds').end AS e FROM bid WHERE item = 2"
NO_SESSION = "SELECT a, count(*) AS n FROM (SELECT item AS a, ts FROM bid) GROUP BY a, session_window(ts, '0 seconds')"
BY_PLACE = "SELECT tumble(interval '10 seconds') AS w, item, count(*) AS n FROM bid GROUP BY 1, 2"
GAPS = """
SELECT item, session_window.start AS s, session_window.end AS e, count(*) AS n FROM bid
GROUP BY item, session_window(ts, CASE WHEN price > 9 THEN '10 seconds' ELSE '1 second' END)
"""
IN_SETS = """
SELECT item, window.start AS s, count(*) AS n FROM bid GROUP BY GROUPING SETS ((item, window(ts, '10 seconds')), (item))
"""
ROLLED = "SELECT item, window.start AS s, count(*) AS n FROM bid GROUP BY window(ts, '20 seconds'), item WITH ROLLUP"
TABLE_OF_TIMES = (
    "SELECT w.start AS s, count(*) AS n FROM (SELECT window(ts, '10 seconds') AS w FROM {}) AS t GROUP BY w.start"
)
OUTER = """
SELECT window(w, '20 seconds').start AS s, sum(n) AS total FROM (
    SELECT window(ts, '10 seconds') AS w, count(*) AS n FROM bid GROUP BY window(ts, '10 seconds'))
GROUP BY window(w, '20 seconds')
"""
GROWING = "TABLE(CUMULATE(TABLE bid, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND))"
KEYED = """
SELECT item, window_end, COUNT(*) AS n
FROM TABLE(SESSION(TABLE bid PARTITION BY {}, DESCRIPTOR(ts), INTERVAL '10' SECOND))
GROUP BY item, window_start, window_end
"""
GOLDEN = {
    "a window of a query's window": Golden(BIDS, [(at(0), 3), (at(20), 1)], {"spark": OUTER}),
    "growing windows that are not told apart": Golden(
        [((1, 10), 1_000), ((1, 20), 7_000)], [(3,)], {"flink": f"SELECT COUNT(*) AS n FROM {GROWING}"}
    ),
    "different rows of each pane": Golden(
        [((1, 10), 0), ((1, 20), 1_000), ((1, 5), 10_000)],
        [(1, at(10)), (1, at(20))],
        {"flink": f"SELECT DISTINCT item, window_end FROM {TUMBLE}"},
    ),
    "the dearest of all panes": Golden(
        BIDS, [(20, at(10))], {"flink": f"SELECT price, window_end FROM {TUMBLE} ORDER BY price DESC LIMIT 1"}
    ),
    **{
        f"sessions by {keys}": Golden(
            [((1, 10), 0), ((1, 10), 3_000), ((1, 20), 4_000)],
            [(1, at(13), 2), (1, at(14), 1)],
            {"flink": KEYED.format(keys)},
        )
        for keys in ("item, price", "(item, price)")
    },
    "a window of windows": Golden(BIDS, [(at(0), 3), (at(20), 1)], {"spark": NESTED}),
    "windows one behind the other": Golden(BIDS, [(at(0), at(20), 3), (at(20), at(40), 1)], {"flink": CASCADE}),
    "the older way": Golden(BIDS, [(at(0), 3), (at(20), 1)], {"flink": OLD_CASCADE, "calcite": OLD_CASCADE}),
    "beside a join": Golden(
        BIDS, [(1, at(0), 4), (1, at(20), 2)], {"spark": BESIDE_JOIN}, [((1, 1), 0), ((3, 1), 0), ((1, 2), 1_000)]
    ),
    "of an expression": Golden(BIDS, [(at(10), 1), (at(20), 2), (at(40), 1)], {"spark": OF_EXPRESSION}),
    "a session of its own": Golden(BIDS, [(5, at(15))], {"spark": OWN_SESSION}),
    "sessions without a gap": Golden(BIDS, [], {"spark": NO_SESSION}),
    "by place": Golden(
        BIDS, [(at(0), at(10), 1, 2), (at(10), at(20), 2, 1), (at(20), at(30), 1, 1)], {"arroyo": BY_PLACE}
    ),
    "gaps that differ": Golden(
        BIDS, [(1, at(0), at(19.999), 2), (2, at(10), at(11), 1), (1, at(25), at(26), 1)], {"spark": GAPS}
    ),
    "in sets": Golden(
        BIDS,
        [(1, at(0), 2), (2, at(10), 1), (1, at(20), 1), (1, None, 3), (2, None, 1)],
        {"spark": IN_SETS},
    ),
    "rolled up": Golden(
        BIDS,
        [(1, at(0), 2), (2, at(0), 1), (1, at(20), 1), (None, at(0), 3), (None, at(20), 1), (None, None, 4)],
        {"spark": ROLLED},
    ),
    "of a table": Golden(BIDS, [(at(0), 2), (at(10), 1), (at(20), 1)], {"spark": TABLE_OF_TIMES.format("bid")}),
}
CASES = [(name, dialect) for name, golden in GOLDEN.items() for dialect in golden.queries]


@pytest.mark.parametrize(("name", "dialect"), CASES)
def test_windows_hold_their_rows_wherever_they_stand(name: str, dialect: str) -> None:
    golden = GOLDEN[name]
    assert sorted(answer(golden, dialect), key=repr) == sorted(golden.answer, key=repr)


@pytest.mark.parametrize(
    ("dialect", "query", "problem"),
    [
        ("flink", "SELECT * FROM TABLE(TUMBLE(TABLE bid, DESCRIPTOR(ts)))", "TUMBLE: a duration is missing"),
        ("flink", "SELECT * FROM TABLE(TUMBLE(TABLE bid))", "TUMBLE: a table and a time column are missing"),
        ("flink", f"SELECT * FROM {TUMBLE[:-2]}, INTERVAL '1' SECOND, INTERVAL '2' SECOND))", "TUMBLE: 3 durations"),
        ("flink", f"SELECT * FROM {TUMBLE.replace('ts', 'other')}", "unknown time column other"),
        ("flink", f"SELECT * FROM {TUMBLE.replace('10', '0')}", "a duration of 0 microseconds"),
        ("flink", f"SELECT * FROM {TUMBLE.replace('10', '0.0001')}", "no whole number of the time unit"),
        (
            "flink",
            "SELECT * FROM TABLE(CUMULATE(TABLE bid, DESCRIPTOR(ts), INTERVAL '4' SECOND, INTERVAL '10' SECOND))",
            "CUMULATE: the size is no multiple of the step",
        ),
        ("flink", "SELECT 1 AS x FROM bid GROUP BY TUMBLE(ts)", "TUMBLE: 0 durations"),
        ("spark", "SELECT window('2020-01-01', '5 minutes')", "WINDOW needs rows"),
        ("spark", "SELECT item FROM bid GROUP BY item, window(ts, '1 hour') HAVING window > 1", "a window as a value"),
        ("spark", "SELECT window(ts, '1 hour'), window(ts, '2 hours') FROM bid", "two different windows in one SELECT"),
        ("spark", "SELECT 1 AS x FROM bid GROUP BY item + 1, session_window(ts, '1 hour')", "session of groups by"),
        ("spark", "SELECT 1 AS x FROM bid GROUP BY session_window(ts, item)", "a gap that is a column"),
        ("flink", "SELECT 1 AS x FROM bid GROUP BY TUMBLE(TUMBLE_ROWTIME(ts), INTERVAL '1' HOUR)", "TUMBLE_ROWTIME"),
        ("flink", "SELECT * FROM TABLE(), bid", "the function TABLE in FROM"),
        ("duckdb", "SELECT * FROM bid POSITIONAL JOIN rate", "POSITIONAL JOIN"),
        ("flink", "SELECT * FROM bid, LATERAL TABLE(split(item)) AS t(x)", "the function SPLIT in FROM"),
    ],
)
def test_windows_that_are_wrong_are_told_so(dialect: str, query: str, problem: str) -> None:
    with pytest.raises(SqlError, match=problem):
        read_dialect(DECLARED[dialect] + query, dialect)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT TUMBLE_PROCTIME(ts, INTERVAL '1' HOUR) AS x FROM bid GROUP BY TUMBLE(ts, INTERVAL '1' HOUR)",
        "SELECT b.item FROM bid AS b JOIN rate FOR SYSTEM_TIME AS OF PROCTIME() AS r ON b.item = r.item",
    ],
)
def test_windows_and_versions_of_processing_time_are_refused(query: str) -> None:
    with pytest.raises(NotByEventTime):
        read_dialect(DECLARED["flink"] + query, "flink")


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("SELECT x.item FROM bid AS x JOIN bid FOR SYSTEM_TIME AS OF x.ts AS y ON x.item = y.item", "no primary key"),
        (
            "SELECT b.item FROM bid AS b JOIN rate FOR SYSTEM_TIME AS OF b.item AS r ON b.item = r.item",
            "is not the time",
        ),
    ],
)
def test_versions_need_a_key_and_a_time(query: str, problem: str) -> None:
    with pytest.raises(SqlError, match=problem):
        read_dialect(DECLARED["flink"] + query, "flink")


@pytest.mark.parametrize(
    ("dialect", "on", "problem"),
    [
        ("risingwave", "bid.ts >= rate.ts", "it is read with equal keys"),
        ("duckdb", "bid.item = rate.item", "it is read with one inequality"),
        ("duckdb", "bid.item = rate.item AND bid.ts + bid.ts >= rate.ts + rate.ts", "one side of the inequality"),
    ],
)
def test_asof_needs_keys_and_one_inequality(dialect: str, on: str, problem: str) -> None:
    with pytest.raises(Refused, match=problem):
        read_dialect(f"{DECLARED[dialect]} SELECT price FROM bid ASOF JOIN rate ON {on}", dialect)


def test_a_session_of_its_own_may_be_about_any_column() -> None:
    script = "CREATE TABLE t (u TIMESTAMP, v TIMESTAMP); SELECT session_window(u, '5 seconds').start AS s FROM t"
    query = " ".join(read_dialect(script, "spark").query.split())
    assert query.endswith("FROM t WHERE NOT u IS NULL ) AS t")


def test_a_lateral_view_of_what_is_no_array_is_told_so() -> None:
    with pytest.raises(Refused, match="SPLIT by a regular expression is refused"):
        read_dialect(DECLARED["spark"] + "SELECT x FROM bid LATERAL VIEW explode(split(item, '[ ,]')) t AS x", "spark")
    read = read_dialect(DECLARED["flink"] + "SELECT * FROM bid CROSS JOIN UNNEST(item) AS t(x)", "flink")
    with pytest.raises(SqlError, match="UNNEST of INT; expected an ARRAY"):
        parse_script(read.text)
