"""Runs in parts of time, on any number of threads, give what whole runs give."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from equivalence.cases.random_cases import CASE_HORIZON
from equivalence.cases.strategies import plans
from physical import Session, run
from physical.columns import stream_parts
from physical.columns.column import ColumnVector
from physical.columns.stream import PhysicalStream, joined
from physical.columns.threads import processors, thread_count
from physical.engines.delta.engine import DeltaEngine
from physical.engines.interval import join, slice_by_slice
from physical.runtime import run_whole, time_parts
from semantics import (
    FOREVER,
    ArithmeticOverflow,
    ColumnExpression,
    Plan,
    SnapeqError,
    Type,
    col,
    count,
    evaluate,
    parse_plan,
    source,
    sum_,
)
from semantics.builder.query import Query
from tests.seeded_cases import random_case

DELTA = DeltaEngine()
SEEDS = st.integers(0, 2**32)
A = source("A", x=int)
B = source("B", y=int)


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of three elements, however much of them is treated twice."""
    monkeypatch.setattr(run_whole, "CHUNK", 3)
    monkeypatch.setattr(stream_parts, "MAX_SHARE_TREATED_TWICE", 1000)


@settings(max_examples=200)
@given(plans(depth=3, awkward=True), SEEDS)
def test_oracle_runs_in_parts(plan: Plan, seed: int) -> None:
    case = random_case(Random(seed), plan.sources())
    try:
        expected = evaluate(plan, case, CASE_HORIZON)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(run_whole, "CHUNK", 3)
            patch.setattr(stream_parts, "MAX_SHARE_TREATED_TWICE", 1000)
            found = run(plan, case, CASE_HORIZON, threads=2)
            delta = DELTA.run(plan, case, CASE_HORIZON) if DELTA.supports(plan) else None
    except ArithmeticOverflow:
        reject()
    assert found.checked("parts").to_logical(CASE_HORIZON) == expected
    assert delta is None or delta.to_logical(CASE_HORIZON) == expected


def long_stream(name: str, seed: int, size: int = 60) -> PhysicalStream:
    random = np.random.default_rng(seed)
    start = np.sort(random.integers(0, 2 * size, size))
    schema = {"A": A, "B": B}[name].schema
    return PhysicalStream(
        schema, (ColumnVector(Type.INT, random.integers(0, 4, size)),), start, start + random.integers(1, 9, size)
    )


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize(
    "query",
    [
        A,
        A.distinct(),
        A.window(5, slide=3).distinct(),
        A.group_by("x").aggregate(n=count(), total=sum_("x")),
        A.aggregate(on_empty=True, n=count()),
        A.join(B, col("x") == col("y")),
        A.difference(B),
        A.window(3).istream().window(4).dstream(),
        A.landmark(2, reset=7).distinct(),
    ],
)
def test_the_number_of_threads_does_not_matter(query: Query) -> None:
    sources = {"A": long_stream("A", 1), "B": long_stream("B", 2)}
    one, two, three = (run(query, sources, threads=threads) for threads in (1, 2, 3))
    assert len(time_parts.time_parts(query.plan, sources, 9, 3, 10**6)) > 5
    assert one.to_elements() == two.to_elements() == three.to_elements()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run_whole, "CHUNK", 1 << 20)
        assert run(query, sources).equivalent(one)


@pytest.mark.parametrize(
    ("text", "back"),
    [
        ("S(x int) | distinct", 0),
        ("S(x int) | window(range 5 slide 2) | distinct | window(range 3)", 11),
        ("union(S(x int) | window(range 9), S(x int) | istream)", 10),
        ("S(x int) | window(rows 5)", None),
        ("union(S(x int), S(x int) | window(rows 5))", None),
    ],
)
def test_how_far_back_a_plan_looks(text: str, back: int | None) -> None:
    assert time_parts.reach(parse_plan(text)) == back


def test_unbounded_windows_look_back_for_ever() -> None:
    assert time_parts.reach(A.window(FOREVER).plan) is None
    assert time_parts.reach(A.landmark(3).plan) is None


def test_streams_whose_elements_live_long_are_not_cut() -> None:
    start = np.arange(100)
    stream = PhysicalStream(A.schema, (ColumnVector(Type.INT, start % 3),), start, start + 50)
    whole, parts = (time_parts.time_parts(A.distinct().plan, {"A": stream}, n, 10, 1000) for n in (50, 1))
    assert (len(whole), len(parts)) == (1, 10)


def test_a_whole_run_says_what_is_wrong_with_its_input() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run_whole, "CHUNK", 3)
        start = np.array([0, 1, 2, 1, 5, 6, 7])
        wrong = PhysicalStream(A.schema, (ColumnVector(Type.INT, start),), start, start + 1)
        with pytest.raises(SnapeqError, match="run: source 'A': element 3 must have a start at"):
            run(A.distinct(), {"A": wrong})


def test_threads_are_asked_for_by_argument_by_variable_or_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SNAPEQ_THREADS", "3")
    assert (thread_count(5), thread_count()) == (5, 3)
    monkeypatch.delenv("SNAPEQ_THREADS")
    assert thread_count() == processors() >= 1
    monkeypatch.setenv("SNAPEQ_THREADS", "many")
    with pytest.raises(SnapeqError, match="SNAPEQ_THREADS must be a number of threads, got 'many'"):
        thread_count()
    with pytest.raises(SnapeqError, match="threads must be at least 1, got 0"):
        thread_count(0)


@pytest.mark.parametrize(
    "query", [A.distinct(), A.difference(B), A.group_by("x").aggregate(n=count()), A.antijoin(B, col("x") == col("y"))]
)
def test_large_batches_of_a_session_are_cut_for_threads(monkeypatch: pytest.MonkeyPatch, query: Query) -> None:
    monkeypatch.setattr(slice_by_slice, "LARGE_SLICE", 5)
    monkeypatch.setattr(stream_parts, "MAX_SHARE_TREATED_TWICE", 1000)
    sources = {"A": long_stream("A", 1, 200), "B": long_stream("B", 2, 200)}
    results = []
    for threads in (1, 3):
        session, given = Session({"A": A.schema, "B": B.schema}, threads=threads), list[PhysicalStream]()
        session.add("q", query)
        session.subscribe("q", given.append)
        for i in range(0, 200, 50):
            for name, stream in sources.items():
                session.push(name, stream.take(np.s_[i : i + 50]))
        session.close()
        results.append(joined(given).checked("session"))
    assert len(results[1]) > len(results[0])  # cut where threads met
    assert results[0].equivalent(results[1])
    assert results[0].equivalent(run(query, sources))


@pytest.mark.parametrize(
    "condition", [col("x") == col("y"), (col("x") == col("y")) & (col("x") > 1)], ids=["equal", "equal and large"]
)
@pytest.mark.parametrize("batch", [37, 200])
def test_a_join_of_large_batches_gives_the_same_elements_on_any_number_of_threads(
    monkeypatch: pytest.MonkeyPatch, condition: ColumnExpression, batch: int
) -> None:
    monkeypatch.setattr(join, "LARGE_SLICE", 5)
    monkeypatch.setattr(stream_parts, "MAX_SHARE_TREATED_TWICE", 1000)
    parts = _counted(monkeypatch, join.IntervalEquijoin, "_in_parts")
    sources = {"A": long_stream("A", 1, 200), "B": long_stream("B", 2, 200)}
    query, results, held = A.join(B, condition), [], []
    for threads in (1, 2, 5):
        session, given = Session({"A": A.schema, "B": B.schema}, threads=threads), list[PhysicalStream]()
        session.add("q", query)
        session.subscribe("q", given.append)
        for i in range(0, 200, batch):
            for name, stream in sources.items():
                session.push(name, stream.take(np.s_[i : i + batch]))
            held.append((threads, session.state.elements))
        session.close()
        results.append(joined(given).checked("session"))
    assert len(parts) > 1
    assert [n for threads, n in held if threads == 1] == [n for threads, n in held if threads == 5]
    assert results[0].to_elements() == results[1].to_elements() == results[2].to_elements()
    assert results[0].equivalent(run(query, sources))


def _counted(monkeypatch: pytest.MonkeyPatch, owner: type, name: str) -> list[str]:
    """Notes every call of a method."""
    calls: list[str] = []
    plain = getattr(owner, name)

    def noted(*arguments: object) -> object:
        calls.append(name)
        return plain(*arguments)

    monkeypatch.setattr(owner, name, noted)
    return calls
