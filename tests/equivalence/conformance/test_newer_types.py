"""Engines get decimals, times, arrays and casts only if they say that they know them."""

from equivalence.cases.choices import SeededChoices
from equivalence.cases.functions import KNOWN_FUNCTIONS as GENERATED_FUNCTIONS
from equivalence.cases.random_expressions import SCALAR_FUNCTIONS
from equivalence.cases.situation import choose_in_situation
from equivalence.cases.situations import SITUATIONS
from equivalence.conformance.attempts import situations_of
from equivalence.conformance.subject.in_process import InProcess
from physical.engines.interval.engine import IntervalEngine
from semantics import ArithmeticOverflow, Plan, evaluate, parse_plan, show, to_logical
from semantics.newer_types import newer_type
from semantics.plan import Filter, Grouping, Map
from semantics.sql import Catalogue, parse_query, to_sql


class OldEngine:
    name = "old"

    def supports(self, plan: Plan) -> bool:  # noqa: ARG002  # all of them
        return True

    def run(self, plan: Plan, sources: object) -> object:  # noqa: ARG002  # it is never run
        raise AssertionError("it is never run")


def test_older_engines_are_not_asked() -> None:
    with InProcess(OldEngine()) as subject:
        assert not any(situation.newer_types for situation in situations_of(subject))
        assert not subject.fits(parse_plan("S(d date) | filter(d = date '2024-01-01')"))
        assert subject.fits(parse_plan("S(x int) | filter(x = 1)"))


def test_own_engines_are() -> None:
    with InProcess(IntervalEngine()) as subject:
        assert {s.name for s in situations_of(subject) if s.newer_types} == {
            "types",
            "aggregates of types",
            "casts",
            "casts in conditions",
            "arrays and rows",
            "functions of arrays and rows",
        }


def test_cases_of_newer_types_are_right_and_can_be_written() -> None:
    """Plans read back from notation and from SQL; the interval engine gives what the reference gives."""
    engine, examined = IntervalEngine(), 0
    for name, operator in (("types", Grouping), ("casts", Map), ("casts in conditions", Filter)):
        for seed in range(12):
            plan, case = choose_in_situation(SeededChoices(seed), SITUATIONS[name], operator)
            assert newer_type(plan) is not None
            assert parse_plan(show(plan), GENERATED_FUNCTIONS) == plan
            try:
                wanted = evaluate(plan, case, horizon=20)
            except ArithmeticOverflow:
                continue
            examined += 1
            assert to_logical(engine.run(plan, case, horizon=20).to_interval(), 20) == wanted
            if name != "types":
                catalogue = Catalogue.of(plan.sources(), SCALAR_FUNCTIONS.values())
                assert parse_query(to_sql(plan, catalogue), catalogue) == plan
    assert examined > 20
