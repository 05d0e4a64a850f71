"""Cases by construction: they cover all pairs, catch bugs that hide from small cases, and shrink like others."""

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from equivalence import conform
from equivalence.cases.choices import ReplayedChoices, SeededChoices
from equivalence.cases.delivery import Delivery, choose_comings
from equivalence.cases.dimensions.covering import covering_rows, pairs_of, possible_pairs
from equivalence.cases.dimensions.dimension import DIMENSION_NAMES, dimensions_of, possible, slide_of
from equivalence.cases.dimensions.pools import KEYS, key_value, unmixed
from equivalence.cases.dimensions.retention import gone
from equivalence.cases.dimensions.scenario import choices_of, choose_scenario
from equivalence.cases.random_plans import OPERATORS
from equivalence.cases.schedules import Push, choose_schedule, choose_steps
from equivalence.cases.search import CaseOutcome
from equivalence.conformance.coverage import Coverage
from equivalence.conformance.covering_cases import (
    CoveringCase,
    covering_attempts,
    with_simple_values,
)
from equivalence.conformance.judge import Attempt, judge
from equivalence.conformance.subject.in_process import AnyEngine, InProcess
from equivalence.conformance.subject.isolated.isolated_subject import Isolated
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.finding import Finding
from equivalence.verdicts.json.delivery_steps import read_delivery
from physical import run
from physical.engines.interval.engine import IntervalEngine
from physical.kernels.dense_numbers import mixed
from semantics import Plan, RawStream, Schema, parse, parse_plan
from semantics.constraint import elements_of
from semantics.plan import Distinct, Grouping, Source, TimeWindow, Union
from tests.equivalence.conformance.boundary_bugs import BOUNDARY_BUGS
from tests.equivalence.conformance.fresh_bugs import FRESH_BUGS, times_as_doubles
from tests.equivalence.conformance.order_bugs import ORDER_BUGS

LATE = 2**62 - 10


def first_finding(engine: AnyEngine) -> Finding | None:
    """The first of the cases with which the suite begins that an engine gets wrong."""
    with InProcess(engine) as subject:
        outcomes = (judge(subject, attempt) for _, attempt in covering_attempts(subject.sessions))
        return next((outcome for outcome in outcomes if isinstance(outcome, Finding)), None)


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.__name__)
@pytest.mark.parametrize("sessions", [False, True], ids=["whole", "sessions"])
def test_every_possible_pair_is_in_some_row(operator: type[Plan], sessions: bool) -> None:
    rows = covering_rows(operator, sessions)
    assert {pair for row in rows for pair in pairs_of(row)} == possible_pairs(operator, sessions)
    assert all(possible(row) for row in rows)
    assert all(set(row) == {d.name for d in dimensions_of(operator, sessions)} for row in rows)


def test_a_case_has_the_values_of_its_row() -> None:
    for operator in (Grouping, TimeWindow, Union):
        for row in covering_rows(operator)[:20]:
            made = choose_scenario(choices_of(operator, row, "seed"), operator)
            assert dict(made.row) == dict(row)
            assert type(made.plan) is operator
            if isinstance(made.plan, Grouping):
                assert len(made.plan.keys) == int(row["key columns"])
                assert len(made.plan.aggregates) == int(row["aggregates"])


@pytest.mark.parametrize("kind", KEYS)
def test_many_keys_of_a_kind_are_different(kind: str) -> None:
    keys = [key_value(kind, i) for i in range(2000)]
    assert len(set(keys)) == 2000


def test_keys_collide_as_they_are_called() -> None:
    assert [int(mixed(unmixed(hash_))) for hash_ in (0, 5, 2**40)] == [0, 5, 2**40]
    assert len({int(mixed(unmixed(i << 24))) % 2**24 for i in range(100)}) == 1
    assert len({int(str(key_value("equal in 32 bits", i))) % 2**32 for i in range(100)}) == 1
    assert len({float(str(key_value("equal as doubles", i))) for i in range(100)}) < 60


@pytest.mark.parametrize(
    ("order", "size", "slide"),
    [("1", 9, 1), ("divides", 100, 50), ("divides", 3, None), ("smaller", 3, 2), ("smaller", 2, None), ("equal", 5, 5),
     ("equal", 1, None), ("larger", 4, 7), ("larger", float("inf"), 7), ("equal", float("inf"), None)],
)  # fmt: skip
def test_slides_in_all_orders(order: str, size: float, slide: int | None) -> None:
    assert slide_of(order, size) == slide


@pytest.mark.parametrize("engine", FRESH_BUGS, ids=lambda engine: engine.name)
def test_bugs_that_hide_from_small_cases_are_caught(engine: AnyEngine) -> None:
    assert first_finding(engine) is not None


def test_a_finding_shrinks_from_its_row_to_simple_values() -> None:
    """Only what the bug needs is left of a row: here times that are no doubles."""
    engine = next(bug for bug in FRESH_BUGS if bug.name == "times as doubles")
    late = [row for row in covering_rows(Distinct, False) if row["instants"] == "2⁶²" and row["copies"] != "1"]
    cases = [CoveringCase(Distinct, row, "0/0", False) for row in late]
    generate = cases[0].generate
    with InProcess(engine) as subject:

        def failure(choices: Any) -> Finding | None:
            outcome = judge(subject, generate(choices))
            return outcome if isinstance(outcome, Finding) else None

        found = ((tuple(case.choices.made), failure(ReplayedChoices(case.choices.made))) for case in cases)
        made, finding = next(each for each in found if each[1] is not None)
        assert finding is not None
        made, small = with_simple_values(failure, made, finding)
    row = choose_scenario(ReplayedChoices(made), Distinct, False).row
    assert row["instants"] != "early"
    assert {row["texts"], row["copies"], row["elements"]} == {"short", "1", "few"}
    assert isinstance(small.counterexample, Counterexample)
    assert small.counterexample.instant >= 2**53


def test_late_instants_are_judged_in_a_process_of_its_own() -> None:
    stream = RawStream(parse_plan("A(x int)").schema, [((1,), LATE), ((2,), LATE + 3)])
    plan = parse_plan(f"A(x int) | window(range {2**40})")
    with Isolated("interval") as subject:
        attempt = Attempt(plan, {"A": stream}, LATE + 2**41, twice=True)
        assert judge(subject, attempt) is CaseOutcome.FIRED


def test_a_late_fault_is_blamed_on_the_lowest_node() -> None:
    stream = RawStream(parse_plan("A(x int)").schema, [((1,), LATE + 1)])
    plan = parse_plan("A(x int) | window(range 5) | distinct")

    class Late(IntervalEngine):
        def run(self, plan: Plan, sources: Any, horizon: int | None = None) -> Any:
            result = super().run(plan, sources, horizon)
            return times_as_doubles(result) if TimeWindow in {type(n) for n in plan.walk()} else result

    with InProcess(Late()) as subject:
        outcome = judge(subject, Attempt(plan, {"A": stream}, LATE + 100))
    assert isinstance(outcome, Finding)
    assert outcome.operator == "TimeWindow"
    assert isinstance(outcome.counterexample, Counterexample)
    assert LATE - 2000 < outcome.counterexample.instant < LATE + 2000


def test_a_query_sees_what_is_pushed_after_it_was_added() -> None:
    case = {"A": parse("raw(x int): (1)@0 (2)@3 (3)@5")}
    schedule = tuple(Push("A", (element,)) for element in elements_of(case["A"]))
    delivery = Delivery(schedule=schedule, added=1, others=((0, 2), (1, None)))
    assert elements_of(delivery.seen(case)["A"]) == elements_of(case["A"])[1:]
    plan = parse_plan("A(x int) | window(range unbounded) | distinct")
    with InProcess(IntervalEngine()) as subject:
        assert judge(subject, Attempt(plan, case, 9, delivery)) is CaseOutcome.FIRED
        (sees_all,) = {judge(subject, Attempt(plan, case, 9, Delivery(schedule=schedule)))}
    assert sees_all is CaseOutcome.FIRED
    with InProcess(FRESH_BUGS[-1]) as subject:
        assert isinstance(
            judge(subject, Attempt(plan, case, 9, Delivery(schedule=schedule, others=((0, 0), (0, 1))))), Finding
        )


def test_comings_and_goings_are_written_and_read() -> None:
    case = {"A": parse("raw(x int): (1)@0 (2)@3 (3)@5 (3)@6"), "B": parse("raw(x int): (1)@1")}
    schemas = {name: stream.schema for name, stream in case.items()}
    for seed in range(50):
        choices = SeededChoices(seed)
        delivery = choose_comings(choices, choose_schedule(choices, case))
        document = json.loads(json.dumps(delivery.to_json()))
        assert read_delivery(document, "way", schemas) == delivery
        only = delivery.only(["A"])
        assert only.seen({"A": case["A"]}) == {"A": delivery.seen(case)["A"]}


def test_coverage_is_noted_and_told() -> None:
    coverage = Coverage(sessions=True)
    row = covering_rows(Distinct)[0]
    coverage.note(Distinct, row, CaseOutcome.EMPTY)
    assert set(pairs_of(row)) <= set(coverage.missing(Distinct))
    coverage.note(Distinct, row, CaseOutcome.FIRED)
    assert not set(pairs_of(row)) & set(coverage.missing(Distinct))
    assert not coverage.complete
    assert coverage.rows == 2
    assert any(text.startswith("empty: ") for _, text in coverage.lines())
    coverage.note(Grouping, covering_rows(Grouping)[0], CaseOutcome.UNSUPPORTED)
    assert any(text.endswith(" unsupported") for _, text in coverage.lines())


class Whole:
    """An engine for unions that takes no horizon."""

    name = "whole"

    def supports(self, plan: Plan) -> bool:
        return all(isinstance(node, Source | Union) for node in plan.walk())

    def run(self, plan: Plan, sources: Mapping[str, Any]) -> Any:
        return run(plan, sources)


def test_an_engine_without_a_horizon_that_supports_few_operators_can_conform() -> None:
    report = conform(Whole(), cases=520)
    assert report.holds, str(report)
    assert report.verdicts["Union"] == "agreed"
    assert report.verdicts["LandmarkWindow"] == "unsupported"


def test_every_dimension_has_its_place_in_the_choices() -> None:
    assert all(len(dimensions_of(operator)) <= len(DIMENSION_NAMES) for operator in OPERATORS)


def test_a_result_as_large_as_an_endless_one_is_no_fault() -> None:
    """Of 400 copies on each side a product makes 160,000: an engine that gives them is right."""
    schema, late = Schema.of(x=int), 2**40
    copies = {name: RawStream(schema, [((1,), late)] * 400) for name in "AB"}
    plan = parse_plan("product(A(x int), B(x int) | map(x as y))")
    assert judge(InProcess(IntervalEngine()), Attempt(plan, copies, late + 2)) is CaseOutcome.UNMET


@pytest.mark.parametrize("name", BOUNDARY_BUGS)
def test_bugs_between_elements_that_end_one_after_the_other_are_caught(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    operator, patch = BOUNDARY_BUGS[name]
    rows = [row for row in covering_rows(operator) if row["ends"] == "adjacent" and row["delivery"] != "rows"]
    monkeypatch.setattr(*patch)
    with InProcess(IntervalEngine()) as subject:
        outcomes = (judge(subject, CoveringCase(operator, row, "0/0", True).attempt) for row in rows)
        assert any(isinstance(outcome, Finding) for outcome in outcomes)


def test_all_sources_go_through_time_together() -> None:
    case = {"A": parse("raw(x int): (1)@0 (2)@3 (2)@3 (3)@5"), "B": parse("raw(x int): (1)@2 (2)@3")}
    steps = choose_steps(SeededChoices(1), case)
    pushes = [step for step in steps if isinstance(step, Push)]
    assert [push.earliest for push in pushes] == [0, 2, 3, 3, 3, 5]
    assert all(len(push.elements) == 1 for push in pushes)
    assert Counter((push.source, push.elements[0]) for push in pushes) == Counter(
        (name, element) for name, stream in case.items() for element in elements_of(stream)
    )


def test_adjacent_ends_are_where_a_window_lets_go() -> None:
    """Something starts at, just before or just after the instant at which something else leaves its window."""

    def lets_go(row: Mapping[str, str]) -> bool:
        made = choose_scenario(choices_of(TimeWindow, row, "seed"), TimeWindow)
        spans = [interval for _, interval in elements_of(made.case["S"])]
        return any(abs(span.start - gone(made.plan, other)) <= 1 for span in spans for other in spans)

    rows = [row for row in covering_rows(TimeWindow) if row["ends"] == "adjacent" and row["window"] != "unbounded"]
    assert sum(map(lets_go, rows)) >= 0.85 * len(rows) > 10


def test_a_case_with_too_large_a_result_says_nothing() -> None:
    """A right engine is not blamed for the 67,600 rows of four snapshots: it might seem to yield for ever."""
    stream = RawStream(Schema.of(x=int), [((i,), 0) for i in range(130)])
    plan = parse_plan("product(A(x int), A(x int) | map(x as y)) | window(range 4)")
    with InProcess(IntervalEngine()) as subject:
        assert judge(subject, Attempt(plan, {"A": stream}, 5)) is CaseOutcome.UNMET


@pytest.mark.parametrize(("operator", "engine"), ORDER_BUGS, ids=[engine.name for _, engine in ORDER_BUGS])
def test_sessions_and_frames_are_tried_at_every_size(operator: type[Plan], engine: AnyEngine) -> None:
    with InProcess(engine) as subject:
        cases = (CoveringCase(operator, row, "0/0", False) for row in covering_rows(operator, False))
        assert any(isinstance(judge(subject, case.attempt), Finding) for case in cases)
