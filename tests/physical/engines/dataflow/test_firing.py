"""Single factories: their minimum, their priority, and how long elements may wait for them."""

from collections.abc import Mapping

import pytest

from physical.engines.dataflow.deadlock import analyse
from physical.engines.dataflow.firing import Firing
from physical.engines.dataflow.query_net import QueryNet, Setting
from physical.engines.dataflow.sharing import STRATEGIES, Strategy
from semantics import col, source
from semantics.builder.query import Query
from tests.physical.engines.dataflow.test_net import batch

S = source("S", x=int)
LOW, HIGH = S.filter(col("x") < 3), S.filter(col("x") >= 3)


def wired(strategy: Strategy, firing: Mapping[str, Firing], *queries: Query) -> tuple[QueryNet, list[list[int]]]:
    """A net, and how many elements came out of each query, firing by firing."""
    graph = QueryNet(Setting(strategy, firing=firing))
    sizes: list[list[int]] = [[] for _ in queries]
    for query, found in zip(queries, sizes, strict=True):
        emitter = graph.query(query.plan, frozenset("S"))
        emitter.subscribers.append(lambda part, found=found: found.append(len(part)))  # type: ignore[misc]  # a default
    assert graph.sources
    return graph, sizes


def push(graph: QueryNet, *values: int, at: int) -> None:
    (inlet,) = graph.sources["S"]
    inlet.push(batch(*values, at=at), 0)


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)
def test_a_factory_with_a_minimum_waits_while_others_fire(strategy: Strategy) -> None:
    graph, (low, high) = wired(strategy, {"Filter.2": Firing(minimum=4)}, LOW, HIGH)
    for at in range(6):
        push(graph, 1, 5, at=at)
    assert (low, high) == ([1] * 6, [2, 2, 2])
    assert analyse(graph.net).holds


class Clock:
    """A time that stands still until a test lets it pass."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)
def test_elements_wait_for_a_full_batch_but_not_too_long(strategy: Strategy) -> None:
    graph, (_, high) = wired(strategy, {"Filter.2": Firing(minimum=100, within=2.0)}, LOW, HIGH)
    clock = Clock()
    graph.net.clock = clock
    push(graph, 5, 6, at=0)
    assert graph.net.next_deadline() == 2.0
    clock.now += 1.5
    push(graph, 7, at=1)
    assert (high, graph.net.next_deadline()) == ([], 0.5)
    clock.now += 0.5
    graph.scheduler.run()
    assert (high, graph.net.next_deadline()) == ([3], None)


def test_the_important_query_is_first_with_all_that_feeds_it() -> None:
    queries = (S.filter(col("x") < 9).window(2), S.filter(col("x") < 8).window(3))
    graph, _ = wired(STRATEGIES[1], {"emitter 2": Firing(priority=1)}, *queries)
    fired: list[str] = []
    for transition in graph.net.transitions:
        work = transition.work
        transition.work = lambda work=work, name=transition.name: fired.append(name) or work()  # type: ignore[method-assign, misc, func-returns-value]
    push(graph, 1, at=0)
    done = [name for name in fired if not name.startswith(("lock", "unlock"))]
    assert done == ["Filter.3", "TimeWindow.4", "emitter 2", "Filter.1", "TimeWindow.2", "emitter 1"]
