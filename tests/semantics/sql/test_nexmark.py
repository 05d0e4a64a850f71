"""The six NEXMark queries of Section 3: their plans are those of Figures 6 and 7, their answers are checked by hand.

Two things differ from the drawings. Our joins need different column names, so a join may have a renaming below it,
which the figures have no symbol for; it is left out here. And our aggregations compute their arguments and name
their results themselves, so the projections and renamings that the figures draw beside α and γ are part of them.
"""

import pytest

from semantics import Interval, IntervalStream, Multiset, Plan, RawStream, Row, Schema, evaluate
from semantics.expression import Ref
from semantics.graph import graph
from semantics.notation.show import show_step
from semantics.plan import Map
from semantics.sql import Catalogue, TimeUnit, parse_query, read_script
from tests.paths import ROOT

NEXMARK = ROOT / "examples" / "nexmark"
Edges = set[tuple[str, str]]


def catalogue(unit: TimeUnit = TimeUnit.SECOND) -> Catalogue:
    functions = Catalogue(unit)
    functions.function("DolToEuro", [float], float, lambda dollars: dollars * 0.5)
    return read_script((NEXMARK / "schema.sql").read_text(encoding="utf-8"), functions)


def query(name: str, unit: TimeUnit = TimeUnit.SECOND) -> Plan:
    return parse_query((NEXMARK / f"{name}.sql").read_text(encoding="utf-8"), catalogue(unit))


def is_renaming(plan: Plan) -> bool:
    """Has a map all columns of its input, in their order?"""
    return isinstance(plan, Map) and plan.expressions == tuple(Ref(i, t) for i, t in enumerate(plan.input.schema.types))


def drawn(plan: Plan) -> Plan:
    """What a figure would draw for this node."""
    return drawn(plan.inputs[0]) if is_renaming(plan) else plan


def edges(plan: Plan) -> Edges:
    """Who feeds whom in the graph of shared subplans, by the operators' texts without their columns' types."""
    nodes = [node for node in graph(plan) if not is_renaming(node)]
    return {(_label(drawn(child)), _label(node)) for node in nodes for child in node.inputs}


def _label(plan: Plan) -> str:
    return show_step(plan).split("(")[0] if not plan.inputs else show_step(plan)


def test_figure_6_currency_conversion() -> None:
    assert edges(query("currency_conversion")) == {
        ("Bid", "map(itemID as itemID, DolToEuro(bid_price) as doltoeuro, bidderID as bidderID)"),
    }


def test_figure_6_selection() -> None:
    items = " or ".join(f"itemID = {item}" for item in (1007, 1020, 2001, 2019, 1087))
    assert edges(query("selection")) == {("Bid", f"filter({items})")}


def test_figure_6_short_auctions() -> None:
    join = "join(itemID = C_itemID)"
    assert edges(query("short_auctions")) == {
        ("OpenAuction", "window(range 18000)"),
        ("window(range 18000)", join),
        ("ClosedAuction", join),
        (join, "map(itemID as itemID, sellerID as sellerID, start_price as start_price)"),
    }


def test_figure_6_highest_bid_shares_its_window() -> None:
    plan = query("highest_bid")
    assert edges(plan) == {
        ("Bid", "window(range 600)"),
        ("window(range 600)", "aggregate(max(bid_price) as max)"),
        ("window(range 600)", "semijoin(bid_price = max)"),
        ("aggregate(max(bid_price) as max)", "semijoin(bid_price = max)"),
    }
    assert plan.operator == "Semijoin"
    assert len(graph(plan)) == 4


def test_figure_7_closing_price_shares_the_window_over_open_auctions() -> None:
    plan = query("closing_price")
    assert edges(plan) == {
        ("Bid", "window(range 172800)"),
        ("OpenAuction", "window(range 172800)"),
        ("window(range 172800)", "map(itemID as itemID, bid_price as price)"),
        ("window(range 172800)", "map(itemID as itemID, start_price as price)"),
        ("map(itemID as itemID, bid_price as price)", "union"),
        ("map(itemID as itemID, start_price as price)", "union"),
        ("union", "join(itemID = C_itemID)"),
        ("ClosedAuction", "join(itemID = C_itemID)"),
        ("join(itemID = C_itemID)", "join(C_itemID = O_itemID)"),
        ("window(range 172800)", "join(C_itemID = O_itemID)"),
        ("join(C_itemID = O_itemID)", "map(itemID as itemID, price as price, sellerID as sellerID)"),
        (
            "map(itemID as itemID, price as price, sellerID as sellerID)",
            "group(itemID, sellerID; max(price) as price)",
        ),
    }
    assert [node.operator for node in graph(plan)].count("TimeWindow") == 2


def test_figure_7_hot_item() -> None:
    plan = query("hot_item")
    antijoin = "antijoin(num < count)"
    assert edges(plan) == {
        ("Bid", "window(range 3600)"),
        ("window(range 3600)", "group(itemID; count(*) as num)"),
        ("window(range 3600)", "group(itemID; count(*) as count)"),
        ("group(itemID; count(*) as count)", "map(count as count)"),
        ("group(itemID; count(*) as num)", antijoin),
        ("map(count as count)", antijoin),
        (antijoin, "map(itemID as itemID)"),
    }
    assert [node.operator for node in graph(plan)].count("TimeWindow") == 1


DATA: dict[str, list[tuple[Row, int]]] = {
    "OpenAuction": [((1, 7, 10.0), 0), ((2, 8, 50.0), 1), ((3, 7, 5.0), 2)],
    "ClosedAuction": [((1, 9), 4), ((2, 9), 7), ((3, 9), 7)],
    "Bid": [((1, 15.0, 9), 1), ((1, 12.0, 9), 2), ((1007, 30.0, 4), 3), ((3, 6.0, 9), 3), ((3, 30.0, 4), 5)],
}
ANSWERS: dict[str, tuple[TimeUnit, dict[int, list[Row]]]] = {
    "currency_conversion": (
        TimeUnit.SECOND,
        {1: [(1, 7.5, 9)], 2: [(1, 6.0, 9)], 3: [(1007, 15.0, 4), (3, 3.0, 9)], 5: [(3, 15.0, 4)]},
    ),
    "selection": (TimeUnit.SECOND, {3: [(1007, 30.0, 4)]}),
    # Openings are valid for 5 hours: 1 in [0,5), 2 in [1,6), 3 in [2,7); only 1 closes in time.
    "short_auctions": (TimeUnit.HOUR, {4: [(1, 7, 10.0)]}),
    # Item 1 closes at its highest bid, item 2 had none, item 3 was overbid at 5.
    "closing_price": (TimeUnit.HOUR, {4: [(1, 7, 15.0)], 7: [(2, 8, 50.0), (3, 7, 30.0)]}),
    # One hour is one instant: at 3 two items have one bid each.
    "hot_item": (TimeUnit.HOUR, {1: [(1,)], 2: [(1,)], 3: [(1007,), (3,)], 5: [(3,)]}),
    # Ten minutes are ten instants; 15 leads until 30 comes, which a second bid of 30 joins at 5.
    "highest_bid": (
        TimeUnit.MINUTE,
        {
            1: [(1, 15.0, 9)],
            2: [(1, 15.0, 9)],
            3: [(1007, 30.0, 4)],
            4: [(1007, 30.0, 4)],
            **{t: [(1007, 30.0, 4), (3, 30.0, 4)] for t in range(5, 13)},
            13: [(3, 30.0, 4)],
            14: [(3, 30.0, 4)],
        },
    ),
}


@pytest.mark.parametrize("name", sorted(ANSWERS))
def test_answers_checked_by_hand(name: str) -> None:
    unit, expected = ANSWERS[name]
    known = catalogue(unit).sources
    streams = {source: RawStream(known[source], elements) for source, elements in DATA.items()}
    answer = evaluate(query(name, unit), streams, 20)
    assert answer.snapshots == tuple(Multiset(expected.get(t, [])) for t in range(20))


def test_an_auction_as_one_interval_needs_no_window_over_bids() -> None:
    """Remark 3.2: with auctions that are valid while they are open, a bid meets its auction by itself."""
    text = """
    CREATE STREAM Auction(itemID INT, sellerID INT, opened BIGINT, closed BIGINT) VALID (opened, closed);
    SELECT A.sellerID, B.bid_price FROM Auction A, Bid B WHERE A.itemID = B.itemID
    """
    plan = parse_query(text, catalogue())
    auctions = IntervalStream(Schema.of(itemID=int, sellerID=int), [((1, 7), Interval(0, 4))])
    bids = RawStream(catalogue().sources["Bid"], [((1, 15.0, 9), 3), ((1, 20.0, 9), 4)])
    assert evaluate(plan, {"Auction": auctions, "Bid": bids}, 6).at(3) == Multiset([(7, 15.0)])
    assert not evaluate(plan, {"Auction": auctions, "Bid": bids}, 6).at(4)
