"""Deviations of OVER: which rows a function sees, and in which direction it looks."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from equivalence.deviations.catalogue.plan_change import on, plan_deviation, some, without_null
from equivalence.deviations.deviation import Deviation
from semantics import FOREVER, Plan
from semantics.over import EdgeValue, Frame, FrameAggregate, NeighbourValue
from semantics.plan import Over


def _over(
    name: str,
    sentence: str,
    knob: str,
    change: Callable[[Over], Plan],
    where: Callable[[Over], bool],
    *synonyms: str,
) -> Deviation:
    return plan_deviation(
        name, sentence, knob, (Over,), on(Over)(change), values=some(Over, where),
        position="at the window", locality="whole", synonyms=synonyms,
    )  # fmt: skip


def _frames(node: Over) -> list[Frame]:
    return [function.frame for function in node.functions if isinstance(function, FrameAggregate | EdgeValue)]


def _with_frames(change: Callable[[Frame], Frame]) -> Callable[[Over], Plan]:
    def changed(node: Over) -> Plan:
        functions = [
            replace(function, frame=change(function.frame)) if isinstance(function, FrameAggregate | EdgeValue) else function
            for function in node.functions
        ]  # fmt: skip
        return replace(node, functions=tuple(functions))

    return changed


def _longer(by: int) -> Callable[[Frame], Frame]:
    return lambda frame: (
        frame if frame.preceding == FOREVER else replace(frame, preceding=max(int(frame.preceding) + by, 0))
    )


def _unbounded_as(unit: str) -> Callable[[Frame], Frame]:
    """A frame without a bound, its peers counted in (range) or left out (rows)."""
    return lambda frame: Frame("rows" if unit == "rows" else "range") if frame.preceding == FOREVER else frame


def _with_distance(change: Callable[[int], int]) -> Callable[[Over], Plan]:
    def changed(node: Over) -> Plan:
        functions = [
            replace(f, distance=change(f.distance)) if isinstance(f, NeighbourValue) else f for f in node.functions
        ]
        return replace(node, functions=tuple(functions))

    return changed


def _bounded(least: int) -> Callable[[Over], bool]:
    return lambda node: any(frame.preceding != FOREVER and frame.preceding >= least for frame in _frames(node))


def _unbounded(unit: str) -> Callable[[Over], bool]:
    return lambda node: any(frame.preceding == FOREVER and frame.unit == unit for frame in _frames(node))


def _neighbours(node: Over) -> bool:
    return any(isinstance(function, NeighbourValue) for function in node.functions)


FRAMES: Final[tuple[Deviation, ...]] = (
    _over("frame one too long", "a frame begins one row or instant early", "frame size", _with_frames(_longer(1)), _bounded(0), "PRECEDING off by one"),
    _over("frame one too short", "a frame begins one row or instant late", "frame size", _with_frames(_longer(-1)), _bounded(1), "PRECEDING off by one", "frame start exclusive"),
    _over("frame never evicted", "a frame holds everything since the beginning", "frame size", _with_frames(lambda frame: replace(frame, preceding=FOREVER)), _bounded(0), "UNBOUNDED PRECEDING", "state not cleaned up"),
    _over("peers left out", "rows of the same instant that come later in the order are not counted", "frame peers", _with_frames(_unbounded_as("rows")), _unbounded("range"), "ROWS for RANGE"),
    _over("peers counted in", "rows of the same instant are counted together", "frame peers", _with_frames(_unbounded_as("range")), _unbounded("rows"), "RANGE for ROWS"),
    _over("frames of all keys", "rows of all keys share a frame", "frame keys", lambda node: replace(node, keys=()), lambda node: bool(node.keys), "PARTITION BY ignored"),
    _over("NULL frames lost", "rows with NULL in the key are left out", "NULL groups", lambda node: replace(node, input=without_null(node.input, node.keys)), lambda node: bool(node.keys), "NULL groups dropped"),
    _over("neighbour one further", "LAG and LEAD look one row too far", "neighbour", _with_distance(lambda n: n + 1 if n > 0 else n - 1), _neighbours, "LAG off by one"),
    _over("neighbour on the other side", "LAG looks ahead and LEAD looks back", "neighbour", _with_distance(lambda n: -n), _neighbours, "LAG for LEAD"),
)  # fmt: skip
