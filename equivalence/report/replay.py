"""Run a saved counterexample again: does it still differ?"""

from contextlib import suppress
from dataclasses import replace

from equivalence.cases.delivery import WHOLE
from equivalence.cases.search import CaseOutcome
from equivalence.conformance.judge import Attempt, judge
from equivalence.conformance.subject.choose_subject import subject_of
from equivalence.conformance.subject.in_process import AnyEngine, Subject
from equivalence.lists.equivalences import Equivalence
from equivalence.report.bounded_evaluation import evaluate_bounded
from equivalence.sampling.sample import alike
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.engine_fault import EngineFault
from equivalence.verdicts.json.document import LATEST_INSTANT, SavedCase
from equivalence.verdicts.json.reading import DocumentError
from equivalence.verdicts.verdict import Verdict
from semantics import ArithmeticOverflow, LogicalStream
from semantics.constraint import elements_of


def replay(case: SavedCase, engine: AnyEngine | str | None = None, *, isolated: bool = True) -> Verdict:
    """Compare the sides once more: two plans by the reference, or the reference with an engine."""
    if isinstance(case.found, Counterexample) and len(case.found.plans) == 2:
        left, right = (_evaluated(case, side, case.found.instant + 1) for side in (0, 1))
        return _compared(case.found, left, right, case.equivalence)
    if engine is None:
        raise DocumentError("case: expected two plans to compare, or one plan and an engine")
    with subject_of(engine, isolated=isolated) as subject:
        return _by_engine(case, subject)


def _by_engine(case: SavedCase, subject: Subject) -> Verdict:
    """A fault of the engine other than a wrong result is a difference, too."""
    plan, horizon = case.found.plans[0], _horizon(case.found)
    evidence: dict[str, object] = {"how": "replayed", "snapshots": horizon}
    with suppress(ArithmeticOverflow):  # the engine must raise then, which is judged below
        _evaluated(case, 0, horizon)
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


def _evaluated(case: SavedCase, side: int, horizon: int) -> LogicalStream:
    return evaluate_bounded(case.found.plans[side], case.found.streams, horizon)


def _compared(found: Counterexample, left: LogicalStream, right: LogicalStream, equivalence: Equivalence) -> Verdict:
    evidence = {"how": "replayed", "snapshots": left.horizon}
    for t, (l, r) in enumerate(zip(left.snapshots, right.snapshots, strict=True)):
        if not alike(l, r, equivalence):
            return Verdict("refuted", evidence, replace(found, instant=t, left=l, right=r))
    return Verdict("agreed", evidence)


def _horizon(found: Counterexample | EngineFault) -> int:
    """After the wrong instant and, within limits, after the last start: later elements may disturb an engine, too."""
    if isinstance(found, EngineFault):
        return found.horizon
    starts = [interval.start for stream in found.streams.values() for _, interval in elements_of(stream)]
    return max(found.instant, *(min(start, LATEST_INSTANT) for start in starts), 0) + 1
