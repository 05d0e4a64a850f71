"""Every step that the optimizer's rewrites can make on many plans, against the reference."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from equivalence.cases.choices import Choices, SeededChoices
from equivalence.cases.random_cases import Case, choose_case
from equivalence.mutants.machine.trial import Trial
from equivalence.optimizer.check_optimizer import a_plan_to_optimize
from equivalence.optimizer.rewrites import REWRITES, steps
from equivalence.rules.instances import ConditionNotMet, Instance, instance_of
from equivalence.rules.statement import Rule
from equivalence.sampling.sample import compare
from equivalence.verdicts.counterexample import Counterexample
from semantics import Plan

CASES: Final = 12
"""Streams on which a plan is compared with what it becomes."""
RULES: Final = tuple(dict.fromkeys(rewrite.rule for rewrite in REWRITES))


def rewrites(seed: int, size: int) -> Iterator[Trial]:
    """Plans as the optimizer's check has them, and instances of the rules that the rewrites are made from.

    The last trial looks whether each rewrite still does anything. One that does less than it could is not wrong.
    """
    optimized = []
    for number in range(size):
        instance = _an_instance(SeededChoices(f"rewrites/{seed}/{number}"), RULES[number % len(RULES)])
        if instance is not None:
            cases = [
                choose_case(
                    SeededChoices(f"rewrites/{seed}/{number}/{i}"), instance.left.sources(), instance.constraints
                )
                for i in range(CASES)
            ]
            optimized.append(_Rewritten(instance, tuple(cases), frozenset(_plans(instance))))
            yield Trial("rewrites", number, optimized[-1].wrong)
    fired = _fired(optimized)
    yield Trial("rewrites fire", 0, partial(_idle, optimized, fired))


def _an_instance(choices: Choices, rule: Rule) -> Instance | None:
    """A plan with what is known of its sources: one side of the rule, or any plan."""
    if choices.chance(1, 3):
        return a_plan_to_optimize(choices)
    try:
        instance = instance_of(choices, rule)
    except ConditionNotMet:
        return None
    assert isinstance(instance, Instance)
    sides = (instance.right, instance.left) if choices.chance(1, 2) else (instance.left, instance.right)
    return Instance(sides[0], sides[1], instance.constraints)


@dataclass(frozen=True)
class _Rewritten:
    """A plan, cases for it, and what right rewrites make of it in one step."""

    instance: Instance
    cases: tuple[Case, ...]
    right: frozenset[Plan]

    def wrong(self) -> str | None:
        """Only steps that right rewrites do not make have to be compared."""
        plan = self.instance.left
        for step in steps(plan, REWRITES, self.instance.constraints):
            if step.plan in self.right:
                continue
            if step.plan.schema != plan.schema:
                return f"{step.rule}: other columns"
            if any(isinstance(compare(Instance(plan, step.plan), case), Counterexample) for case in self.cases):
                return f"{step.rule}: other snapshots"
        return None


def _plans(instance: Instance) -> Iterator[Plan]:
    return (step.plan for step in steps(instance.left, REWRITES, instance.constraints))


def _fired(rewritten: list[_Rewritten]) -> Counter[str]:
    return Counter(step.rule for r in rewritten for step in steps(r.instance.left, REWRITES, r.instance.constraints))


def _idle(rewritten: list[_Rewritten], fired: Counter[str]) -> str | None:
    idle = fired.keys() - _fired(rewritten).keys()
    return f"never fires: {', '.join(sorted(idle))}" if idle else None
