"""Plans that ask for now, on all engines against the reference; what they hold, and what they refuse."""

import pytest

from equivalence.cases.choices import SeededChoices
from equivalence.cases.now_in_plans import AboveWindows, asking_for_now
from equivalence.cases.random_cases import CASE_HORIZON, choose_case
from equivalence.cases.random_plans import CATALOGUE
from equivalence.conformance.subject.load import load_engine
from equivalence.mutants import NOW, kill
from equivalence.mutants.mutant import Mutant
from physical.engines.interval.run_plan import run
from physical.engines.interval.session import Session
from physical.planning.planner import explain, unbounded_state
from semantics import ArithmeticOverflow, Plan, StreamError, evaluate, parse, parse_plan, show

TEMPORAL = "S(x int) | map(x as x, now as ts) | window(range unbounded) | filter(now < ts + 3)"


def random_plan(seed: str) -> Plan:
    choices = SeededChoices(seed)
    return asking_for_now(choices, AboveWindows(choices, CATALOGUE, awkward=False).asking())


@pytest.mark.parametrize(
    ("name", "cases"), [("interval", 150), ("delta", 60), ("incremental", 30), ("stored", 30), ("dataflow", 30)]
)
def test_oracle_plans_that_ask_for_now(name: str, cases: int) -> None:
    engine = load_engine(name)
    for number in range(cases):
        plan = random_plan(f"{name}/{number}")
        case = choose_case(SeededChoices(f"case/{number}"), plan.sources())
        try:
            expected = evaluate(plan, case, CASE_HORIZON)
        except ArithmeticOverflow:
            continue
        found = engine.run(plan, case, CASE_HORIZON)  # type: ignore[call-arg]  # ours take a horizon
        assert found.to_logical(CASE_HORIZON) == expected, show(plan)


@pytest.mark.parametrize("mutant", NOW, ids=lambda mutant: mutant.name)
def test_an_engine_that_takes_another_instant_is_caught(mutant: Mutant) -> None:
    assert kill(mutant).finding is not None


def test_a_comparison_with_now_needs_no_split() -> None:
    assert "split" not in explain(parse_plan(TEMPORAL), frozenset({"S"}))
    assert "split(1) — now takes chronons" in explain(parse_plan("S(x int) | filter(now mod 2 > 0)"))


def test_a_row_that_lasts_for_ever_is_cut_without_a_horizon() -> None:
    found = run(parse_plan("S(x int) | filter(now < x)"), {"S": parse("interval(x int): (9)@[2,∞)")})
    assert [(i.start, i.end) for _, i in found.to_interval().elements] == [(2, 9)]


def test_a_row_that_lasts_for_ever_is_not_split_without_a_horizon() -> None:
    plan, stream = parse_plan("S(x int) | map(now as t)"), parse("interval(x int): (9)@[2,∞)")
    with pytest.raises(StreamError, match="valid for ever has no end of pieces; give a horizon"):
        run(plan, {"S": stream})
    assert len(run(plan, {"S": stream}, 5)) == 3


def test_the_largest_number_is_no_error_before_its_time_comes() -> None:
    stream = parse("interval(x int): (9223372036854775807)@[0,∞)")
    found = run(parse_plan("S(x int) | filter(now + 5 < x)"), {"S": stream})
    assert [i.start for _, i in found.to_interval().elements] == [0]


def test_a_session_lets_go_of_what_a_temporal_filter_has_dropped() -> None:
    session = Session({"S": parse_plan("S(x int)").schema}, raw=["S"])
    session.add("q", parse_plan(TEMPORAL))
    for t in range(100):
        session.push("S", parse(f"raw(x int): ({t})@{t}"))
    session.heartbeat(200)
    assert session.state.elements == 0


def test_an_operator_above_a_temporal_filter_has_bounded_state() -> None:
    assert unbounded_state(parse_plan(f"{TEMPORAL} | distinct")) is None
    forever = parse_plan("S(x int) | window(range unbounded) | map(now as t)")
    assert unbounded_state(forever) == forever


def test_panes_of_milliseconds_over_days_are_samples() -> None:
    day = 86_400_000
    text = f"S(x int) | window(range {2 * day}) | filter((now + 1) mod {day} = 0) | map(now + 1 as ends, x as x)"
    found = run(parse_plan(text), {"S": parse(f"raw(x int): (1)@5 (2)@{day - 1} (3)@{40 * day}")})
    ends = [(row[0], row[1]) for row, _ in found.to_interval().elements]
    assert sorted(ends) == [(n * day, x) for n, x in ((1, 1), (1, 2), (2, 1), (2, 2), (41, 3), (42, 3))]
    assert "takes one instant of every period" in explain(parse_plan(text), frozenset({"S"}))


def test_samples_of_a_row_that_lasts_for_ever_have_no_end() -> None:
    plan, stream = parse_plan("S(x int) | filter(now mod 3 = 1)"), parse("interval(x int): (9)@[2,∞)")
    with pytest.raises(StreamError, match="Sample: an element that is valid for ever has samples without end"):
        run(plan, {"S": stream})
    assert len(run(plan, {"S": stream}, 9)) == 2
