"""The optimizer in running sessions: plans are chosen by what is measured, and exchanged when that pays."""

from itertools import starmap

import pytest

from equivalence.optimizer.cost import Costs
from physical import PhysicalStream
from physical.columns.stream import joined
from physical.runtime import entrance
from semantics import Plan, RawStream, Schema, evaluate, parse_plan
from snapeq import Session

SOURCES = {"A": Schema.of(x=int, u=int), "B": Schema.of(y=int, v=int), "C": Schema.of(z=int)}
A, B, C = "A(x int, u int) | window(range 20)", "B(y int, v int) | window(range 20)", "C(z int) | window(range 20)"
CHAIN = parse_plan(f"join(join({A}, {B}; x = y), {C}; x = z)")


def rows(name: str, *elements: tuple[tuple[int, ...], int]) -> RawStream:
    return RawStream(SOURCES[name], elements)


def test_a_query_runs_by_the_cheapest_plan_unless_told_not_to() -> None:
    late = parse_plan(f"join({A}, {B}; x = y) | filter(u > 5)")
    for optimize in (True, False):
        session = Session(SOURCES, raw=SOURCES, optimize=optimize)
        session.add("q", late)
        assert (session.plan_of("q") == late) == (not optimize)


def test_what_runs_already_costs_nothing() -> None:
    """Alone the filter goes below the join; beside a query over that join it stays above, and the join is shared."""
    filtered = parse_plan(f"join({A}, {B}; x = y) | filter(u > 5)")
    alone, beside = (Session(SOURCES, raw=SOURCES) for _ in range(2))
    alone.add("q", filtered)
    assert alone.plan_of("q") != filtered
    beside.add("join", parse_plan(f"join({A}, {B}; x = y)"))
    beside.add("q", filtered)
    assert beside.plan_of("q") == filtered


def test_when_rates_change_another_plan_takes_over_and_nothing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """C is rare at first and B later; the rarer stream should be joined first."""
    monkeypatch.setattr(entrance, "RECENT_ELEMENTS", 50)
    session = Session(SOURCES, raw=SOURCES)
    results: list[PhysicalStream] = []
    session.add("q", CHAIN)
    session.subscribe("q", results.append)
    pushed: dict[str, list[tuple[tuple[int, ...], int]]] = {name: [] for name in SOURCES}
    plans: set[Plan] = set()
    instants: list[int] = []
    for t in range(240):
        rare, often = ("C", "B") if t < 120 else ("B", "C")
        for name, count in ((often, 4), (rare, 1 if t % 10 == 0 else 0), ("A", 1)):
            elements = [((t * 7 + i, i)[: len(SOURCES[name].columns)], t) for i in range(count)]
            elements = [(tuple(value % 9 for value in row), at) for row, at in elements]
            if elements:
                session.push(name, rows(name, *elements))
                pushed[name] += elements
        session.heartbeat(t)
        if t % 60 == 59:
            instants += session.reoptimize().values()
        plans.add(session.plan_of("q"))
    session.heartbeat(300)
    assert len(instants) >= 2
    assert len(plans) >= 2
    raw = dict(starmap(lambda name, elements: (name, rows(name, *elements)), pushed.items()))
    assert joined(results).to_logical(300) == evaluate(CHAIN, raw, 300)
    measured = session.measured()
    assert measured["B"].rate < measured["C"].rate
    assert Costs(measured).of(session.plan_of("q")) <= Costs(measured).of(CHAIN)


def test_statistics_count_what_comes_in_and_goes_out() -> None:
    session = Session(SOURCES, raw=SOURCES, optimize=False)
    session.add("q", parse_plan("A(x int, u int) | filter(u > 0) | window(range 20) | distinct"))
    session.push("A", rows("A", ((1, 0), 1), ((1, 1), 2), ((1, 1), 3)))
    source, selection, window, distinct = session.statistics()
    assert [(one.arrived, one.emitted) for one in (source, selection, window)] == [(3, 3), (3, 2), (2, 2)]
    assert (distinct.arrived, distinct.queries, distinct.inputs) == (2, ("q",), (window.number,))
    assert distinct.state.elements == 2
    assert (source.progress, distinct.watermark) == (3, 3)
    assert selection.step == "filter(u > 0)"
