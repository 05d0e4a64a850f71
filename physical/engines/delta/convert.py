"""Between intervals and signed elements, and back.

    (e, [2, 5))   is   +e at 2, −e at 5

Every snapshot stays the same. A negative element does not say which of several equal rows it ends; it ends the oldest.
So intervals come back as they were, unless the interval of a row lies strictly within that of an equal row.
"""

import numpy as np

from physical.columns.interval_bounds import bounds
from physical.columns.stream import PhysicalStream
from physical.engines.delta.delta_stream import DeltaStream
from physical.engines.delta.row_lifetimes import Lives
from physical.kernels.types import ENDLESS


def to_deltas(stream: PhysicalStream) -> DeltaStream:
    """A positive element for every start and a negative one for every end; at one instant, ends come first.

    >>> from semantics import parse
    >>> to_deltas(PhysicalStream.of(parse("interval(x int): (7)@[2, 5) (8)@[4, ∞)"))).to_elements()
    [('+', (7,), 2), ('+', (8,), 4), ('-', (7,), 5)]
    """
    return DeltaStream.of_bounds(stream, bounds(np.arange(len(stream)), stream))


def to_intervals(stream: DeltaStream) -> PhysicalStream:
    """An interval for every positive element, up to the negative one that retracts it; empty intervals vanish.

    >>> from semantics import parse
    >>> intervals = PhysicalStream.of(parse("interval(x int): (7)@[2, 5) (8)@[4, ∞)"))
    >>> to_intervals(to_deltas(intervals)).to_interval() == intervals.to_interval()
    True
    """
    return Lives(stream.checked("to_intervals"), 0).during(0, ENDLESS)
