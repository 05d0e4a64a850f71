"""Queries that are added to a running net join it: they share what holds nothing, and see only what comes later."""

import pytest

from physical.columns.stream import PhysicalStream, joined
from physical.engines.dataflow.engine import NetEngine
from physical.engines.dataflow.query_net import DEFAULT_SETTING, QueryNet, Setting
from physical.runtime.graph_session import GraphSession
from semantics import RawStream, Schema, evaluate, parse_plan, source

SCHEMA = Schema.of(x=int)
WINDOW = parse_plan("S(x int) | filter(x > 0) | window(range 5)")
DISTINCT = parse_plan("S(x int) | filter(x > 0) | window(range 5) | distinct")


def raw(*times: int) -> RawStream:
    return RawStream(SCHEMA, [((1 + t % 2,), t) for t in times])


def session(slack: int = 0, setting: Setting = DEFAULT_SETTING) -> GraphSession:
    return NetEngine(setting).session({"S": SCHEMA}, slack=slack)


def nets(running: GraphSession) -> list[QueryNet]:
    return [graph for graph in running._running if isinstance(graph, QueryNet)]


def factories(running: GraphSession) -> list[str]:
    return [name.partition(".")[0] for net in nets(running) for name in net.net.baskets if "." in name]


def listening(running: GraphSession, name: str) -> list[PhysicalStream]:
    results: list[PhysicalStream] = []
    running.subscribe(name, results.append)
    return results


def test_a_later_query_joins_the_net_and_shares_what_holds_nothing() -> None:
    running = session()
    running.add("early", WINDOW)
    running.push("S", raw(1, 2))
    running.add("late", DISTINCT)
    found = listening(running, "late")
    running.push("S", raw(3))
    assert len(nets(running)) == 1
    assert sorted(factories(running)) == ["Distinct", "Filter", "Split", "TimeWindow"]
    running.close()
    assert joined(found).start.tolist() == [3]


def test_a_factory_that_holds_something_is_not_shared() -> None:
    running = session()
    running.add("early", DISTINCT)
    running.push("S", raw(1, 2))
    running.add("late", DISTINCT)
    running.push("S", raw(3))
    assert factories(running).count("Distinct") == 2
    running.heartbeat(20)
    running.add("latest", DISTINCT)
    running.push("S", raw(21))
    assert factories(running).count("Distinct") == 2


def test_a_total_that_has_spoken_is_not_shared() -> None:
    """Every total speaks from the beginning of time, also that of a later query."""
    total = parse_plan("S(x int) | window(range 2) | total(count(*) as n)")
    running = session()
    running.add("early", total)
    running.heartbeat(10)
    running.add("late", total)
    found = listening(running, "late")
    running.push("S", raw(12))
    running.close()
    assert joined(found).to_logical(20) == evaluate(total, {"S": raw(12)}, 20)


def test_what_waits_at_the_entrance_is_not_seen_by_a_later_query() -> None:
    running = session(slack=5)
    running.add("early", WINDOW)
    early = listening(running, "early")
    running.push("S", raw(1, 2))
    running.add("late", WINDOW)
    late = listening(running, "late")
    running.push("S", raw(3))
    (net,) = nets(running)
    assert [inlet.since for inlet in net.sources["S"]] == [0, 1]
    running.close()
    assert joined(early).start.tolist() == [1, 2, 3]
    assert joined(late).start.tolist() == [3]


def test_a_net_does_not_grow_with_queries_that_are_gone() -> None:
    running = session(slack=5)
    running.add("stays", WINDOW)
    for t in range(1, 20):
        running.push("S", raw(t))
        running.add("guest", DISTINCT)
        running.push("S", raw(t))
        running.remove("guest")
    (net,) = nets(running)
    assert list(net.net.baskets) == ["S", *(name for name in net.net.baskets if "." in name)]
    assert len(factories(running)) == 3
    assert len(net.sources["S"]) == 1
    assert len(net._schemas) == len(net.net.baskets)
    assert list(net._inlets.by_basket) == ["S"]


def test_a_later_query_hears_at_once_how_far_silent_streams_are() -> None:
    """Otherwise a join with a stream that says nothing more for now would wait for it."""
    running = NetEngine().session({"S": SCHEMA, "T": SCHEMA})
    running.add("early", WINDOW)
    running.heartbeat(100, "T")
    running.add("late", source("S", x=int).difference(source("T", x=int).window(2)))
    found = listening(running, "late")
    running.push("S", raw(50))
    running.push("S", raw(60))
    assert joined(found).start.tolist() == [50]


@pytest.mark.parametrize("at_once", [True, False])
def test_baskets_without_order_hold_what_a_later_query_must_not_see(at_once: bool) -> None:
    running = session(setting=Setting(unordered={"S": 5}))
    running.add("early", WINDOW)
    if not at_once:
        running.push("S", raw(1, 2))
    running.add("late", WINDOW)
    running.push("S", raw(9))
    assert len(nets(running)) == (1 if at_once else 2)
