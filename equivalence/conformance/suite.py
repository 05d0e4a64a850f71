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
- `knows_now = True` says that expressions may ask for the instant. Without it, the engine gets no plan that does: most
  engines evaluate expressions over rows alone.
- `knows_types = True` says that there may be points in time, spans, decimals, arrays, rows and CAST. Without it, the
  engine gets INT, FLOAT, BOOL and STR only.
- `knows_functions = True` says that expressions may call built-in functions. Without it, the engine gets no plan that
  does: few engines have all of them, with our meaning.
- `knows_all_aggregates = True` says that it knows more than COUNT, SUM, AVG, MIN, MAX, VAR_POP, STDDEV_POP, MEDIAN, TOP
  and COUNT(DISTINCT x). Without it, the engine gets no other aggregate, and no other DISTINCT.
- `differences` names what its documentation admits to be different, from the list of
  `equivalence.conformance.declared_differences`. Findings that one of them explains are known gaps.
- `latest` is the latest horizon that it takes, if it looks at every instant.
- `lifts = True` says that starting a run costs much, so that many cases of a plan are run as one, and little else is
  tried. `cases_per_run` is how many; an engine that says only that is tried on everything.

Its result may be a stream of ours, an Arrow table with `_start` and `_end`, or anything that yields rows with their
intervals.

An engine may also be named, as `package.module:object`. It then has a process of its own, which may crash or use up its
memory; an object runs in a thread of this process (see `equivalence.conformance.subject.choose_subject`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from pathlib import Path
from typing import Final

from equivalence.cases.choices import SeededChoices
from equivalence.cases.dimensions.covering import covering_rows, in_turns, rows_with
from equivalence.cases.dimensions.dimension import Row
from equivalence.cases.random_plans import OPERATORS
from equivalence.cases.search import CaseOutcome
from equivalence.cases.situation import Situation
from equivalence.cases.situations import PLAIN, SITUATIONS
from equivalence.conformance.attempts import (
    CellName,
    attempt_in,
    attempt_with,
    cells_of,
    endless_cells,
    known_operators,
    plan_in,
)
from equivalence.conformance.coverage import Coverage
from equivalence.conformance.covering_cases import CoveringCase, Generate
from equivalence.conformance.declared_differences import DECLARABLE, check_declared
from equivalence.conformance.judge import Attempt, judge
from equivalence.conformance.judge_many import attempts_together, judge_together
from equivalence.conformance.kept_answers import KeptAnswers
from equivalence.conformance.known_gaps import Gaps, gap_for, known_gaps
from equivalence.conformance.matrix import Cell, Conformance
from equivalence.conformance.operator_neighbours import OperatorNeighbours
from equivalence.conformance.small_findings import DIMENSIONS, HANGS_TO_GIVE_UP, SLOW_FAULTS, SmallFindings
from equivalence.conformance.subject.choose_subject import subject_of
from equivalence.conformance.subject.in_process import AnyEngine, Subject
from equivalence.verdicts.fault_kind import FaultKind
from equivalence.verdicts.finding import Finding
from semantics import Plan
from semantics.how_many import how_many
from semantics.types import BASIC_TYPES

CASES: Final = 3500
"""Two rounds through the matrix: after one round many cells have had a single case."""
CASES_IF_RUN_TOGETHER: Final = 10000
"""By default, for an engine that takes several cases in one run: plans tell more than cases of the same plan."""
COVERING_ROUNDS: Final = 20
"""Rows of a round whose result was empty say nothing about their pairs, which then get other rows in the next round."""
TRIES_TO_FIT: Final = 40
"""Plans that are made before a cell is left as it is: an engine may know few of the expressions that come up."""


def conform(
    engine: AnyEngine | str,
    *,
    cases: int | None = None,
    seed: int = 0,
    coverage: bool | None = None,
    gaps: Mapping[str, str] | Path | str | None = None,
    tolerance: float | None = None,
    time_limit: float | None = None,
    isolated: bool = True,
) -> Conformance:
    """Try an engine on cases spread over all operators and situations; findings are made small.

    Before them come cases that cover every pair of values of all dimensions, for every operator. They are left out if
    fewer cases are asked for than by default, if a run costs much, or if the engine takes no late instants, unless
    `coverage` says otherwise.

    >>> from physical.engines.interval.engine import IntervalEngine
    >>> print(conform(IntervalEngine(), cases=40).cases)
    40
    """
    known = known_gaps(gaps, [o.__name__ for o in OPERATORS], [*SITUATIONS, DIMENSIONS])
    with subject_of(engine, tolerance=tolerance, time_limit=time_limit, isolated=isolated) as subject:
        suite = _Suite(subject, seed, known)
        if cases is None:
            cases = CASES if subject.lifts or subject.cases_per_run == 1 else CASES_IF_RUN_TOGETHER
        if _is_covered(subject, cases) if coverage is None else coverage:
            suite.cover()
        suite.sample(-(-cases // subject.cases_per_run))
        suite.answers.keep()
        return suite.conformance()


def _is_covered(subject: Subject, cases: int) -> bool:
    """Is it worth it to cover all pairs of dimensions? Most of their cases have late instants."""
    cheap = not subject.lifts and subject.latest is None
    return cases >= CASES and cheap and subject.types >= set(BASIC_TYPES)


class _Suite:
    """The matrix and the findings so far."""

    def __init__(self, subject: Subject, seed: int, gaps: Gaps) -> None:
        self.subject = subject
        self.seed = seed
        declared = check_declared(subject.differences, subject.name)
        self.gaps = {**gaps, **{("*", name): DECLARABLE[name].sentence for name in declared}}
        self.matrix: dict[str, dict[str, Cell]] = {operator.__name__: {} for operator in OPERATORS}
        self.known = known_operators(subject)
        self.cells = self.bare = cells_of(subject, self.known)
        for operator, situation in self.cells:
            self.matrix[operator.__name__][situation.name] = Cell(empty_counts=situation.missing)
        for operator in (operator for operator in OPERATORS if operator not in self.known):
            self.matrix[operator.__name__][PLAIN.name] = Cell(misses=1)
        self.cases = 0
        self.coverage: Coverage | None = None
        self.neighbours = OperatorNeighbours()
        self.small = SmallFindings(subject)
        self.answers = KeptAnswers(seed)
        self.findings: dict[tuple[FaultKind, str], Finding] = {}
        self.shown: dict[tuple[str, str], Finding] = {}
        """Known gaps that came up, with the first finding of each."""
        self.slow: set[str] = set()
        """Operators with slow faults: plans that contain them are not tried again."""

    def sample(self, runs: int) -> None:
        """Try so many plans that the engine can run, cell by cell; if no plan fits, another cell gets its turn."""
        runs_left = runs
        for number, cell in enumerate(endless_cells(self.cells, self.seed)):
            if runs_left <= 0 or self.subject.hangs >= HANGS_TO_GIVE_UP:
                break
            if self.examine(number, *self.neediest(number, cell)):
                runs_left -= 1
            elif all(self.matrix[operator.__name__][s.name].closed for operator, s in self.cells):
                break

    def neediest(self, number: int, cell: CellName) -> CellName:
        """The cell whose turn it is; after a round every fourth time one in which no result ever held a row."""
        if number % 4 < 3 or number < len(self.cells):
            return cell
        verdicts = [(bare, self.matrix[bare[0].__name__][bare[1].name].verdict) for bare in self.bare]
        self.bare = [bare for bare, verdict in verdicts if verdict != "agreed"]
        vacuous = [bare for bare, verdict in verdicts if verdict == "vacuous"]
        return vacuous[number // 4 % len(vacuous)] if vacuous else cell

    def cover(self) -> None:
        """Cases that cover every pair of dimension values with every operator."""
        self.coverage = Coverage(self.subject.sessions)
        for operator, cells in zip(OPERATORS, self.matrix.values(), strict=True):
            cells[DIMENSIONS] = Cell()
            if operator not in self.known:
                self.coverage.leave_out(operator)
        for number in range(COVERING_ROUNDS):
            rows = {operator: self._missing_rows(self.coverage, operator, number) for operator in OPERATORS}
            seed, sessions = f"{self.seed}/{number}", self.subject.sessions
            cases = (CoveringCase(operator, row, seed, sessions, self.known) for operator, row in in_turns(rows))
            for case, following in pairwise(chain(cases, [None])):
                assert case is not None
                self.examine_row(self.coverage, case, following)

    def _missing_rows(self, coverage: Coverage, operator: type[Plan], number: int) -> Sequence[Row]:
        if operator not in self.known:
            return ()
        if number == 0:
            return covering_rows(operator, self.subject.sessions)
        seed = f"{operator.__name__}/{number}"
        return list(rows_with(operator, coverage.missing(operator), self.subject.sessions, seed))

    def examine_row(self, coverage: Coverage, case: CoveringCase, following: CoveringCase | None) -> None:
        """One case of a row; once an operator is refuted nothing more can be learnt from its rows."""
        operator, attempt = case.operator, case.attempt
        if self.matrix[operator.__name__][DIMENSIONS].settled or self._slow(attempt.plan):
            return
        if not self.subject.fits(attempt.plan) or self._too_late(attempt):
            coverage.note(operator, case.row, CaseOutcome.UNSUPPORTED)
            return
        outcome = judge(self.subject, attempt, meanwhile=following.prepare if following else lambda: None)
        coverage.note(operator, case.row, outcome)
        if outcome is not CaseOutcome.UNSUPPORTED:
            self._measure(operator, attempt, outcome)
            self._count(outcome, case.choices, operator, DIMENSIONS, case.generate)

    def examine(self, number: int, operator: type[Plan], situation: Situation) -> bool:
        """One more case of a cell, unless no plan fits; once a cell is refuted nothing more can be learnt from it."""
        cell = self.matrix[operator.__name__][situation.name]
        if cell.settled:
            return True
        if cell.closed:
            return False
        together = self.subject.cases_per_run > 1 and situation.delivery == "whole"
        examine = self._examine_together if together else self._examine_one
        found = (examine(seed, operator, situation) for seed in self._seeds(number, operator, situation))
        tried = next((tried for tried in found if tried is not None), False)
        cell.misses += not tried
        return tried

    def _seeds(self, number: int, operator: type[Plan], situation: Situation) -> list[str]:
        """Seeds to try until a plan fits; every other time those of the plans with the most variety come first.

        Among plans with few of the operations, small ones fit more often, and say little.
        """
        seeds = [f"{self.seed}/{number}", *(f"{self.seed}/{number}/{i}" for i in range(1, TRIES_TO_FIT))]

        def variety(seed: str) -> int | None:
            return self.subject.variety(self._plan(seed, operator, situation))

        if number % 2 == 0 or variety(seeds[0]) is None:
            return seeds
        return sorted(seeds, key=lambda seed: -(variety(seed) or 0))

    def _plan(self, seed: str, operator: type[Plan], situation: Situation) -> Plan:
        return plan_in(SeededChoices(seed), operator, situation, self.subject)[1]

    def _in(self, operator: type[Plan], situation: Situation) -> Generate:
        return lambda choices: attempt_in(choices, operator, situation, self.subject)

    def _examine_one(self, seed: str, operator: type[Plan], situation: Situation) -> bool | None:
        """One case; None if the engine knows that it cannot run its plan, False if it found that out when it tried."""
        choices = SeededChoices(seed)
        special, plan = plan_in(choices, operator, situation, self.subject)
        if not self.subject.fits(plan):
            return None
        if self._slow(plan):
            return True
        attempt = attempt_with(choices, special, plan)
        if self._too_late(attempt):
            return None
        outcome = judge(self.subject, attempt)
        if outcome is CaseOutcome.UNSUPPORTED:
            return False
        self._measure(operator, attempt, outcome)
        self._count(outcome, choices, operator, situation.name, self._in(operator, situation))
        return True

    def _examine_together(self, seed: str, operator: type[Plan], situation: Situation) -> bool | None:
        """One plan on many cases in one run; of those that fail the first one is enough."""
        plan = self._plan(seed, operator, situation)
        if not self.subject.fits(plan):
            return None
        if self._slow(plan):
            return True
        attempts = attempts_together(seed, operator, situation, self.subject.cases_per_run, self.subject)
        for attempt, _ in attempts:
            self.answers.give(attempt)
        outcomes = judge_together(self.subject, [attempt for attempt, _ in attempts])
        if all(outcome is CaseOutcome.UNSUPPORTED for outcome in outcomes):
            return False
        failed = [i for i, outcome in enumerate(outcomes) if isinstance(outcome, Finding)]
        fired = [i for i, outcome in enumerate(outcomes) if outcome is CaseOutcome.FIRED][:1]
        for i in fired:  # another plan tells more than this one on another case
            self._measure(operator, attempts[i][0], outcomes[i])
        for i, outcome in enumerate(outcomes):
            if isinstance(outcome, CaseOutcome) or i == failed[0]:
                self._count(outcome, attempts[i][1], operator, situation.name, self._in(operator, situation))
        return True

    def _count(
        self,
        outcome: Finding | CaseOutcome,
        choices: SeededChoices,
        operator: type[Plan],
        situation: str,
        generate: Generate,
    ) -> None:
        cell = self.matrix[operator.__name__][situation]
        self.cases += 1
        if isinstance(outcome, CaseOutcome):
            cell.tally[outcome] += 1
            return
        cell.hindered += 1
        self._record(replace(outcome, situation=situation), choices, generate)

    def _measure(self, operator: type[Plan], attempt: Attempt, outcome: Finding | CaseOutcome) -> None:
        """What a case would have noticed, if the engine was right about it."""
        if outcome is CaseOutcome.FIRED:
            self.neighbours.note(operator, attempt)

    def _too_late(self, attempt: Attempt) -> bool:
        latest = self.subject.latest
        return latest is not None and attempt.horizon > latest

    def _slow(self, plan: Plan) -> bool:
        return bool(self.slow) and any(node.operator in self.slow for node in plan.walk())

    def _record(self, finding: Finding, choices: SeededChoices, generate: Generate) -> None:
        """Blame the cell of the operator at fault; of each kind of finding, the first is made small and reported."""
        gap = gap_for(self.gaps, finding.operator, finding.situation) or _gap(self.small.declared(finding))
        small = None
        if gap is None and (finding.name, finding.operator) not in self.findings:
            small, declared = self.small.smallest(finding, choices, generate)
            small, gap = replace(small, situation=finding.situation), _gap(declared)
        blamed = self.matrix.get(finding.operator, {}).get(finding.situation)
        if blamed is not None:
            blamed.fail(by_known_gap=gap is not None)
        if gap is not None:
            self.shown.setdefault(gap, replace(finding, name=FaultKind.KNOWN_GAP, message=self.gaps[gap]))
        elif small is not None:
            self.findings[finding.name, finding.operator] = small
        if finding.name in SLOW_FAULTS:
            self.slow.add(finding.operator)

    def conformance(self) -> Conformance:
        stale = [
            Finding(FaultKind.STALE_GAP, f"did not show in {how_many(self.cases, 'case')}: {reason}", *key)
            for key, reason in self.gaps.items()
            if key not in self.shown
        ]
        findings = (*self.findings.values(), *self.shown.values(), *stale)
        return Conformance(
            self.subject.name,
            self.matrix,
            self.cases,
            findings,
            self.seed,
            self.subject.tolerance,
            given_up=self._given_up(),
            coverage=self.coverage,
            neighbours=self.neighbours.evidence(),
        )

    def _given_up(self) -> str:
        hangs = self.subject.hangs
        if hangs < HANGS_TO_GIVE_UP:
            return ""
        return (
            f"engine {self.subject.name} was given up after {how_many(self.cases, 'case')}: {hangs} runs took too long"
        )


def _gap(declared: str | None) -> tuple[str, str] | None:
    """The known gap that stands for a declared difference."""
    return None if declared is None else ("*", declared)
