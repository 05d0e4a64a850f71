"""Does an optimizer keep what a plan means? If not: which of its steps broke it, on the smallest plan and streams."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from equivalence.cases.choices import Choices
from equivalence.cases.random_cases import Case, choose_case
from equivalence.cases.random_plans import choose_nested_plan, choose_plan
from equivalence.cases.search import CaseOutcome, search
from equivalence.cases.shrink import SHRINK_TRIALS
from equivalence.rules.instances import Instance
from equivalence.sampling.sample import DEFAULT_EXAMPLES, compare
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.verdict import Verdict
from semantics import Plan, show
from semantics.evaluate import Planned

Generate = Callable[[Choices], Instance]
"""A plan to be optimized, as the left side, and what is known of its sources."""


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


Optimizer = Callable[[Plan], Planned | DerivedPlan]


@dataclass(frozen=True)
class OptimizerFault:
    """A plan that an optimizer got wrong, and how."""

    finding: str
    text: str
    plan: Plan
    step: str | None = None
    counterexample: Counterexample | None = None

    def evidence(self) -> dict[str, object]:
        step = {} if self.step is None else {"step": self.step}
        return {"finding": self.finding, "plan": show(self.plan), "text": self.text, **step}


def a_plan_to_optimize(choices: Choices) -> Instance:
    """Mostly two operators, since rewrites are about pairs of them; now and then more."""
    plan = choose_plan(choices) if choices.chance(1, 4) else choose_nested_plan(choices)
    return Instance(plan, plan)


def check_optimizer(
    optimizer: Optimizer,
    *,
    examples: int = DEFAULT_EXAMPLES,
    seed: int = 0,
    generate: Generate = a_plan_to_optimize,
    trials: int = SHRINK_TRIALS,
) -> Verdict:
    """Does any callable from plan to plan keep the snapshots, on plans and streams chosen at random?

    >>> from semantics.plan import Distinct
    >>> forgetful = lambda plan: plan.input if isinstance(plan, Distinct) else plan
    >>> verdict = check_optimizer(forgetful)
    >>> verdict.kind, verdict.evidence["finding"]
    ('refuted', 'WrongResult')
    >>> check_optimizer(lambda plan: plan).kind
    'vacuous'
    """
    steps: Counter[str] = Counter()

    def examine(choices: Choices) -> OptimizerFault | CaseOutcome:
        instance = generate(choices)
        answer = _answered(optimizer, instance.left)
        if isinstance(answer, OptimizerFault | CaseOutcome):
            return answer
        case = choose_case(choices, instance.left.sources(), instance.constraints)
        outcome = _compared(instance.left, answer, case)
        if outcome is CaseOutcome.FIRED:
            steps.update(step.rule for step in _derivation(answer))
        return outcome

    found = search(examine, examples, seed, trials)
    evidence = found.evidence(seed) | {"steps": dict(sorted(steps.items()))}
    if found.failure is not None:
        return Verdict("refuted", evidence | found.failure.evidence(), found.failure.counterexample)
    return Verdict("agreed" if found.fired else "vacuous", evidence)


def _answered(optimizer: Optimizer, plan: Plan) -> Planned | DerivedPlan | OptimizerFault | CaseOutcome:
    """The optimizer's answer, unless it is none; a plan that it did not change shows nothing."""
    try:
        answer = optimizer(plan)
        better = answer.plan
    except Exception as error:
        return OptimizerFault("Raises", f"{type(error).__name__}: {error}", plan)
    if better.schema != plan.schema:
        return OptimizerFault("WrongSchema", f"expected {plan.schema}, got {better.schema}", plan)
    return CaseOutcome.UNCHANGED if better == plan else answer


def _compared(plan: Plan, answer: Planned | DerivedPlan, case: Case) -> OptimizerFault | CaseOutcome:
    outcome = compare(Instance(plan, answer.plan), case)
    if isinstance(outcome, CaseOutcome):
        return outcome
    return OptimizerFault(
        "WrongResult", "the plans differ", plan, _broken_step(plan, _derivation(answer), case), outcome
    )


def _derivation(answer: Planned | DerivedPlan) -> Sequence[PlanStep]:
    """The steps, if the optimizer tells them."""
    derivation: Sequence[PlanStep] = getattr(answer, "derivation", ())
    return derivation


def _broken_step(plan: Plan, derivation: Sequence[PlanStep], case: Case) -> str | None:
    """The first step whose plan differs from the one before it."""
    before = plan
    for step in derivation:
        if isinstance(compare(Instance(before, step.plan), case), Counterexample):
            return step.rule
        before = step.plan
    return None
