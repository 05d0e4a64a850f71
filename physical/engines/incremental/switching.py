"""Re-evaluation while windows are small, parts of basic windows while they are large (Section 4.2 of the paper).

In the paper, evaluating a very small window again costs less than keeping and merging parts. Here it costs about as
much or more (docs/papers.md has figures), so this is an option, and parts are the default. A change from rows to parts
happens at a slide: the parts are made from the rows that are there. For the way back the rows have to be known again,
so they are collected beside the parts until all older ones have expired.
"""

from collections import Counter
from typing import Final

import numpy as np

from physical.engines.incremental.expiring_rows import ExpiringRows
from physical.engines.incremental.window_evaluator import IncrementalEvaluator, ReevaluationEvaluator
from semantics import Plan
from semantics import plan as op

MANY_ROWS: Final = 256
"""Above this number of rows in all windows of a plan, parts are kept."""
FEW_ROWS: Final = 64
"""Below it, windows are evaluated again; in between, everything stays as it is."""
PER_ROW = op.Filter | op.Map | op.Rstream
MERGED = op.Distinct | op.Grouping | op.Aggregation | op.Difference | op.Intersection


class SwitchingEvaluator:
    """Evaluates windows again or keeps parts of them, and changes between the two as they grow and shrink.

    Only plans whose results are given out anew at every slide change: others have given out results for the future.
    """

    def __init__(self, plan: Plan, many: int = MANY_ROWS, few: int = FEW_ROWS) -> None:
        self.plan, self.many, self.few = plan, many, few
        self.changes = 0
        self.live: Counter[int] = Counter()
        """How many rows expire at an instant."""
        self.rows: ReevaluationEvaluator | None = ReevaluationEvaluator(plan) if _merged(plan) else None
        self.parts: IncrementalEvaluator | None = None if _merged(plan) else IncrementalEvaluator(plan)
        self.complete_at = 0
        """From then on the rows are all that is in the windows."""

    def feed(self, port: int, rows: ExpiringRows, start: int) -> None:
        ends, counts = np.unique(rows.ends(), return_counts=True)
        self.live.update(dict(zip(ends.tolist(), counts.tolist(), strict=True)))
        for evaluator in (self.rows, self.parts):
            if evaluator is not None:
                evaluator.feed(port, rows, start)

    def slide(self, now: int, until: int) -> ExpiringRows:
        self._forget(now)
        self._choose(now)
        if self.parts is None:
            assert self.rows is not None
            return self.rows.slide(now, until)
        if self.rows is not None:
            self.rows.advance(now)
        return self.parts.slide(now, until)

    def expire(self, now: int) -> None:
        for evaluator in (self.rows, self.parts):
            if evaluator is not None:
                evaluator.expire(now)

    def held(self) -> list[ExpiringRows]:
        return [rows for evaluator in (self.rows, self.parts) if evaluator is not None for rows in evaluator.held()]

    def _forget(self, now: int) -> None:
        for end in [end for end in self.live if end <= now]:
            del self.live[end]

    def _choose(self, now: int) -> None:
        if not _merged(self.plan):
            return
        size = self.live.total()
        if self.parts is None and size > self.many:
            self._keep_parts(now)
        elif self.parts is not None and size > self.many:
            self.rows = None
        elif self.parts is not None and self.rows is not None and now >= self.complete_at:
            self.parts = None
            self.changes += 1
        elif self.parts is not None and self.rows is None and size < self.few:
            self.rows, self.complete_at = ReevaluationEvaluator(self.plan), max(self.live, default=now)

    def _keep_parts(self, now: int) -> None:
        """Make the parts of all rows that are there, and of those that were fed early."""
        assert self.rows is not None
        self.rows.advance(now)
        self.parts = IncrementalEvaluator(self.plan)
        for port, (window, waiting) in enumerate(zip(self.rows.windows, self.rows.waiting, strict=True)):
            self.parts.feed(port, window.rows, now)
            for start, batches in sorted(waiting.batches.items()):
                for batch in batches:
                    self.parts.feed(port, batch, start)
        self.rows = None
        self.changes += 1


def _merged(plan: Plan) -> bool:
    """Is the result given out anew at every slide?"""
    return _merged(plan.inputs[0]) if isinstance(plan, PER_ROW) else isinstance(plan, MERGED)
