"""The canonical form of a long stream by several threads: of each part of time, then put together where it was cut."""

from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np

from physical.columns.canonical import Canonical, put_in_order, swept
from physical.columns.column import ColumnVector, concatenated, taken, unified
from physical.columns.row_numbers import row_numbers
from physical.columns.stream import PhysicalStream, joined
from physical.columns.threads import Workers
from physical.kernels.multiplicity import Runs
from physical.kernels.types import ENDLESS, Bools, Ints
from semantics.value import Type

BEFORE_ALL = -1
"""A part that begins here has nothing before it."""


@dataclass(slots=True)
class Part:
    """The runs of a part of time, by start; those that start together in any order."""

    rows: tuple[ColumnVector, ...]
    runs: Runs
    first: int
    """So many runs begin where the part does."""
    touching: Ints
    """The positions of runs that begin where the part does, or end there: they may go on in another part."""


def canonical_in_parts(stream: PhysicalStream, cuts: list[int], longest: int, team: Workers) -> Canonical:
    """The canonical form, computed between these instants and across them."""
    parts = team.map(partial(_part, stream, longest), pairwise([BEFORE_ALL, *cuts, ENDLESS]))
    stitched(parts)
    return _side_by_side(stream, parts, [_not_empty(part) for part in parts], team)


def _part(stream: PhysicalStream, longest: int, bounds: tuple[int, int]) -> Part:
    """The runs between two instants: of what is alive then, and cut afterwards, which copies nothing."""
    since, until = bounds
    rows, (key, start, end, count) = swept(_alive(stream, since, until, longest))
    begun, first = int(np.searchsorted(start, until)), int(np.searchsorted(start, since, side="right"))
    key, start, end, count = key[:begun], start[:begun], end[:begun], count[:begun]
    start[:first], end[:first] = since, np.maximum(end[:first], since)
    last = np.flatnonzero(end >= until) if until < ENDLESS else np.arange(0)
    end[last] = until
    touching = np.union1d(np.flatnonzero(end[:first] > since), last)
    return Part(rows, (key, start, end, count), first, touching)


def _alive(stream: PhysicalStream, since: int, until: int, longest: int) -> PhysicalStream:
    """What lives at these instants; a slice, which copies nothing, if elements end in the order in which they start."""
    begin, end = np.searchsorted(stream.start, (since, until)).tolist()
    early = int(np.searchsorted(stream.start, since - longest)) if longest < since else 0
    lives = stream.end[early:begin] > since
    first = int(np.argmax(lives)) if lives.any() else begin - early
    if lives[first:].all():
        return stream.take(np.s_[early + first : end])
    return joined([stream.take(np.s_[early:begin]).take(lives), stream.take(np.s_[begin:end])])


def stitched(parts: list[Part]) -> None:
    """Let runs that were cut go on: the first piece gets the end of the last, and the others get an empty interval."""
    if not any(len(part.touching) for part in parts):
        return
    rows = [taken(part.rows, part.runs[0][part.touching]) for part in parts]
    start, end, count = (np.concatenate([part.runs[i][part.touching] for part in parts]) for i in (1, 2, 3))
    numbers, _ = row_numbers(
        [*(concatenated(list(column)) for column in zip(*rows, strict=True)), ColumnVector(Type.INT, count)]
    )
    order = np.lexsort((start, numbers))
    goes_on = _goes_on(numbers[order], start[order], end[order])
    last = end[order][_last_of_chain(goes_on)]
    new_end = np.empty_like(end)
    new_end[order] = np.where(goes_on, start[order], last)
    borders = np.cumsum([len(part.touching) for part in parts])[:-1]
    for part, ends in zip(parts, np.split(new_end, borders), strict=True):
        part.runs[2][part.touching] = ends


def _goes_on(numbers: Ints, start: Ints, end: Ints) -> Bools:
    """Which pieces continue the piece before them."""
    goes_on = np.zeros(len(start), np.bool_)
    goes_on[1:] = (numbers[1:] == numbers[:-1]) & (start[1:] == end[:-1])
    return goes_on


def _last_of_chain(goes_on: Bools) -> Ints:
    """For every piece, the position of the last one of its chain."""
    is_last = np.append(~goes_on[1:], True)
    positions = np.where(is_last, np.arange(len(goes_on)), len(goes_on))
    return np.minimum.accumulate(positions[::-1])[::-1]


def _not_empty(part: Part) -> Runs:
    """The runs of a part without the empty ones, which are among the first; the rest is not copied."""
    key, start, end, count = part.runs
    kept = np.flatnonzero(end[: part.first] > start[: part.first])
    gone = part.first - len(kept)
    for array in part.runs:
        array[gone : part.first] = array[kept]
    return key[gone:], start[gone:], end[gone:], count[gone:]


def _side_by_side(stream: PhysicalStream, parts: list[Part], runs: list[Runs], team: Workers) -> Canonical:
    """The runs of all parts, one after the other: each part puts its own in order, straight at their place."""
    places = [slice(begin, end) for begin, end in pairwise(np.cumsum([0, *(len(key) for key, *_ in runs)]).tolist())]
    rows = list(
        zip(*(unified(list(column)) for column in zip(*(part.rows for part in parts), strict=True)), strict=True)
    )
    key, start, end, count = (np.empty(places[-1].stop, np.int64) for _ in range(4))
    columns = [_room(list(column), len(key)) for column in zip(*rows, strict=True)]

    def put(i: int) -> None:
        place = places[i]
        put_in_order(runs[i], (key[place], start[place], end[place], count[place]))
        for column, row in zip(columns, rows[i], strict=True):
            np.take(row.values, key[place], out=column.values[place], mode="clip")
            if column.valid is not None:
                np.take(row.mask(), key[place], out=column.valid[place], mode="clip")

    team.map(put, range(len(parts)))
    return Canonical(PhysicalStream(stream.schema, tuple(columns), start, end), count)


def _room(columns: list[ColumnVector], length: int) -> ColumnVector:
    """A column of this length that can hold values of all of these, which have the same words."""
    valid = None if all(column.valid is None for column in columns) else np.empty(length, np.bool_)
    first = columns[0]
    return ColumnVector(first.type, np.empty(length, first.values.dtype), valid, first.words)
