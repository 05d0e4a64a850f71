"""One plan and one case: is what an optimizer makes of the plan right, and if not, which step or change is wrong?"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Protocol

from equivalence.cases.random_cases import Case
from equivalence.cases.search import CaseOutcome
from equivalence.rules.instances import Instance
from equivalence.sampling.sample import compare
from equivalence.verdicts.counterexample import Counterexample
from semantics import Plan, show
from semantics.evaluate import Planned
from semantics.plan import Node


class PlanStep(Protocol):
    """One step of an optimizer: what it calls itself, and the whole plan after it."""

    @property
    def rule(self) -> str: ...
    @property
    def plan(self) -> Plan: ...


class DerivedPlan(Protocol):
    """An optimizer's answer with its steps."""

    @property
    def plan(self) -> Plan: ...
    @property
    def derivation(self) -> Sequence[PlanStep]: ...


Answer = Planned | DerivedPlan
Optimizer = Callable[[Plan], Answer]
Compare = Callable[[Instance, Case], Counterexample | CaseOutcome]


@dataclass(frozen=True)
class OptimizerFault:
    """A plan that an optimizer got wrong, and how."""

    finding: str
    text: str
    plan: Plan
    shape: str
    """What was changed, by its operators alone."""
    step: str | None = None
    counterexample: Counterexample | None = None

    @property
    def cause(self) -> str:
        """The step to blame or, if the optimizer names none, the shape; faults with the same cause are one finding."""
        return self.step or self.shape

    def evidence(self) -> dict[str, object]:
        step = {} if self.step is None else {"step": self.step}
        return {"finding": self.finding, "plan": show(self.plan), "text": self.text, "shape": self.shape, **step}


def answered(optimizer: Optimizer, plan: Plan) -> Answer | OptimizerFault | CaseOutcome:
    """The optimizer's answer, unless it is none; a plan that it did not change shows nothing."""
    try:
        answer = optimizer(plan)
        better = answer.plan
    except Exception as error:
        name = type(error).__name__
        return OptimizerFault("Raises", f"{name}: {error}", plan, f"raises {name}")
    if better.schema != plan.schema:
        return OptimizerFault(
            "WrongSchema", f"expected {plan.schema}, got {better.schema}", plan, shape_of_change(plan, better)
        )
    return CaseOutcome.UNCHANGED if better == plan else answer


def compared(plan: Plan, answer: Answer, case: Case, by: Compare = compare) -> OptimizerFault | CaseOutcome:
    """Does the answer mean the same on one case?"""
    outcome = by(Instance(plan, answer.plan), case)
    if isinstance(outcome, CaseOutcome):
        return outcome
    step = _broken_step(plan, derivation_of(answer), case, by)
    return OptimizerFault(
        "WrongResult", "the plans differ", plan, shape_of_change(plan, answer.plan), step, counterexample=outcome
    )


def derivation_of(answer: Answer) -> Sequence[PlanStep]:
    """The steps, if the optimizer tells them."""
    derivation: Sequence[PlanStep] = getattr(answer, "derivation", ())
    return derivation


def shape_of_change(before: Plan, after: Plan) -> str:
    """The operators where two plans begin to differ, as `Distinct(Union) → Union`.

    >>> from semantics import source
    >>> a, b = source("A", x=int), source("B", x=int)
    >>> shape_of_change(a.union(b).distinct().window(2).plan, a.union(b).window(2).plan)
    'Distinct(Union) → Union'
    """
    differing = [pair for pair in zip(before.inputs, after.inputs, strict=False) if pair[0] != pair[1]]
    if len(differing) == 1 and _without_inputs(before) == _without_inputs(after):
        return shape_of_change(*differing[0])
    inputs = ", ".join(node.operator for node in before.inputs)
    return f"{before.operator}({inputs}) → {after.operator}" if inputs else f"{before.operator} → {after.operator}"


def _without_inputs(plan: Plan) -> tuple[object, ...]:
    """The operator and its parameters."""
    values = [getattr(plan, part.name) for part in fields(plan)]
    return (plan.operator, *(value for value in values if not isinstance(value, Node)))


def _broken_step(plan: Plan, derivation: Sequence[PlanStep], case: Case, by: Compare) -> str | None:
    """The first step whose plan differs from the one before it."""
    before = plan
    for step in derivation:
        if isinstance(by(Instance(before, step.plan), case), Counterexample):
            return step.rule
        before = step.plan
    return None
