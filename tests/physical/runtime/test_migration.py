"""A plan takes over from another in mid-stream: nothing is lost, nothing comes twice, nothing comes later."""

from random import Random

import numpy as np
import pytest

from equivalence.optimizer.rewrites import REWRITES, steps
from physical import PhysicalStream, Session
from physical.columns.stream import joined
from physical.engine import ENGINES
from physical.engines.interval.algebra import interval_graph
from physical.kernels.types import ENDLESS
from physical.runtime.graph_session import GraphSession
from physical.runtime.migration import complete_from
from semantics import Plan, RawStream, Schema, SchemaError, StreamError, WindowError, evaluate, parse_plan

SOURCES = {"A": Schema.of(x=int, y=int), "B": Schema.of(z=int)}
A, B = "A(x int, y int)", "B(z int)"
PAIRS = [
    (f"{A} | window(range 7) | filter(x > 2)", f"{A} | filter(x > 2) | window(range 7)"),
    (
        f"{A} | window(range 6 slide 4) | distinct | filter(x > 1)",
        f"{A} | filter(x > 1) | window(range 6 slide 4) | distinct",
    ),
    (
        f"join({A} | window(range 5), {B} | window(range 9); x = z) | filter(y > 1)",
        f"join({A} | window(range 5) | filter(y > 1), {B} | window(range 9); x = z)",
    ),
    (
        f"{A} | window(range 8) | group(x; count(*) as n) | filter(x < 3)",
        f"{A} | window(range 8) | filter(x < 3) | group(x; count(*) as n)",
    ),
    (f"{A} | window(rows 3) | filter(x > 2) | filter(y > 0)", f"{A} | window(rows 3) | filter(x > 2 and y > 0)"),
    (
        f"{A} | window(range 4) | total(count(*) as n) | filter(n < 9)",
        f"{A} | window(range 4) | total(count(*) as n) | filter(n < 9) | filter(n < 10)",
    ),
    (f"{A} | window(landmark 3 reset 5) | filter(x > 2)", f"{A} | filter(x > 2) | window(landmark 3 reset 5)"),
    (f"{A} | window(range 3) | dstream | filter(x > 2)", f"{A} | window(range 3) | filter(x > 2) | dstream"),
]
HORIZON = 60


def elements(random: Random, name: str) -> list[tuple[tuple[int, ...], int]]:
    width = len(SOURCES[name].columns)
    return [
        (tuple(random.randrange(4) for _ in range(width)), t) for t in range(40) for _ in range(random.randrange(3))
    ]


def run(
    session: GraphSession, plans: tuple[Plan, Plan], streams: dict[str, list[tuple[tuple[int, ...], int]]], at: int
) -> tuple[list[PhysicalStream], list[int]]:
    """The results of a query whose plan changes at an instant, and how many rows of the past were out at each."""
    results: list[PhysicalStream] = []
    out = []
    session.add("q", plans[0])
    session.subscribe("q", results.append)
    for t in range(40):
        if t == at:
            session.migrate("q", plans[1])
        for name, listed in streams.items():
            due = [element for element in listed if element[1] == t]
            if due and name in session.entrances:
                session.push(name, RawStream(SOURCES[name], due))
        session.heartbeat(t + 1)
        out.append(sum(int((np.minimum(batch.end, t + 1) - batch.start).clip(0).sum()) for batch in results))
    session.close()
    return results, out


@pytest.mark.parametrize("engine", ["interval", "delta", "incremental", "dataflow"])
@pytest.mark.parametrize("pair", PAIRS, ids=[before for before, _ in PAIRS])
def test_oracle_a_plan_takes_over_at_any_instant(pair: tuple[str, str], engine: str) -> None:
    plans = parse_plan(pair[0]), parse_plan(pair[1])
    random = Random(str(pair))
    streams = {name: elements(random, name) for name in plans[0].sources()}
    raw = {name: RawStream(SOURCES[name], listed) for name, listed in streams.items()}
    expected = evaluate(plans[0], raw, HORIZON)
    makes = ENGINES[engine].session  # type: ignore[attr-defined]  # these four have sessions
    if "rows" in pair[0] and engine != "interval":
        with pytest.raises(WindowError, match="what came so far may matter for ever"):
            run(makes(plans[0].sources()), plans, streams, 9)
        return
    _, undisturbed = run(makes(plans[0].sources()), (plans[0], plans[0]), streams, 99)
    for at in (0, 1, 9, 22, 38):
        results, out = run(makes(plans[0].sources()), plans, streams, at)
        assert joined([PhysicalStream.empty(plans[0].schema), *results]).to_logical(HORIZON) == expected
        assert all(mine == theirs for mine, theirs in zip(out, undisturbed, strict=True)), (
            "some results came later, or twice"
        )


@pytest.mark.parametrize("seed", range(20))
def test_oracle_whatever_the_optimizer_makes_of_a_plan_can_take_over(seed: int) -> None:
    random = Random(seed)
    plan = parse_plan(random.choice([before for before, _ in PAIRS if "total" not in before]))
    rewritten = [step.plan for step in steps(plan, REWRITES)]
    successor = random.choice(rewritten)
    streams = {name: elements(random, name) for name in plan.sources()}
    raw = {name: RawStream(SOURCES[name], listed) for name, listed in streams.items()}
    session = GraphSession(plan.sources(), interval_graph)
    results, _ = run(session, (plan, successor), streams, random.randrange(40))
    assert joined([PhysicalStream.empty(plan.schema), *results]).to_logical(HORIZON) == evaluate(plan, raw, HORIZON)


def _session(plan: str) -> Session:
    session = Session(SOURCES, raw=SOURCES)
    session.add("q", parse_plan(plan))
    return session


def test_a_query_changes_its_plan_once_at_a_time() -> None:
    session = _session(PAIRS[0][0])
    session.push("A", RawStream(SOURCES["A"], [((1, 1), 5)]))
    assert session.migrate("q", parse_plan(PAIRS[0][1])) == 13
    with pytest.raises(StreamError, match="'q' changes its plan already, at 13"):
        session.migrate("q", parse_plan(PAIRS[0][0]))
    session.heartbeat(13)
    assert session.migrate("q", parse_plan(PAIRS[0][0])) == 13
    assert session.plan_of("q") == parse_plan(PAIRS[0][0])


def test_the_old_operators_are_gone_after_the_switch_and_after_a_removal() -> None:
    session = _session(PAIRS[2][0])
    before = len(session.operators)
    session.push("A", RawStream(SOURCES["A"], [((1, 1), 5)]))
    session.migrate("q", parse_plan(PAIRS[2][1]))
    assert len(session.operators) > before
    session.heartbeat(100)
    assert len(session.operators) == before
    session.push("A", RawStream(SOURCES["A"], [((1, 1), 105)]))
    session.migrate("q", parse_plan(PAIRS[2][0]))
    session.remove("q")
    assert session.operators == []


def test_bad_calls() -> None:
    session = _session(PAIRS[0][0])
    with pytest.raises(SchemaError, match="unknown query 'r'"):
        session.migrate("r", parse_plan(PAIRS[0][1]))
    with pytest.raises(SchemaError, match="has columns"):
        session.migrate("q", parse_plan(f"{B} | window(range 7)"))
    session.close()
    with pytest.raises(StreamError, match="closed"):
        session.migrate("q", parse_plan(PAIRS[0][1]))


def test_when_a_new_plan_has_seen_all_that_matters() -> None:
    def instant(text: str, *, joins: bool = False) -> int:
        plan = parse_plan(text)
        return complete_from(plan, {"A": 10, "B": 20}, frozenset([plan] if joins else []), 12)

    never = 2**63 - 1
    assert instant(f"{A} | window(range 5)") == 15
    assert instant(f"{A} | window(range 5 slide 3)") == 17
    assert instant(f"union({A} | map(x as z), {B})") == 20
    assert instant(f"{A} | window(range unbounded)") == never
    assert instant(f"{A} | window(landmark 3 reset 4)") == 11
    assert instant(f"{A} | window(landmark 3)") == never
    assert instant(f"{A} | window(landmark 30)") == 10
    assert instant(f"{A} | window(rows 5)") == never
    assert instant(f"{A} | window(rows 5)", joins=True) == 12
    assert instant(f"{B} | window(rows 5)", joins=True) == 20  # an element of B lasts until then
    assert instant(f"{A} | window(range 5) | istream") == 16
    assert instant(f"{A} | total(count(*) as n)") == 12  # now: it says of all instants before that nothing came
    assert instant(f"{A} | total(count(*) as n) | window(range 5)") == 17
    assert instant(f"{A} | total(count(*) as n) | window(range unbounded)") == never


def test_a_landmark_above_what_lasts_for_ever_never_takes_over() -> None:
    plan = parse_plan(f"{A} | window(range unbounded) | window(landmark 0 reset 3)")
    assert complete_from(plan, {"A": 5}, frozenset(), 5) == ENDLESS


ROWS = f"{A} | istream | window(partition by x rows 2)"


def test_a_plan_goes_on_with_a_count_window_above_an_operator_with_state() -> None:
    """The window is the old one, and with it all that is below: a new one would not know the rows it holds."""
    session, results = _session(ROWS), list[PhysicalStream]()
    session.subscribe("q", results.append)
    came = [((1, 1), 2), ((2, 1), 2), ((1, 2), 4), ((1, 3), 9)]
    for row, t in came[:3]:
        session.push("A", RawStream(SOURCES["A"], [(row, t)]))
    assert session.migrate("q", parse_plan(f"{ROWS} | filter(x < 9)")) == 5
    session.push("A", RawStream(SOURCES["A"], came[3:]))
    session.close()
    expected = evaluate(parse_plan(ROWS), {"A": RawStream(SOURCES["A"], came)}, 20)
    assert joined(results).to_logical(20) == expected


def test_a_plan_goes_on_with_its_own_count_window_and_not_with_that_of_a_later_query() -> None:
    plan, results = f"{A} | window(rows 3)", list[PhysicalStream]()
    session = _session(plan)
    session.subscribe("q", results.append)
    came = [((1, 1), 2), ((2, 1), 3), ((3, 2), 4)]
    session.push("A", RawStream(SOURCES["A"], came[:2]))
    session.add("later", parse_plan(plan))
    session.migrate("q", parse_plan(f"{plan} | filter(x < 9)"))
    session.push("A", RawStream(SOURCES["A"], came[2:]))
    session.close()
    assert joined(results).to_logical(20) == evaluate(parse_plan(plan), {"A": RawStream(SOURCES["A"], came)}, 20)


def test_a_plan_takes_over_where_the_count_window_has_come_to_that_it_goes_on_with() -> None:
    """Below it nothing happens before the next slide, so the window is further than its source."""
    plan, results = f"{A} | window(range 6 slide 4) | window(rows 2)", list[PhysicalStream]()
    session = _session(plan)
    session.subscribe("q", results.append)
    came = [((1, 1), 2), ((2, 1), 5), ((3, 2), 7), ((1, 2), 15)]
    for number, element in enumerate(came):
        session.push("A", RawStream(SOURCES["A"], [element]))
        if number == 1:
            session.migrate("q", parse_plan(f"{plan} | filter(x < 9)"))
    session.close()
    assert joined(results).to_logical(30) == evaluate(parse_plan(plan), {"A": RawStream(SOURCES["A"], came)}, 30)


def test_what_a_total_says_of_nothing_is_not_said_again_by_the_next_plan() -> None:
    """Windows above it hold its rows longer than anything that came lasts."""
    plan, results = f"{A} | total(count(*) as n) | window(range 6)", list[PhysicalStream]()
    session = _session(plan)
    session.subscribe("q", results.append)
    session.push("A", RawStream(SOURCES["A"], [((1, 1), 2)]))
    session.heartbeat(20)
    assert session.migrate("q", parse_plan(f"{plan} | filter(n < 9)")) == 26
    session.heartbeat(40)
    expected = evaluate(parse_plan(plan), {"A": RawStream(SOURCES["A"], [((1, 1), 2)])}, 40)
    assert joined(results).to_logical(40) == expected
