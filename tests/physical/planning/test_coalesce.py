"""Coalesce in plans: where it stands, that it changes nothing, and that it merges."""

from random import Random

import pytest

from equivalence.cases.random_cases import CASE_HORIZON
from physical import run
from physical.engines.interval.algebra import INTERVAL_ALGEBRA, WHOLE_ALGEBRA
from physical.planning.coalesce import coalesced_plan
from physical.planning.planner import PhysicalNode
from physical.runtime.operator_graph import OperatorGraph
from physical.runtime.run_whole import run_whole
from semantics import RawStream, evaluate, parse, parse_plan
from tests.seeded_cases import random_case

KEYS = "S(x int, y int) | window(range 4) | group(x; count(*) as n, max(y) as s) | filter(n > 1)"
ONLY_KEYS = f"{KEYS} | map(x as x)"
PLANS = {
    f"{ONLY_KEYS} | aggregate(count(*) as c)": 1,
    f"{ONLY_KEYS} | filter(x > 0) | group(x; count(*) as c)": 1,
    f"{KEYS} | map(x as x, n as n) | aggregate(count(*) as c)": 1,
    f"{KEYS} | map(n + 1 as x) | aggregate(count(*) as c)": 1,
    f"join({ONLY_KEYS}, {ONLY_KEYS} | map(x as z); x < z)": 1,
    f"difference({ONLY_KEYS}, {ONLY_KEYS})": 2,
    f"{KEYS} | map(x as x, s as s, n as n) | aggregate(count(*) as c)": 0,
    f"{KEYS} | aggregate(count(*) as c)": 0,
    f"{ONLY_KEYS} | distinct": 0,
    f"{ONLY_KEYS} | window(range 3)": 0,
    ONLY_KEYS: 0,
}


def coalesces(node: PhysicalNode) -> int:
    return (node.kind == "coalesce") + sum(map(coalesces, node.inputs))


@pytest.mark.parametrize(("text", "count"), PLANS.items())
def test_it_stands_where_it_pays(text: str, count: int) -> None:
    assert coalesces(coalesced_plan(parse_plan(text))) == count


@pytest.mark.parametrize("text", PLANS)
@pytest.mark.parametrize("seed", range(6))
def test_oracle(text: str, seed: int) -> None:
    plan = parse_plan(text)
    case = random_case(Random(seed), plan.sources())
    assert run(plan, case, CASE_HORIZON).to_logical(CASE_HORIZON) == evaluate(plan, case, CASE_HORIZON)


def test_fewer_elements_come_to_the_operator_above() -> None:
    plan = parse_plan(f"{ONLY_KEYS} | group(x; count(*) as c)")
    stream = parse("raw(x int, y int): (7, 1)@0 (7, 1)@1 (7, 1)@2 (7, 1)@3 (7, 1)@4")
    assert isinstance(stream, RawStream)
    plain, merged = (run_whole(algebra, plan, {"S": stream}) for algebra in (INTERVAL_ALGEBRA, WHOLE_ALGEBRA))
    assert (len(plain), len(merged)) == (6, 1)
    assert plain.equivalent(merged)


def test_sessions_have_none() -> None:
    graph = OperatorGraph(INTERVAL_ALGEBRA)
    graph.query(parse_plan(f"{ONLY_KEYS} | group(x; count(*) as c)"), frozenset())
    assert [node.part.kind for node in graph.nodes if node.part is not None].count("coalesce") == 0
