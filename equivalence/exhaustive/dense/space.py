"""All streams over a bounded domain, and all combinations of them, smallest first."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from equivalence.exhaustive.dense.counts import CaseBatch, Counts, Rows, Width, narrowest
from semantics import Row, SnapeqError

Indices = NDArray[np.int64]
Span = tuple[int, int]
MOST_STREAMS: Final = 1 << 26
"""Of one source, since all of them are in memory at once."""


@dataclass(frozen=True)
class ScopeBound:
    """How many different rows a stream may have, at how many instants, and each of them how often."""

    tuples: int
    instants: int
    multiplicity: int

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if type(value) is not int or value < 1:
                raise SnapeqError(f"ScopeBound: {name} must be an integer ≥ 1, got {value!r}")

    @property
    def streams(self) -> int:
        """How many streams there are."""
        return int((self.multiplicity + 1) ** (self.tuples * self.instants))


@dataclass(frozen=True)
class Space:
    """All streams of one source: counts[t, e, i] is the multiplicity of row e at t in stream i.

    Streams are sorted by the number of their elements, then those with early elements and with first rows first.
    """

    rows: tuple[Row, ...]
    counts: Counts
    starts: tuple[int, ...]
    """The streams with n elements are those from starts[n] up to but not including starts[n + 1]."""
    lasting: bool = False
    """Does the first snapshot last for ever, as that of a table does?"""

    @property
    def sizes(self) -> range:
        return range(len(self.starts) - 1)

    def span(self, size: int) -> Span:
        """The streams with this many elements."""
        return self.starts[size], self.starts[size + 1]

    def chosen(self, streams: Indices, horizon: int) -> Rows:
        """These streams, followed by nothing up to the horizon unless they last."""
        result = {}
        for place, row in enumerate(self.rows):
            counts = np.zeros((horizon, len(streams)), self.counts.dtype)
            for t, known in enumerate(self.counts[:, place]):
                known.take(streams, out=counts[t], mode="clip")
            counts[1:] = counts[0] if self.lasting else counts[1:]
            result[row] = counts
        return result


def space(rows: Sequence[Row], bound: ScopeBound, width: Width, *, lasting: bool = False) -> Space:
    """All streams over the first rows within a bound.

    >>> streams = space([("a",), ("b",)], ScopeBound(tuples=2, instants=1, multiplicity=1), np.int8)
    >>> streams.counts[0].T.tolist(), streams.starts
    ([[0, 0], [1, 0], [0, 1], [1, 1]], (0, 1, 3, 4))
    """
    rows = tuple(rows[: bound.tuples])
    if bound.streams > MOST_STREAMS:
        raise SnapeqError(f"exhaust: at most {MOST_STREAMS:,} streams per source, but {bound} has {bound.streams:,}")
    cells, base = len(rows) * bound.instants, bound.multiplicity + 1
    counts = _all_digits(cells, base, width)
    sizes = counts.sum(axis=0, dtype=narrowest(cells * bound.multiplicity))
    order = np.argsort(sizes, kind="stable")
    starts = np.searchsorted(sizes[order], np.arange(cells * bound.multiplicity + 2))
    ordered = counts.take(order, axis=1).reshape(bound.instants, len(rows), len(order))
    return Space(rows, ordered, tuple(starts.tolist()), lasting)


def _all_digits(cells: int, base: int, width: Width) -> Counts:
    """All sequences of digits, one in each column, in descending order."""
    digits: Counts = np.empty((cells, base**cells), width)
    for cell, line in enumerate(digits):
        line.reshape(base**cell, base, -1)[:] = np.arange(base - 1, -1, -1)[:, np.newaxis]
    return digits


def batches(spaces: Mapping[str, Space], horizon: int, at_most: int) -> Iterator[CaseBatch]:
    """All combinations of streams, one of each space, by the number of all their elements."""
    width = next(iter(spaces.values())).counts.dtype.type
    for chosen in _chunks(list(spaces.values()), at_most):
        sources = {
            name: space.chosen(streams, horizon) for (name, space), streams in zip(spaces.items(), chosen, strict=True)
        }
        yield CaseBatch(sources, (horizon, len(chosen[0])), width)


def _chunks(spaces: list[Space], at_most: int) -> Iterator[list[Indices]]:
    """The combinations as streams of each space, in pieces of a handy length."""
    pending: list[list[Indices]] = []
    room = at_most
    for spans in _blocks(spaces):
        for piece in _pieces(spans, room, at_most):
            pending.append(piece)
            room -= len(piece[0])
            if room == 0:
                yield _joined(pending)
                pending, room = [], at_most
    if pending:
        yield _joined(pending)


def _joined(pieces: list[list[Indices]]) -> list[Indices]:
    return [np.concatenate(streams) for streams in zip(*pieces, strict=True)]


def _blocks(spaces: list[Space]) -> Iterator[list[Span]]:
    """Spans whose products are all combinations; the first source has the more elements first."""
    largest = sum(space.sizes[-1] for space in spaces)
    *others, last = spaces
    for elements in range(largest + 1):
        for sizes in product(*(reversed(space.sizes) for space in others)):
            rest = elements - sum(sizes)
            if rest in last.sizes:
                yield [space.span(size) for space, size in zip(spaces, (*sizes, rest), strict=True)]


def _pieces(spans: list[Span], room: int, at_most: int) -> Iterator[list[Indices]]:
    """The product of some spans, cut so that the first piece fits into the room and each other one into a chunk."""
    shape = tuple(stop - start for start, stop in spans)
    first, size = 0, prod(shape)
    while first < size:
        stop = min(first + room, size)
        places = np.unravel_index(np.arange(first, stop), shape)
        yield [place + start for place, (start, _) in zip(places, spans, strict=True)]
        first, room = stop, at_most
