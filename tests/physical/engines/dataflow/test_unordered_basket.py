"""Baskets without order: readers see time pass as it should, and every element has an arrival time."""

from pathlib import Path
from random import Random

import numpy as np
import pytest

from physical.columns.column import from_values
from physical.columns.stream import PhysicalStream, joined
from physical.engines.dataflow.basket import Basket
from physical.engines.dataflow.live_net import LiveNet
from physical.engines.dataflow.query_net import QueryNet, Setting
from physical.files.layout import Layout
from physical.kernels.types import ENDLESS
from semantics import Type, source
from tests.physical.engines.dataflow.test_firing import Clock

S = source("S", x=int)
QUERY = S.window(3).distinct()


def stream(*elements: tuple[int, int]) -> PhysicalStream:
    values, starts = zip(*elements, strict=True)
    start = np.array(starts, np.int64)
    return PhysicalStream(S.schema, (from_values(list(values), Type.INT),), start, start + 1)


@pytest.mark.parametrize("seed", range(10))
def test_disorder_within_the_slack_changes_nothing(seed: int) -> None:
    random = Random(seed)
    elements = [(random.randint(0, 2), at) for at in range(30)]
    mixed = sorted(elements, key=lambda element: element[1] + random.randint(0, 4))
    results = []
    for order, slack in ((elements, 0), (mixed, 5)):
        graph = QueryNet(Setting(unordered={"S": slack}))
        found = [PhysicalStream.empty(S.schema)]
        graph.query(QUERY.plan, frozenset("S")).subscribers.append(found.append)
        (inlet,) = graph.sources["S"]
        for first in range(0, 30, 4):
            inlet.push(stream(*order[first : first + 4]), 0)
        inlet.heartbeat(ENDLESS, 0, True)
        graph.net.audit()
        assert inlet.basket.counts.late == 0
        results.append(joined(found))
    assert results[0].equivalent(results[1])


def test_what_breaks_a_promise_is_counted_as_late() -> None:
    graph = QueryNet(Setting(unordered={"S": 2}))
    graph.query(S.plan, frozenset("S"))
    (inlet,) = graph.sources["S"]
    for element in ((1, 9), (2, 7), (3, 6), (4, 8)):
        inlet.push(stream(element), 0)
    inlet.heartbeat(ENDLESS, 0, True)
    assert (inlet.basket.counts.arrived, inlet.basket.counts.late, inlet.basket.counts.expired) == (4, 1, 3)
    graph.net.audit()


def test_elements_that_wait_for_their_turn_survive_a_new_query() -> None:
    graph = QueryNet(Setting(unordered={"S": 100}))
    found: list[PhysicalStream] = []
    graph.query(S.plan, frozenset("S")).subscribers.append(found.append)
    graph.sources["S"][0].push(stream((1, 9), (2, 7)), 0)
    graph.query(QUERY.plan, frozenset("S"))
    graph.sources["S"][0].heartbeat(ENDLESS, 0, True)
    assert joined(found).columns[0].to_values() == [2, 1]


def test_a_live_net_takes_a_file_in_any_order(tmp_path: Path) -> None:
    (tmp_path / "S.csv").write_text("ts,x\n4,1\n2,7\n3,5\n", encoding="utf-8")
    with LiveNet({"S": Layout(S.schema, start="ts")}, {"q": S}, Setting(unordered={"S": 2})) as live:
        live.read("S", tmp_path / "S.csv")
        live.write("q", tmp_path / "q.csv")
        live.finish(timeout=60)
    assert (tmp_path / "q.csv").read_text(encoding="utf-8").splitlines()[1:] == ["7,2,3", "5,3,4", "1,4,5"]


def test_every_waiting_element_has_the_time_of_its_arrival() -> None:
    clock = Clock()
    basket = Basket("S", S.schema, clock=clock)
    for pause, size in ((0.0, 2), (1.0, 1), (0.5, 3)):
        clock.now += pause
        basket.append(stream(*[(size, 5)] * size))
    assert basket.arrivals.tolist() == [100.0, 100.0, 101.0, 101.5, 101.5, 101.5]
    basket.remove(np.array([True, False, False, True, True, False]))
    assert basket.arrivals.tolist() == [100.0, 101.0, 101.5]
    basket.clear()
    assert basket.arrivals.tolist() == []
