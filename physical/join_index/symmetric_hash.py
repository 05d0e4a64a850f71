"""The symmetric hash join (Section 7.5.1): both inputs of an equijoin in one sweep."""

from collections.abc import Sequence

import numpy as np

from physical.columns.column import ColumnVector, concatenated, identity_codes
from physical.columns.row_numbers import row_numbers
from physical.columns.stream import PhysicalStream
from physical.join_index.condition import Condition
from physical.kernels.ripple import sweep_pairs
from physical.kernels.sort import merged
from physical.kernels.types import Bools, Ints

OverlappingPairs = tuple[Ints, Ints, Ints, Ints]
"""Positions on the left and on the right, and from when to when both elements are valid."""


def equal_pairs(
    condition: Condition, left: PhysicalStream, right: PhysicalStream, old: tuple[int, int]
) -> OverlappingPairs:
    """All overlapping pairs with equal keys, ordered by start, except pairs of two old elements.

    `old` says how many of the first elements of each side are old; they start before all others.
    """
    mine = [left.columns[i] for i, _ in condition.equal_columns]
    theirs = [right.columns[j] for _, j in condition.equal_columns]
    if len(left) == 0 or len(right) == 0:
        nothing = np.empty(0, np.int64)
        return nothing, nothing, nothing, nothing
    columns = [concatenated(pair) for pair in zip(mine, theirs, strict=True)]
    order = merged(left.start, np.arange(len(left)), right.start, np.arange(len(right)))[1]
    start, end = np.concatenate([left.start, right.start]), np.concatenate([left.end, right.end])
    found = sweep_pairs(order, key_codes(columns), usable_keys(columns), start, end, len(left), *old)
    return found if condition.predicate is None else _satisfying(condition, left, right, found)


def key_codes(keys: Sequence[ColumnVector]) -> Ints:
    """Integers that are equal iff the keys are; a single column has such codes already."""
    return identity_codes(keys[0])[0] if len(keys) == 1 else row_numbers(keys)[0]


def usable_keys(keys: Sequence[ColumnVector]) -> Bools:
    """Which keys have no NULL and so can equal another; empty if no key has a NULL."""
    masks = [column.valid for column in keys if column.valid is not None]
    return np.logical_and.reduce(masks) if masks else np.empty(0, np.bool_)


def _satisfying(
    condition: Condition, left: PhysicalStream, right: PhysicalStream, found: OverlappingPairs
) -> OverlappingPairs:
    holds = condition.holds(left, right, found[:2])
    return found if holds is None else (found[0][holds], found[1][holds], found[2][holds], found[3][holds])
