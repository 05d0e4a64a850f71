"""Queries, data and a stopwatch for plans over basic windows: one slide after the other, each timed by itself.

Both engines run in one thread, and its processor time is what is taken: a busy machine disturbs it less.
"""

import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from time import thread_time
from typing import Any, Final

import numpy as np

from physical.columns.column import ColumnVector, rows
from physical.engines.incremental.chunks import Fixed, Pace
from physical.engines.incremental.expiring_rows import ExpiringRows
from physical.engines.incremental.grouping import StoringNode
from physical.engines.incremental.window_evaluator import (
    IncrementalEvaluator,
    ReevaluationEvaluator,
    WindowEvaluator,
    chunked,
)
from physical.kernels.types import ENDLESS
from semantics import Plan, Type, parse_plan

WARM_UP: Final = 2
"""Slides after the first window that do not count."""
VALUES: Final = 1000
"""x1 and x2 are evenly distributed over this many values, unless a selectivity needs another number."""


@dataclass(frozen=True)
class Setting:
    """A query over windows: how many rows they have, how many basic windows they are cut into, and what is drawn."""

    plan: Plan
    window: int
    basic_windows: int
    columns: tuple[tuple[int, int], ...]
    """How many values the first and the second column have, for each stream."""
    landmark: bool = False

    @property
    def step(self) -> int:
        return self.window // self.basic_windows


def q1(window: int, basic_windows: int, selectivity: float = 0.2) -> Setting:
    """SELECT x1, sum(x2) … WHERE x1 > v GROUP BY x1."""
    above = round(VALUES * (1 - selectivity)) - 1
    text = f"S(x1 int, x2 int) | window(range {window} slide {window // basic_windows})"
    plan = parse_plan(f"{text} | filter(x1 > {above}) | group(x1; sum(x2) as total)")
    return Setting(plan, window, basic_windows, ((VALUES, VALUES),))


def q2(window: int, basic_windows: int, selectivity: float) -> Setting:
    """SELECT max(s1.x1), avg(s2.x1) … WHERE s1.x2 = s2.x2; of all pairs such a part is equal."""
    slide = f"window(range {window} slide {window // basic_windows})"
    sides = (f"S(a int, b int) | {slide}", f"T(c int, d int) | {slide}")
    plan = parse_plan(f"join({sides[0]}, {sides[1]}; b = d) | aggregate(max(a) as most, avg(c) as mean)")
    values = round(1 / selectivity)
    return Setting(plan, window, basic_windows, ((VALUES, values), (VALUES, values)))


def q3(step: int, selectivity: float = 0.2) -> Setting:
    """SELECT max(x1), sum(x2) … WHERE x1 > v, since a landmark."""
    above = round(VALUES * (1 - selectivity)) - 1
    text = f"S(x1 int, x2 int) | window(landmark 0) | filter(x1 > {above})"
    plan = parse_plan(f"{text} | aggregate(max(x1) as most, sum(x2) as total)")
    return Setting(plan, step, 1, ((VALUES, VALUES),), landmark=True)


class MergeClock:
    """How long an incremental plan has been merging, which is what its original operators do not do."""

    def __init__(self, evaluator: WindowEvaluator) -> None:
        self.seconds = 0.0
        nodes: list[Any] = evaluator.merging if isinstance(evaluator, IncrementalEvaluator) else []
        for node in nodes:
            if isinstance(node, StoringNode):
                node.slide = partial(self._timed, node.slide)  # type: ignore[method-assign]

    def _timed(self, slide: Callable[[int, int], None], now: int, until: int) -> None:
        begun = thread_time()
        slide(now, until)
        self.seconds += thread_time() - begun


@dataclass
class Run:
    """One engine at work: the response times of its slides, what of them was merging, and its last result."""

    evaluator: WindowEvaluator
    pace: Pace = Fixed()  # noqa: RUF009  # frozen
    seconds: list[float] = field(default_factory=list)
    merging: list[float] = field(default_factory=list)
    answer: list[tuple[object, ...]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.clock = MergeClock(self.evaluator)

    @property
    def first(self) -> float:
        """The response time of the first window, of which everything is new."""
        return self.seconds[0]

    @property
    def usual(self) -> float:
        """The median response time of a slide; the first ones pay for memory that all later ones use."""
        return float(np.median(self.seconds[1 + WARM_UP :]))

    @property
    def usual_merging(self) -> float:
        return float(np.median(self.merging[1 + WARM_UP :]))

    def slide(self, basic_windows: Sequence[Sequence[ExpiringRows]], now: int) -> None:
        """Let the last rows come, and take the time that it takes from then on; chunks before them came earlier."""
        parts = [
            [chunk for batch in batches for chunk in chunked(batch, self.pace.chunks)] for batches in basic_windows
        ]
        early = 0 if self.pace.chunks == 1 else -1
        self._feed([chunks[:early] for chunks in parts], now)
        merged, begun = self.clock.seconds, thread_time()
        self._feed([chunks[early:] for chunks in parts], now)
        given = self.evaluator.slide(now, now + 1)
        self.seconds.append(thread_time() - begun)
        self.merging.append(self.clock.seconds - merged)
        self.pace.note(self.seconds[-1])
        self.answer = sorted(rows(given.columns))

    def _feed(self, parts: Sequence[Sequence[ExpiringRows]], now: int) -> None:
        for port, chunks in enumerate(parts):
            for chunk in chunks:
                self.evaluator.feed(port, chunk, now)


def run(setting: Setting, runs: Sequence[Run], slides: int) -> None:
    """The first window and the slides after it, for all engines in turn; at the end they must agree."""
    draw, n = np.random.default_rng(7), setting.basic_windows
    first = range(n + 1, 2 * n + 1)
    gc.collect()
    _slide(runs, [[_drawn(draw, setting, port, end) for end in first] for port in range(len(setting.columns))], n)
    for now in range(n + 1, n + 1 + WARM_UP + slides):
        _slide(runs, [[_drawn(draw, setting, port, now + n)] for port in range(len(setting.columns))], now)
    assert all(found.answer == runs[0].answer for found in runs), f"the engines disagree on {setting.plan}"


def _slide(runs: Sequence[Run], basic_windows: Sequence[Sequence[ExpiringRows]], now: int) -> None:
    for one in runs:
        one.slide(basic_windows, now)


def _drawn(draw: np.random.Generator, setting: Setting, port: int, end: int) -> ExpiringRows:
    """A basic window of random rows."""
    columns = [ColumnVector(Type.INT, draw.integers(0, values, setting.step)) for values in setting.columns[port]]
    return ExpiringRows(tuple(columns), setting.step, ENDLESS if setting.landmark else end)


def warmed_up() -> None:
    """Have all kernels loaded, or compiled if need be, before anything is timed."""
    for setting in (q1(64, 4), q2(64, 4, 0.1), q3(16)):
        duel(setting, 1)


def duel(setting: Setting, slides: int) -> tuple[Run, Run]:
    """The incremental engine and re-evaluation, over the same rows."""
    runs = (Run(IncrementalEvaluator(setting.plan)), Run(ReevaluationEvaluator(setting.plan)))
    run(setting, runs, slides)
    return runs
