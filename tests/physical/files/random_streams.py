"""Small streams at random, with NULLs, NaN, empty texts and endless elements."""

import random
from collections.abc import Iterator

import numpy as np

from physical.columns.stream import PhysicalStream
from semantics import FOREVER, Interval, Schema, Value

SCHEMA = Schema.of(i=int, f=float, b=bool, s=str)
VALUES: tuple[tuple[Value, ...], ...] = (
    (None, 0, 1, -(2**63), 2**63 - 1),
    (None, 0.0, -0.0, 0.1, float("nan"), float("inf"), -1e300),
    (None, True, False),
    (None, "", "a", 'q"u,o\nte', "é", " "),
)


def drawn(seed: int, size: int = 40, variety: int = 3) -> PhysicalStream:
    """A stream in order; fewer kinds of values mean more rows that are equal."""
    chance = random.Random(seed)
    elements = []
    for start in sorted(chance.randrange(30) for _ in range(chance.randrange(size + 1))):
        row = tuple(chance.choice(values[: variety + 1]) for values in VALUES)
        end = FOREVER if chance.random() < 0.1 else start + chance.randrange(1, 12)
        elements.append((row, Interval(start, end)))
    return PhysicalStream.from_elements(SCHEMA, elements)


def batches(stream: PhysicalStream, size: int) -> Iterator[PhysicalStream]:
    return (stream.take(np.s_[first : first + size]) for first in range(0, len(stream), size))


def pieces(stream: PhysicalStream, seed: int) -> PhysicalStream:
    """An equivalent stream: elements cut in two anywhere, simultaneous ones in another order."""
    chance = random.Random(seed)
    elements = []
    for row, interval in stream.to_interval().elements:
        cut = interval.start + chance.randrange(1, 9)
        if chance.random() < 0.5 and cut < interval.end:
            elements += [(row, Interval(interval.start, cut)), (row, Interval(cut, interval.end))]
        else:
            elements.append((row, interval))
    chance.shuffle(elements)
    return PhysicalStream.from_elements(stream.schema, sorted(elements, key=lambda element: element[1].start))
