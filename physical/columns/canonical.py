"""The canonical form of a physical stream, and with it the equivalence of two (16)."""

from dataclasses import dataclass

import numpy as np

from physical.columns import stream_parts
from physical.columns.column import ColumnVector, concatenated, identity_codes, taken
from physical.columns.interval_bounds import Bounds, bounds, ends, starts
from physical.columns.row_numbers import row_numbers, row_order
from physical.columns.stream import PhysicalStream
from physical.columns.threads import thread_count, workers
from physical.kernels import differ, multiplicity
from physical.kernels.sort import merged
from physical.kernels.types import Ints
from semantics import Instant, StreamError
from semantics.stream import Run


@dataclass(frozen=True, eq=False)
class Canonical:
    """The maximal runs of constant multiplicity of every row, by start and then by row; and each multiplicity."""

    runs: PhysicalStream
    count: Ints

    def to_runs(self) -> tuple[Run, ...]:
        """The runs as `semantics.canonical` gives them: for small results and tests."""
        elements = self.runs.to_interval().elements
        return tuple((row, interval, n) for (row, interval), n in zip(elements, self.count.tolist(), strict=True))


def canonical(stream: PhysicalStream, threads: int | None = None) -> Canonical:
    """The canonical form of a stream, by several threads if it is long; it is the same for any number of them."""
    count = thread_count(threads) if len(stream) >= 2 * stream_parts.CHUNK else 1
    if count == 1:
        return whole_canonical(stream)
    from physical.columns.canonical_parts import canonical_in_parts  # it imports this module

    with workers(count) as team:
        _, _, longest = stream_parts.look(stream, team)
        size = max(stream_parts.CHUNK, -(-len(stream) // count))  # a part is copied, so there are no more than threads
        cuts = stream_parts.cuts_in_time(stream.start, longest, size)
        return canonical_in_parts(stream, cuts, longest, team) if cuts else whole_canonical(stream)


def whole_canonical(stream: PhysicalStream) -> Canonical:
    """The canonical form of a stream, by this thread."""
    rows, runs = swept(stream)
    put_in_order(runs, runs)
    key, start, end, count = runs
    return Canonical(PhysicalStream(stream.schema, taken(rows, key), start, end), count)


def swept(stream: PhysicalStream) -> tuple[tuple[ColumnVector, ...], multiplicity.Runs]:
    """The distinct rows in their order, and runs of their numbers by start; those that start together in any order."""
    keys, rows = ranked_rows(stream)
    return rows, multiplicity.runs(multiplicity.LEFT_COUNT, len(rows[0]), *bounds(keys, stream), 1)


def put_in_order(runs: multiplicity.Runs, place: multiplicity.Runs) -> None:
    """Put runs in order of start at their place, in order of key where they start together; it may be where they are.

    A part of a stream begins with all rows that were there before, so the first instant is sorted apart.
    """
    first = int(np.searchsorted(runs[1], runs[1][0], side="right")) if len(runs[1]) else 0
    _copied(runs, place, np.argsort(runs[0][:first], kind="stable"))
    rest, rest_of_place = _behind(runs, first), _behind(place, first)
    in_order = multiplicity.order_keys(*rest) if place is runs else multiplicity.copy_in_order(rest, rest_of_place)
    if not in_order:
        _copied(rest, rest_of_place, np.lexsort(rest[:2]))


def _copied(runs: multiplicity.Runs, place: multiplicity.Runs, order: Ints) -> None:
    for array, target in zip(runs, place, strict=True):
        target[: len(order)] = array[order]


def _behind(runs: multiplicity.Runs, first: int) -> multiplicity.Runs:
    key, start, end, count = runs
    return key[first:], start[first:], end[first:], count[first:]


def ranked_rows(stream: PhysicalStream) -> tuple[Ints, tuple[ColumnVector, ...]]:
    """The number of the row of every element, and the distinct rows in their order."""
    numbers, first = row_numbers(stream.columns)
    order = row_order(taken(stream.columns, first), np.zeros(len(first), np.int64))
    rank = np.empty(len(first), np.int64)
    rank[order] = np.arange(len(first))
    return rank[numbers], taken(stream.columns, first[order])


def first_difference(left: PhysicalStream, right: PhysicalStream) -> Instant | None:
    """The first instant at which two streams differ, or None if they are equivalent."""
    if left.schema.types != right.schema.types:
        raise StreamError(f"equivalent: streams must have the same types, got {left.schema} and {right.schema}")
    keys, count = _shared_keys(left, right)
    mine, theirs = keys[: len(left)], keys[len(left) :]
    gain, gain2 = starts(mine, left), ends(theirs, right)
    loss, loss2 = starts(theirs, right), ends(mine, left)
    surplus = np.zeros(count, np.int64)
    done, uneven, latest = differ.agreed(surplus, gain, gain2, loss, loss2)
    gained, lost = _rest(gain, gain2, done[:2]), _rest(loss, loss2, done[2:])
    found = differ.first_difference(surplus, uneven, latest, gained, lost)
    return None if found < 0 else int(found)


def _shared_keys(left: PhysicalStream, right: PhysicalStream) -> tuple[Ints, int]:
    """Numbers for the rows of both streams, and a bound above them all.

    A single column of ints that lie close together is used as it is: such ints are row numbers already.
    """
    columns = [concatenated(pair) for pair in zip(left.columns, right.columns, strict=True)]
    codes, valid = identity_codes(columns[0])
    if len(columns) == 1 and valid is None and len(codes):
        low, high = int(codes.min()), int(codes.max())
        if high - low < 4 * len(codes):
            return codes - low, high - low + 1
    numbers, first = row_numbers(columns)
    return numbers, len(first)


def _rest(one: Bounds, other: Bounds, done: Ints) -> Bounds:
    """The rest of both lists, merged."""
    return merged(one[0][done[0] :], one[1][done[0] :], other[0][done[1] :], other[1][done[1] :])
