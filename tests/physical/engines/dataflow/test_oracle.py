"""The engine against the reference: every operator, every strategy, every split, any order, any batch size."""

from functools import partial
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from equivalence.cases.random_cases import CASE_HORIZON
from equivalence.cases.random_plans import OPERATORS
from equivalence.cases.strategies import plans, plans_with_root
from equivalence.reference_checks.golden import GoldenCase
from physical.columns.stream import PhysicalStream, joined
from physical.engine import ENGINES
from physical.engines.dataflow.engine import NetEngine
from physical.engines.dataflow.fragment import Split
from physical.engines.dataflow.query_net import QueryNet, Setting
from physical.engines.dataflow.sharing import STRATEGIES, Strategy
from physical.runtime.graph_session import GraphSession
from semantics import (
    ArithmeticOverflow,
    LogicalStream,
    Plan,
    RawStream,
    StreamError,
    col,
    evaluate,
    parse,
    parse_plan,
    show,
    source,
)
from tests.golden_corpus import golden_corpus
from tests.seeded_cases import random_case

WAYS = st.tuples(
    st.sampled_from(STRATEGIES), st.sampled_from(("query", "reader", "operator")), st.integers(1, 5), st.integers(1, 3)
)
Way = tuple[Strategy, Split, int, int]


def outcome(plan: Plan, case: object, engine: NetEngine | None) -> LogicalStream | str:
    """The snapshots of the result, or that it overflows."""
    try:
        if engine is None:
            return evaluate(plan, case, CASE_HORIZON)  # type: ignore[arg-type]  # a case
        result = engine.run(plan, case, CASE_HORIZON)  # type: ignore[arg-type]  # a case
        return result.checked("result").to_logical(CASE_HORIZON)
    except ArithmeticOverflow:
        return "overflow"


def check(plan: Plan, way: Way, seed: int) -> None:
    random = Random(seed)
    strategy, split, batch, inner = way
    engine = NetEngine(Setting(strategy, split, batch, inner, choose=random.choice))
    case = random_case(random, plan.sources())
    expected, got = outcome(plan, case, None), outcome(plan, case, engine)
    assert got == expected, "\n".join([show(plan), *(f"{name} = {show(s)}" for name, s in case.items())])


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.__name__)
def test_oracle_every_operator(operator: type[Plan]) -> None:
    @settings(max_examples=12, suppress_health_check=(HealthCheck.too_slow,))
    @given(plans_with_root(operator, depth=2, awkward=True), WAYS, st.integers(0, 2**32))
    def agree(plan: Plan, way: Way, seed: int) -> None:
        check(plan, way, seed)

    agree()


@pytest.mark.parametrize("step", ["over(lead(x, 2) as next)", "window(session 9)"])
@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)
def test_oracle_operators_look_beyond_the_horizon(strategy: Strategy, step: str) -> None:
    """The next rows come after the horizon, one of them for ever; a session ends after it."""
    plan = parse_plan(f"S(x int) | {step}")
    case = {"S": parse("interval(x int): (1)@[0,1) (2)@[4,5) (3)@[30,∞)")}
    assert outcome(plan, case, NetEngine(Setting(strategy))) == outcome(plan, case, None)


@settings(max_examples=40, suppress_health_check=(HealthCheck.too_slow,))
@given(plans(depth=4, awkward=True), WAYS, st.integers(0, 2**32))
def test_oracle_deep_plans(plan: Plan, way: Way, seed: int) -> None:
    check(plan, way, seed)


@pytest.mark.parametrize("case", golden_corpus()[::4], ids=lambda case: case.name)
def test_golden(case: GoldenCase) -> None:
    horizon = case.expected.horizon
    assert ENGINES["dataflow"].run(case.plan, case.streams, horizon).to_logical(horizon) == case.expected  # type: ignore[call-arg]


S = source("S", x=int)


def raw(*elements: tuple[int, int]) -> RawStream:
    return RawStream(S.schema, [((x,), t) for x, t in elements])


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)
def test_queries_come_and_go_while_elements_wait_for_a_batch(strategy: Strategy) -> None:
    """A query that goes takes nothing with it that another one still has to see."""
    session = GraphSession({"S": S.schema}, partial(QueryNet, Setting(strategy, "operator", batch=3)), raw="S")
    results: dict[str, list[PhysicalStream]] = {"low": [], "all": []}
    for name, query in (("low", S.filter(col("x") < 3).window(2)), ("all", S.window(4)), ("gone", S)):
        session.add(name, query)
        session.subscribe(name, results.setdefault(name, []).append)
    session.push("S", raw((1, 0), (5, 1)))
    assert session.state.elements >= 2
    session.remove("gone")
    session.push("S", raw((2, 3)))
    session.remove("all")
    session.push("S", raw((0, 5), (7, 6)))
    session.close()
    low = joined(results["low"]).to_logical(12)
    assert low == evaluate(S.filter(col("x") < 3).window(2), {"S": raw((1, 0), (5, 1), (2, 3), (0, 5), (7, 6))}, 12)
    assert joined(results["all"]).columns[0].to_values() == [
        1,
        5,
    ]  # what came before was given out, then it was stopped
    assert session.state.elements == 0


def test_a_session_says_that_a_basket_is_disabled() -> None:
    session = GraphSession({"S": S.schema}, partial(QueryNet, Setting()))
    session.add("all", S)
    session.push("S", raw((1, 0)))
    graph = session.queries["all"].running.graph
    graph.sources["S"][0].basket.enable(False)  # type: ignore[attr-defined]  # an inlet of a net
    with pytest.raises(StreamError, match="S: a basket must be enabled"):
        session.push("S", raw((1, 1)))
