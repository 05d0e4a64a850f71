"""What windows hold, what edges carry, and when results are out: the two approaches side by side."""

import numpy as np

from physical.columns.stream import PhysicalStream
from physical.engines.delta.algebra import delta_graph, run_deltas
from physical.engines.delta.delta_stream import DeltaStream
from physical.engines.delta.join import DeltaJoin
from physical.engines.interval.algebra import interval_graph
from physical.engines.interval.run_plan import run
from physical.runtime.operator_graph import OperatorGraph
from semantics import Interval, Schema, parse, parse_plan

SCHEMA = Schema.of(x=int)
TEN = PhysicalStream.from_elements(SCHEMA, [((i,), Interval(i, i + 1)) for i in range(10)])
WINDOW = parse_plan("S(x int) | window(range 4)")


def after(graph: OperatorGraph, plan_text: str, stream: PhysicalStream, t: int) -> OperatorGraph:
    """A graph that has taken in a stream and a heartbeat t."""
    graph.query(parse_plan(plan_text), frozenset("S"))
    (node,) = graph.sources["S"]
    node.push(stream, 0)
    node.heartbeat(t, 0, force=True)
    return graph


def test_a_window_holds_what_it_shows_and_one_on_intervals_holds_nothing() -> None:
    held = {
        graph: [s.operator.state.elements for s in after(graph(), "S(x int) | window(range 4)", TEN, 9).nodes]
        for graph in (interval_graph, delta_graph)
    }
    assert held == {interval_graph: [0, 0], delta_graph: [0, 4]}


def test_a_window_that_has_run_empty_holds_nothing() -> None:
    graph = after(delta_graph(), "S(x int) | window(range 4)", TEN, 13)
    assert [s.operator.state.elements for s in graph.nodes] == [0, 0]


def test_twice_as_many_elements_leave_a_window() -> None:
    assert len(run(WINDOW, {"S": TEN})) == 10
    assert len(run_deltas(WINDOW, {"S": TEN})) == 20


def test_rows_that_never_go_have_no_negative_element() -> None:
    assert len(run_deltas(parse_plan("S(x int) | window(range unbounded)"), {"S": TEN})) == 10


def test_a_join_lets_go_of_what_has_gone() -> None:
    text = "join(S(x int) | window(range 4), S(x int) | window(range 2) | map(x as y); x = y)"
    graph = after(delta_graph(), text, TEN, 9)
    (join,) = [s.operator for s in graph.nodes if isinstance(s.operator, DeltaJoin)]
    assert [len(lives.survivors) for lives in join.lives] == [4, 2]


def test_an_aggregate_is_out_before_one_knows_for_how_long() -> None:
    early, late = delta_graph(), interval_graph()
    outputs: list[DeltaStream] = []
    intervals: list[PhysicalStream] = []
    plan = parse_plan("S(x int) | window(range 4) | aggregate(sum(x) as s)")
    early.query(plan, frozenset("S")).subscribers.append(outputs.append)
    late.query(plan, frozenset("S")).subscribers.append(intervals.append)
    for graph in (early, late):
        graph.sources["S"][0].push(TEN.take(np.s_[:1]), 0)
        graph.sources["S"][0].heartbeat(0, 0, force=True)
    assert [output.to_elements() for output in outputs] == [[("+", (0,), 0)]]
    assert intervals == []


def test_a_count_window_takes_back_what_was_shown_too_early() -> None:
    plan = parse_plan("S(x int) | window(rows 1)")
    graph, outputs = delta_graph(), list[DeltaStream]()
    graph.query(plan, frozenset("S")).subscribers.append(outputs.append)
    (node,) = graph.sources["S"]
    for x in (5, 9, 7):
        node.push(PhysicalStream.of(parse(f"raw(x int): ({x})@3")), 0)
        node.heartbeat(3, 0, force=True)
    shown = [element for output in outputs for element in output.to_elements()]
    assert shown == [("+", (5,), 3), ("-", (5,), 3), ("+", (9,), 3)]
