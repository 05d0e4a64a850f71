"""Streams cut in time for several threads, and put together again."""

import numpy as np

from physical.columns.column import ColumnVector
from physical.columns.stream import PhysicalStream, joined
from physical.columns.threads import Workers
from physical.kernels.spans import inspected
from physical.kernels.types import ENDLESS, Ints

CHUNK = 1 << 20
"""Elements per part: enough to keep kernels busy, few enough that live elements stay in the processor's caches."""
LARGE_SLICE = 1 << 17
"""Elements of a batch that are worth a thread: below that, starting it costs more than it gains."""
MAX_SHARE_TREATED_TWICE = 1 / 8
"""If more of a part lived before it already, cutting does not pay."""


def cuts_in_time(starts: Ints, lookback: int, size: int) -> list[int]:
    """Instants that cut a stream into parts of about this size; none if too much of a part would be treated twice.

    An instant may depend on elements that started up to `lookback` instants before it.
    """
    if len(starts) < 2 * size:
        return []
    cuts = np.unique(starts[size::size])
    cuts = cuts[cuts > 0]
    earlier = np.searchsorted(starts, cuts - min(lookback, ENDLESS // 2))
    twice = int((np.searchsorted(starts, cuts) - earlier).sum())
    return cuts.tolist() if twice <= MAX_SHARE_TREATED_TWICE * len(starts) else []


def part_in_time(stream: PhysicalStream, since: int, until: int, longest: int) -> list[PhysicalStream]:
    """What lives at `since` already, cut there; and what starts later, but before `until`.

    No element lives longer than `longest`. What starts later is a slice, so nothing is copied.
    """
    begin, end = np.searchsorted(stream.start, (since, until)).tolist()
    early = int(np.searchsorted(stream.start, since - longest)) if longest < since else 0
    old = stream.take(np.s_[early:begin])
    old = old.take(old.end > since)
    parts = [old.valid_during(np.full(len(old), since, np.int64), old.end), stream.take(np.s_[begin:end])]
    return [part for part in parts if len(part)]


def look(stream: PhysicalStream, team: Workers) -> tuple[bool, bool, int]:
    """Is a stream in order with sound intervals, has it chronons only, and how long does its longest element live?"""
    looks = team.map(
        lambda i: inspected(stream.start[max(i - 1, 0) : i + CHUNK], stream.end[max(i - 1, 0) : i + CHUNK]),
        range(0, max(len(stream), 1), CHUNK),
    )
    sound, only_chronons, longest = zip(*looks, strict=True)
    return all(sound), all(only_chronons), max(longest)


def joined_by(team: Workers, streams: list[PhysicalStream]) -> PhysicalStream:
    """One stream after the other, copied by several threads at once."""
    streams = [stream for stream in streams if len(stream)] or streams[:1]
    if len(streams) == 1 or any(_needs_care(column) for stream in streams for column in stream.columns):
        return joined(streams)
    arrays = [[*(column.values for column in stream.columns), stream.start, stream.end] for stream in streams]
    places = np.cumsum([0, *map(len, streams)]).tolist()
    whole = [np.empty(places[-1], array.dtype) for array in arrays[0]]

    def copy(i: int) -> None:
        for target, array in zip(whole, arrays[i], strict=True):
            target[places[i] : places[i + 1]] = array

    team.map(copy, range(len(streams)))
    types = [column.type for column in streams[0].columns]
    columns = tuple(ColumnVector(type_, values) for type_, values in zip(types, whole[:-2], strict=True))
    return PhysicalStream(streams[0].schema, columns, whole[-2], whole[-1])


def _needs_care(column: ColumnVector) -> bool:
    """Has it more than values: NULLs, or words of its own?"""
    return column.valid is not None or column.words is not None
