"""Queries with similar ranges share a factory, and give what they gave."""

from random import Random

import pytest

from equivalence.cases.random_cases import CASE_HORIZON
from physical.columns.stream import PhysicalStream, joined
from physical.engines.dataflow.deadlock import analyse
from physical.engines.dataflow.engine import deliver
from physical.engines.dataflow.factory import BasketReader, Factory
from physical.engines.dataflow.query_net import QueryNet, Setting
from physical.engines.dataflow.sharing import STRATEGIES, Strategy
from physical.engines.dataflow.similar_ranges import SharedRanges
from physical.runtime.run_whole import inputs_of
from semantics import col, evaluate, show, source
from semantics.builder.query import Query
from tests.seeded_cases import random_case

S = source("S", x=int, y=int)


def between(low: int, high: int) -> Query:
    return S.filter((col("x") >= low) & (col("x") < high))


def wired(strategy: Strategy, queries: list[Query]) -> QueryNet:
    graph = QueryNet(Setting(SharedRanges(strategy)))
    for query in queries:
        graph.query(query.plan, frozenset("S"))
    assert graph.sources
    return graph


def test_a_factory_selects_for_all_whose_ranges_overlap() -> None:
    graph = wired(STRATEGIES[1], [between(0, 10), between(30, 40), between(5, 12), between(12, 20), S])
    readers = [t for t in graph.net.transitions if isinstance(t, BasketReader) and "S" in t.ports]
    read = {reader.name: reader.ports["S"].basket.name for reader in readers}
    alone = {"S range 1": "S", "Filter.2": "S", "emitter 5": "S"}
    assert read == {**alone, **dict.fromkeys(("Filter.1", "Filter.3", "Filter.4"), "S range 1")}
    common = next(t for t in graph.net.transitions if t.name == "S range 1")
    assert isinstance(common, Factory)
    assert show(common.program.last.part.logical) == "S(x int, y int) | filter(x >= 0 and x <= 20)"  # type: ignore[union-attr]


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)
def test_no_net_with_a_common_factory_is_ever_stuck(strategy: Strategy) -> None:
    assert analyse(wired(strategy, [between(0, 10), between(5, 12), S.filter(col("y") > 1)]).net).holds


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)
@pytest.mark.parametrize("seed", range(15))
def test_oracle_results_are_those_of_each_query(strategy: Strategy, seed: int) -> None:
    random = Random(seed)
    queries = [between(low := random.randint(-2, 3), low + random.randint(0, 4)) for _ in range(4)]
    queries[1] = queries[1].window(3).distinct()
    queries[2] = queries[2].filter(col("y") > 1)
    case = random_case(random, queries[0].plan.sources())
    graph = QueryNet(Setting(SharedRanges(strategy), "query"), CASE_HORIZON)
    found: list[list[PhysicalStream]] = []
    for query in queries:
        found.append([PhysicalStream.empty(query.schema)])
        graph.query(query.plan, frozenset()).subscribers.append(found[-1].append)
    deliver(graph, inputs_of(queries[0].plan, case, CASE_HORIZON))
    for query, parts in zip(queries, found, strict=True):
        assert joined(parts).to_logical(CASE_HORIZON) == evaluate(query.plan, case, CASE_HORIZON)
    graph.net.audit()
