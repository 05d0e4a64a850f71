"""Which lives of two inputs meet and part, and when: the basis of all joins on signed elements."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from physical.columns.column import concatenated
from physical.engines.delta.row_lifetimes import Lives
from physical.join_index.condition import Condition
from physical.join_index.symmetric_hash import key_codes, usable_keys
from physical.kernels.delta_pairs import bucket_bits, met
from physical.kernels.ripple import NOBODY
from physical.kernels.sort import merged
from physical.kernels.types import Bools, Ints

MAX_PAIRS_AT_ONCE = 1 << 20
"""The pairs that are treated at once: a product of two large inputs must not fill the memory."""


@dataclass(frozen=True, eq=False)
class Meetings:
    """Pairs of lives that meet or part, in the order of time."""

    left: Ints
    right: Ints
    time: Ints
    sign: Ints

    def take(self, positions: Bools) -> "Meetings":
        return Meetings(self.left[positions], self.right[positions], self.time[positions], self.sign[positions])


def meetings(condition: Condition, left: Lives, right: Lives) -> Meetings:
    """All pairs that satisfy the condition, as they meet and part; pairs that met before are left out."""
    found = [_satisfying(condition, left, right, some) for some in _candidates(condition, left, right)]
    return Meetings(
        np.concatenate([some.left for some in found]),
        np.concatenate([some.right for some in found]),
        np.concatenate([some.time for some in found]),
        np.concatenate([some.sign for some in found]),
    )


def _candidates(condition: Condition, left: Lives, right: Lives) -> Iterator[Meetings]:
    """The pairs with equal keys; if the condition has no equal keys, all pairs that are there at the same time."""
    times, codes = _in_order(left, right)
    keys, usable = _keys(condition, left, right)
    heads = np.full(2 << (bucket_bits(codes) if condition.equal_columns else 0), NOBODY, np.int64)
    following, gone = np.empty(len(keys), np.int64), np.zeros(len(keys), np.bool_)
    done = np.zeros(1, np.int64)
    while True:
        here, there, step = met(
            codes, left.old + right.old, keys, usable, len(left.births), done, heads, following, gone, MAX_PAIRS_AT_ONCE
        )
        yield Meetings(here, there, times[step], 1 - 2 * (codes[step] & 1))
        if done[0] == len(codes):
            return


def _in_order(left: Lives, right: Lives) -> tuple[Ints, Ints]:
    """Starts and ends of all lives, by time; ends come first, as a row that goes does not meet one that comes."""
    ends = merged(*_lasting(left, *_ends(left)), *_lasting(right, *_ends(right)))
    return merged(*merged(*_lasting(left, *_starts(left)), *_lasting(right, *_starts(right))), *ends)


def _starts(lives: Lives) -> tuple[Ints, Ints]:
    return lives.born.time, np.arange(len(lives.births))


def _ends(lives: Lives) -> tuple[Ints, Ints]:
    return lives.stream.time[lives.deaths], lives.ended


def _lasting(lives: Lives, time: Ints, number: Ints) -> tuple[Ints, Ints]:
    """The same without lives that begin and end at one instant."""
    if lives.brief is None:
        return time, number
    lasting = ~lives.brief[number]
    return time[lasting], number[lasting]


def _keys(condition: Condition, left: Lives, right: Lives) -> tuple[Ints, Bools]:
    """Integers that are equal iff the keys of lives are, left ones first; and which have no NULL, empty if all."""
    pairs = [(left.born.columns[i], right.born.columns[j]) for i, j in condition.equal_columns]
    columns = [concatenated(pair) for pair in pairs]
    if not columns:
        return np.zeros(len(left.births) + len(right.births), np.int64), np.empty(0, np.bool_)
    return key_codes(columns), usable_keys(columns)


def _satisfying(condition: Condition, left: Lives, right: Lives, some: Meetings) -> Meetings:
    holds = condition.holds(left.born, right.born, (some.left, some.right))
    return some if holds is None else some.take(holds)
