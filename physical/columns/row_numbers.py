"""Rows as numbers: equal rows have equal numbers. Kernels see rows only as such numbers."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from physical.columns.column import ColumnVector, identity_codes, order_codes
from physical.kernels.dense_numbers import dense
from physical.kernels.types import Array, Bools, Ints

_NULL_HASH: Final = 0x51ED270B
_ROOM: Final = 2**62


def row_numbers(columns: Sequence[ColumnVector]) -> tuple[Ints, Ints]:
    """Numbers 0, 1, 2, … of the rows, the same for rows that count as the same; and the first position of each."""
    if len(columns) > 1 and len(columns[0]):
        codes = _codes_in_one(columns)
        if codes is not None:
            return dense(codes)
    numbers, first = _column_numbers(columns[0])
    for column in columns[1:]:
        others, different = _column_numbers(column)
        numbers, first = dense(numbers * len(different) + others)
    return numbers, first


def _codes_in_one(columns: Sequence[ColumnVector]) -> Ints | None:
    """One number for the values of each row, if they are so near each other that 62 bits hold all of them."""
    parts, room = [], 1
    for column in columns:
        codes, valid = identity_codes(column)
        low, high = int(codes.min()), int(codes.max())
        width = high - low + (1 if valid is None else 2)
        room *= width
        if room >= _ROOM:
            return None
        parts.append((codes, valid, low, width))
    found = np.zeros(len(columns[0]), np.int64)
    for codes, valid, low, width in parts:
        found *= width
        found += codes - low if valid is None else np.where(valid, codes - low + 1, 0)
    return found


def _column_numbers(column: ColumnVector) -> tuple[Ints, Ints]:
    codes, valid = identity_codes(column)
    numbers, first = dense(np.ascontiguousarray(codes))
    return (numbers, first) if valid is None else dense(np.where(valid, numbers, len(first)))


def row_order(columns: Sequence[ColumnVector], first: Ints) -> Ints:
    """The positions in the order of `first`, then of the rows: NULL first, NaN last."""
    keys: list[Array] = []
    for column in columns:
        codes, valid = order_codes(column)
        keys += [codes] if valid is None else [valid, codes]
    return np.lexsort([*reversed(keys), first])


def row_hashes(columns: Sequence[ColumnVector]) -> tuple[Ints, Bools, bool]:
    """A hash of every row; which rows have no NULL and so can equal another; and whether equal hashes mean equal rows.

    The second array is empty if no row has a NULL.
    """
    masks = [column.mask() for column in columns if column.valid is not None]
    usable = np.logical_and.reduce(masks) if masks else np.empty(0, np.bool_)
    hashes = [_hashes(column) for column in columns]
    if len(columns) == 1:
        return hashes[0], usable, columns[0].words is None
    return _combined(hashes), usable, False


def perhaps_twins(columns: Sequence[ColumnVector]) -> Bools:
    """Which rows may have an equal one among the others: those with the same hash. No other row has one."""
    hashes = _combined([np.where(column.mask(), _hashes(column), _NULL_HASH) for column in columns])
    ordered = np.sort(hashes)
    shared = ordered[1:][ordered[1:] == ordered[:-1]]
    if not len(shared):
        return np.zeros(len(hashes), np.bool_)
    nearest = np.minimum(np.searchsorted(shared, hashes), len(shared) - 1)
    return np.asarray(shared[nearest] == hashes)


def _combined(hashes: Sequence[Ints]) -> Ints:
    """One hash of each row from those of its values."""
    combined = np.zeros(len(hashes[0]), np.uint64)
    for one in hashes:
        combined = combined * np.uint64(0x9E3779B97F4A7C15) + one.view(np.uint64)
        combined ^= combined >> np.uint64(29)
    return combined.view(np.int64)


def _hashes(column: ColumnVector) -> Ints:
    codes, _ = identity_codes(column)
    if column.words is None:
        return np.ascontiguousarray(codes)
    of_words = np.fromiter((hash(word) for word in column.words), np.int64, len(column.words))
    return of_words[codes] if len(of_words) else codes
