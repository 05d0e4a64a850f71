"""One look at all intervals of a stream."""

from physical.kernels.jit import jit
from physical.kernels.types import Ints


@jit
def inspected(start: Ints, end: Ints) -> tuple[bool, bool, int]:
    """Are all intervals valid and in the order of starts; is each of them one instant long; how long is the longest?"""
    wrong = longer = longest = 0
    latest = 0
    for i in range(len(start)):
        wrong += int(start[i] < latest) + int(end[i] <= start[i])
        longer += int(end[i] - start[i] != 1)
        longest = max(longest, end[i] - start[i])
        latest = start[i]
    return wrong == 0, longer == 0, longest
