"""How much a session may hold, counted by hand."""

import pytest

from equivalence.cases.choices import SeededChoices
from equivalence.cases.delivery import Delivery
from equivalence.cases.schedules import choose_schedule
from equivalence.conformance.subject.in_process import InProcess
from equivalence.conformance.subject.state_allowance import Allowance
from equivalence.mutants import PURGING
from equivalence.verdicts.fault_kind import Fault, FaultKind
from physical.engines.interval.engine import IntervalEngine
from semantics import parse, parse_plan

BRIEF = {
    "E": parse("interval(x int): (1)@[0,∞)"),
    "A": parse("interval(x int): (1)@[0,2) (2)@[0,4) (3)@[3,5)"),
    "B": parse("raw(y int): (1)@1 (3)@4"),
}


@pytest.mark.parametrize(
    ("plan", "allowed"),
    [
        ("join(A(x int), B(y int); x = y)", {0: 8 + 2, 2: 4 + 1, 3: 3 + 1, 4: 1 + 1, 5: 0}),
        ("A(x int) | distinct", {2: 4, 4: 1, 5: 0}),
        ("A(x int) | istream", {4: 3, 5: 1, 6: 0}),
        ("B(y int) | window(rows 2)", {5: 2 + 1 + 2 * 4, 9: 2 + 1}),
        ("A(x int) | filter(x > 1) | distinct", {4: 2, 5: 0}),
        # A row that lasts is one more row of the window at every instant, and each is split where now is asked for.
        ("E(x int) | window(landmark 0) | aggregate(count(now) as n)", {7: 2 + 8 + 9 + 9, 8: 1 + 9 + 9}),
    ],
)
def test_what_ended_does_not_matter(plan: str, allowed: dict[int, int]) -> None:
    allowance = Allowance(parse_plan(plan), BRIEF, 8)
    assert {t: allowance.at(t) for t in allowed} == allowed


def test_after_an_overflow_nothing_is_known() -> None:
    stream = {"A": parse("raw(x int): (9223372036854775807)@0")}
    assert Allowance(parse_plan("A(x int) | map(x + 1 as y) | distinct"), stream, 3).at(1) is None


def test_a_session_that_keeps_what_ended_holds_too_much() -> None:
    plan = parse_plan("join(A(x int), B(y int); x = y)")
    delivery = Delivery(schedule=choose_schedule(SeededChoices(0), BRIEF))
    leaking = next(mutant.engine for mutant in PURGING if mutant.name == "sweep areas are never purged")
    with pytest.raises(Fault, match="holds 5 elements, of which 0 at most can matter") as caught:
        InProcess(leaking).run(plan, BRIEF, 8, delivery)
    assert caught.value.name is FaultKind.HOLDS_TOO_MUCH
    assert any(InProcess(IntervalEngine()).run(plan, BRIEF, 8, delivery))
