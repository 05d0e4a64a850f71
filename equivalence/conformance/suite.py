"""The conformance suite: one engine against the reference, every operator in every situation.

    from equivalence import conform
    assert conform(my_engine).holds

An engine is any object with `name`, `supports(plan)` and `run(plan, sources)`. It may have more:

- `run` with a parameter `horizon` learns up to which instant its result matters. Without it, the engine gets only cases
  whose result is finite.
- `session(sources, slack)` makes it run for long, with batches, heartbeats and disorder. If the session has
  `state.elements`, it must let go of elements that cannot matter any more. With `retracts = True` it may keep the rows
  that it shows, to retract them later.
- `tolerance` is the relative error that its floats may have.
- `lifts = True` says that starting a run costs much, so that many cases of a plan are run as one.

Its result may be a stream of ours, an Arrow table with `_start` and `_end`, or anything that yields rows with their
intervals.

An engine may also be named, as `package.module:object`. It then has a process of its own, which may crash or use up its
memory; an object runs in a thread of this process (see `equivalence.conformance.subject.choose_subject`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Final

from equivalence.cases.choices import Choices, SeededChoices
from equivalence.cases.delivery import Delivery
from equivalence.cases.random_cases import Case
from equivalence.cases.random_plans import OPERATORS
from equivalence.cases.schedules import DISORDER_SLACK, choose_schedule
from equivalence.cases.search import CaseOutcome, SearchResult, search
from equivalence.cases.shrink import shrink
from equivalence.cases.situations import SITUATIONS, Situation, choose_case_in, choose_in_situation
from equivalence.conformance.judge import Attempt, judge
from equivalence.conformance.judge_many import CASES_PER_RUN, attempts_together, judge_together
from equivalence.conformance.known_gaps import Gaps, gap_for, known_gaps
from equivalence.conformance.matrix import Cell, Conformance
from equivalence.conformance.subject.choose_subject import subject_of
from equivalence.conformance.subject.in_process import TIME_LIMIT, AnyEngine, Subject
from equivalence.verdicts.fault_kind import FaultKind
from equivalence.verdicts.finding import Finding
from equivalence.verdicts.verdict import Verdict
from semantics import Plan
from semantics.evaluate import Planned

CASES: Final = 2000
SHRINKING_TRIALS: Final = 2000
"""For each finding, of which there may be many."""
SHRINKING_TRIALS_IF_RUNS_COST_MUCH: Final = 100
SLOW_FAULTS: Final = frozenset({FaultKind.HANGS, FaultKind.CRASHED})
SHRINKING_TRIALS_IF_SLOW: Final = 20
"""Every trial of a hanging case may take the whole time limit, and after a crash the engine has to start again."""
SLOW_FINDINGS_TO_SHRINK: Final = 3
"""An engine that always crashes has a finding for every operator: shrinking them all would take hours."""


def conform(
    engine: AnyEngine | str,
    *,
    cases: int = CASES,
    seed: int = 0,
    gaps: Mapping[str, str] | Path | str | None = None,
    tolerance: float | None = None,
    time_limit: float = TIME_LIMIT,
    isolated: bool = True,
) -> Conformance:
    """Try an engine on cases spread over all operators and situations; findings are made small.

    >>> from physical.engines.interval.engine import IntervalEngine
    >>> print(conform(IntervalEngine(), cases=40).cases)
    40
    """
    known = known_gaps(gaps, [o.__name__ for o in OPERATORS], list(SITUATIONS))
    with subject_of(engine, tolerance=tolerance, time_limit=time_limit, isolated=isolated) as subject:
        suite = _Suite(subject, seed, known)
        examine, runs = (
            (suite.examine_together, -(-cases // CASES_PER_RUN)) if subject.lifts else (suite.examine, cases)
        )
        for number, cell in zip(range(runs), endless_cells(subject, seed), strict=False):
            examine(number, *suite.neediest(number, cell))
        return suite.conformance()


def check_engine(
    engine: AnyEngine | str,
    query: Planned,
    *,
    examples: int = 1000,
    seed: int = 0,
    tolerance: float | None = None,
    time_limit: float = TIME_LIMIT,
    isolated: bool = True,
) -> Verdict:
    """Does an engine give the right result for one plan, on streams in all situations?"""
    with subject_of(engine, tolerance=tolerance, time_limit=time_limit, isolated=isolated) as subject:
        found = _searched(subject, query.plan, examples, seed)
    evidence = {**found.evidence(seed), "engine": subject.name}
    if subject.tolerance:
        evidence["tolerance"] = subject.tolerance
    if found.failure is not None:
        evidence |= {"finding": str(found.failure.name), "message": found.failure.message}
        return Verdict("refuted", evidence, found.failure.counterexample)
    if found.tally[CaseOutcome.UNSUPPORTED]:
        return Verdict("unknown", evidence)
    return Verdict("agreed" if found.fired else "vacuous", evidence)


def _searched(subject: Subject, plan: Plan, examples: int, seed: int) -> SearchResult[Finding]:
    """The first case that fails, made small; with fewer trials if each of them is slow."""
    situations = _situations(subject)

    def examine(choices: Choices) -> Finding | CaseOutcome:
        situation = choices.of(situations)
        case = choose_case_in(choices, situation, plan.sources())
        return judge(subject, an_attempt(choices, situation, plan, case))

    def failure(choices: Choices) -> Finding | None:
        outcome = examine(choices)
        return outcome if isinstance(outcome, Finding) else None

    found = search(examine, examples, seed, trials=0)
    if found.failure is not None and found.failure.name not in SLOW_FAULTS:
        return search(examine, examples, seed)
    if found.failure is not None:
        choices = SeededChoices(f"{seed}/{found.cases - 1}")
        examine(choices)
        found.failure = shrink(failure, tuple(choices.made), found.failure, SHRINKING_TRIALS_IF_SLOW)
    return found


def endless_cells(subject: Subject, seed: int) -> Iterator[tuple[type[Plan], Situation]]:
    """All cells of the matrix again and again, each time in the same mixed order."""
    cells = [cell for cell in _cells(subject) for _ in range(cell[1].weight)]
    Random(str(seed)).shuffle(cells)
    while True:
        yield from cells


def _cells(subject: Subject) -> list[tuple[type[Plan], Situation]]:
    pairs = [(operator, situation) for operator in OPERATORS for situation in _situations(subject)]
    return [(o, situation) for o, situation in pairs if situation.operators is None or o in situation.operators]


def _situations(subject: Subject) -> list[Situation]:
    """Those that the engine can be brought into."""
    return [s for s in SITUATIONS.values() if s.delivery == "whole" or subject.sessions]


def an_attempt(choices: Choices, situation: Situation, plan: Plan, case: Case) -> Attempt:
    """How a case is delivered, and whether twice."""
    if situation.delivery == "whole":
        delivery = Delivery(columns=choices.chance(1, 4))
    else:
        slack = DISORDER_SLACK if situation.delivery == "disorder" else 0
        delivery = Delivery(schedule=choose_schedule(choices, case, slack=slack), slack=slack)
    return Attempt(plan, case, situation.horizon, delivery, twice=choices.chance(1, 4))


def attempt_in(choices: Choices, operator: type[Plan], situation: Situation) -> Attempt:
    """A plan with this operator, streams in this situation, and how they are delivered."""
    plan, case = choose_in_situation(choices, situation, operator)
    return an_attempt(choices, situation, plan, case)


class _Suite:
    """The matrix and the findings so far."""

    def __init__(self, subject: Subject, seed: int, gaps: Gaps) -> None:
        self.subject = subject
        self.seed = seed
        self.gaps = gaps
        self.matrix: dict[str, dict[str, Cell]] = {operator.__name__: {} for operator in OPERATORS}
        self.cells = self.bare = _cells(subject)
        for operator, situation in self.cells:
            self.matrix[operator.__name__][situation.name] = Cell(empty_counts=situation.missing)
        self.cases = 0
        self.findings: dict[tuple[FaultKind, str], Finding] = {}
        self.shown: dict[tuple[str, str], Finding] = {}
        """Known gaps that came up, with the first finding of each."""
        self.slow: set[str] = set()
        """Operators with slow faults: plans that contain them are not tried again."""

    def neediest(self, number: int, cell: tuple[type[Plan], Situation]) -> tuple[type[Plan], Situation]:
        """The cell whose turn it is; after a round every fourth time one in which no result ever held a row."""
        if number % 4 < 3 or number < len(self.cells):
            return cell
        verdicts = [(bare, self.matrix[bare[0].__name__][bare[1].name].verdict) for bare in self.bare]
        self.bare = [bare for bare, verdict in verdicts if verdict != "agreed"]
        vacuous = [bare for bare, verdict in verdicts if verdict == "vacuous"]
        return vacuous[number // 4 % len(vacuous)] if vacuous else cell

    def examine(self, number: int, operator: type[Plan], situation: Situation) -> None:
        """One more case of a cell; once a cell is refuted nothing more can be learnt from it."""
        cell = self.matrix[operator.__name__][situation.name]
        choices = SeededChoices(f"{self.seed}/{number}")
        attempt = attempt_in(choices, operator, situation)
        if cell.failed or self._slow(attempt.plan):
            return
        self._count(judge(self.subject, attempt), choices, operator, situation)

    def examine_together(self, number: int, operator: type[Plan], situation: Situation) -> None:
        """One more plan of a cell, on many cases in one run; of those that fail the first one is enough."""
        attempts = attempts_together(f"{self.seed}/{number}", operator, situation)
        if self.matrix[operator.__name__][situation.name].failed or self._slow(attempts[0][0].plan):
            return
        outcomes = judge_together(self.subject, [attempt for attempt, _ in attempts])
        failed = [i for i, outcome in enumerate(outcomes) if isinstance(outcome, Finding)]
        for i, outcome in enumerate(outcomes):
            if isinstance(outcome, CaseOutcome) or i == failed[0]:
                self._count(outcome, attempts[i][1], operator, situation)

    def _count(
        self, outcome: Finding | CaseOutcome, choices: SeededChoices, operator: type[Plan], situation: Situation
    ) -> None:
        cell = self.matrix[operator.__name__][situation.name]
        self.cases += 1
        if isinstance(outcome, CaseOutcome):
            cell.tally[outcome] += 1
            return
        cell.hindered += 1
        self._record(replace(outcome, situation=situation.name), choices, operator, situation)

    def _slow(self, plan: Plan) -> bool:
        return bool(self.slow) and any(node.operator in self.slow for node in plan.walk())

    def _record(self, finding: Finding, choices: SeededChoices, operator: type[Plan], situation: Situation) -> None:
        """Blame the cell of the operator at fault; of each kind of finding, the first is made small and reported."""
        gap = gap_for(self.gaps, finding.operator, finding.situation)
        blamed = self.matrix.get(finding.operator, {}).get(finding.situation)
        if blamed is not None:
            blamed.failed = "known gap" if gap else "refuted"
        if gap is not None:
            self.shown.setdefault(gap, replace(finding, name=FaultKind.KNOWN_GAP, message=self.gaps[gap]))
        elif (finding.name, finding.operator) not in self.findings:
            small = self._smallest(finding, choices, operator, situation)
            self.findings[finding.name, finding.operator] = replace(small, situation=situation.name)
        if finding.name in SLOW_FAULTS:
            self.slow.add(finding.operator)

    def _smallest(
        self, finding: Finding, choices: SeededChoices, operator: type[Plan], situation: Situation
    ) -> Finding:
        """The smallest case in which the same is wrong with the same operator."""

        def same(tried: Choices) -> Finding | None:
            outcome = judge(self.subject, attempt_in(tried, operator, situation))
            alike = isinstance(outcome, Finding) and _kind(outcome) == _kind(finding)
            return outcome if alike and isinstance(outcome, Finding) else None

        return shrink(same, tuple(choices.made), finding, self._trials(finding))

    def _trials(self, finding: Finding) -> int:
        if finding.name not in SLOW_FAULTS:
            return SHRINKING_TRIALS_IF_RUNS_COST_MUCH if self.subject.lifts else SHRINKING_TRIALS
        return (
            SHRINKING_TRIALS_IF_SLOW
            if sum(name in SLOW_FAULTS for name, _ in self.findings) < SLOW_FINDINGS_TO_SHRINK
            else 0
        )

    def conformance(self) -> Conformance:
        stale = [
            Finding(FaultKind.STALE_GAP, f"did not show in {self.cases} cases: {reason}", *key)
            for key, reason in self.gaps.items()
            if key not in self.shown
        ]
        findings = (*self.findings.values(), *self.shown.values(), *stale)
        return Conformance(self.subject.name, self.matrix, self.cases, findings, self.seed, self.subject.tolerance)


def _kind(finding: Finding) -> tuple[FaultKind, str]:
    return finding.name, finding.operator
