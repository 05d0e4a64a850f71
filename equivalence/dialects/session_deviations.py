"""Deviations of sessions: what makes a row late, when results are told; and what is open when streams end."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from equivalence.deviations.deviation import Deviation, Parameter, Stage, once
from equivalence.deviations.judged_counts import clipped
from equivalence.deviations.odd_operators import LooseWindow
from equivalence.deviations.situation import Input, Lateness, Situation
from equivalence.dialects.session_probe import SoFar
from semantics import Instant
from semantics.plan import TimeWindow
from semantics.sparse.row_steps import Counts, Steps

Change = Callable[[Situation], Situation]


def _deviation(name: str, sentence: str, knob: str, stage: Stage, change: Change, in_sessions: bool) -> Deviation:
    """One that is about sessions, or about whole streams only."""

    def apply(situation: Situation, _: Parameter) -> Situation:
        return change(situation) if isinstance(situation.judged, SoFar) == in_sessions else situation

    return Deviation(name, sentence, knob, stage, "at the watermark", once, apply)


def _of_late_rows(name: str, sentence: str, kind: Lateness) -> Deviation:
    return _deviation(name, sentence, "lateness", "input", lambda s: replace(s, lateness=kind), in_sessions=True)


LATE_ROWS: Final = (
    _of_late_rows("late rows are lost", "a late row is lost, and only it", "row"),
    _of_late_rows("late rows are lost by bins", "a late row is lost if the slide in which it falls is over", "bin"),
    _of_late_rows("late rows are lost by panes", "a late row counts in the windows that are still open", "pane"),
    _of_late_rows("late rows count", "a late row counts like any other", "keep"),
)


def _marks(change: Callable[[Input], list[Instant | None]]) -> Change:
    def marked(given: Input) -> Input:
        pairs = zip(given.arrivals, change(given), strict=True)
        return replace(given, arrivals=tuple(replace(arrival, watermark=mark) for arrival, mark in pairs))

    return lambda situation: situation.with_inputs(marked)


def _latest_before(given: Input) -> list[Instant | None]:
    """Before each row: the latest start of the rows that have come."""
    latest: list[Instant | None] = [None]
    for arrival in given.arrivals:
        latest.append(max(arrival.time, latest[-1] or 0))
    return latest[:-1]


def _of_heartbeats(given: Input) -> list[Instant | None]:
    """What is promised beyond the latest row, a heartbeat promised."""
    marks: list[Instant | None] = []
    for arrival, latest in zip(given.arrivals, _latest_before(given), strict=True):
        mark = arrival.watermark
        by_heartbeat = mark is not None and mark > (latest or 0)
        marks.append(mark if by_heartbeat else marks[-1] if marks else None)
    return marks


def _without_slack(given: Input) -> list[Instant | None]:
    pairs = zip(given.arrivals, _latest_before(given), strict=True)
    return [None if latest is None else max(latest, arrival.watermark or 0) for arrival, latest in pairs]


def _later(given: Input) -> list[Instant | None]:
    return [None if arrival.watermark is None else arrival.watermark + 1 for arrival in given.arrivals]


def _of_marks(name: str, sentence: str, change: Callable[[Input], list[Instant | None]]) -> Deviation:
    return _deviation(name, sentence, "watermark", "input", _marks(change), in_sessions=True)


WATERMARKS: Final = (
    _of_marks("only heartbeats", "a row is late if it is before a heartbeat; other rows say nothing", _of_heartbeats),
    _of_marks("slack ignored", "a row is late if it is before another that came, whatever the slack", _without_slack),
    _of_marks("late at the watermark", "a row is late if it is not after what was promised", _later),
)  # fmt: skip


def _early(situation: Situation) -> Situation:
    """Up to the last row, though later ones may still change that."""
    assert isinstance(situation.judged, SoFar)
    return replace(situation, judged=SoFar(max(situation.judged.horizon, situation.times[-1] + 1)))


def _told(change: Callable[[Situation, Counts], Counts]) -> Change:
    return lambda situation: situation.with_output(change)


def _nothing(situation: Situation, counts: Counts) -> Counts:  # noqa: ARG001  # whatever there is
    return {}


def _only_over(situation: Situation, counts: Counts) -> Counts:
    assert isinstance(situation.judged, SoFar)
    return {row: _over(steps, situation.judged.horizon) for row, steps in counts.items()}


def _over(steps: Steps, now: object) -> Steps:
    """Without what is still there.

    >>> _over([(1, 1), (3, 0), (5, 1), (6, 2), (9, 0)], 9)
    [(1, 1), (3, 0)]
    """
    if not steps or steps[-1] != (now, 0):
        return steps
    return steps[: max((i + 1 for i, (_, n) in enumerate(steps[:-1]) if not n), default=0)]


def _of_reports(name: str, sentence: str, stage: Stage, change: Change) -> Deviation:
    return _deviation(name, sentence, "reports", stage, change, in_sessions=True)


REPORTS: Final = (
    _of_reports("told on change", "results are told when rows come, and told anew when they change", "plan", _early),
    _of_reports("told on close", "a row of the result is told when it has gone", "output", _told(_only_over)),
    _of_reports("told at the end", "nothing is told before the session ends", "output", _told(_nothing)),
)


def _has_windows(situation: Situation) -> bool:
    return any(isinstance(node, TimeWindow | LooseWindow) for node in situation.plan.walk())


def _of_ends(name: str, sentence: str, change: Callable[[Counts, Instant], Counts]) -> Deviation:
    """Only of windows: the ends of rows that come with an end are no secret."""

    def apply(situation: Situation) -> Situation:
        last = max(situation.times, default=0)
        return situation.with_output(lambda _, counts: change(counts, last)) if _has_windows(situation) else situation

    return _deviation(name, sentence, "end of output", "output", apply, in_sessions=False)


def _told_until(after: Instant) -> Callable[[Counts, Instant], Counts]:
    return lambda counts, last: clipped(counts, 0, last + after)


def _gone_by(counts: Counts, last: Instant) -> Counts:
    return {row: _over(steps, last + 1) for row, steps in clipped(counts, 0, last + 1).items()}


ENDS: Final = (
    _of_ends("windows end with the stream", "nothing is told of instants after the last row", _told_until(1)),
    _of_ends("windows end before the last row", "nothing is told of instants from the last row on", _told_until(0)),
    _of_ends("open windows are lost", "a row that is still in a window when the stream ends is not told", _gone_by),
)  # fmt: skip
