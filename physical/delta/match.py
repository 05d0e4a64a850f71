"""Which positive element a negative one takes back: the oldest that is still there, of those with the same row."""

from collections.abc import Sequence

import numpy as np

from physical.column import Array, Column, Ints, identity_codes, taken
from physical.delta.stream import DeltaStream
from physical.kernels.deltas import first_come
from physical.keys import row_numbers
from semantics import Schema


def matches(columns: Sequence[Column], negative: Array) -> Ints:
    """For each negative element the position of the one that it takes back, for a positive one its own.

    Behind a window rows go in the order in which they came: then nothing has to be looked up.
    """
    gone, come = np.flatnonzero(negative), np.flatnonzero(~negative)
    came = come[: len(gone)]
    if len(gone) <= len(come) and bool((came < gone).all()) and same_rows(columns, gone, came):
        found = np.arange(len(negative))
        found[gone] = came
        return found
    numbers, first = row_numbers(columns)
    return first_come(numbers, len(first), negative)


def same_rows(columns: Sequence[Column], here: Ints, there: Ints) -> bool:
    """Are the rows at these positions the same ones, one by one?"""
    return all(_same(column, here, there) for column in columns)


def _same(column: Column, here: Ints, there: Ints) -> bool:
    codes, valid = identity_codes(column)
    if valid is not None and not np.array_equal(valid[here], valid[there]):
        return False
    return np.array_equal(codes[here], codes[there])


def unmatched(stream: DeltaStream) -> int | None:
    """The first negative element that takes back nothing, or None if there is none."""
    wrong = matches(stream.columns, stream.negative) < 0
    return int(np.argmax(wrong)) if wrong.any() else None


def net(stream: DeltaStream) -> DeltaStream:
    """The same changes without pairs that undo each other at one instant; at an instant what goes comes first."""
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


def repeated(schema: Schema, columns: Sequence[Column], time: Ints, change: Ints) -> DeltaStream:
    """Every row as often as it comes or goes."""
    sign = np.sign(change).astype(np.int8)
    once = DeltaStream(schema, tuple(columns), time, sign)
    often = np.abs(change)
    return once if bool((often == 1).all()) else once.take(np.repeat(np.arange(len(often)), often))
