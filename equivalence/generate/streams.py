"""Streams over few instants, so that elements tie, touch, overlap and repeat."""

from typing import Final, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from equivalence.generate.rows import rows
from semantics import FOREVER, Instant, Interval, IntervalStream, RawStream, Schema, Stream
from semantics.stream import IntervalElement
from semantics.time import End

T = TypeVar("T")
HORIZON: Final = 8
"""Elements start before it; cases are evaluated a little beyond it."""


_CONTINUATIONS: Final = st.lists(st.tuples(st.integers(0, 7), st.integers(1, 3)), max_size=2)


def instants() -> SearchStrategy[Instant]:
    return st.integers(0, HORIZON - 1)


def intervals() -> SearchStrategy[Interval]:
    """Mostly short intervals; some last for ever."""
    lengths: SearchStrategy[End] = st.one_of(st.integers(1, 4), st.integers(2, HORIZON), st.just(FOREVER))
    return st.tuples(instants(), lengths).map(lambda pair: Interval(pair[0], pair[0] + pair[1]))


def raw_streams(schema: Schema, *, max_size: int = 8, awkward: bool = True) -> SearchStrategy[RawStream]:
    elements = _few_or_many(st.tuples(rows(schema, awkward=awkward), instants()), max_size)
    return elements.map(lambda drawn: RawStream(schema, sorted(drawn, key=lambda element: element[1])))


def interval_streams(schema: Schema, *, max_size: int = 8, awkward: bool = True) -> SearchStrategy[IntervalStream]:
    elements = _few_or_many(st.tuples(rows(schema, awkward=awkward), intervals()), max_size)
    return st.tuples(elements, _CONTINUATIONS).map(lambda drawn: IntervalStream(schema, _continued(*drawn)))


def streams(schema: Schema, *, max_size: int = 8, awkward: bool = True) -> SearchStrategy[Stream]:
    """A raw or an interval stream; elements that start together stay in any order."""
    raw = raw_streams(schema, max_size=max_size, awkward=awkward)
    interval = interval_streams(schema, max_size=max_size, awkward=awkward)
    return st.one_of(raw, interval, interval)


def _few_or_many(elements: SearchStrategy[T], max_size: int) -> SearchStrategy[list[T]]:
    """Lists that shrink to the empty one but are seldom drawn empty."""
    return st.one_of(
        st.lists(elements, max_size=max_size), st.lists(elements, min_size=max_size // 2, max_size=max_size)
    )


def _continued(elements: list[IntervalElement], continuations: list[tuple[int, int]]) -> list[IntervalElement]:
    """The elements, and for some of them the same row once more just when it ends."""
    finite = [element for element in elements if element[1].end != FOREVER]
    chosen = [(*finite[index % len(finite)], length) for index, length in continuations if finite]
    more = [(row, Interval(int(interval.end), interval.end + length)) for row, interval, length in chosen]
    return sorted([*elements, *more], key=lambda element: element[1].start)
