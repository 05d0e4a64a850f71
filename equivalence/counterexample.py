"""Where two sides differ: data first, text second."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from semantics import FOREVER, Instant, IntervalStream, Multiset, Plan, Row, Stream, Value, canonical, show
from semantics.notation import show_multiset


@dataclass(frozen=True)
class Counterexample:
    """Plans, the streams they were run on, and the first instant at which left and right differ."""

    plans: tuple[Plan, ...]
    streams: Mapping[str, Stream]
    instant: Instant
    left: Multiset
    right: Multiset
    blamed: Plan | None = None
    """The lowest node at which an engine's output differs from the operator applied to the node's own inputs."""

    def __str__(self) -> str:
        lets = [f"let {name} = {show(stream)}" for name, stream in sorted(self.streams.items())]
        plans = [f"plan {show(plan)}" for plan in self.plans]
        ends = [f"at instant {self.instant} the left holds  {show_multiset(self.left)}"]
        ends += [f"{' ' * len(f'at instant {self.instant}')} the right holds {show_multiset(self.right)}"]
        return "\n".join([*lets, *plans, *ends])

    def to_json(self) -> dict[str, object]:
        return {
            "streams": {name: _elements(stream) for name, stream in sorted(self.streams.items())},
            "plans": [show(plan) for plan in self.plans],
            "instant": self.instant,
            "left": [[json_value(value) for value in row] for row in self.left],
            "right": [[json_value(value) for value in row] for row in self.right],
        }


def _elements(stream: Stream) -> list[list[object]]:
    """Every element as its row, its start and its end; an end that never comes is null."""
    pieces: list[tuple[Row, Instant, float]]
    if isinstance(stream, IntervalStream):
        pieces = [(row, interval.start, interval.end) for row, interval in stream.elements]
    else:
        pieces = [(row, i.start, i.end) for row, i, n in canonical(stream) for _ in range(n)]
    return [[*map(json_value, row), start, None if end == FOREVER else end] for row, start, end in pieces]


def json_value(value: Value) -> Value:
    """JSON has no NaN and no infinities: they are written as text."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value
