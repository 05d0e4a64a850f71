"""Raw, interval and logical streams, and how one is turned into another (Sections 2.3–2.6)."""

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from semantics.dataclass_on_use import dataclass
from semantics.errors import StreamError
from semantics.multiset import Multiset
from semantics.schema import Schema
from semantics.time import End, Instant, Interval, check_horizon, check_instant
from semantics.value import Row, brief, row_order

RawElement = tuple[Row, Instant]
IntervalElement = tuple[Row, Interval]
Run = tuple[Row, Interval, int]
"""A row, a longest interval in which its multiplicity does not change, and that multiplicity."""


@dataclass(frozen=True)
class RawStream:
    """A sequence of (row, instant), in the order of instants.

    >>> RawStream(Schema.of(x=int), [((1,), 0), ((2,), 3)]).elements
    (((1,), 0), ((2,), 3))
    """

    schema: Schema
    elements: tuple[RawElement, ...]

    def __init__(self, schema: Schema, elements: Iterable[tuple[Iterable[object], int]] = ()) -> None:
        checked = [
            (schema.row(row, f"RawStream: element {i}"), check_instant(t, f"RawStream: time of element {i}"))
            for i, (row, t) in enumerate(_pairs("RawStream", schema, elements))
        ]
        _check_order("RawStream", [t for _, t in checked])
        object.__setattr__(self, "schema", schema)
        object.__setattr__(self, "elements", tuple(checked))

    def __reduce__(self) -> tuple[object, ...]:
        return (RawStream, (self.schema, self.elements))


@dataclass(frozen=True)
class IntervalStream:
    """A physical stream: a sequence of (row, interval), in the order of starts.

    >>> IntervalStream(Schema.of(x=int), [((1,), Interval(0, 5))]).elements
    (((1,), Interval(start=0, end=5)),)
    """

    schema: Schema
    elements: tuple[IntervalElement, ...]

    def __init__(self, schema: Schema, elements: Iterable[tuple[Iterable[object], Interval]] = ()) -> None:
        checked = []
        for i, (row, interval) in enumerate(_pairs("IntervalStream", schema, elements)):
            if not isinstance(interval, Interval):
                raise StreamError(f"IntervalStream: element {i} must have an Interval, got {brief(interval)}")
            checked.append((schema.row(row, f"IntervalStream: element {i}"), interval))
        _check_order("IntervalStream", [interval.start for _, interval in checked])
        object.__setattr__(self, "schema", schema)
        object.__setattr__(self, "elements", tuple(checked))

    def __reduce__(self) -> tuple[object, ...]:
        return (IntervalStream, (self.schema, self.elements))


@dataclass(frozen=True)
class LogicalStream:
    """The snapshots of a stream at the instants 0 … horizon − 1; nothing is said about later ones."""

    schema: Schema
    snapshots: tuple[Multiset, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "snapshots", tuple(self.snapshots))
        fitting: set[Row] = set()  # most rows are there at many instants
        for t, snapshot in enumerate(self.snapshots):
            new = snapshot.support - fitting
            strangers = [row for row in new if not self.schema.fits(row)]
            if strangers:
                raise StreamError(f"LogicalStream: instant {t} must hold rows of {self.schema}, got {strangers[0]!r}")
            fitting |= new

    @property
    def horizon(self) -> int:
        return len(self.snapshots)

    def at(self, t: Instant) -> Multiset:
        """The snapshot at t: timeslice τ_t (6)."""
        if check_instant(t, "at: time") >= self.horizon:
            raise StreamError(f"at: time must be before the horizon {self.horizon}, got {t}")
        return self.snapshots[t]

    def until(self, horizon: int) -> "LogicalStream":
        """The same stream up to an earlier horizon."""
        if check_instant(horizon, "until: horizon") > self.horizon:
            raise StreamError(f"until: the stream is known up to horizon {self.horizon}, got {horizon}")
        return self if horizon == self.horizon else LogicalStream(self.schema, self.snapshots[:horizon])

    def __iter__(self) -> Iterator[tuple[Row, Instant, int]]:
        """Every element (e, t, n) with n > 0, by time and then by row."""
        for t, snapshot in enumerate(self.snapshots):
            for row, n in snapshot.items():
                yield (row, t, n)


Stream = RawStream | IntervalStream | LogicalStream
"""What a query reads: rows at instants, rows over intervals, or a multiset for every instant."""


def raw_to_logical(stream: RawStream, horizon: int) -> LogicalStream:
    """(1): the multiplicity of e at t is the number of its occurrences (e, t)."""
    return physical_to_logical(raw_to_physical(stream), horizon)


def raw_to_physical(stream: RawStream) -> IntervalStream:
    """Every element is valid for the one instant at which it occurs: (e, t) ↦ (e, [t, t+1))."""
    return IntervalStream(stream.schema, [(row, Interval(t, t + 1)) for row, t in stream.elements])


def physical_to_logical(stream: IntervalStream, horizon: int) -> LogicalStream:
    """(2): the multiplicity of e at t is the number of elements e whose interval contains t."""
    check_horizon(horizon, "to_logical: horizon")
    rows: list[list[tuple[Row, int]]] = [[] for _ in range(horizon)]
    for row, interval in stream.elements:
        for t in range(interval.start, int(min(interval.end, horizon))):
            rows[t].append((row, 1))
    return LogicalStream(stream.schema, tuple(map(Multiset.sum, rows)))


def to_logical(stream: Stream, horizon: int) -> LogicalStream:
    """Any stream as a logical one."""
    if isinstance(stream, RawStream):
        return raw_to_logical(stream, horizon)
    return physical_to_logical(stream, horizon) if isinstance(stream, IntervalStream) else stream.until(horizon)


def canonical(stream: Stream) -> tuple[Run, ...]:
    """The canonical form: per row its maximal runs of constant multiplicity, by start and then by row.

    A logical stream's runs end at its horizon at the latest.

    >>> stream = IntervalStream(Schema.of(x=str), [(("a",), Interval(0, 3)), (("a",), Interval(2, 5))])
    >>> [(row, (i.start, i.end), n) for row, i, n in canonical(stream)]
    [(('a',), (0, 2), 1), (('a',), (2, 3), 2), (('a',), (3, 5), 1)]
    """
    all_ = list(pieces(stream))
    runs = [run for row in {row for row, _, _ in all_} for run in _runs(row, [p for p in all_ if p[0] == row])]
    return tuple(sorted(runs, key=lambda run: (run[1].start, row_order(run[0]))))


def equivalent(left: Stream, right: Stream) -> bool:
    """(7), (16): two streams of the same types are equivalent iff all their snapshots are equal."""
    if left.schema.types != right.schema.types:
        raise StreamError(f"equivalent: streams must have the same types, got {left.schema} and {right.schema}")
    return canonical(left) == canonical(right)


def pieces(stream: Stream) -> Iterator[Run]:
    """Elements with their multiplicities; one row may be valid in several at once."""
    if isinstance(stream, LogicalStream):
        return ((row, Interval(t, t + 1), n) for row, t, n in stream)
    if isinstance(stream, RawStream):  # copies at one instant are counted: there may be thousands
        return ((row, Interval(t, t + 1), n) for (row, t), n in Counter(stream.elements).items())
    return ((row, interval, 1) for row, interval in stream.elements)


def _runs(row: Row, pieces: list[Run]) -> Iterator[Run]:
    """Cut time wherever a piece of this row starts or ends, count between the cuts, glue equal neighbours."""
    cuts: list[End] = sorted({bound for _, i, _ in pieces for bound in (i.start, i.end)})
    counts = [sum(n for _, i, n in pieces if i.start <= cut < i.end) for cut in cuts]
    changes = [k for k in range(len(cuts)) if k == 0 or counts[k] != counts[k - 1]]
    for begin, end in itertools.pairwise(changes):
        if counts[begin]:
            yield (row, Interval(int(cuts[begin]), cuts[end]), counts[begin])


def _pairs(what: str, schema: object, elements: object) -> Iterator[tuple[Any, Any]]:
    """The elements, if they are pairs and the schema is one."""
    if not isinstance(schema, Schema) or not isinstance(elements, Iterable):
        raise StreamError(f"{what}: expected a Schema and elements, got {brief(schema)} and {brief(elements)}")
    for i, element in enumerate(elements):
        if not isinstance(element, tuple | list) or len(element) != 2:
            raise StreamError(f"{what}: element {i} must be a pair of row and time, got {brief(element)}")
        yield element[0], element[1]


def _check_order(what: str, times: list[Instant]) -> None:
    for i, (before, after) in enumerate(itertools.pairwise(times), 1):
        if after < before:
            raise StreamError(f"{what}: elements must be in the order of time, got {after} after {before} at {i}")
