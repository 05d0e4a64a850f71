"""Is an engine right about one plan? Free cases in all situations, and cases around what the plan speaks of."""

from collections.abc import Callable
from typing import Final

from equivalence.cases.choices import Choices
from equivalence.cases.directed.clues import clues_of
from equivalence.cases.directed.draw import choose_directed_case, settled_after
from equivalence.cases.search import CaseOutcome, Examine, SearchResult, search
from equivalence.cases.shrink import shrink
from equivalence.cases.situation import choose_case_for, variant
from equivalence.conformance.attempts import an_attempt, situations_of
from equivalence.conformance.judge import Attempt, judge
from equivalence.conformance.small_findings import HANGS_TO_GIVE_UP, SHRINKING_TRIALS_IF_SLOW, SLOW_FAULTS
from equivalence.conformance.smallest_streams import on_smallest_streams
from equivalence.conformance.subject.choose_subject import subject_of
from equivalence.conformance.subject.in_process import AnyEngine, Subject
from equivalence.neighbours.measure import NeighbourMeasure
from equivalence.verdicts.finding import Finding
from equivalence.verdicts.verdict import Verdict
from semantics import Plan, Unsupported, show
from semantics.evaluate import Planned

CASES_MEASURED: Final = 100
"""The neighbours of the plan are evaluated on this many cases that the engine was right about."""


def check_engine(
    engine: AnyEngine | str,
    query: Planned,
    *,
    examples: int = 1000,
    seed: int = 0,
    tolerance: float | None = None,
    time_limit: float | None = None,
    isolated: bool = True,
) -> Verdict:
    """Does an engine give the right result for one plan, in all situations and around what the plan speaks of?

    The evidence says how many neighbours of the plan the cases tell from it: an engine that had computed one of these
    instead would have been noticed.
    """
    with subject_of(engine, tolerance=tolerance, time_limit=time_limit, isolated=isolated) as subject:
        check = _Check(subject, query.plan)
        found = check.searched(examples, seed)
        unsupported = _unsupported(subject, query.plan) if found.tally[CaseOutcome.UNSUPPORTED] else ""
    evidence = {**found.evidence(seed), "engine": subject.name}
    if subject.tolerance:
        evidence["tolerance"] = subject.tolerance
    if found.failure is not None:
        evidence |= {"finding": str(found.failure.name), "message": found.failure.message}
        return Verdict("refuted", evidence, found.failure.counterexample)
    if unsupported:
        return Verdict("unknown", evidence | {"why": unsupported})
    return Verdict("agreed" if found.fired else "vacuous", evidence | {"neighbours": check.neighbours.evidence()})


class _Check:
    """An engine, a plan, and what its cases notice."""

    def __init__(self, subject: Subject, plan: Plan) -> None:
        self.subject, self.plan = subject, plan
        self.situations, self.clues = situations_of(subject), clues_of(plan)
        self.neighbours, self._measured = NeighbourMeasure(plan), 0

    def searched(self, examples: int, seed: int) -> SearchResult[Finding]:
        """The first case that fails, made small; with fewer trials if each of them is slow."""
        found = search(self._free, examples, seed, trials=0, directed=self._directed)
        if found.failure is None or found.failed is None:
            return found
        if found.failure.name not in SLOW_FAULTS:
            small = search(self._free, examples, seed, directed=self._directed)
            small.failure = None if small.failure is None else on_smallest_streams(self.subject, small.failure)
            return small
        choices = found.failed.choices()
        found.failed.examine(choices)
        failing = _finding(self.subject, found.failed.examine)
        shrunk = shrink(failing, tuple(choices.made), found.failure, SHRINKING_TRIALS_IF_SLOW)
        found.failure = on_smallest_streams(self.subject, shrunk, SHRINKING_TRIALS_IF_SLOW, HANGS_TO_GIVE_UP)
        return found

    def _free(self, choices: Choices) -> Finding | CaseOutcome:
        situation = variant(choices, choices.of(self.situations), type(self.plan))
        case, horizon = choose_case_for(choices, situation, self.plan)
        return self._judged(an_attempt(choices, situation, self.plan, case, horizon))

    def _directed(self, choices: Choices) -> Finding | CaseOutcome:
        case = choose_directed_case(choices, self.plan.sources(), (), self.clues)
        situation = choices.of(self.situations)
        return self._judged(an_attempt(choices, situation, self.plan, case, settled_after(case, self.clues)))

    def _judged(self, attempt: Attempt) -> Finding | CaseOutcome:
        outcome = judge(self.subject, attempt)
        if outcome is CaseOutcome.FIRED and self._measured < CASES_MEASURED:
            self._measured += 1
            self.neighbours.look(attempt.seen, attempt.horizon)
        return outcome


def _unsupported(subject: Subject, plan: Plan) -> str:
    """The lowest operator that the engine says it cannot run."""
    for node in plan.walk(inputs_first=True):
        try:
            subject.check_support(node)
        except Unsupported:
            return f"engine {subject.name} does not support {node.operator}, in {show(node)}"
    return f"engine {subject.name} does not support the plan in the way it was tried"


def _finding(subject: Subject, examine: Examine[Finding]) -> Callable[[Choices], Finding | None]:
    def failure(choices: Choices) -> Finding | None:
        if subject.hangs >= HANGS_TO_GIVE_UP:
            return None
        outcome = examine(choices)
        return outcome if isinstance(outcome, Finding) else None

    return failure
