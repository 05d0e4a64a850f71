"""Whether what was measured has the shape that was published: computed for every row."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True)
class Claim:
    """What the chapter says of a figure, what was measured, and whether that is so."""

    claim: str
    measured: str
    holds: bool

    def __str__(self) -> str:
        return f"{'agrees   ' if self.holds else 'DISAGREES'}  {self.claim}: {self.measured}"


NOISE_FACTOR = 1.1
"""A step against the trend by less than a tenth is noise."""


def rises(values: Sequence[float]) -> bool:
    """Apart from noise, is no value below the one before it, and is the last one above the first?

    >>> rises([1.0, 2.0, 1.9, 4.0]), rises([1.0, 3.0, 2.0]), rises([1.0, 1.0])
    (True, False, False)
    """
    return all(a <= NOISE_FACTOR * b for a, b in pairwise(values)) and values[-1] > NOISE_FACTOR * values[0]


def falls(values: Sequence[float]) -> bool:
    """The other way round."""
    return rises(values[::-1])


def best(values: Mapping[int, float]) -> int:
    """Where the least value is."""
    return min(values, key=lambda at: values[at])
