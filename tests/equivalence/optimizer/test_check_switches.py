"""Plans that take over in mid-stream: the checker agrees with the switch, and catches wrong ones."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from equivalence.optimizer.check_optimizer import a_plan_to_optimize
from equivalence.optimizer.check_switches import check_switches
from equivalence.optimizer.rewrites import REWRITES, steps
from equivalence.verdicts.verdict import Verdict
from physical.columns.stream import PhysicalStream
from physical.runtime import graph_session
from physical.runtime.migration import PlanSwitch
from semantics import Plan


def rewritten(plan: Plan) -> Plan:
    """The first step that any rewrite takes."""
    return next((step.plan for step in steps(plan, REWRITES)), plan)


def checked(examples: int = 600) -> Verdict:
    return check_switches(rewritten, a_plan_to_optimize, examples=examples, seed=3, trials=5)


def old_is_not_cut(self: PlanSwitch, results: PhysicalStream) -> None:
    self._give_out(results)


def new_is_not_cut(self: PlanSwitch, results: PhysicalStream) -> None:
    self._early.append(results)


def new_begins_one_later(self: PlanSwitch, results: PhysicalStream) -> None:
    starts = np.maximum(results.start, self.instant + 1)
    self._early.append(results.valid_during(starts, results.end).take(results.end > self.instant + 1))


def early_results_are_lost(self: PlanSwitch) -> None:
    self._early.clear()


def old_ends_one_later(self: PlanSwitch, results: PhysicalStream) -> None:
    ends = np.minimum(results.end, self.instant + 1)
    self._give_out(results.valid_during(results.start, ends).take(results.start < self.instant + 1))


MUTANTS: list[tuple[str, Callable[..., Any]]] = [
    ("old", old_is_not_cut),
    ("old", old_ends_one_later),
    ("new", new_is_not_cut),
    ("new", new_begins_one_later),
    ("finish", early_results_are_lost),
]


def test_switches_of_our_own_rewrites() -> None:
    verdict = checked(320)
    assert verdict.kind == "agreed", verdict.evidence


@pytest.mark.parametrize(("method", "mutant"), MUTANTS, ids=lambda value: getattr(value, "__name__", ""))
def test_a_wrong_switch_is_caught(method: str, mutant: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PlanSwitch, method, mutant)
    verdict = checked()
    assert (verdict.kind, verdict.evidence["finding"]) == ("refuted", "WrongSwitch")


def test_a_switch_that_is_too_early_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The new plan has not seen all that matters when it takes over."""
    monkeypatch.setattr(graph_session, "complete_from", lambda *given: given[-1])
    assert checked().kind == "refuted"
