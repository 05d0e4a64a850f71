"""When elements of small cases come, and up to when their results are followed.

Short windows are tried with elements at 0, 1, 2 and so on. Longer ones are brought into the same number of instants by
trying only distances that matter: those at which one element leaves a window when another comes, sums and differences
of sizes, slides, landmarks and resets. Their results are compared wherever they can change, which is all time.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from equivalence.exhaustive.dense.moments import MOST_MOMENTS, TooLong, moments
from equivalence.exhaustive.dense.sizes import instants_asked_for, memory
from semantics import FOREVER, Plan
from semantics import plan as op

LONGEST_MEMORY: Final = 12
"""Windows that remember no longer than this are followed instant by instant."""
MOST_SMALL_INSTANTS: Final = 6
"""Landmarks before this are reached by elements at 0, 1, 2 and so on."""


@dataclass(frozen=True)
class Timing:
    """The instants at which there may be elements, and those at which snapshots are compared."""

    instants: tuple[int, ...]
    moments: tuple[int, ...]
    cut: str | None = None
    """Why results change after the last moment, or between moments; None if they do not."""

    @property
    def places(self) -> list[int]:
        """Where the instants are among the moments."""
        return [self.moments.index(t) for t in self.instants]


def timing_of(nodes: Sequence[Plan], lasting: frozenset[str], number: int) -> Timing:
    """The instants to try, and how far to follow the results."""
    if fits_densely(nodes):
        return Timing(tuple(range(number)), tuple(range(number + memory(nodes))))
    chosen = tuple(sorted(instants_that_matter(nodes)[:number]))
    if instants_asked_for(nodes):
        return _followed_densely(nodes, chosen)
    names = {node.name for node in nodes if isinstance(node, op.Source)}
    try:
        return Timing(chosen, moments(nodes, dict.fromkeys(names, chosen), lasting))
    except TooLong as reason:
        return Timing(tuple(range(number)), tuple(range(number + LONGEST_MEMORY)), _cut(nodes, str(reason)))


def _followed_densely(nodes: Sequence[Plan], chosen: tuple[int, ...]) -> Timing:
    """Every instant up to the last that now is compared with: rows say when it changes, not the plans."""
    end = chosen[-1] + memory(nodes) + 1
    if end <= MOST_MOMENTS:
        return Timing(chosen, tuple(range(end)))
    followed = tuple(t for t in chosen if t < MOST_MOMENTS)
    return Timing(followed, tuple(range(MOST_MOMENTS)), f"now is compared up to {end:,}, {MOST_MOMENTS} were followed")


def _cut(nodes: Sequence[Plan], reason: str) -> str:
    last = max([memory(nodes), *(node.start for node in nodes if isinstance(node, op.LandmarkWindow))])
    return f"the windows do not fit: they remember {last:,} instants, {LONGEST_MEMORY} were followed; {reason}"


def fits_densely(nodes: Iterable[Plan]) -> bool:
    """Are all windows so short that they can be followed instant by instant?"""
    listed = list(nodes)
    starts = [node.start for node in listed if isinstance(node, op.LandmarkWindow)]
    short = memory(listed) <= LONGEST_MEMORY and max(starts, default=0) < MOST_SMALL_INSTANTS
    return short and not instants_asked_for(listed)


def instants_needed(nodes: Sequence[Plan]) -> int:
    """How many instants there must be at least, so that an element reaches every landmark."""
    starts = _starts(nodes)
    return max(starts, default=0) + 1 if fits_densely(nodes) else 1 + len({*starts})


def _starts(nodes: Sequence[Plan]) -> list[int]:
    """Landmarks, and instants that now is compared with."""
    landmarks = [node.start for node in nodes if isinstance(node, op.LandmarkWindow)]
    return [*landmarks, *(t for t in instants_asked_for(nodes) if t > 0)]


def instants_that_matter(nodes: Iterable[Plan]) -> list[int]:
    """Instants that tell long windows apart, the most useful ones first.

    >>> from semantics import source
    >>> instants_that_matter([source("A", x=int).window(600).plan])
    [0, 600, 1, 599, 601, 1200]
    """
    listed = list(nodes)
    starts = sorted({*_starts(listed)})
    lengths = sorted({length for node in listed for length in _lengths(node)})
    distances = [0, *lengths, 1, *(t + step for t in lengths for step in (-1, 1)), *_sums_and_differences(lengths)]
    around = [start + step for step in (-1, 1) for start in starts]
    later = [start + distance for start in starts for distance in distances]
    return [t for t in dict.fromkeys([0, *starts, *around, *distances, *later]) if t >= 0]


def _lengths(node: Plan) -> Iterator[int]:
    match node:
        case op.TimeWindow(size=size, slide=slide):
            yield from (int(length) for length in (size, slide) if length not in (1, FOREVER))
        case op.LandmarkWindow(reset=reset) if reset:
            yield reset


def _sums_and_differences(lengths: Sequence[int]) -> Iterator[int]:
    for one, other in combinations(lengths, 2):
        yield from (other - one, other - one + 1, other - one - 1)
    for one, other in combinations(lengths, 2):
        yield one + other
    yield from (2 * length for length in lengths)


def listed_instants(instants: Sequence[int]) -> str:
    """Instants in words."""
    if len(instants) > 2 and instants[-1] - instants[0] == len(instants) - 1:
        return f"at instants {instants[0]} to {instants[-1]}"
    return f"at instant{'s' if len(instants) > 1 else ''} {', '.join(map(str, instants))}"
