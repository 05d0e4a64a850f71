"""What an index rules out need not overflow, and nothing else is forgiven for it."""

from typing import Any

import numpy as np
import pytest

from equivalence.cases.search import CaseOutcome
from equivalence.conformance.judge import Attempt, judge
from equivalence.conformance.pairs_by_index import by_index
from equivalence.conformance.subject.in_process import AnyEngine, InProcess
from equivalence.verdicts.fault_kind import FaultKind
from equivalence.verdicts.finding import Finding
from physical.engines.interval.engine import IntervalEngine
from semantics import Plan, parse, parse_plan, show
from semantics.value import INT_MAX

A, B = "A(x int, u int)", "B(y int, v int)"
STREAMS = {"A": parse(f"raw(x int, u int): (1, 1)@0 (2, {INT_MAX})@0"), "B": parse("raw(y int, v int): (1, 1)@0")}


class Lenient(IntervalEngine):
    """It gives a column as it is, whatever is to be computed from it."""

    name = "lenient"

    def run(self, plan: Plan, sources: Any, horizon: int | None = None) -> Any:  # noqa: ARG002
        return super().run(parse_plan(f"{A} | map(x as r)"), {"A": sources["A"]}, horizon)


class Wrong(IntervalEngine):
    """Partners by index, and then nothing of what it found."""

    name = "wrong"

    def run(self, plan: Plan, sources: Any, horizon: int | None = None) -> Any:
        return super().run(plan, sources, horizon).take(np.s_[:0])


def outcome(text: str, engine: AnyEngine) -> Finding | CaseOutcome:
    with InProcess(engine) as subject:
        return judge(subject, Attempt(parse_plan(text), STREAMS, 3))


@pytest.mark.parametrize("condition", ["x = y and u + v > 0", "x <= y and u + v > 0", "u + v > 0 and y = x"])
def test_a_pair_that_the_index_rules_out_need_not_overflow(condition: str) -> None:
    text = f"join({A}, {B}; {condition})"
    attempt = Attempt(parse_plan(text), STREAMS, 3)
    assert attempt.expected is None
    assert outcome(text, IntervalEngine()) is CaseOutcome.FIRED


def test_the_result_must_be_right_all_the_same() -> None:
    found = outcome(f"join({A}, {B}; x = y and u + v > 0)", Wrong())
    assert isinstance(found, Finding)
    assert found.name is FaultKind.WRONG_RESULT


@pytest.mark.parametrize(
    "condition", ["x > y and u + v > 0", "u + v > 0", "x <> y and u + v > 0", "x = u and u + v > 0"]
)
def test_an_overflow_that_no_index_rules_out_is_an_error(condition: str) -> None:
    assert outcome(f"join({A}, {B}; {condition})", IntervalEngine()) is CaseOutcome.OVERFLOW


def test_a_missed_overflow_is_found() -> None:
    found = outcome(f"{A} | map(u + 1 as r)", Lenient())
    assert isinstance(found, Finding)
    assert found.name is FaultKind.MISSED_OVERFLOW


@pytest.mark.parametrize("kind", ["leftjoin", "rightjoin", "fulljoin", "semijoin", "antijoin"])
def test_all_kinds_of_joins_find_partners_by_index(kind: str) -> None:
    sides = ("left.x", "right.y", "left.u", "right.v") if kind in ("semijoin", "antijoin") else ("x", "y", "u", "v")
    x, y, u, v = sides
    plan = parse_plan(f"{kind}({A}, {B}; {x} = {y} and {u} + {v} > 0) | distinct")
    assert "case when" in show(by_index(plan))
    assert outcome(show(plan), IntervalEngine()) in (CaseOutcome.FIRED, CaseOutcome.EMPTY)
