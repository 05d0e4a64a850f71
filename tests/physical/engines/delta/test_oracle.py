"""The engine on signed elements against the reference: whole streams, batches, and instants before they are over."""

from functools import partial
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equivalence.cases.random_cases import CASE_HORIZON
from equivalence.cases.random_plans import OPERATORS
from equivalence.cases.strategies import plans, plans_with_root
from equivalence.reference_checks.golden import GoldenCase
from physical.columns.stream import PhysicalStream
from physical.engines.delta.algebra import DELTA_TO_INTERVAL_ALGEBRA, delta_graph, run_deltas
from physical.engines.delta.convert import to_intervals
from physical.engines.delta.delta_stream import DeltaStream, joined
from physical.engines.delta.engine import DeltaEngine
from physical.planning.planner import PhysicalNode, physical_plan
from physical.runtime.operator_graph import OperatorGraph
from physical.runtime.run_whole import clipped
from semantics import ArithmeticOverflow, LogicalStream, Plan, Unsupported, evaluate, parse, parse_plan, show
from semantics.plan import Dstream, Istream
from tests.golden_corpus import golden_corpus
from tests.physical.engines.interval.schedules import scheduled
from tests.seeded_cases import random_case

CASES_PER_PLAN = 8
RUN = DeltaEngine().run
SUPPORTS = DeltaEngine().supports
SUPPORTED = [operator for operator in OPERATORS if operator not in DeltaEngine.lacks]


def expected(plan: Plan, case: object) -> LogicalStream | str:
    try:
        return evaluate(plan, case, CASE_HORIZON)  # type: ignore[arg-type]  # a case
    except ArithmeticOverflow:
        return "overflow"


def found(plan: Plan, case: object) -> LogicalStream | str:
    """The result by way of signed elements, which have to be sound."""
    try:
        signed = run_deltas(plan, case, CASE_HORIZON).checked("result")  # type: ignore[arg-type]  # a case
        return clipped(to_intervals(signed), CASE_HORIZON).to_logical(CASE_HORIZON)
    except ArithmeticOverflow:
        return "overflow"


def check(plan: Plan, seed: int) -> None:
    random = Random(seed)
    for _ in range(CASES_PER_PLAN):
        case = random_case(random, plan.sources())
        assert found(plan, case) == expected(plan, case), show(plan)


@pytest.mark.parametrize("operator", SUPPORTED, ids=lambda operator: operator.__name__)
def test_oracle_every_operator(operator: type[Plan]) -> None:
    @settings(max_examples=12)
    @given(plans_with_root(operator, depth=2, awkward=True).filter(SUPPORTS), st.integers(0, 2**32))
    def agree(plan: Plan, seed: int) -> None:
        check(plan, seed)

    agree()


@settings(max_examples=40)
@given(plans(depth=4, awkward=True).filter(SUPPORTS), st.integers(0, 2**32))
def test_oracle_plans_of_depth_four(plan: Plan, seed: int) -> None:
    check(plan, seed)


GOLDEN = [case for case in golden_corpus() if SUPPORTS(case.plan)]


@pytest.mark.parametrize(
    ("step", "name"), [("limit(1; x)", "Limit"), ("window(session 3)", "SessionWindow"), ("over(rank() as r)", "Over")]
)
def test_what_is_not_supported_is_named(step: str, name: str) -> None:
    refused = [case.name for case in golden_corpus() if not SUPPORTS(case.plan)]
    assert refused == [case for case in refused if case.startswith(("limit", "session", "over", "nested", "unnest"))]
    assert name in [kind.__name__ for kind in DeltaEngine.lacks]
    with pytest.raises(Unsupported, match=f"delta: there is no {name}"):
        RUN(parse_plan(f"S(x int) | {step}"), {"S": parse("raw(x int): (1)@0")}, 5)


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case.name)
def test_golden(case: GoldenCase) -> None:
    horizon = case.expected.horizon
    assert RUN(case.plan, case.streams, horizon).to_logical(horizon) == case.expected


@settings(max_examples=60)
@given(plans(depth=3, awkward=True).filter(SUPPORTS), st.integers(0, 2**32), st.integers(1, 5))
def test_batches_and_heartbeats_do_not_matter(plan: Plan, seed: int, largest: int) -> None:
    random = Random(seed)
    case = random_case(random, plan.sources())
    wanted = expected(plan, case)
    inputs = {name: clipped(PhysicalStream.of(stream), CASE_HORIZON) for name, stream in case.items()}
    if not isinstance(wanted, str):
        result = scheduled(plan, inputs, random, largest, partial(OperatorGraph, DELTA_TO_INTERVAL_ALGEBRA))
        assert clipped(result, CASE_HORIZON).to_logical(CASE_HORIZON) == wanted


def chronons(stream: object) -> PhysicalStream:
    """Every element for its first instant only."""
    whole = clipped(PhysicalStream.of(stream), CASE_HORIZON)  # type: ignore[arg-type]  # a stream
    return whole.valid_during(whole.start, whole.start + 1)


def one_by_one(plan: Plan, inputs: dict[str, PhysicalStream]) -> list[DeltaStream]:
    """All output up to each instant; elements come alone, and after every one all results are asked for."""
    graph, results = delta_graph(CASE_HORIZON), [DeltaStream.empty(plan.schema)]
    graph.query(plan, frozenset(inputs)).subscribers.append(results.append)
    nodes = [(node, inputs[name]) for name, found in graph.sources.items() for node in found]
    until = []
    for t in range(CASE_HORIZON):
        for node, stream in nodes:
            for i in np.flatnonzero(stream.start == t).tolist():
                node.push(stream.take(np.s_[i : i + 1]), 0)
                for each, _ in nodes:
                    each.heartbeat(t, 0, force=True)
        for each, _ in nodes:
            each.heartbeat(t, 0, force=True)
        until.append(joined(results))
    return until


def waits(plan: Plan) -> bool:
    """Is there an operator that waits until an instant is over?"""
    return _waits(physical_plan(plan, frozenset(plan.sources())))


def _waits(node: PhysicalNode) -> bool:
    here = node.kind == "split" or isinstance(node.logical, Istream | Dstream)
    return here or any(map(_waits, node.inputs))


@settings(max_examples=60)
@given(plans(depth=3, awkward=True).filter(SUPPORTS), st.integers(0, 2**32))
def test_results_are_out_at_their_instant_and_put_right_if_more_comes(plan: Plan, seed: int) -> None:
    case = {name: chronons(stream) for name, stream in random_case(Random(seed), plan.sources()).items()}
    wanted = expected(plan, {name: stream.to_interval() for name, stream in case.items()})
    if isinstance(wanted, str):
        return
    outputs = one_by_one(plan, case)
    for t, output in enumerate(outputs):
        output.checked(show(plan))
        if not waits(plan):
            assert to_intervals(output).to_logical(t + 1).snapshots[t] == wanted.snapshots[t]


@pytest.mark.parametrize(
    ("text", "waiting"),
    [
        ("S(x int) | window(range 3) | distinct", False),
        ("S(x int) | window(range 3) | istream", True),
        ("S(x int) | window(range 3) | window(rows 2)", True),
    ],
)
def test_only_occurrences_wait_until_their_instant_is_over(text: str, waiting: bool) -> None:
    assert waits(parse_plan(text)) is waiting
