"""Every step that the optimizer's rewrites can make on many plans, against the reference."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Final

from equivalence.cases.choices import Choices, SeededChoices
from equivalence.cases.plan_shapes import PlainConditions
from equivalence.cases.random_cases import Case, choose_case
from equivalence.cases.random_plans import CATALOGUE, OPERATORS
from equivalence.mutants.machine.suites.near_misses import near_miss
from equivalence.mutants.machine.trial import Trial
from equivalence.optimizer.check_optimizer import a_plan_to_optimize
from equivalence.optimizer.rewrites import REWRITES, DerivationStep, RuleRewrite, steps
from equivalence.rules.catalogue import FALSE
from equivalence.rules.instances import ConditionNotMet, Instance, instance_of
from equivalence.rules.statement import Rule
from equivalence.sampling.sample import compare
from equivalence.verdicts.counterexample import Counterexample
from semantics import Plan, Schema, SnapeqError
from semantics import plan as op
from semantics.constraint import Constraint, Key, Once

CASES: Final = 12
"""Streams on which a plan is compared with what it becomes."""
RULES: Final = tuple(dict.fromkeys(rewrite.rule for rewrite in REWRITES))
REWRITTEN: Final = (op.Filter, op.Distinct, op.Map, op.Join, op.Grouping, op.TimeWindow, op.LandmarkWindow, op.Union)
PAIRS: Final = tuple(product(REWRITTEN, OPERATORS))
"""Operators that rewrites are about, each above every operator."""


def rewrites(seed: int, size: int) -> Iterator[Trial]:
    """Instances of the rules that the rewrites are made from, and plans as the optimizer's check has them.

    Where a rewrite makes of one side of its rule the other side, a mutant must do so as well. Elsewhere a rewrite may do
    less, as long as each does something: that is what the last trial looks at.
    """
    rewritten = []
    for number in range(size):
        name = f"rewrites/{seed}/{number}"
        instance = _an_instance(SeededChoices(name), number)
        if instance is not None:
            rewritten.append(_Rewritten(instance, name, frozenset(_steps(instance))))
            yield Trial("rewrites", number, rewritten[-1].wrong)
    yield Trial("rewrites are justified", 0, _unjustified)
    yield Trial("rewrites fire", 0, partial(_idle, rewritten, _fired(rewritten)))


def near_rewrites(seed: int, size: int) -> Iterator[Trial]:
    """Plans that a rewrite should leave alone, or not: one side of its rule, but for one column."""
    for number in range(size):
        name = f"near rewrites/{seed}/{number}"
        instance = _nearly(SeededChoices(name), RULES[number % len(RULES)])
        if instance is not None:
            rewritten = _Rewritten(instance, name, frozenset(_steps(instance)))
            yield Trial("near rewrites", number, rewritten.wrong)


def _nearly(choices: Choices, rule: Rule) -> Instance | None:
    try:
        instance = instance_of(choices, rule)
    except ConditionNotMet:
        return None
    assert isinstance(instance, Instance)
    near = near_miss(choices, instance.left)
    return None if near is None else Instance(near, near, instance.constraints)


def _unjustified() -> str | None:
    """A true rule justifies a rewrite, a false one does not."""
    RuleRewrite(REWRITES[0].rule, REWRITES[0].alternatives)
    try:
        RuleRewrite(FALSE[0], REWRITES[0].alternatives)
    except SnapeqError:
        return None
    return f"{FALSE[0].name} justifies a rewrite"


def _an_instance(choices: Choices, number: int) -> Instance | None:
    """A plan with what is known of its sources: any plan, two operators whose turn it is, or one side of a rule."""
    if number % 6 == 0:
        return a_plan_to_optimize(choices)
    if number % 3 == 1:
        return a_pair(choices, *PAIRS[number // 3 % len(PAIRS)])
    try:
        instance = instance_of(choices, RULES[number % len(RULES)])
    except ConditionNotMet:
        return None
    assert isinstance(instance, Instance)
    sides = (instance.right, instance.left) if choices.chance(1, 2) else (instance.left, instance.right)
    return Instance(sides[0], sides[1], instance.constraints)


def a_pair(choices: Choices, outer: type[Plan], inner: type[Plan]) -> Instance:
    """One operator above another, over sources some of which have keys."""
    plan = PlainConditions(choices, CATALOGUE, awkward=False).nested(outer, inner)
    known = [_a_key(choices, name, schema) for name, schema in plan.sources().items() if choices.chance(1, 2)]
    return Instance(plan, plan, tuple(known))


def _a_key(choices: Choices, name: str, schema: Schema) -> Constraint:
    columns = tuple(dict.fromkeys(choices.of(schema.names) for _ in range(choices.between(1, 2))))
    return Once(name, columns) if choices.chance(1, 2) else Key(name, columns)


@dataclass(frozen=True)
class _Rewritten:
    """A plan, and what right rewrites make of it in one step."""

    instance: Instance
    name: str
    right: frozenset[tuple[str, Plan]]

    def wrong(self) -> str | None:
        """Steps that right rewrites do not make are compared; the step that the rule states must be there."""
        if not all(_explains(self.instance.left, step) for step in _derivations(self.instance)):
            return "a step does not say what was replaced"
        found = set(_steps(self.instance))
        for rule, plan in found - self.right:
            if plan.schema != self.instance.left.schema:
                return f"{rule}: other columns"
            if any(self._differs(plan, case) for case in self.cases()):
                return f"{rule}: other snapshots"
        stated = {rule for rule, plan in self.right if plan == self.instance.right != self.instance.left}
        lost = sorted(stated - {rule for rule, _ in found})  # what it names its inner columns is its own affair
        return f"{lost[0]}: the step that the rule states is not made" if lost else None

    def cases(self) -> Iterator[Case]:
        sources, constraints = self.instance.left.sources(), self.instance.constraints
        return (choose_case(SeededChoices(f"{self.name}/{i}"), sources, constraints) for i in range(CASES))

    def _differs(self, plan: Plan, case: Case) -> bool:
        return isinstance(compare(Instance(self.instance.left, plan), case), Counterexample)


def _derivations(instance: Instance) -> Iterator[DerivationStep]:
    return steps(instance.left, REWRITES, instance.constraints)


def _steps(instance: Instance) -> Iterator[tuple[str, Plan]]:
    return ((step.rule, step.plan) for step in _derivations(instance))


def _explains(plan: Plan, step: DerivationStep) -> bool:
    return step.before in plan.walk() and plan.replaced(step.before, step.after) == step.plan


def _fired(rewritten: list[_Rewritten]) -> Counter[str]:
    return Counter(rule for one in rewritten for rule, _ in _steps(one.instance))


def _idle(rewritten: list[_Rewritten], fired: Counter[str]) -> str | None:
    idle = fired.keys() - _fired(rewritten).keys()
    return f"never fires: {', '.join(sorted(idle))}" if idle else None
