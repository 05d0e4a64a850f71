"""Does an optimizer keep what a plan means? If not: which of its steps broke it, on the smallest plan and streams."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from equivalence.cases.choices import Choices, SeededChoices
from equivalence.cases.large_numbers import choose_plan_of_large_numbers
from equivalence.cases.nested_calls import choose_plan_over_elements
from equivalence.cases.now_in_plans import AboveWindows, asking_for_now
from equivalence.cases.plan_shapes import OnSessions
from equivalence.cases.random_cases import choose_case
from equivalence.cases.random_plans import CATALOGUE, KINDS, OPERATORS, choose_nested_plan, choose_plan
from equivalence.cases.search import FURTHER_FAILURES_LOOKED_AT, CaseOutcome
from equivalence.cases.shrink import SHRINK_TRIALS, shrink
from equivalence.optimizer.check_switches import check_switches
from equivalence.optimizer.directed_plans import ChangedPlans, ChangeKind, VariedChoices, features_of
from equivalence.optimizer.optimizer_fault import (
    Answer,
    Optimizer,
    OptimizerFault,
    answered,
    compared,
    derivation_of,
    shape_of_change,
)
from equivalence.optimizer.rewritable_plans import choose_rewritable_plan
from equivalence.rules.instances import Instance
from equivalence.sampling.sample import DEFAULT_EXAMPLES, compare_at_all_times, directed_case, with_neighbours
from equivalence.verdicts.verdict import Verdict
from semantics import Plan
from semantics.constraint import Constraint
from semantics.how_many import how_many

Generate = Callable[[Choices], Instance]
"""A plan to be optimized, as the left side, and what is known of its sources."""
FIRINGS_NEEDED: Final = 100
"""Changed plans with a result that held a row; fewer of them are no reason to say that an optimizer is right."""
FIRINGS_LOOKED_FOR: Final = 3 * FIRINGS_NEEDED
PLANS_PER_EXAMPLE: Final = 10
"""An optimizer that changes few plans is tried on more of them than there are examples: these cost little."""
MORE_PLANS: Final = 10_000
"""But not on more than this, unless there are so many examples."""
PLANS_MEASURED: Final = 10
"""Of the plans that the optimizer changed, this many are asked what cases notice about them."""
OPERATORS_MEASURED: Final = 8
"""Of longer plans the neighbours take nearly all the time, and show nothing else."""
CASES_OF_A_PLAN: Final = 2
"""A changed plan is rare, and a case says little about it."""
SHRINK_TRIALS_OF_EACH: Final = 2000
"""If all findings are wanted, of which there may be many."""


def choose_plan_asking_for_now(choices: Choices) -> Plan:
    """A shape that rewrites look for, or an operator above a window: what moves below that sees another now."""
    if choices.chance(1, 3):
        return asking_for_now(choices, choose_rewritable_plan(choices))
    return asking_for_now(choices, AboveWindows(choices, CATALOGUE, awkward=False).asking())


def choose_plan_on_sessions(choices: Choices) -> Plan:
    """An operator above sessions or OVER, which other plans have on top only."""
    return OnSessions(choices, CATALOGUE, awkward=False, kinds=tuple(OPERATORS)).rooted(choices.of(KINDS), 1)


WAYS_TO_MAKE_A_PLAN: Final = (
    *(choose_nested_plan, choose_nested_plan, choose_nested_plan),
    choose_plan,
    *(choose_rewritable_plan, choose_rewritable_plan),
    *(choose_plan_asking_for_now, choose_plan_asking_for_now),
    *(choose_plan_of_large_numbers, choose_plan_on_sessions, choose_plan_over_elements),
)


def a_plan_to_optimize(choices: Choices) -> Instance:
    """Mostly two operators, since rewrites are about pairs of them; now and then more, or of a shape they look for."""
    plan = choices.of(WAYS_TO_MAKE_A_PLAN)(choices)
    return Instance(plan, plan)


def check_optimizer(
    optimizer: Optimizer,
    *,
    examples: int = DEFAULT_EXAMPLES,
    firings: int = FIRINGS_LOOKED_FOR,
    seed: int = 0,
    generate: Generate = a_plan_to_optimize,
    trials: int = SHRINK_TRIALS,
    all_findings: bool = False,
    known_gaps: Mapping[str, str] = {},
    constraints: Collection[Constraint] = (),
    switch: bool = False,
) -> Verdict:
    """Does any callable from plan to plan keep the snapshots, on plans and streams chosen at random?

    Plans that the optimizer changes are varied, and more plans than `examples` are tried until so many `firings` gave
    results with rows, within reason. It agrees only if at least 100 changed plans gave results with rows;
    with fewer the verdict is unknown and says why, and with none it is vacuous. With `all_findings` the search goes on
    after a finding, and the evidence lists one for every step to blame or, where the optimizer tells no steps, for
    every shape of change. What is wrong with a step or shape in `known_gaps`, which maps it to a reason, refutes
    nothing. All streams keep the `constraints`, on which the optimizer may rely. With `switch`, what agrees must
    also take over from the plan in a running session, at instants chosen at random.

    >>> from semantics.plan import Distinct
    >>> forgetful = lambda plan: plan.input if isinstance(plan, Distinct) else plan
    >>> verdict = check_optimizer(forgetful)
    >>> verdict.kind, verdict.evidence["finding"]
    ('refuted', 'WrongResult')
    >>> check_optimizer(lambda plan: plan, examples=20).kind
    'vacuous'
    """
    check = _Check(optimizer, partial(_assuming, generate, tuple(constraints)), seed, known_gaps)
    for number in range(max(examples, min(PLANS_PER_EXAMPLE * examples, MORE_PLANS))):
        if number >= examples and check.tally[CaseOutcome.FIRED] >= firings:
            break
        found = check.examine_next(number)
        if found is not None:
            check.record(*found, number, min(trials, SHRINK_TRIALS_OF_EACH) if all_findings else trials)
            if not all_findings:
                break
    verdict = check.verdict()
    if not switch or verdict.kind != "agreed":
        return verdict
    return _with_switches(verdict, check_switches(optimizer, check.generate, examples=examples, seed=seed))


def _with_switches(verdict: Verdict, switched: Verdict) -> Verdict:
    """The verdict on the plans, unless switches show something else."""
    if switched.kind != "agreed":
        return switched
    return replace(verdict, evidence={**verdict.evidence, "switches": switched.evidence["switched"]})


def _assuming(generate: Generate, constraints: tuple[Constraint, ...], choices: Choices) -> Instance:
    """A plan, with those constraints that are about its sources."""
    instance = generate(choices)
    known = [constraint for constraint in constraints if constraint.source in instance.sources]
    return replace(instance, constraints=(*instance.constraints, *known))


class _Check:
    """What was seen of an optimizer so far."""

    def __init__(self, optimizer: Optimizer, generate: Generate, seed: int, known_gaps: Mapping[str, str]) -> None:
        self.optimizer, self.generate, self.seed, self.known_gaps = optimizer, generate, seed, known_gaps
        self.tally: Counter[CaseOutcome] = Counter()
        self.cases = 0
        self.steps: Counter[str] = Counter()
        self.plans = ChangedPlans()
        self.gaps_seen: Counter[str] = Counter()
        self.changed: list[Instance] = []
        self.findings: dict[str, OptimizerFault] = {}

    def examine_next(self, number: int) -> "tuple[OptimizerFault, tuple[int, ...]] | None":
        """Examine one more case; gives what is wrong, and the choices that led to it, unless it is known."""
        choices = self._choices(number)
        outcome = self.examine(choices, learns=True)
        self.cases += 1
        if isinstance(outcome, CaseOutcome):
            self.tally[outcome] += 1
            return None
        if outcome.cause in self.known_gaps:
            self.gaps_seen[outcome.cause] += 1
            return None
        return None if outcome.cause in self.findings else (outcome, tuple(choices.made))

    def record(self, fault: OptimizerFault, made: tuple[int, ...], number: int, trials: int) -> None:
        """Make a fault small, beginning with the shortest of those with the same cause."""
        self.findings[fault.cause] = fault
        if trials:
            failing = [(made, fault), *self._further(fault, number)]
            shortest, first = min(failing, key=lambda failure: len(failure[0]))
            self.findings[fault.cause] = shrink(lambda choices: self._same(fault, choices), shortest, first, trials)

    def _further(self, fault: OptimizerFault, number: int) -> Iterator[tuple[tuple[int, ...], OptimizerFault]]:
        """The same fault in cases that follow."""
        for following in range(number + 1, number + FURTHER_FAILURES_LOOKED_AT):
            choices = self._choices(following)
            again = self._same(fault, choices)
            if again is not None:
                yield tuple(choices.made), again

    def examine(self, choices: Choices, learns: bool = False) -> OptimizerFault | CaseOutcome:
        instance = self.generate(choices)
        answer = answered(self.optimizer, instance.left)
        if isinstance(answer, OptimizerFault | CaseOutcome):
            return answer
        made = tuple(getattr(choices, "made", ()))
        outcome = _tried(choices, replace(instance, right=answer.plan), answer)
        if learns:
            self._learn(instance.left, answer, made, outcome)
        changed = replace(instance, right=answer.plan)
        if outcome is CaseOutcome.FIRED and len(self.changed) < PLANS_MEASURED and _is_short(changed):
            self.changed.append(changed)
        return outcome

    def _learn(self, plan: Plan, answer: Answer, made: tuple[int, ...], outcome: OptimizerFault | CaseOutcome) -> None:
        """Remember the choices that made the plan, and which steps were put to the test."""
        rules = tuple(step.rule for step in derivation_of(answer))
        telling = isinstance(outcome, OptimizerFault) or outcome is CaseOutcome.FIRED
        kind = ChangeKind(rules or shape_of_change(plan, answer.plan), features_of(plan))
        self.plans.add(kind, made, telling)
        if telling:
            self.steps.update(rules)

    def verdict(self) -> Verdict:
        evidence = self._evidence()
        if self.findings:
            first = next(iter(self.findings.values()))
            return Verdict("refuted", evidence | first.evidence(), first.counterexample)
        fired = self.tally[CaseOutcome.FIRED]
        if 0 < fired < FIRINGS_NEEDED:
            why = f"only {fired} changed plans gave a result with rows, of {FIRINGS_NEEDED} that are needed"
            return Verdict("unknown", evidence | {"why": f"{why}; {how_many(self.cases, 'plan')} tried"})
        return with_neighbours(Verdict("agreed" if fired else "vacuous", evidence), self.changed, self.seed)

    def _choices(self, number: int) -> SeededChoices | VariedChoices:
        return self.plans.choices(f"{self.seed}/{number}")

    def _same(self, fault: OptimizerFault, choices: Choices) -> OptimizerFault | None:
        """The fault in another case if it has the same cause."""
        outcome = self.examine(choices)
        return outcome if isinstance(outcome, OptimizerFault) and outcome.cause == fault.cause else None

    def _evidence(self) -> dict[str, object]:
        counts = {seen.value: self.tally[seen] for seen in CaseOutcome if self.tally[seen] or seen is CaseOutcome.FIRED}
        changed = self.cases - self.tally[CaseOutcome.UNCHANGED]
        gaps = {cause: {"reason": reason, "seen": self.gaps_seen[cause]} for cause, reason in self.known_gaps.items()}
        return {
            "how": "sampled",
            "cases": self.cases,
            "changed": changed,
            **counts,
            "seed": self.seed,
            "steps": dict(sorted(self.steps.items())),
            **({"known_gaps": gaps} if gaps else {}),
            **({"findings": [f.evidence() for f in self.findings.values()]} if self.findings else {}),
        }


def _is_short(instance: Instance) -> bool:
    return all(sum(1 for _ in plan.walk()) <= OPERATORS_MEASURED for plan in (instance.left, instance.right))


def _tried(choices: Choices, instance: Instance, answer: Answer) -> OptimizerFault | CaseOutcome:
    """A plan and the optimizer's answer on a few cases, every second one drawn around what both speak of."""
    outcome: OptimizerFault | CaseOutcome = CaseOutcome.EMPTY
    for _ in range(CASES_OF_A_PLAN):
        now = _tried_once(choices, instance, answer)
        if isinstance(now, OptimizerFault):
            return now
        outcome = now if outcome is not CaseOutcome.FIRED else outcome
    return outcome


def _tried_once(choices: Choices, instance: Instance, answer: Answer) -> OptimizerFault | CaseOutcome:
    if choices.chance(1, 2):
        return compared(instance.left, answer, directed_case(choices, instance), compare_at_all_times)
    return compared(instance.left, answer, choose_case(choices, instance.left.sources(), instance.constraints))
