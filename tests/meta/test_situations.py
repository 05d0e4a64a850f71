"""Situations and schedules are what they are called, and often enough."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equivalence import strategies
from equivalence.cases.choices import SeededChoices
from equivalence.cases.random_cases import CASE_HORIZON, Case
from equivalence.cases.random_plans import OPERATORS
from equivalence.cases.schedules import DISORDER_SLACK, Heartbeat, Push, Schedule, choose_schedule, with_heartbeats
from equivalence.cases.situation import choose_in_situation
from equivalence.cases.situations import INSTANTS_OF_SILENCE, SITUATIONS
from equivalence.lists.list_operators import ElementList
from semantics import FOREVER, Interval, Plan, Row, Stream, Value, canonical, show
from semantics.constraint import elements_of
from semantics.expression import Cast
from semantics.functions.calls import first_built_in
from semantics.newer_types import newer_type
from semantics.periods_of_now import sampling
from semantics.plan import Aggregation, Filter, Grouping, Over, SessionWindow
from semantics.value import INT_MAX, INT_MIN
from tests.meta.test_generators import subexpressions

SAMPLES = 300


@cache
def samples(name: str) -> list[tuple[Plan, Case]]:
    situation = SITUATIONS[name]
    kinds = [o for o in OPERATORS if situation.operators is None or o in situation.operators]
    return [choose_in_situation(SeededChoices(f"{name}/{i}"), situation, kinds[i % len(kinds)]) for i in range(SAMPLES)]


def elements(case: Case) -> Iterator[tuple[Row, Interval]]:
    for stream in case.values():
        yield from elements_of(stream)


def values(case: Case) -> Iterator[Value]:
    for row, _ in elements(case):
        yield from row


def starts(case: Case) -> list[int]:
    return [interval.start for _, interval in elements(case)]


def longest_gap(case: Case) -> int:
    """Between the first and the last start; 0 if nothing ever starts."""
    return max(starts(case), default=0) - min(starts(case), default=0)


def touching(case: Case) -> bool:
    found = list(elements(case))
    return any(a == b and i.end == j.start for a, i in found for b, j in found)


def nested(case: Case) -> bool:
    found = list(elements(case))
    return any(i.start <= j.start and j.end < i.end for _, i in found for _, j in found)


def twice(plan: Plan) -> bool:
    nodes = [node for node in plan.walk() if node.inputs]
    return len(set(nodes)) < len(nodes)


def depth(plan: Plan) -> int:
    return 1 + max(map(depth, plan.inputs), default=-1)


def casts(plan: Plan) -> bool:
    return any(isinstance(part, Cast) for root in plan.own_expressions for part in subexpressions(root))


@pytest.mark.parametrize(
    ("name", "shows", "at_least"),
    [
        ("plain", lambda _, case: None not in values(case), 1.0),
        ("nulls", lambda _, case: None in values(case), 0.8),
        ("floats", lambda _, case: any(v != v for v in values(case)), 0.6),
        ("extremes", lambda _, case: bool({INT_MAX, INT_MIN, 1e308, 5e-324} & set(values(case))), 0.6),
        ("ties", lambda _, case: len(set(starts(case))) < len(starts(case)), 0.8),
        ("duplicates", lambda _, case: any(n > 1 for s in case.values() for _, _, n in canonical(s)), 0.4),
        ("adjacent", lambda _, case: touching(case), 0.4),
        ("nested", lambda _, case: nested(case), 0.6),
        ("empty", lambda _, case: any(not elements_of(stream) for stream in case.values()), 1.0),
        ("forever", lambda _, case: any(i.end == FOREVER for _, i in elements(case)), 0.8),
        ("instant 0", lambda _, case: 0 in starts(case), 0.8),
        ("silence", lambda _, case: longest_gap(case) >= INSTANTS_OF_SILENCE - 1, 0.6),
        ("now", lambda plan, _: any(node.mentions_now for node in plan.walk()), 0.6),
        ("now, rows that last", lambda plan, _: plan.mentions_now, 0.4),
        ("panes", lambda plan, _: isinstance(plan, Filter) and sampling(plan.predicate) is not None, 0.9),
        ("now, forever", lambda _, case: any(i.end == FOREVER for _, i in elements(case)), 0.8),
        ("bursts", lambda _, case: len(starts(case)) >= 10, 0.3),
        ("sharing", lambda plan, _: twice(plan), 0.6),
        ("deep", lambda plan, _: depth(plan) >= 3, 0.7),
        ("expressions", lambda _, case: 2**53 in values(case) and None in values(case), 0.3),
        ("neighbours", lambda _, case: {2**53, 2**53 + 1} <= set(values(case)), 0.5),
        ("aggregates", lambda plan, _: isinstance(plan, Aggregation | Grouping) and len(plan.aggregates) > 3, 0.4),
        ("crowds", lambda _, case: all(len(elements_of(stream)) >= 8 for stream in case.values()), 1.0),
        ("numbers", lambda _, case: any(isinstance(v, float) and 0 < abs(v) < 1e-300 for v in values(case)), 0.15),
        ("numbers", lambda _, case: float("-inf") in values(case) and float("inf") not in values(case), 0.02),
        ("computing predicates", lambda _, case: {INT_MIN, INT_MAX} <= set(values(case)), 0.15),
        ("computing conditions", lambda _, case: {0, 2, -7} <= set(values(case)), 0.4),
        ("order", lambda plan, case: bool(plan.order) and None in values(case), 0.6),
        ("on sessions", lambda plan, _: any(isinstance(n, SessionWindow | Over) for n in [*plan.walk()][1:]), 1.0),
        ("types", lambda plan, _: newer_type(plan) is not None, 0.9),
        ("casts", lambda plan, _: casts(plan), 0.8),
        ("casts in conditions", lambda plan, _: casts(plan), 0.3),
        ("functions", lambda plan, _: first_built_in(plan) is not None, 0.9),
        ("functions in conditions", lambda plan, _: first_built_in(plan) is not None, 0.9),
        ("large numbers", lambda plan, _: re.search(r"[^0-9.][0-9]{2,}", show(plan)) is not None, 0.2),
        ("edges", lambda _, case: bool({INT_MAX, INT_MIN, INT_MAX - 1, INT_MIN + 1} & set(values(case))), 0.5),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_a_situation_shows_what_it_is_called(name: str, shows: Callable[[Plan, Case], bool], at_least: float) -> None:
    assert sum(shows(plan, case) for plan, case in samples(name)) / SAMPLES >= at_least


def test_every_situation_was_looked_at() -> None:
    by_steps = {"schedule", "disorder", "now, schedule", "crowds in batches", "few keys in step", "numbers in step"} | {
        "floats in step"
    }
    assert {s.name for s in SITUATIONS.values() if s.delivery != "whole"} == by_steps


def test_few_keys_come_and_go_one_after_the_other() -> None:
    """Elements of one key end at neighbouring instants, and another one of it starts at one of them."""

    def crowded(stream: Stream) -> bool:
        found = [(row[0], interval) for row, interval in elements_of(stream)]
        return any(
            a == b == c and j.end - i.end == 1 and k.start in (i.end, j.end)
            for a, i in found for b, j in found for c, k in found
        )  # fmt: skip

    cases = [case for _, case in samples("few keys in step")]
    assert sum(any(map(crowded, case.values())) for case in cases) / SAMPLES >= 0.7


@cache
def schedules(slack: int) -> list[tuple[Case, Schedule]]:
    cases = [case for _, case in samples("schedule")]
    return [(case, choose_schedule(SeededChoices(f"s{i}"), case, slack=slack)) for i, case in enumerate(cases)]


def pushed(schedule: Schedule, name: str) -> ElementList:
    batches = [step.elements for step in schedule if isinstance(step, Push) and step.source == name]
    return tuple(chain.from_iterable(batches))


def disordered(schedule: Schedule) -> bool:
    names = {step.source for step in schedule if isinstance(step, Push)}
    return any(starts != sorted(starts) for starts in (starts_of(pushed(schedule, name)) for name in names))


def starts_of(elements: ElementList) -> list[int]:
    return [valid.start for _, valid in elements]


@pytest.mark.parametrize("slack", [0, DISORDER_SLACK])
def test_a_schedule_delivers_every_element_once(slack: int) -> None:
    for case, schedule in schedules(slack):
        for name, stream in case.items():
            assert Counter(pushed(schedule, name)) == Counter(elements_of(stream))


@pytest.mark.parametrize("slack", [0, DISORDER_SLACK])
def test_a_schedule_keeps_its_promises(slack: int) -> None:
    for case, schedule in schedules(slack):
        promised = dict.fromkeys(case, 0)
        for step in schedule:
            if isinstance(step, Push):
                assert step.earliest >= promised[step.source]
                promised[step.source] = max(promised[step.source], step.latest - slack)
            else:
                for name in case if step.source is None else [step.source]:
                    assert step.instant >= promised[name]
                    promised[name] = step.instant
        assert all(t <= CASE_HORIZON for t in promised.values())


@pytest.mark.parametrize(
    ("slack", "shows", "at_least"),
    [
        (0, lambda s: any(isinstance(step, Heartbeat) for step in s), 0.6),
        (0, lambda s: any(isinstance(step, Heartbeat) and step.source is None for step in s), 0.15),
        (0, lambda s: any(isinstance(step, Push) and len(step.elements) > 1 for step in s), 0.7),
        (0, lambda s: len({step.source for step in s} - {None}) > 1, 0.2),
        (DISORDER_SLACK, lambda s: disordered(s), 0.35),
    ],
    ids=["heartbeats", "heartbeats of all sources", "batches", "several sources", "disorder"],
)
def test_schedules_vary(slack: int, shows: Callable[[Schedule], bool], at_least: float) -> None:
    assert sum(shows(schedule) for _, schedule in schedules(slack)) / SAMPLES >= at_least


@given(st.data())
def test_hypothesis_draws_schedules_too(data: st.DataObject) -> None:
    _, case = samples("schedule")[0]
    drawn = data.draw(strategies.schedules(case, slack=DISORDER_SLACK))
    assert {step.source for step in drawn if isinstance(step, Push)} == {n for n, s in case.items() if elements_of(s)}


def test_heartbeats_are_added_to_the_same_pushes() -> None:
    for case, _ in schedules(0)[:50]:
        plain = choose_schedule(SeededChoices(1), case, heartbeats=False)
        assert all(isinstance(step, Push) for step in plain)
        denser = with_heartbeats(SeededChoices(2), plain)
        assert [step for step in denser if isinstance(step, Push)] == list(plain)
