"""The bounds of elements in the order of time: what a sweep goes along."""

from typing import Protocol

import numpy as np

from physical.kernels.sort import departures, is_sorted, merged
from physical.kernels.types import ENDLESS, Ints

Bounds = tuple[Ints, Ints]
"""Times in order, and what happens there: for one stream 2 · key, plus 1 where an element with this key ends."""


class Spans(Protocol):
    """Validity intervals, ordered by start: a stream has them."""

    @property
    def start(self) -> Ints: ...

    @property
    def end(self) -> Ints: ...


def starts(keys: Ints, stream: Spans) -> Bounds:
    """When elements start, and their keys."""
    return stream.start, keys


def ends(keys: Ints, stream: Spans) -> Bounds:
    """When elements end, if they ever do, and their keys; after a window nothing has to be sorted."""
    if is_sorted(stream.end):
        finite = int(np.searchsorted(stream.end, ENDLESS))
        return stream.end[:finite], keys[:finite]
    return departures(keys, stream.end, ENDLESS)


def bounds(keys: Ints, stream: Spans) -> Bounds:
    """All bounds of a stream; where times are equal ends come first."""
    return merged(*starts(keys, stream), *ends(keys, stream))
