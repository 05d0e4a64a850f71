"""Run a saved counterexample again: does it still differ?"""

from dataclasses import replace

from equivalence.check import alike
from equivalence.constraint import elements_of
from equivalence.counterexample import Counterexample
from equivalence.engines import run_engine
from equivalence.report.careful import evaluate_carefully
from equivalence.report.document import LATEST, SavedCase
from equivalence.report.reading import DocumentError
from equivalence.verdict import Verdict
from physical.engine import Engine
from semantics import LogicalStream


def replay(case: SavedCase, engine: Engine | None = None) -> Verdict:
    """Compare the sides once more: two plans by the reference, or the reference with an engine."""
    if len(case.found.plans) == 2:
        return _compared(case, *(_evaluated(case, side, case.found.instant + 1) for side in (0, 1)))
    if engine is None:
        raise DocumentError("case: expected two plans to compare, or one plan and an engine")
    return _by_engine(case, engine, _horizon(case.found))


def _by_engine(case: SavedCase, engine: Engine, horizon: int) -> Verdict:
    left = _evaluated(case, 0, horizon)
    try:
        right = run_engine(engine, case.found.plans[0], case.found.streams, horizon)
    except Exception as error:  # an engine may raise whatever it likes: that is a difference too
        raised = f"{engine.name} raised {type(error).__name__}: {error}"
        return Verdict("refuted", {**_evidence(left), "error": raised})
    return _compared(case, left, right)


def _evaluated(case: SavedCase, side: int, horizon: int) -> LogicalStream:
    return evaluate_carefully(case.found.plans[side], case.found.streams, horizon)


def _compared(case: SavedCase, left: LogicalStream, right: LogicalStream) -> Verdict:
    for t, (l, r) in enumerate(zip(left.snapshots, right.snapshots, strict=True)):
        if not alike(l, r, case.equivalence):
            return Verdict("refuted", _evidence(left), replace(case.found, instant=t, left=l, right=r))
    return Verdict("agreed", _evidence(left))


def _evidence(left: LogicalStream) -> dict[str, object]:
    return {"how": "replayed", "snapshots": left.horizon}


def _horizon(found: Counterexample) -> int:
    """Beyond the wrong instant and, within limits, the last start: what comes later may disturb an engine, too."""
    starts = [interval.start for stream in found.streams.values() for _, interval in elements_of(stream)]
    return max(found.instant, *(min(start, LATEST) for start in starts), 0) + 1
