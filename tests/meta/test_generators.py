"""What the generators produce, how often: a generator that never makes the interesting case is a bug."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, seed, settings

from equivalence.cases.choices import SeededChoices
from equivalence.cases.random_cases import CASE_HORIZON, Case, choose_case
from equivalence.cases.random_plans import OPERATORS, choose_plan
from equivalence.cases.strategies import plans
from semantics import ArithmeticOverflow, Interval, IntervalStream, Plan, RawStream, canonical, evaluate
from semantics.aggregate import Aggregate
from semantics.expression import Expression, Now, children
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


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.__name__)
def test_every_operator_occurs_in_two_of_a_hundred_plans(operator: type[Plan]) -> None:
    assert share(sum(any(isinstance(node, operator) for node in plan.walk()) for plan, _ in samples())) >= 0.02


def test_hypothesis_draws_every_operator_too() -> None:
    seen: set[type[Plan]] = set()

    @seed(3)
    @settings(max_examples=500, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(plans(awkward=True))
    def collect(plan: Plan) -> None:
        seen.update(type(node) for node in plan.walk())

    collect()
    assert set(OPERATORS) <= seen


def test_every_expression_and_aggregate_occurs() -> None:
    seen: Counter[type] = Counter(type(e) for plan, _ in samples() for e in expressions(plan))
    seen.update(type(a) for plan, _ in samples() for a in aggregates(plan))
    missing = {kind for kind in (*get_args(Expression), *get_args(Aggregate)) if seen[kind] < 3}
    assert missing == {Now}  # plans that ask for now are situations of their own, see test_situations


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
