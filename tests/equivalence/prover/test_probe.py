"""Soundness probe over all plans of up to two operators, and that it would notice steps that are wrong."""

from functools import cache
from typing import Any

import pytest

from equivalence.cases.random_plans import OPERATORS
from equivalence.verification.prover_probe.probe import SHARE_PROVED, SoundnessProbe
from equivalence.verification.prover_probe.small_plans import A, B
from semantics import count, show
from tests.equivalence.prover.mutated_steps import PLANTED

SHOWN_BY = {
    "NOT NULL whatever is known": "aggregate(count",
    "PIN whatever the bounds": "window(range 2)",
    "SCALE for all folds": "top(",
    "TERM for what is larger": "window(partition",
}
"""Of the pairs that are near, those that show some mistakes; to try all that come before takes long."""


@cache
def small() -> SoundnessProbe:
    """All pairs that differ in one operator, or by one, and those that differ least."""
    return SoundnessProbe(1, alike_pairs=1_000, near_pairs=560)


@cache
def large() -> SoundnessProbe:
    """All pairs are compared that may be equal; `snapeq verify` asks the prover about more of those that differ."""
    return SoundnessProbe(2, alike_pairs=60, near_pairs=75)


@pytest.mark.parametrize("probe", [small, large])
def test_what_is_proved_never_differs(probe: Any) -> None:
    assert len(probe().proved) >= SHARE_PROVED * len(probe().alike)
    assert not list(probe().wrongly_proved())


def test_the_probe_tells_plans_apart() -> None:
    assert len(large().plans) > 10_000
    assert len(large().classes) > 5_000
    assert sum(map(len, large().refined)) > 4_000
    assert len(small().near) > 300


def test_pairs_that_differ_in_one_operator_are_near() -> None:
    plans = [A.window(2).plan, A.window(3).plan, A.aggregate(x=count()).plan, A.aggregate(x=count("x")).plan]
    plans += [A.union(B).plan, A.difference(B).plan, A.union(A).plan, A.union(A).window(2).plan]
    number = {plan: i for i, plan in enumerate(small().plans)}
    near = {frozenset(pair) for pair in small().near}
    for one, other in ((0, 1), (2, 3), (4, 5), (4, 6), (0, 7)):
        assert {number[plans[one]], number[plans[other]]} in near


def test_all_operators_are_probed() -> None:
    assert {type(node) for plan in small().plans for node in plan.walk()} >= {*OPERATORS}


@pytest.mark.parametrize("name", PLANTED)
def test_the_probe_notices(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert small().near  # which plans are near does not depend on the prover
    where, what, wrong = PLANTED[name]
    monkeypatch.setattr(where, what, wrong)
    pairs = [(small().plans[i], small().plans[j]) for i, j in small().near]
    assert any(small().prove(*pair) for pair in pairs if SHOWN_BY.get(name, "") in show(pair[0]))


def test_a_prover_that_proves_everything_is_noticed() -> None:
    assert next(SoundnessProbe(1, 10, 10, prove=lambda _left, _right: True).wrongly_proved(), None) is not None
