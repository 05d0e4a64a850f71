"""Run a saved counterexample again: does it still differ?"""

from contextlib import suppress
from dataclasses import replace
from typing import Final

from equivalence.cases.delivery import WHOLE
from equivalence.cases.search import CaseOutcome
from equivalence.conformance.judge import Attempt, judge
from equivalence.conformance.subject.choose_subject import subject_of
from equivalence.conformance.subject.history import MOST_CHANGES
from equivalence.conformance.subject.in_process import AnyEngine, Subject
from equivalence.lists.equivalences import Equivalence
from equivalence.report.bounded_evaluation import evaluate_bounded, evaluate_bounded_at_any_time
from equivalence.sampling.sample import first_instant_of_difference
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.engine_fault import EngineFault
from equivalence.verdicts.json.document import LATEST_HORIZON, SavedCase
from equivalence.verdicts.json.reading import DocumentError
from equivalence.verdicts.verdict import Verdict
from semantics import ArithmeticOverflow, evaluate_sparse
from semantics.constraint import elements_of

LATEST_SNAPSHOT: Final = 2_000
"""Before a later horizon not every snapshot is looked at, but only those at which something changes."""


def replay(case: SavedCase, engine: AnyEngine | str | None = None, *, isolated: bool = True) -> Verdict:
    """Compare the sides once more: two plans by the reference, or the reference with an engine."""
    if isinstance(case.found, Counterexample) and len(case.found.plans) == 2:
        return _compared(case.found, case.equivalence)
    if engine is None:
        raise DocumentError("case: expected two plans to compare, or one plan and an engine")
    with subject_of(engine, isolated=isolated) as subject:
        return _by_engine(case, subject)


def _by_engine(case: SavedCase, subject: Subject) -> Verdict:
    """A fault of the engine other than a wrong result is a difference, too."""
    plan, horizon = case.found.plans[0], _horizon(case.found)
    evidence: dict[str, object] = {"how": "replayed", "snapshots": horizon}
    with suppress(ArithmeticOverflow):  # the engine must raise then, which is judged below
        _check_work(case, horizon)
    outcome = judge(subject, Attempt(plan, case.found.streams, horizon, case.found.delivery or WHOLE, twice=True))
    if isinstance(outcome, CaseOutcome):
        return _without_finding(outcome, subject, evidence)
    if isinstance(outcome.counterexample, EngineFault):
        evidence["error"] = f"{subject.name}: {outcome.name}: {outcome.message}"
    return Verdict("refuted", evidence, outcome.counterexample)


def _without_finding(seen: CaseOutcome, subject: Subject, evidence: dict[str, object]) -> Verdict:
    if seen is CaseOutcome.UNSUPPORTED:
        return Verdict("unknown", {**evidence, "why": f"{subject.name} does not support the plan"})
    if seen is CaseOutcome.UNMET:
        why = f"the result may change for ever, and {subject.name} cannot be told a horizon"
        return Verdict("unknown", {**evidence, "why": why})
    return Verdict("agreed", evidence)


def _check_work(case: SavedCase, horizon: int) -> None:
    """Refuse a case that takes too much work, of which a late instant alone is none."""
    if horizon <= LATEST_SNAPSHOT:
        evaluate_bounded(case.found.plans[0], case.found.streams, horizon)
    else:
        evaluate_sparse(case.found.plans[0], case.found.streams, horizon, limit=MOST_CHANGES)


def _compared(found: Counterexample, equivalence: Equivalence) -> Verdict:
    horizon = found.instant + 1
    left, right = (evaluate_bounded_at_any_time(plan, found.streams, horizon) for plan in found.plans)
    evidence = {"how": "replayed", "snapshots": horizon}
    t = first_instant_of_difference(left, right, equivalence)
    if t is None:
        return Verdict("agreed", evidence)
    return Verdict("refuted", evidence, replace(found, instant=t, left=left.at(t), right=right.at(t)))


def _horizon(found: Counterexample | EngineFault) -> int:
    """After the wrong instant and, within limits, after the last start: later elements may disturb an engine, too."""
    if isinstance(found, EngineFault):
        return found.horizon
    starts = [interval.start for stream in found.streams.values() for _, interval in elements_of(stream)]
    return max(found.instant, *(min(start, LATEST_HORIZON) for start in starts), 0) + 1
