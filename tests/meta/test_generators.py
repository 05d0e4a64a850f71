"""What the generators produce, how often: a generator that never makes the interesting case is a bug."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, seed, settings

from equivalence.cases.choices import SeededChoices
from equivalence.cases.random_cases import CASE_HORIZON, Case, choose_case
from equivalence.cases.random_plans import KINDS, OPERATORS, choose_plan
from equivalence.cases.strategies import plans, plans_with_root
from equivalence.conformance.attempts import cells_of, endless_cells, plan_in
from equivalence.conformance.subject.in_process import InProcess
from physical.engines.interval.engine import IntervalEngine
from semantics import ArithmeticOverflow, Interval, IntervalStream, Plan, RawStream, canonical, evaluate
from semantics.aggregate import Aggregate
from semantics.expression import Cast, Expression, Now, children
from semantics.plan import Aggregation, Filter, Filtering, Grouping, Joined, Map
from semantics.value import Value

SAMPLES = 2000


@cache
def samples() -> list[tuple[Plan, Case]]:
    drawn = []
    for i in range(SAMPLES):
        choices = SeededChoices(i)
        plan = choose_plan(choices)
        drawn.append((plan, choose_case(choices, plan.sources())))
    return drawn


def subexpressions(expression: Expression) -> Iterator[Expression]:
    yield expression
    for child in children(expression):
        yield from subexpressions(child)


def expressions(plan: Plan) -> Iterator[Expression]:
    for node in plan.walk():
        match node:
            case Filter(predicate=root) | Joined(condition=root) | Filtering(condition=root):
                yield from subexpressions(root)
            case Map(expressions=roots):
                for root in roots:
                    yield from subexpressions(root)
            case _:
                pass


def aggregates(plan: Plan) -> Iterator[Aggregate]:
    for node in plan.walk():
        if isinstance(node, Aggregation | Grouping):
            yield from node.aggregates


def share(count: int) -> float:
    return count / len(samples())


@cache
def plans_of_the_suite() -> list[Plan]:
    """What an engine that knows everything is tried on, as often as it is."""
    with InProcess(IntervalEngine(), time_limit=10) as subject:
        cells = islice(endless_cells(cells_of(subject), 0), SAMPLES)
        return [plan_in(SeededChoices(f"suite/{i}"), *cell)[1] for i, cell in enumerate(cells)]


@pytest.mark.parametrize("operator", KINDS, ids=lambda operator: operator.__name__)
def test_every_operator_occurs_in_two_of_a_hundred_plans(operator: type[Plan]) -> None:
    assert share(sum(any(isinstance(node, operator) for node in plan.walk()) for plan, _ in samples())) >= 0.02


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.__name__)
def test_every_operator_occurs_in_two_of_a_hundred_plans_of_the_suite(operator: type[Plan]) -> None:
    """Not every checker knows sessions and OVER, so that only situations draw them."""
    assert share(sum(any(isinstance(node, operator) for node in plan.walk()) for plan in plans_of_the_suite())) >= 0.02


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.__name__)
def test_every_operator_stands_below_another_one_in_the_suite(operator: type[Plan]) -> None:
    below = [child for plan in plans_of_the_suite() for node in plan.walk() for child in node.inputs]
    assert sum(isinstance(node, operator) for node in below) >= 5


def test_hypothesis_draws_every_operator_too() -> None:
    seen: set[type[Plan]] = set()

    @seed(3)
    @settings(max_examples=500, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(plans(awkward=True))
    def collect(plan: Plan) -> None:
        seen.update(type(node) for node in plan.walk())

    collect()
    assert set(KINDS) <= seen


@pytest.mark.parametrize("operator", [o for o in OPERATORS if o not in KINDS], ids=lambda operator: operator.__name__)
def test_hypothesis_draws_what_not_everybody_knows_if_asked(operator: type[Plan]) -> None:
    @seed(3)
    @settings(max_examples=20, deadline=None, database=None)
    @given(plans_with_root(operator, awkward=True))
    def has_it_on_top(plan: Plan) -> None:
        assert isinstance(plan, operator)

    has_it_on_top()


def missing_in(drawn: list[Plan]) -> set[type]:
    """The expressions and aggregates that hardly occur in these plans."""
    seen: Counter[type] = Counter(type(e) for plan in drawn for e in expressions(plan))
    seen.update(type(a) for plan in drawn for a in aggregates(plan))
    return {kind for kind in (*get_args(Expression), *get_args(Aggregate)) if seen[kind] < 3}


def test_every_expression_and_aggregate_occurs() -> None:
    not_for_everybody = {Now, Cast}
    assert missing_in([plan for plan, _ in samples()]) == not_for_everybody
    assert not missing_in(plans_of_the_suite()) & not_for_everybody


def values(case: Case) -> Iterator[Value]:
    for stream in case.values():
        for row, _, _ in canonical(stream):
            yield from row


def spans(case: Case) -> Iterator[list[tuple[tuple[Value, ...], Interval]]]:
    for stream in case.values():
        if isinstance(stream, IntervalStream):
            yield list(stream.elements)


def touching(case: Case) -> bool:
    return any(a == b and i.end == j.start for elements in spans(case) for a, i in elements for b, j in elements)


def nested(case: Case) -> bool:
    return any(
        i.start < j.start and j.end < i.end for elements in spans(case) for _, i in elements for _, j in elements
    )


def tied(case: Case) -> bool:
    return any(
        isinstance(stream, RawStream) and len({t for _, t in stream.elements}) < len(stream.elements)
        for stream in case.values()
    )


def duplicated(case: Case) -> bool:
    return any(n > 1 for stream in case.values() for _, _, n in canonical(stream))


@pytest.mark.parametrize(
    ("situation", "at_least"),
    [
        (lambda case: None in values(case), 0.4),
        (lambda case: any(v != v for v in values(case)), 0.02),
        (tied, 0.15),
        (touching, 0.1),
        (nested, 0.2),
        (duplicated, 0.15),
        (lambda case: any(not canonical(stream) for stream in case.values()), 0.05),
        (lambda case: any(i.end > CASE_HORIZON for elements in spans(case) for _, i in elements), 0.2),
        (lambda case: any(run[1].start == 0 for s in case.values() for run in canonical(s)), 0.3),
    ],
    ids=[
        "NULL",
        "NaN",
        "ties",
        "adjacent intervals",
        "nested intervals",
        "duplicates",
        "empty",
        "for ever",
        "instant 0",
    ],
)
def test_situations_occur(situation: object, at_least: float) -> None:
    assert share(sum(situation(case) for _, case in samples())) >= at_least  # type: ignore[operator]  # a predicate


def test_most_results_hold_something() -> None:
    filled = overflows = 0
    for plan, case in samples():
        try:
            filled += any(evaluate(plan, case, CASE_HORIZON).snapshots)
        except ArithmeticOverflow:
            overflows += 1
    assert share(filled) >= 0.5
    assert share(overflows) <= 0.1
