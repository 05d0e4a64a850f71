"""A step of the protocol before it is made, and the streams that steps send."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from equivalence.conformance.subject.by_command.capabilities import Capabilities
from equivalence.protocol.probe import Probe
from semantics import Interval, IntervalStream, Row, Schema, Type, Value

SAMPLES: Final[dict[Type, tuple[Value, Value]]] = {
    Type.INT: (1, 2),
    Type.STR: ("a", "b"),
    Type.FLOAT: (0.5, 1.5),
    Type.BOOL: (True, False),
}


@dataclass(frozen=True)
class Check:
    """What is expected, and how to find out."""

    name: str
    expected: str
    run: Callable[[Probe], None]
    """Raises Wrong if the engine does something else."""
    misses: Callable[[Capabilities], str] = lambda _: ""
    """Why the step does not apply to an engine; nothing if it does."""


def instants(schema: Schema, *rows: Row, start: int = 0) -> IntervalStream:
    """Each row at an instant of its own."""
    return IntervalStream(schema, [(row, Interval(start + t, start + t + 1)) for t, row in enumerate(rows)])


def small_stream(probe: Probe) -> IntervalStream:
    """Three rows of a type that the engine takes, of which two are equal."""
    type_ = next(type_ for type_ in SAMPLES if type_.value in probe.capabilities.types)
    one, two = SAMPLES[type_]
    return instants(Schema.of(v=type_), (one,), (two,), (one,))
