"""Where two sides differ: data first, text second."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from equivalence.constraint import elements_of
from semantics import FOREVER, Instant, Multiset, Plan, Stream, Value, show
from semantics.notation import show_multiset, show_step
from semantics.render import show_name


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
        lets = [f"let {show_name(name)} = {show(stream)}" for name, stream in sorted(self.streams.items())]
        plans = [f"plan {show(plan)}" for plan in self.plans]
        ends = [f"at instant {self.instant} the left holds  {show_multiset(self.left)}"]
        ends += [f"{' ' * len(f'at instant {self.instant}')} the right holds {show_multiset(self.right)}"]
        blamed = [] if self.blamed is None else [f"to blame is {show_step(self.blamed)} in {show(self.blamed)}"]
        return "\n".join([*lets, *plans, *ends, *blamed])

    def to_json(self) -> dict[str, object]:
        """The promised document; whom to blame is in it only if that is known."""
        return {
            "streams": {name: _elements(stream) for name, stream in sorted(self.streams.items())},
            "plans": [show(plan) for plan in self.plans],
            "instant": self.instant,
            "left": [[json_value(value) for value in row] for row in self.left],
            "right": [[json_value(value) for value in row] for row in self.right],
            **({} if self.blamed is None else {"blamed": show(self.blamed)}),
        }


def _elements(stream: Stream) -> list[list[object]]:
    """Every element as its row, its start and its end; an end that never comes is null."""
    return [
        [*map(json_value, row), interval.start, None if interval.end == FOREVER else interval.end]
        for row, interval in elements_of(stream)
    ]


def json_value(value: Value) -> Value:
    """JSON has no NaN and no infinities: they are written as text."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value
