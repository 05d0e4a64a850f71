"""Saved counterexamples: what is written reads back, and what is hard ends with an error instead of hours of work."""

import json
import math
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equivalence.cases.choices import SeededChoices
from equivalence.cases.random_cases import CASE_HORIZON, choose_case
from equivalence.cases.strategies import plans
from equivalence.report.bounded_evaluation import TooMuchWork, evaluate_bounded
from equivalence.report.replay import replay
from equivalence.report.text import explain
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.engine_fault import EngineFault
from equivalence.verdicts.json.document import SavedCase, from_json, read_case, to_json
from equivalence.verdicts.json.reading import read_json
from equivalence.verdicts.verdict import Verdict
from physical.engine import ENGINES
from semantics import ArithmeticOverflow, Multiset, Plan, evaluate, parse, parse_plan, show

Found = TypeVar("Found", Counterexample, EngineFault)


def through_text(found: Found) -> Found:
    read = from_json(read_json(json.dumps(to_json(Verdict("refuted", {}, found)))))
    assert isinstance(read, type(found))
    return read


@given(plans(depth=2, awkward=True), st.integers(0, 2**32))
def test_what_is_saved_reads_back(plan: Plan, seed: int) -> None:
    streams = choose_case(SeededChoices(seed), plan.sources())
    try:
        snapshot = evaluate(plan, streams, 3).at(2)
    except ArithmeticOverflow:
        snapshot = Multiset()
    found = Counterexample((plan, plan), streams, 2, snapshot, Multiset(), plan)
    assert through_text(found) == found


def test_floats_that_json_has_not_come_back_as_floats() -> None:
    stream = parse("raw(x float): (nan)@0 (inf)@0 (-inf)@0 (null)@0")
    rows = [row for row, _ in stream.elements]
    found = Counterexample((parse("S(x float)"),) * 2, {"S": stream}, 0, Multiset(rows), Multiset())
    again = through_text(found)
    assert again == found
    assert isinstance(again.streams["S"], type(stream))
    assert math.isnan(again.streams["S"].elements[0][0][0])


def test_a_verdict_says_how_its_sides_are_compared() -> None:
    plans_ = parse_plan("S(x int)"), parse_plan("S(x int) | distinct")
    stream = parse("interval(x int): (1)@[0,2) (1)@[1,3)")
    found = Counterexample(plans_, {"S": stream}, 1, Multiset({(1,): 2}), Multiset({(1,): 1}))
    document = to_json(Verdict("refuted", {}, found), equivalence="snapshot-set")
    case = read_case(read_json(json.dumps(document)))
    assert case == SavedCase(found, None, "snapshot-set")
    assert replay(case).kind == "agreed"
    assert replay(SavedCase(found)).kind == "refuted"


@given(plans(depth=2, awkward=True), st.integers(0, 2**32))
def test_oracle_careful_evaluation_is_evaluation(plan: Plan, seed: int) -> None:
    streams = choose_case(SeededChoices(seed), plan.sources())
    try:
        expected = evaluate(plan, streams, CASE_HORIZON)
    except ArithmeticOverflow:
        return
    assert evaluate_bounded(plan, streams, CASE_HORIZON, work=10**9) == expected


HARD = [
    "product({0}, {1} | map(x as y))",
    "{0} | window(range unbounded) | window(range unbounded)",
    "{0} | group(x; count(*) as n) | window(rows 100000) | window(landmark 0)",
]


@pytest.mark.parametrize("plan", HARD)
def test_hard_cases_are_refused(plan: str) -> None:
    hard = parse_plan(plan.format("S(x int) | window(range unbounded)", "S(x int) | window(range unbounded)"))
    stream = parse("interval(x int): " + " ".join(f"({i})@[0,∞)" for i in range(400)))
    found = Counterexample((hard, hard), {"S": stream}, 500, Multiset(), Multiset())
    case = SavedCase(through_text(found))
    with pytest.raises(TooMuchWork, match="the case is too large to be evaluated here"):
        replay(case)
    assert "… and 360 more" in explain(case.found)


class Broken:
    """An engine that raises."""

    name = "broken"

    def supports(self, plan: Plan) -> bool:
        return bool(plan)

    def run(self, plan: Plan, sources: object) -> object:
        raise KeyError(f"{show(plan)} of {sources}")


def test_an_engine_that_raises_is_a_difference() -> None:
    found = Counterexample((parse_plan("S(x int)"),), {"S": parse("raw(x int): (1)@0")}, 0, Multiset(), Multiset())
    verdict = replay(SavedCase(found, "broken"), Broken())
    assert verdict.kind == "refuted"
    assert str(verdict.evidence["error"]).startswith("broken: Raises: KeyError: ")
    assert replay(SavedCase(found, "interval"), ENGINES["interval"]).kind == "agreed"
