"""The intervals of a counterexample along one axis of instants: data here, pictures elsewhere.

The wrong instant is always on the axis. However large a counterexample from a file is, its timeline is small and takes
little work.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Final

from equivalence.report.bounded_evaluation import TooMuchWork, evaluate_bounded_at_any_time
from equivalence.verdicts.counterexample import Counterexample
from semantics import FOREVER, ArithmeticOverflow, Instant, Interval, Multiset, SchemaError, Stream, StreamError
from semantics.constraint import elements_of
from semantics.notation.show_expression import show_name, show_row
from semantics.stream import Run

MOST_INSTANTS: Final = 24
"""Instants on the axis. If there are more, only those nearest to the wrong one at which something changes are drawn."""
MOST_BARS: Final = 40
"""Bars drawn of one stream; the others are counted."""
MOST_WORK_FOR_A_DRAWING: Final = 20_000
"""Outputs that take more work than this are drawn at the wrong instant only; see `evaluate_bounded`."""
MOST_OUTPUT_ROWS: Final = 1_000
"""Outputs that change more often than this are drawn at the wrong instant only, too."""


@dataclass(frozen=True)
class Bar:
    """A row with the interval in which it is valid."""

    label: str
    interval: Interval


@dataclass(frozen=True)
class Lane:
    """A stream: its elements, and how many of them are left out."""

    title: str
    bars: tuple[Bar, ...]
    left_out: int = 0


@dataclass(frozen=True)
class Timeline:
    """Input streams, then both outputs, over the instants that matter; one of them is wrong."""

    axis: tuple[Instant, ...]
    wrong: Instant
    inputs: tuple[Lane, ...]
    outputs: tuple[Lane, ...]

    @property
    def lanes(self) -> tuple[Lane, ...]:
        return self.inputs + self.outputs

    @property
    def skips(self) -> frozenset[Instant]:
        """The instants of the axis after which some are not drawn."""
        return frozenset(before for before, after in pairwise(self.axis) if after > before + 1)


def timeline(found: Counterexample) -> Timeline:
    """The timeline of a counterexample."""
    inputs = tuple(_lane(show_name(name), _bars(stream)) for name, stream in sorted(found.streams.items()))
    axis = _axis(found.instant, inputs)
    return Timeline(axis, found.instant, inputs, _outputs(found, axis))


def _bars(stream: Stream) -> list[Bar]:
    """Elements in order; equal ones in a row are one bar with their number."""
    shown = groupby((show_row(row), interval) for row, interval in elements_of(stream))
    return [_bar(label, interval, len(list(copies))) for (label, interval), copies in shown]


def _bar(label: str, interval: Interval, n: int) -> Bar:
    return Bar(label + (f"*{n}" if n > 1 else ""), interval)


def _lane(title: str, bars: list[Bar]) -> Lane:
    return Lane(title, tuple(bars[:MOST_BARS]), max(len(bars) - MOST_BARS, 0))


def _axis(wrong: Instant, lanes: tuple[Lane, ...]) -> tuple[Instant, ...]:
    """All instants up to one after the last change or, if they are many, those at which something begins or ends.

    The instant before the wrong one is there, too: at it the outputs were still the same.
    """
    intervals = [bar.interval for lane in lanes for bar in lane.bars]
    ends = [int(interval.end) for interval in intervals if interval.end != FOREVER]
    changes = {
        0,
        wrong,
        wrong + 1,
        *([wrong - 1] if wrong else []),
        *(interval.start for interval in intervals),
        *ends,
    }
    if max(changes) < MOST_INSTANTS:
        return tuple(range(max(changes) + 1))
    near = sorted(changes, key=lambda t: (abs(t - wrong), t))[: MOST_INSTANTS - 1]
    return tuple(sorted({0, *near}))


def _outputs(found: Counterexample, axis: tuple[Instant, ...]) -> tuple[Lane, ...]:
    """The results of plans over time; what an engine gave is known at the wrong instant only.

    What was right before and after that instant is drawn for engines, too. It is left out if it is too much.
    """
    horizon = min(axis[-1], found.instant + MOST_INSTANTS) + 1
    streams = found.streams if found.delivery is None else found.delivery.seen(found.streams)
    moments = _moment("left", found.left, found.instant), _moment("right", found.right, found.instant)
    with suppress(ArithmeticOverflow, TooMuchWork, SchemaError, StreamError):
        results = [
            evaluate_bounded_at_any_time(plan, streams, horizon, MOST_WORK_FOR_A_DRAWING) for plan in found.plans
        ]
        drawn = [_counted(name, result.runs) for name, result in zip(("left", "right"), results, strict=False)]
        few = sum(len(result.runs) for result in results) <= MOST_OUTPUT_ROWS
        if few and results[0].at(found.instant) == found.left:
            return (*drawn, *moments[len(drawn) :])
    return moments


def _moment(name: str, rows: Multiset, t: Instant) -> Lane:
    return _counted(name, [(row, Interval(t, t + 1), n) for row, n in rows.items()])


def _counted(name: str, runs: Iterable[Run]) -> Lane:
    return _lane(name, [_bar(show_row(row), interval, n) for row, interval, n in runs])
