"""What operators hold, when they let go of it, and when they give out."""

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from equivalence.cases.random_cases import CASE_HORIZON
from equivalence.cases.strategies import plans
from physical.columns.column import ColumnVector
from physical.columns.stream import PhysicalStream, joined
from physical.engines.interval.algebra import interval_graph
from physical.engines.interval.count_window import IntervalCountWindow
from physical.engines.interval.join import IntervalJoin
from physical.engines.interval.run_plan import run
from physical.engines.interval.slice_by_slice import SlicedOperator
from physical.planning.planner import physical_plan
from physical.runtime.operator import AnyOperator
from physical.runtime.operator_graph import OperatorGraph
from physical.runtime.run_whole import clipped
from semantics import ArithmeticOverflow, Plan, Schema, Type, parse_plan
from tests.seeded_cases import random_case

SEEDS = st.integers(0, 2**32)


def pushed_until(plan: Plan, inputs: dict[str, PhysicalStream], t: int) -> tuple[OperatorGraph, PhysicalStream]:
    """All elements before t, in small batches, then a heartbeat t at every source."""
    graph, results = interval_graph(CASE_HORIZON), [PhysicalStream.empty(plan.schema)]
    graph.add(physical_plan(plan)).subscribers.append(results.append)
    for name, nodes in graph.sources.items():
        early = inputs[name].take(inputs[name].start < t)
        for node in nodes:
            for i in range(len(early)):
                node.push(early.take(np.s_[i : i + 1]), 0)
            node.heartbeat(t, 0, force=True)
    return graph, joined(results)


def needless(operator: AnyOperator) -> Iterator[PhysicalStream]:
    """Elements in the state that no future element can overlap."""
    if isinstance(operator, SlicedOperator):
        for held in operator.held():
            yield held.take(held.end <= operator.watermark - operator.lookback)
    if isinstance(operator, IntervalJoin):
        for side, area in enumerate(operator.areas):
            yield area.elements.take(area.elements.end <= operator.port_watermarks[1 - side])


@given(plans(depth=3, awkward=True), SEEDS, st.integers(0, CASE_HORIZON))
def test_nothing_is_held_that_cannot_overlap_anything_to_come(plan: Plan, seed: int, t: int) -> None:
    case = random_case(Random(seed), plan.sources())
    inputs = {name: PhysicalStream.of(stream) for name, stream in case.items()}
    try:
        graph, _ = pushed_until(plan, inputs, t)
    except ArithmeticOverflow:
        reject()
    for node in graph.nodes:
        assert all(len(elements) == 0 for elements in needless(node.operator))


@given(plans(depth=3, awkward=True), SEEDS, st.integers(0, CASE_HORIZON))
def test_all_that_is_valid_before_the_heartbeat_is_out(plan: Plan, seed: int, t: int) -> None:
    case = random_case(Random(seed), plan.sources())
    inputs = {name: PhysicalStream.of(stream) for name, stream in case.items()}
    try:
        _, output = pushed_until(plan, inputs, t)
        whole = run(plan, inputs, CASE_HORIZON)
    except ArithmeticOverflow:
        reject()
    assert clipped(output, t).equivalent(clipped(whole, t))


def endless_batch(schema: Schema, first: int, size: int) -> PhysicalStream:
    """Two elements per instant, few values, so that all of them meet."""
    times = np.arange(first, first + size, dtype=np.int64) // 2
    columns = tuple(ColumnVector(Type.INT, (times * (i + 3)) % 7) for i, _ in enumerate(schema.columns))
    return PhysicalStream(schema, columns, times, times + 1)


@pytest.mark.parametrize(
    "text",
    [
        "A(x int) | window(range 50) | distinct",
        "A(x int) | window(range 50 slide 7) | aggregate(count(*) as n)",
        "A(x int) | window(range 50) | group(x; count(*) as n)",
        "A(x int) | window(rows 40)",
        "A(x int) | window(partition by x rows 9 slide 2)",
        "A(x int) | window(rows 40 with ties)",
        "A(x int) | window(range 20) | istream | window(range 30) | dstream",
        "union(A(x int), A(x int) | window(range 9))",
        "join(A(x int) | window(range 20), A(x int) | window(range 30) | map(x as y); x = y)",
        "semijoin(A(x int) | window(range 20), A(x int) | window(range 30); left.x < right.x)",
        "fulljoin(A(x int) | window(range 20), A(x int) | window(range 30) | map(x as y); x < y)",
        "difference(A(x int) | window(range 20), A(x int) | window(range 30))",
    ],
)
def test_the_state_stays_bounded_over_an_endless_stream(text: str) -> None:
    plan = parse_plan(text)
    schema = plan.sources()["A"]
    graph = interval_graph()
    graph.add(physical_plan(plan))
    sizes = []
    for i in range(100):
        for node in graph.sources["A"]:
            node.push(endless_batch(schema, 200 * i, 200), 0)
        sizes.append(sum(node.operator.state.elements for node in graph.nodes))
    assert max(sizes[50:]) <= 1.1 * max(sizes[:50])
    assert max(sizes) < 6000


def test_a_count_window_holds_its_rows_and_no_more() -> None:
    plan = parse_plan("A(x int) | window(rows 5)")
    graph = interval_graph()
    node = graph.add(physical_plan(plan))
    graph.sources["A"][0].push(endless_batch(plan.schema, 0, 1000), 0)
    graph.sources["A"][0].heartbeat(2000, 0, force=True)
    assert isinstance(node.operator, IntervalCountWindow)
    assert node.operator.state.elements == 5
    assert node.operator.state.bytes > 0
