"""What must never matter inside the engine: batches, turns and heartbeats at its nodes; split and coalesce.

That ties, split inputs and sessions do not matter either is a relation in `equivalence.conformance.metamorphic`.
"""

from random import Random

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from equivalence.cases.random_cases import CASE_HORIZON
from equivalence.cases.strategies import plans, plans_with_root
from physical.columns.stream import PhysicalStream, joined
from physical.engines.interval.run_plan import run
from physical.engines.interval.split_and_coalesce import IntervalCoalesce, IntervalSplit
from physical.kernels.types import ENDLESS
from physical.runtime.run_whole import clipped
from semantics import ArithmeticOverflow, Plan, parse
from semantics.plan import Aggregation, Grouping
from tests.physical.engines.interval.schedules import scheduled
from tests.seeded_cases import random_case

SEEDS = st.integers(0, 2**32)


def finite_case(plan: Plan, random: Random) -> dict[str, PhysicalStream]:
    """Streams that end before the horizon, so that they can be run without one."""
    case = random_case(random, plan.sources())
    return {name: clipped(PhysicalStream.of(stream), CASE_HORIZON) for name, stream in case.items()}


def result(plan: Plan, inputs: dict[str, PhysicalStream]) -> PhysicalStream:
    try:
        return run(plan, inputs, CASE_HORIZON)
    except ArithmeticOverflow:
        reject()


@pytest.mark.parametrize("largest", [1, 2, 5, 100])
@given(plans(depth=3, awkward=True), SEEDS)
def test_batches_interleaving_and_heartbeats_do_not_matter(largest: int, plan: Plan, seed: int) -> None:
    random = Random(seed)
    inputs = finite_case(plan, random)
    expected = result(plan, inputs)
    try:
        output = scheduled(plan, inputs, random, largest).checked("output")
    except ArithmeticOverflow:
        reject()
    assert clipped(output, CASE_HORIZON).equivalent(expected)


@given(plans(depth=0, awkward=True), SEEDS, st.integers(1, 4))
def test_split_and_coalesce_keep_the_logical_stream_and_their_promise(plan: Plan, seed: int, length: int) -> None:
    for stream in finite_case(plan, Random(seed)).values():
        pieces = _through(IntervalSplit(stream.schema, length), stream)
        assert pieces.equivalent(stream)
        assert bool((pieces.end - pieces.start <= length).all())
        glued = _through(IntervalCoalesce(stream.schema, 3), pieces).checked("coalesced")
        assert glued.equivalent(stream)
        assert bool((glued.end - glued.start <= max(3, length)).all())


def test_coalesce_merges_adjacent_pieces() -> None:
    stream = PhysicalStream.of(parse("interval(x int): (1)@[0,2) (1)@[0,2) (2)@[1,3) (1)@[2,5) (1)@[2,9)"))
    glued = _through(IntervalCoalesce(stream.schema), stream)
    assert sorted(zip(glued.start.tolist(), glued.end.tolist(), strict=True)) == [(0, 5), (0, 9), (1, 3)]


@given(st.sampled_from([Aggregation, Grouping]).flatmap(plans_with_root), SEEDS)
def test_aggregates_of_a_group_are_disjoint(plan: Plan, seed: int) -> None:
    """Property 7.5."""
    output = result(plan, finite_case(plan, Random(seed)))
    keys = len(plan.keys) if isinstance(plan, Grouping) else 0
    spans: dict[tuple[object, ...], int] = {}
    for row, interval in output.to_interval().elements:
        group = row[:keys]
        assert interval.start >= spans.get(group, 0)
        spans[group] = int(min(interval.end, ENDLESS))


def _through(operator: IntervalSplit | IntervalCoalesce, stream: PhysicalStream) -> PhysicalStream:
    return joined([operator.push(stream), operator.close()])
