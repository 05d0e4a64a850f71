"""A logical stream over time of any size: its canonical form, and up to when it is known."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from semantics.errors import StreamError
from semantics.multiset import Multiset
from semantics.schema import Schema
from semantics.sparse.row_steps import Counts, spans, summed
from semantics.sparse.sweep import Change, changes
from semantics.stream import LogicalStream, Run, Stream, pieces
from semantics.time import FOREVER, End, Instant, check_instant
from semantics.value import Row, row_order


@dataclass(frozen=True)
class SparseStream:
    """Per row its maximal runs of constant multiplicity before a horizon, which may be FOREVER.

    >>> from semantics import RawStream
    >>> stream = SparseStream.of(RawStream(Schema.of(x=int), [((7,), 2**62)]))
    >>> stream.at(2**62), stream.at(2**62 + 1)
    (Multiset({(7,): 1}), Multiset())
    """

    schema: Schema
    runs: tuple[Run, ...]
    """In the order of `semantics.canonical`."""
    horizon: End = FOREVER

    @classmethod
    def of(cls, stream: Stream, horizon: End = FOREVER) -> "SparseStream":
        """Any stream up to a horizon."""
        return cls.counted(stream.schema, counts_of(stream, horizon), horizon)

    @classmethod
    def of_runs(cls, schema: Schema, runs: Iterable[Run], horizon: End = FOREVER) -> "SparseStream":
        """From rows of the schema with their intervals and multiplicities, which may overlap."""
        return cls.counted(schema, counts_of_runs(runs, horizon), horizon)

    @classmethod
    def counted(cls, schema: Schema, counts: Counts, horizon: End) -> "SparseStream":
        """From how often each row is there."""
        runs = [(row, interval, n) for row, steps in counts.items() for interval, n in spans(steps, horizon)]
        return cls(schema, tuple(sorted(runs, key=lambda run: (run[1].start, row_order(run[0])))), horizon)

    def at(self, t: Instant) -> Multiset:
        """The snapshot at t: timeslice τ_t (6)."""
        if check_instant(t, "at: time") >= self.horizon:
            raise StreamError(f"at: time must be before the horizon {self.horizon}, got {t}")
        return Multiset.sum((row, n) for row, interval, n in self.runs if t in interval)

    def changes(self) -> Iterator[Change]:
        """The snapshots at 0 and at every instant at which something changes."""
        return changes(counts_of_runs(self.runs, self.horizon), self.horizon)


def counts_of(stream: Stream, horizon: End) -> Counts:
    """How often each row of a stream is there, up to a horizon; a logical stream must be known so far."""
    if isinstance(stream, LogicalStream) and horizon > stream.horizon:
        raise StreamError(f"until: the stream is known up to horizon {stream.horizon}, got {horizon}")
    return counts_of_runs(pieces(stream), horizon)


def first_difference(left: SparseStream, right: SparseStream) -> Instant | None:
    """The first instant at which two streams differ, as far as both are known, or None if there is none."""
    if left.schema.types != right.schema.types:
        raise StreamError(f"first_difference: expected streams of the same types, got {left.schema} and {right.schema}")
    surplus: dict[tuple[Row, End], int] = defaultdict(int)
    for stream, sign in ((left, 1), (right, -1)):
        for row, interval, n in stream.runs:
            surplus[row, interval.start] += sign * n
            surplus[row, interval.end] -= sign * n
    known = min(left.horizon, right.horizon)
    return min((int(t) for (_, t), n in surplus.items() if n and t < known), default=None)


def counts_of_runs(runs: Iterable[Run], horizon: End) -> Counts:
    """Counts from rows with their intervals and multiplicities; they may overlap."""
    differences: dict[Row, dict[Instant, int]] = defaultdict(lambda: defaultdict(int))
    for row, interval, n in runs:
        differences[row][interval.start] += n
        if interval.end != FOREVER:
            differences[row][int(interval.end)] -= n
    return {row: summed(of_row, horizon) for row, of_row in differences.items()}
