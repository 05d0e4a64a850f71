"""Operators that only wrong or different engines have, as nodes that stand in plans like any other.

They are no part of the algebra: nothing but `DeviatingEvaluation` knows them, and no right plan contains one.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, cast

from equivalence.deviations.judged_counts import sampled
from equivalence.recordings.recording import Judged
from semantics import FOREVER, Instant, Plan, Schema
from semantics.plan import FullJoin, LeftJoin, RightJoin, TimeWindow, Unary
from semantics.sparse.evaluate import SparseEvaluation
from semantics.sparse.row_steps import Counts, Steps, Totals, glued, spans, summed
from semantics.sparse.sweep import lasting
from semantics.sparse.time_windows import by_row, time_window
from semantics.time import End


@dataclass(frozen=True)
class LooseWindow(Unary):
    """A time window that may also hold rows of `ahead` later instants, or slide at `phase` beside the multiples."""

    computable: ClassVar[bool] = False
    size: End
    slide: int = 1
    ahead: int = 0
    phase: int = 0


@dataclass(frozen=True)
class Admitted(Unary):
    """Rows whose last column is a watermark are there only after it; the column goes."""

    computable: ClassVar[bool] = False

    @property
    def schema(self) -> Schema:
        return Schema(self.input.schema.columns[:-1])


@dataclass(frozen=True)
class StickyPadding(Unary):
    """An outer join whose padded rows, once there, stay as long as the row that is padded does."""

    computable: ClassVar[bool] = False


@dataclass(frozen=True)
class SnapshotChange(Unary):
    """Any function of one snapshot that is told by its name."""

    name: str
    change: Callable[[Any], Any] = field(compare=False)


@dataclass(frozen=True)
class Sampled(Unary):
    """What is there at the judged instants, and at no others."""

    judged: Judged


OddOperator = LooseWindow | Admitted | StickyPadding | SnapshotChange | Sampled


def odd(node: OddOperator) -> Plan:
    """An odd operator where a plan is expected."""
    return cast(Plan, node)


def loosened(node: Plan) -> LooseWindow | None:
    """A time window as one whose parameters can be changed, whether it was changed before or not."""
    if isinstance(node, TimeWindow):
        return LooseWindow(node.input, node.size, node.slide)
    return node if isinstance(node, LooseWindow) else None


class DeviatingEvaluation(SparseEvaluation):
    """The reference over time of any size, which also knows odd operators."""

    def _output(self, node: Plan, inputs: list[Counts]) -> Counts:
        other = cast(object, node)
        match other:
            case LooseWindow():
                spend = partial(self._budget.spend, node)
                return {row: self._loose(other, steps, spend) for row, steps in inputs[0].items()}
            case Admitted():
                return self._admitted(inputs[0])
            case StickyPadding():
                join = next(below for below in node.walk() if isinstance(below, LeftJoin | RightJoin | FullJoin))
                return self._sticky(join, inputs[0])
            case Sampled(judged=judged):
                return sampled(inputs[0], judged)
            case SnapshotChange(change=change):
                held = lasting(inputs[0], self._horizon)
                return _of_spans([(row, i.start, i.end, n) for i, now in held for row, n in change(now).pairs()])
            case _:
                return super()._output(node, inputs)

    def _loose(self, node: LooseWindow, steps: Steps, spend: Callable[[End], None]) -> Steps:
        """The right window over a moved stream: later by as much as keeps every time above 0, and the phase at 0."""
        moved = -node.phase % node.slide
        moved += -(-node.ahead // node.slide) * node.slide
        course = partial(time_window, node.size + node.ahead, node.slide, self._horizon + moved)
        shifted = [(t + moved - node.ahead, n) for t, n in steps]
        windowed = by_row(course, spend, {(): shifted})[()]
        return _from_zero([(t - moved, n) for t, n in windowed])

    def _admitted(self, counts: Counts) -> Counts:
        listed = [
            (row[:-1], max(interval.start, _after(row[-1])), interval.end, n)
            for row, steps in counts.items()
            for interval, n in spans(steps, self._horizon)
        ]
        return _of_spans([span for span in listed if span[1] < span[2]])

    def _sticky(self, join: LeftJoin | RightJoin | FullJoin, joined: Counts) -> Counts:
        """Per row of a side that is padded: never fewer padded ones than before while the row is there as often."""
        before, after = (None,) * len(join.left.schema), (None,) * len(join.right.schema)
        padded = []
        if not isinstance(join, RightJoin):
            padded += [(row + after, steps) for row, steps in self.counts(join.left).items()]
        if not isinstance(join, LeftJoin):
            padded += [(before + row, steps) for row, steps in self.counts(join.right).items()]
        return {**joined, **{row: _never_less(joined.get(row, []), steps) for row, steps in padded}}


def _after(watermark: object) -> Instant:
    return watermark + 1 if isinstance(watermark, int) else 0


def _never_less(padded: Steps, row: Steps) -> Steps:
    """The padded rows without their retractions, as long as there are as many rows to be padded."""
    counted, held = [], 0
    shown, there = Totals(padded), Totals(row)
    for t in sorted({t for t, _ in (*row, *padded)}):
        held = min(there.at(t), max(held, shown.at(t)))
        counted.append((t, held))
    return glued(counted)


def _from_zero(steps: Steps) -> Steps:
    """Steps before time begins count from 0 on."""
    before = [(0, n) for t, n in steps if t < 0][-1:]
    later = [(t, n) for t, n in steps if t >= 0]
    return glued(later if later and later[0][0] == 0 else [*before, *later])


def _of_spans(listed: list[tuple[Any, Instant, End, int]]) -> Counts:
    changes: dict[Any, dict[Instant, int]] = {}
    for row, start, end, n in listed:
        of_row = changes.setdefault(row, {})
        of_row[start] = of_row.get(start, 0) + n
        if end != FOREVER:
            of_row[int(end)] = of_row.get(int(end), 0) - n
    return {row: summed(of_row, FOREVER) for row, of_row in changes.items()}
