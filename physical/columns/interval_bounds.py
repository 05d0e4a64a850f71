"""The bounds of elements in the order of time, along which a sweep goes."""

from typing import Protocol

import numpy as np

from physical.kernels.sort import departures, is_sorted, merged
from physical.kernels.types import ENDLESS, Ints

Bounds = tuple[Ints, Ints]
"""Times in order, and a code for each: for one stream 2 · key, plus 1 where an element with this key ends."""


class Spans(Protocol):
    """Validity intervals, ordered by start, as a stream has them."""

    @property
    def start(self) -> Ints: ...

    @property
    def end(self) -> Ints: ...


def starts(keys: Ints, stream: Spans) -> Bounds:
    """The starts of elements, and their keys."""
    return stream.start, keys


def ends(keys: Ints, stream: Spans) -> Bounds:
    """The ends of elements that ever end, and their keys. Behind a window ends are in order and need no sorting."""
    if is_sorted(stream.end):
        finite = int(np.searchsorted(stream.end, ENDLESS))
        return stream.end[:finite], keys[:finite]
    return departures(keys, stream.end, ENDLESS)


def bounds(keys: Ints, stream: Spans) -> Bounds:
    """All bounds of a stream; at equal times ends come first, because an interval excludes its end."""
    return merged(*starts(keys, stream), *ends(keys, stream))
