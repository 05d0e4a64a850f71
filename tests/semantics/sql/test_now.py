"""NOW and the time column of a raw stream in queries."""

import pytest

from semantics import show
from semantics.sql import SqlError, parse_query, read_script, to_sql

CATALOGUE = read_script(
    """
    CREATE STREAM Bid(item INT, price FLOAT, ts BIGINT) ORDERED BY ts;
    CREATE STREAM Ask(item INT, ts BIGINT) ORDERED BY ts;
    CREATE STREAM Held(k INT, s INT, e INT) VALID (s, e);
    """
)
STAMPED = "Bid(item int, price float) | map(item as item, price as price, now as ts)"


@pytest.mark.parametrize(
    ("query", "plan"),
    [
        ("SELECT * FROM Bid", "Bid(item int, price float)"),
        ("SELECT ts FROM Bid", f"{STAMPED} | map(ts as ts)"),
        ("SELECT *, b.TS AS t FROM Bid b", f"{STAMPED} | map(item as item, price as price, ts as t)"),
        ("SELECT * FROM Bid WHERE ts > 5", f"{STAMPED} | filter(ts > 5) | map(item as item, price as price)"),
        (
            "SELECT item FROM Bid WINDOW(RANGE UNBOUNDED) WHERE ts >= NOW() - 10",
            f"{STAMPED} | window(range unbounded) | filter(ts >= now - 10) | map(item as item)",
        ),
        ("SELECT NOW AS t FROM Bid WINDOW(RANGE 3)", "Bid(item int, price float) | window(range 3) | map(now as t)"),
        (
            "SELECT item, MAX(ts) AS last FROM Bid WINDOW(RANGE 9) GROUP BY item",
            f"{STAMPED} | window(range 9) | group(item; max(ts) as last)",
        ),
        (
            "SELECT b.item FROM Bid b SEMI JOIN Ask a WINDOW(RANGE 5) ON a.item = b.item AND a.ts < b.ts",
            f"semijoin({STAMPED}, Ask(item int) | map(item as item, now as ts) | window(range 5);"
            " right.item = left.item and right.ts < left.ts) | map(item as item)",
        ),
        (
            "SELECT now FROM (SELECT item AS now FROM Bid)",
            'Bid(item int, price float) | map(item as "now") | map("now" as "now")',
        ),
    ],
)  # fmt: skip
def test_a_query_with_time(query: str, plan: str) -> None:
    assert show(parse_query(query, CATALOGUE).plan) == plan


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("SELECT ts FROM Bid, Ask", "ambiguous column ts; expected one of: Bid.ts, Ask.ts"),
        ("SELECT s FROM Held", "unknown column s; expected k"),
        ("SELECT NOW(1) FROM Bid", "unknown function NOW, arguments: 1"),
    ],
)
def test_what_has_no_meaning_is_told(query: str, message: str) -> None:
    with pytest.raises(SqlError) as caught:
        parse_query(query, CATALOGUE)
    assert message in str(caught.value)


def test_a_printed_plan_reads_back() -> None:
    plan = parse_query("SELECT item FROM Bid WINDOW(RANGE UNBOUNDED) WHERE ts > NOW() - 10", CATALOGUE).plan
    assert parse_query(to_sql(plan, CATALOGUE), CATALOGUE).plan == plan
