"""Which positive element a negative one retracts: the oldest one of the same row that is still there."""

from collections.abc import Sequence

import numpy as np

from physical.columns.column import ColumnVector, identity_codes, taken
from physical.columns.row_numbers import row_numbers
from physical.engines.delta.delta_stream import DeltaStream
from physical.kernels.deltas import first_come
from physical.kernels.types import Ints
from semantics import Schema


def ended(columns: Sequence[ColumnVector], births: Ints, deaths: Ints) -> Ints:
    """The number of the positive element that each negative one retracts, among the positive ones; −1 if there is none.

    Behind a window, rows go in the order in which they came; that is tested first, because then nothing is looked up.
    """
    came = births[: len(deaths)]
    if len(came) == len(deaths) and bool((came < deaths).all()) and same_rows(columns, deaths, came):
        return np.arange(len(deaths))
    negative = np.ones(len(births) + len(deaths), np.bool_)
    negative[births] = False
    numbers, first = row_numbers(columns)
    found = first_come(numbers, len(first), negative)[deaths]
    return np.where(found < 0, -1, np.searchsorted(births, found))


def same_rows(columns: Sequence[ColumnVector], here: Ints, there: Ints) -> bool:
    """Are the rows at these positions the same, pair by pair?"""
    return all(_same(column, here, there) for column in columns)


def _same(column: ColumnVector, here: Ints, there: Ints) -> bool:
    codes, valid = identity_codes(column)
    if valid is not None and not np.array_equal(valid[here], valid[there]):
        return False
    return np.array_equal(codes[here], codes[there])


def unmatched(stream: DeltaStream) -> int | None:
    """The first negative element that retracts nothing, or None."""
    deaths = np.flatnonzero(stream.negative)
    wrong = ended(stream.columns, np.flatnonzero(~stream.negative), deaths) < 0
    return int(deaths[np.argmax(wrong)]) if wrong.any() else None


def net(stream: DeltaStream) -> DeltaStream:
    """The same changes without pairs that cancel at one instant; at each instant, negative elements come first."""
    if not len(stream):
        return stream
    numbers, first = row_numbers(stream.columns)
    order = np.lexsort((numbers, stream.time))
    time, number = stream.time[order], numbers[order]
    begins = np.flatnonzero(np.append(True, (time[1:] != time[:-1]) | (number[1:] != number[:-1])))
    change = np.add.reduceat(stream.sign[order].astype(np.int64), begins)
    order = np.lexsort((change > 0, time[begins]))
    rows = taken(stream.columns, first[number[begins]][order])
    return repeated(stream.schema, rows, time[begins][order], change[order])


def repeated(schema: Schema, columns: Sequence[ColumnVector], time: Ints, change: Ints) -> DeltaStream:
    """Every row, repeated as often as it comes or goes."""
    sign = np.sign(change).astype(np.int8)
    once = DeltaStream(schema, tuple(columns), time, sign)
    often = np.abs(change)
    return once if bool((often == 1).all()) else once.take(np.repeat(np.arange(len(often)), often))
