"""Are two plans equivalent? The answer by samples that an engine computes, thousands in one run.

So a cluster can look for counterexamples. An engine may be wrong, so the reference evaluates each one that is found: a
plan is never refuted by an engine alone.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Final, cast

from equivalence.cases.case_column import lift, lift_cases
from equivalence.cases.choices import Choices, SeededChoices
from equivalence.cases.random_cases import CASE_HORIZON, Case, choose_case
from equivalence.cases.search import CaseOutcome
from equivalence.cases.shrink import shrink
from equivalence.conformance.subject.in_process import InProcess
from equivalence.rules.instances import Instance
from equivalence.sampling.sample import DEFAULT_EXAMPLES, compare
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.verdict import Verdict
from physical.columns.stream import PhysicalStream
from physical.engine import Engine
from semantics import ArithmeticOverflow, Plan
from semantics.comparable_plans import check_comparable
from semantics.constraint import Constraint
from semantics.evaluate import Planned
from semantics.stream import Run

CASES_PER_RUN: Final = 5000
"""Cases that the engine computes in one run."""
CASES_FOR_REFERENCE: Final = 20
"""A run in which integers overflow is halved; at this number of cases or fewer, the reference evaluates them."""


def check_plans_on(
    engine: Engine,
    left: Planned,
    right: Planned,
    *,
    constraints: Collection[Constraint] = (),
    examples: int = DEFAULT_EXAMPLES,
    seed: int = 0,
) -> Verdict:
    """As `check_plans`, but this engine computes the samples.

    >>> from physical.engines.interval.engine import IntervalEngine
    >>> from semantics import parse_plan
    >>> once, twice = parse_plan("A(x int) | distinct"), parse_plan("A(x int) | distinct | distinct")
    >>> check_plans_on(IntervalEngine(), once, twice).kind
    'agreed'
    """
    check_comparable(left, right)
    instance = Instance(left.plan, right.plan, tuple(constraints))
    search, evidence = _Search(engine, instance), {"seed": seed, "engine": engine.name}
    for first in range(0, examples, CASES_PER_RUN):
        numbers = range(first, min(first + CASES_PER_RUN, examples))
        drawn = [SeededChoices(f"{seed}/{number}") for number in numbers]
        search.look(drawn, [choose_case(choices, instance.sources, instance.constraints) for choices in drawn])
        evidence["cases"] = search.cases
        if search.found is not None:
            return Verdict("refuted", evidence, search.found)
        if search.doubtful:
            why = f"engine {engine.name} sees a difference where the reference sees none: see `snapeq conform`"
            return Verdict("unknown", evidence | {"why": why})
    return Verdict("agreed" if search.fired else "vacuous", evidence | {"fired": search.fired})


class _Search:
    """The cases examined so far, and the counterexample if one was found."""

    def __init__(self, engine: Engine, instance: Instance) -> None:
        self.engine = engine
        self.instance = instance
        self.limited = InProcess(engine).limited
        self.cases = self.fired = 0
        self.doubtful = False
        self.found: Counterexample | None = None

    def look(self, drawn: Sequence[SeededChoices], cases: Sequence[Case]) -> None:
        """Examine these cases in one run.

        An overflow in one case fails the whole run, so then each half is examined in a run of its own.
        """
        try:
            suspicious = self._differing(cases)
        except ArithmeticOverflow:
            self._look_closer(drawn, cases)
            return
        self.cases += len(cases)
        for number in suspicious:
            if self.found is None:
                self.doubtful |= not self._refutes(drawn[number], cases[number])

    def _look_closer(self, drawn: Sequence[SeededChoices], cases: Sequence[Case]) -> None:
        half = len(cases) // 2
        if len(cases) > CASES_FOR_REFERENCE:
            self.look(drawn[:half], cases[:half])
            if self.found is None:
                self.look(drawn[half:], cases[half:])
            return
        self.cases += len(cases)
        for choices, case in zip(drawn, cases, strict=True):
            if self.found is None and not self._refutes(choices, case):
                self.fired += compare(self.instance, case) is CaseOutcome.FIRED

    def _differing(self, cases: Sequence[Case]) -> list[int]:
        """The numbers of the cases in which the engine's results differ."""
        left, right = (self._runs(plan, cases) for plan in (self.instance.left, self.instance.right))
        self.fired += len(set(_numbers(left)))
        return sorted(set(_numbers(set(left) ^ set(right))))

    def _runs(self, plan: Plan, cases: Sequence[Case]) -> tuple[Run, ...]:
        options = {"horizon": CASE_HORIZON} if self.limited else {}
        result: PhysicalStream = self.engine.run(lift(plan), lift_cases(plan, cases), **options)
        return result.canonical().to_runs()

    def _refutes(self, choices: SeededChoices, case: Case) -> bool:
        """Does the reference see a difference, too? If so, keep it, made small."""
        found = compare(self.instance, case)
        if isinstance(found, Counterexample):
            self.found = shrink(self._counterexample, tuple(choices.made), found)
        return isinstance(found, Counterexample)

    def _counterexample(self, choices: Choices) -> Counterexample | None:
        found = compare(self.instance, choose_case(choices, self.instance.sources, self.instance.constraints))
        return found if isinstance(found, Counterexample) else None


def _numbers(runs: Collection[Run]) -> Iterator[int]:
    """The numbers of the cases that runs belong to."""
    return (cast(int, row[0]) for row, _, _ in runs)
