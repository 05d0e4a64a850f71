"""Deviations of windows in time: where they begin and end, how they are aligned, when they forget."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from equivalence.deviations.catalogue.plan_change import plan_deviation, with_plan
from equivalence.deviations.deviation import Clue, Deviation, Parameter
from equivalence.deviations.odd_operators import loosened, odd
from equivalence.deviations.situation import Situation
from equivalence.recordings.recording import LastInstants
from semantics import FOREVER, Plan
from semantics.plan import LandmarkWindow, TimeWindow

MOST_PHASES: Final = 16


def _loosely(node: Plan, **changes: int) -> Plan:
    """A bounded time window with some parameters larger or smaller by so much."""
    window = loosened(node)
    if window is None or window.size == FOREVER:
        return node
    values = {name: getattr(window, name) + by for name, by in changes.items()}
    return node if values.get("size", 1) < 1 else odd(replace(window, **values))


def _sizes(situation: Situation) -> list[int]:
    windows = [loosened(node) for node in situation.plan.walk()]
    return [int(window.size) for window in windows if window is not None and window.size != FOREVER]


def _bounded(situation: Situation, clue: Clue) -> Iterable[Parameter]:
    return (None,) if _sizes(situation) else ()


def _longer(situation: Situation, clue: Clue) -> Iterable[Parameter]:
    """Only windows of more than one instant can lose one."""
    return (None,) if any(size > 1 for size in _sizes(situation)) else ()


def _early(situation: Situation, clue: Clue) -> Iterable[Parameter]:
    """Some instants early, but not one: that is a window without its start."""
    largest = max(_sizes(situation), default=0)
    return sorted({n for n in (2, 3, 5, largest // 4, largest // 2) if 2 <= n < largest})


def _never(node: Plan) -> Plan:
    window = loosened(node)
    return node if window is None else odd(replace(window, size=FOREVER))


def _phases(situation: Situation, clue: Clue) -> Iterable[Parameter]:
    """Of a slide: each one if they are few, else simple fractions and the ones that times in the output suggest."""
    slides = [window.slide for window in map(loosened, situation.plan.walk()) if window is not None]
    step = situation.judged.step if isinstance(situation.judged, LastInstants) else max(slides, default=1)
    if step <= MOST_PHASES:
        return range(1, step)
    likely = {1, step - 1, step // 2, step // 4, step // 3, *(lag % step for lag in clue.lags)}
    return sorted(phase for phase in likely if 0 < phase < step)


def _realigned(situation: Situation, value: Parameter) -> Situation:
    """Panes at other places; without panes, a slide at another phase."""
    assert isinstance(value, int)
    if isinstance(situation.judged, LastInstants):
        judged = replace(situation.judged, offset=(situation.judged.offset + value) % situation.judged.step)
        return replace(situation, judged=judged)
    return with_plan(situation, lambda node: _phased(node, value))


def _phased(node: Plan, phase: int) -> Plan:
    window = loosened(node)
    return node if window is None or window.slide == 1 else odd(replace(window, phase=phase % window.slide))


def _slides(situation: Situation, clue: Clue) -> Iterable[Parameter]:
    """Tumbling instead of hopping, if the query hops."""
    sizes = _sizes(situation)
    step = situation.judged.step if isinstance(situation.judged, LastInstants) else None
    if step is not None:
        return (None,) if sizes and step != max(sizes) else ()
    windows = [window for window in map(loosened, situation.plan.walk()) if window is not None]
    return (None,) if any(window.size not in (window.slide, FOREVER) for window in windows) else ()


def _tumbling(situation: Situation, value: Parameter) -> Situation:
    """Panes as long as the windows; another deviation may have left none with an end."""
    if isinstance(situation.judged, LastInstants):
        step = max(_sizes(situation), default=situation.judged.step)
        return replace(situation, judged=replace(situation.judged, step=step))
    return with_plan(situation, _tumbled)


def _tumbled(node: Plan) -> Plan:
    window = loosened(node)
    hops = window is not None and window.size not in (window.slide, FOREVER)
    return odd(replace(window, slide=int(window.size))) if window is not None and hops else node


def _sliding(situation: Situation, clue: Clue) -> Iterable[Parameter]:
    windows = [window for window in map(loosened, situation.plan.walk()) if window is not None]
    return (None,) if any(window.slide > 1 for window in windows) else ()


def _unslid(node: Plan) -> Plan:
    window = loosened(node)
    return node if window is None else odd(replace(window, slide=1))


def _landmark(node: Plan, change: Callable[[LandmarkWindow], Plan]) -> Plan:
    return change(node) if isinstance(node, LandmarkWindow) else node


_ANY: Final = (TimeWindow,)
_LANDMARK: Final = (LandmarkWindow,)

WINDOWS: Final[tuple[Deviation, ...]] = (
    plan_deviation(
        "window end inclusive", "pane ends are inclusive (window [s, e] instead of [s, e))", "window end", _ANY,
        lambda node, _: _loosely(node, ahead=1), values=_bounded, position="at the window",
        synonyms=("end closed", "pane includes its end", "off by one at the end"),
    ),
    plan_deviation(
        "window start exclusive", "a window misses the rows at its start (window (s, e) instead of [s, e))", "window size",
        _ANY, lambda node, _: _loosely(node, size=-1), values=_longer, position="at the window",
        synonyms=("start open", "window one instant too short"),
    ),
    plan_deviation(
        "window one instant too long", "a window begins one instant early (window [s - 1, e) instead of [s, e))", "window size",
        _ANY, lambda node, _: _loosely(node, size=1), values=_bounded, position="at the window",
        synonyms=("start closed twice", "RANGE w read as w + 1"),
    ),
    plan_deviation(
        "evicted early", "rows leave the window {} instants early", "window size",
        _ANY, lambda node, n: _loosely(node, size=-int(str(n))), values=_early, position="at the window",
        parameter="instants", synonyms=("state TTL too short", "expired early"),
    ),
    plan_deviation(
        "never evicted", "rows never leave the window: state only grows", "window size",
        _ANY, lambda node, _: _never(node), values=_bounded, position="at the window", locality="prefix",
        synonyms=("state not cleaned up", "unbounded window"),
    ),
    Deviation(
        "window aligned elsewhere", "windows start {} instants beside the multiples of the slide", "alignment", "plan",
        "at the window", _phases, _realigned, _ANY, parameter="instants",
        synonyms=("offset", "origin shifted", "slide phase"),
    ),
    Deviation(
        "hop as tumble", "the slide is ignored: windows of the full size follow one another", "slide", "plan",
        "at the window", _slides, _tumbling, _ANY, synonyms=("HOP read as TUMBLE", "slide is the size"),
    ),
    plan_deviation(
        "slide ignored", "the window moves at every instant, not with its slide", "slide",
        _ANY, lambda node, _: _unslid(node), values=_sliding, position="at the window", synonyms=("continuous window",),
    ),
    plan_deviation(
        "landmark never reset", "everything since the first landmark is kept: no later one resets", "landmark",
        _LANDMARK, lambda node, _: _landmark(node, lambda w: replace(w, reset=None)), position="at the window", locality="prefix",
        values=lambda s, _: (None,) if any(getattr(node, "reset", None) for node in s.plan.walk()) else (),
    ),
    plan_deviation(
        "landmark one late", "rows at a landmark count for the window before it", "landmark",
        _LANDMARK, lambda node, _: _landmark(node, lambda w: replace(w, start=w.start + 1)),
        position="at the window", locality="prefix",
    ),
    plan_deviation(
        "landmark ignored", "landmarks are taken from 0 on", "landmark",
        _LANDMARK, lambda node, _: _landmark(node, lambda w: replace(w, start=0)), position="at the window", locality="prefix",
        values=lambda s, _: (None,) if any(getattr(node, "start", 0) for node in s.plan.walk()) else (),
    ),
)  # fmt: skip
