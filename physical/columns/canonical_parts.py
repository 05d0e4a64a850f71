"""The canonical form of a long stream by several threads: of each part of time, then put together where it was cut."""

from itertools import pairwise

import numpy as np

from physical.columns.canonical import Canonical, whole_canonical
from physical.columns.column import ColumnVector, concatenated
from physical.columns.row_numbers import row_numbers
from physical.columns.stream import PhysicalStream, joined
from physical.columns.stream_parts import joined_by
from physical.columns.threads import Workers
from physical.kernels.types import ENDLESS, Bools, Ints
from semantics.value import Type


def canonical_in_parts(stream: PhysicalStream, cuts: list[int], longest: int, team: Workers) -> Canonical:
    """The canonical form, computed between these instants and across them."""

    def of_part(bounds: tuple[int, int]) -> Canonical:
        since, until = bounds
        part = _alive(stream, since, until, longest)
        if since:
            part = part.valid_during(np.maximum(part.start, since), part.end)
        return _cut_off(whole_canonical(part), until)

    parts = team.map(of_part, pairwise([0, *cuts, ENDLESS]))
    counted = [_with_count(part) for part in parts]
    first = [
        int(np.searchsorted(part.start, since, side="right")) for part, since in zip(counted, [-1, *cuts], strict=True)
    ]
    stitched(counted, first, [*cuts, ENDLESS])
    pieces = [piece for part, n in zip(counted, first, strict=True) for piece in _kept(part, n)]
    whole = joined_by(team, [_with_count(whole_canonical(PhysicalStream.empty(stream.schema))), *pieces])
    return Canonical(whole.with_columns(stream.schema, whole.columns[:-1]), whole.columns[-1].values)


def _cut_off(part: Canonical, until: int) -> Canonical:
    """What holds before an instant: cutting the runs, which are ours, copies nothing, as cutting the elements would."""
    n = int(np.searchsorted(part.runs.start, until))
    runs = part.runs.take(np.s_[:n])
    np.minimum(runs.end, until, out=runs.end)
    return Canonical(runs, part.count[:n])


def _alive(stream: PhysicalStream, since: int, until: int, longest: int) -> PhysicalStream:
    """What lives at these instants; a slice, which copies nothing, if elements end in the order in which they start."""
    begin, end = np.searchsorted(stream.start, (since, until)).tolist()
    early = int(np.searchsorted(stream.start, since - longest)) if longest < since else 0
    lives = stream.end[early:begin] > since
    first = int(np.argmax(lives)) if lives.any() else begin - early
    if lives[first:].all():
        return stream.take(np.s_[early + first : end])
    return joined([stream.take(np.s_[early:begin]).take(lives), stream.take(np.s_[begin:end])])


def stitched(parts: list[PhysicalStream], first: list[int], untils: list[int]) -> None:
    """Let runs that were cut go on: the first piece gets the end of the last, and the others get an empty interval.

    Of each part, the first elements begin where the part does. Only they and those that end where it ends matter.
    """
    at = [_touching(part, n, until) for part, n, until in zip(parts, first, untils, strict=True)]
    touching = [part.take(positions) for part, positions in zip(parts, at, strict=True)]
    columns = [concatenated(list(column)) for column in zip(*(part.columns for part in touching), strict=True)]
    start, end = (np.concatenate([getattr(part, name) for part in touching]) for name in ("start", "end"))
    if not len(start):
        return
    numbers, _ = row_numbers(columns)
    order = np.lexsort((start, numbers))
    goes_on = _goes_on(numbers[order], start[order], end[order])
    last = end[order][_last_of_chain(goes_on)]
    new_end = np.empty_like(end)
    new_end[order] = np.where(goes_on, start[order], last)
    for part, positions, ends in zip(parts, at, np.split(new_end, np.cumsum([len(p) for p in at])[:-1]), strict=True):
        part.end[positions] = ends


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


def _touching(part: PhysicalStream, first: int, until: int) -> Ints:
    return np.union1d(np.arange(first), np.flatnonzero(part.end == until) if until < ENDLESS else np.arange(0))


def _kept(part: PhysicalStream, first: int) -> list[PhysicalStream]:
    """A part without the pieces that went into others; these are among the first, and the rest is not copied."""
    begun = part.take(np.s_[:first])
    return [begun.take(begun.end > begun.start), part.take(np.s_[first:])]


def _with_count(canonical: Canonical) -> PhysicalStream:
    """The runs with their multiplicity as a last column, so that runs go on only if it stays the same."""
    runs = canonical.runs
    return runs.with_columns(runs.schema, [*runs.columns, ColumnVector(Type.INT, canonical.count)])
