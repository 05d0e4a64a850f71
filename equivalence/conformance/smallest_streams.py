"""A fault of an engine on the smallest streams that show it: the same fault of the same operator."""

from dataclasses import replace

from equivalence.cases.delivery import WHOLE
from equivalence.cases.random_cases import Case
from equivalence.cases.reduce_case import REDUCTION_TRIALS, reduced
from equivalence.conformance.judge import Attempt, judge
from equivalence.conformance.narrower_plans import narrower
from equivalence.conformance.subject.in_process import Subject
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.engine_fault import EngineFault
from equivalence.verdicts.finding import Finding


def is_same_fault(outcome: object, finding: Finding) -> bool:
    """Has it the same name, and is the same operator to blame?"""
    return isinstance(outcome, Finding) and (outcome.name, outcome.operator) == (finding.name, finding.operator)


def on_smallest_streams(
    subject: Subject, finding: Finding, trials: int = REDUCTION_TRIALS, most_hangs: float = float("inf")
) -> Finding:
    """The same fault on the smallest streams, if these are handed over as a whole; none is tried after so many hangs.

    If the operator at fault shows it without those above it, they are left out; and so are columns of its own.
    """
    attempt = _attempt(finding.counterexample)
    if attempt is None or attempt.delivery.schedule is not None:
        return finding
    alone = _without_what_is_above(attempt, finding)
    if alone is not None and is_same_fault(outcome := judge(subject, alone), finding):
        assert isinstance(outcome, Finding)
        attempt, finding = alone, outcome
    attempt, finding = _with_fewer_columns(subject, attempt, finding)

    def same(case: Case) -> Finding | None:
        if subject.hangs >= most_hangs:
            return None
        outcome = judge(subject, replace(attempt, case=case))
        return outcome if isinstance(outcome, Finding) and is_same_fault(outcome, finding) else None

    return reduced(same, attempt.case, finding, trials=trials)


def _with_fewer_columns(subject: Subject, attempt: Attempt, finding: Finding) -> tuple[Attempt, Finding]:
    """Without the columns that do not matter, if the operator at fault is the whole plan."""
    if finding.counterexample is None or finding.counterexample.blamed != attempt.plan or subject.lifts:
        return attempt, finding
    for plan in narrower(attempt.plan):
        less = replace(attempt, plan=plan)
        outcome = judge(subject, less)
        if isinstance(outcome, Finding) and is_same_fault(outcome, finding):
            return _with_fewer_columns(subject, less, outcome)
    return attempt, finding


def _without_what_is_above(attempt: Attempt, finding: Finding) -> Attempt | None:
    """The operator at fault, over the streams that it needs; None if there is nothing above it."""
    found = finding.counterexample
    blamed = found.blamed if isinstance(found, Counterexample) else None
    if blamed is None or blamed == attempt.plan:
        return None
    return replace(attempt, plan=blamed, case={name: attempt.case[name] for name in blamed.sources()})


def _attempt(found: object) -> Attempt | None:
    """What the engine was given, no longer than the fault needs it; nothing can be tried again if that is unknown."""
    if isinstance(found, Counterexample):
        return Attempt(found.plans[0], found.streams, found.instant + 1, found.delivery or WHOLE)
    if isinstance(found, EngineFault):
        return Attempt(found.plan, found.streams, found.horizon, found.delivery or WHOLE)
    return None
