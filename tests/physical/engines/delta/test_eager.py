"""Instants before they are over: what is given out too early is put right by what comes at the same instant."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from physical.columns.stream import PhysicalStream
from physical.engines.delta.algebra import delta_graph
from physical.engines.delta.convert import to_intervals
from physical.engines.delta.delta_stream import DeltaStream, joined
from semantics import ArithmeticOverflow, Interval, Plan, Schema, evaluate, parse, parse_plan

SCHEMA = Schema.of(x=int)
BIG = 2**62
WINDOWS = (
    "rows 1",
    "rows 2",
    "rows 2 slide 2",
    "rows 1 slide 3",
    "rows 2 with ties",
    "partition by x rows 1",
    "partition by x rows 2 slide 2",
)


def asked_after_each(plan: Plan, elements: list[tuple[str, int, int]]) -> DeltaStream:
    """All output, if after every element (source, value, instant) all results are asked for."""
    graph, results = delta_graph(100), [DeltaStream.empty(plan.schema)]
    graph.query(plan, frozenset("AB")).subscribers.append(results.append)
    nodes = [node for found in graph.sources.values() for node in found]
    for name, x, t in elements:
        for node in graph.sources[name]:
            node.push(PhysicalStream.from_elements(SCHEMA, [((x,), Interval(t, t + 1))]), 0)
        for node in nodes:
            node.heartbeat(t, 0, force=True)
    for node in nodes:
        node.heartbeat(100, 0, force=True)
    return joined(results).checked("result")


@pytest.mark.parametrize("window", WINDOWS)
@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), max_size=8))
def test_count_windows_put_an_instant_right(window: str, values: list[tuple[int, int]]) -> None:
    plan = parse_plan(f"A(x int) | window({window})")
    elements = [("A", x, t) for t, x in sorted(values, key=lambda pair: pair[0])]
    output = asked_after_each(plan, elements)
    stream = PhysicalStream.from_elements(SCHEMA, [((x,), Interval(t, t + 1)) for _, x, t in elements])
    assert to_intervals(output).to_logical(6) == evaluate(plan, {"A": stream.to_interval()}, 6)


def test_an_overflow_that_is_taken_back_at_its_instant_is_none() -> None:
    plan = parse_plan("difference(A(x int), B(x int)) | aggregate(sum(x) as s)")
    output = asked_after_each(plan, [("A", BIG, 0), ("A", BIG, 0), ("B", BIG, 0)])
    assert to_intervals(output).to_interval() == parse(f"interval(s int): ({BIG})@[0, 1)")


def test_an_overflow_of_a_row_that_is_taken_back_is_none() -> None:
    plan = parse_plan("difference(A(x int), B(x int)) | map(x + x as y)")
    output = asked_after_each(plan, [("A", 1, 0), ("A", BIG, 0), ("B", BIG, 0)])
    assert to_intervals(output).to_interval() == parse("interval(y int): (2)@[0, 1)")


def test_an_overflow_that_stays_is_an_error() -> None:
    plan = parse_plan("difference(A(x int), B(x int)) | aggregate(sum(x) as s)")
    with pytest.raises(ArithmeticOverflow):
        asked_after_each(plan, [("A", BIG, 0), ("A", BIG, 0), ("B", 1, 0)])


def test_a_pair_of_who_goes_and_who_comes_is_never_looked_at() -> None:
    """At the instant 1 the left row goes and the right one comes: their sum, which overflows, is never asked for."""
    plan = parse_plan("join(A(x int), B(x int) | map(x as y); x + y > 0)")
    assert np.array_equal(asked_after_each(plan, [("A", BIG, 0), ("B", BIG, 1)]).time, [])
