"""Run a saved counterexample again: does it still differ?"""

from collections.abc import Callable
from dataclasses import replace

from equivalence.check import alike
from equivalence.constraint import elements_of
from equivalence.counterexample import Counterexample
from equivalence.finding import Fault
from equivalence.report.careful import evaluate_carefully
from equivalence.report.document import LATEST, SavedCase
from equivalence.report.reading import DocumentError
from equivalence.trial import Subject, Unsupported
from equivalence.verdict import Verdict
from physical.engine import Engine
from semantics import LogicalStream, Multiset

Differ = Callable[[Multiset, Multiset], bool]


def replay(case: SavedCase, engine: Engine | None = None) -> Verdict:
    """Compare the sides once more: two plans by the reference, or the reference with an engine."""
    if len(case.found.plans) == 2:
        left, right = (_evaluated(case, side, case.found.instant + 1) for side in (0, 1))
        return _compared(case, left, right, lambda l, r: not alike(l, r, case.equivalence))
    if engine is None:
        raise DocumentError("case: expected two plans to compare, or one plan and an engine")
    return _by_engine(case, Subject(engine))


def _by_engine(case: SavedCase, subject: Subject) -> Verdict:
    """A fault of the engine other than a wrong result is a difference, too."""
    plan, horizon = case.found.plans[0], _horizon(case.found)
    left = _evaluated(case, 0, horizon)
    try:
        right = LogicalStream(plan.schema, subject.run(plan, case.found.streams, horizon))
    except Fault as fault:
        return Verdict("refuted", {**_evidence(left), "error": f"{subject.name}: {fault}"})
    except Unsupported:
        return Verdict("unknown", {**_evidence(left), "why": f"{subject.name} does not support the plan"})
    return _compared(case, left, right, subject.differs)


def _evaluated(case: SavedCase, side: int, horizon: int) -> LogicalStream:
    return evaluate_carefully(case.found.plans[side], case.found.streams, horizon)


def _compared(case: SavedCase, left: LogicalStream, right: LogicalStream, differ: Differ) -> Verdict:
    for t, (l, r) in enumerate(zip(left.snapshots, right.snapshots, strict=True)):
        if differ(l, r):
            return Verdict("refuted", _evidence(left), replace(case.found, instant=t, left=l, right=r))
    return Verdict("agreed", _evidence(left))


def _evidence(left: LogicalStream) -> dict[str, object]:
    return {"how": "replayed", "snapshots": left.horizon}


def _horizon(found: Counterexample) -> int:
    """Beyond the wrong instant and, within limits, the last start: what comes later may disturb an engine, too."""
    starts = [interval.start for stream in found.streams.values() for _, interval in elements_of(stream)]
    return max(found.instant, *(min(start, LATEST) for start in starts), 0) + 1
