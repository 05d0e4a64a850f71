"""The sparse reference against the dense one, on generated plans over all operators; and that the comparison bites."""

from collections.abc import Callable, Iterator, Sequence
from random import Random

import pytest
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st

from equivalence.cases.random_cases import CASE_HORIZON
from equivalence.cases.random_plans import OPERATORS
from equivalence.cases.strategies import plans, plans_with_root
from equivalence.reference_checks.golden import GoldenCase
from semantics import FOREVER, Multiset, Plan, SnapeqError, SparseStream, evaluate_sparse, show
from semantics.sparse import first_difference
from semantics.sparse.budget import Instants
from semantics.sparse.row_steps import Counts, Steps, glued
from semantics.sparse.row_windows import RepeatedBlock, RowsWindow
from semantics.sparse.sweep import changes
from semantics.time import End, Instant
from tests.golden_corpus import golden_corpus
from tests.seeded_cases import random_case
from tests.semantics.sparse.judged import agree, dense, seeded_case, sparse

CASES_PER_PLAN = 10
PLANS_PER_OPERATOR = 40


def check(plan: Plan, seed: int, horizon: int = CASE_HORIZON) -> None:
    random = Random(seed)
    for _ in range(CASES_PER_PLAN):
        case = random_case(random, plan.sources())
        assert agree(plan, case, horizon), "\n".join([show(plan), *(f"{name} = {show(s)}" for name, s in case.items())])


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.__name__)
def test_oracle_every_operator(operator: type[Plan]) -> None:
    @settings(max_examples=PLANS_PER_OPERATOR)
    @given(plans_with_root(operator, depth=2, awkward=True), st.integers(0, 2**32))
    def every(plan: Plan, seed: int) -> None:
        check(plan, seed)

    every()


@settings(max_examples=60)
@given(plans(depth=4, awkward=True), st.integers(0, 2**32), st.integers(0, 3 * CASE_HORIZON))
def test_oracle_plans_of_depth_four_up_to_any_horizon(plan: Plan, seed: int, horizon: int) -> None:
    check(plan, seed, horizon)


@settings(max_examples=60)
@given(plans(awkward=True), st.integers(0, 2**32))
def test_oracle_without_a_horizon_nothing_earlier_is_different(plan: Plan, seed: int) -> None:
    case = random_case(Random(seed), plan.sources())
    try:
        endless = evaluate_sparse(plan, case, limit=500)
    except SnapeqError:
        reject()
    assert endless.horizon == FOREVER
    until = evaluate_sparse(plan, case, CASE_HORIZON)
    assert first_difference(endless, until) is None


@settings(max_examples=60)
@given(plans(awkward=True), st.integers(0, 2**32))
def test_oracle_logical_streams_as_sources(plan: Plan, seed: int) -> None:
    """What is known instant by instant means the same as the stream it was made from, unless one looks beyond it."""
    assume(not plan.has_lookahead)
    case = random_case(Random(seed), plan.sources())
    known = {name: dense(plan_of, case) for plan_of in _sources(plan) for name in plan_of.sources()}
    logical = {name: stream for name, stream in known.items() if not isinstance(stream, str)}
    assert sparse(plan, logical) == sparse(plan, case)


@pytest.mark.parametrize("case", golden_corpus(), ids=lambda case: case.name)
def test_golden(case: GoldenCase) -> None:
    horizon = case.expected.horizon
    assert evaluate_sparse(case.plan, case.streams, horizon) == SparseStream.of(case.expected, horizon)


def _sources(plan: Plan) -> list[Plan]:
    return [source for child in plan.inputs for source in _sources(child)] if plan.inputs else [plan]


# What the comparison must catch ------------------------------------------------------------------------------


def nothing_leaves(_size: End, _horizon: End, steps: Steps) -> list[End]:
    return [t for t, _ in steps]


def only_the_first_input(inputs: Sequence[Counts], horizon: End) -> Iterator[tuple[Instant, tuple[Multiset, ...]]]:
    last = [[*changes(counts, horizon)][-1][1] for counts in inputs[1:]]
    return ((t, (now, *last)) for t, now in changes(inputs[0], horizon))


def settled_at_once(_node: RowsWindow, _snapshot: Multiset) -> End:
    return 1


def no_landmark_empties(_start: Instant, _reset: int | None, _horizon: End, _ends: list[End]) -> list[Instants]:
    return []


def slide_forgotten(node: RowsWindow, blocks: list[RepeatedBlock]) -> tuple[int, int]:
    return max(blocks[-1].end - node.rows, 0), blocks[-1].end


def for_longer_than_an_instant(sign: int, _horizon: End, steps: Steps) -> Steps:
    return glued((t, max(sign * n, 0)) for t, n in steps)


WRONG: dict[str, Callable[..., object]] = {
    "semantics.sparse.time_windows._bends": nothing_leaves,
    "semantics.sparse.time_windows._emptied": no_landmark_empties,
    "semantics.sparse.row_windows._settling": settled_at_once,
    "semantics.sparse.row_windows._bounds": slide_forgotten,
    "semantics.sparse.evaluate.aligned": only_the_first_input,
    "semantics.sparse.evaluate.differences": for_longer_than_an_instant,
}
SEEDS = range(400)


@pytest.mark.parametrize("place", WRONG)
def test_a_planted_bug_is_caught(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(agree(*seeded_case(seed)) for seed in SEEDS[:50])
    monkeypatch.setattr(place, WRONG[place])
    assert not all(agree(*seeded_case(seed)) for seed in SEEDS)
