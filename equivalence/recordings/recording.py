"""A recorded output, whatever its kind: which rows it claims at which instants, and at which of them it is judged.

A pane with the end e claims its rows during [e − 1, e), an event claims its row at its own instant, a changelog claims
what the changes so far add up to. All times are in the unit of the query.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, assert_never, cast

from physical.columns.column import rows
from physical.columns.stream import PhysicalStream
from semantics import FOREVER, Instant, Schema
from semantics.time import End
from semantics.value import identical_row

if TYPE_CHECKING:
    from semantics import SparseStream

OutputKind = Literal["panes", "events", "retract", "debezium", "upsert", "updates", "snapshot", "intervals"]

AnomalyName = Literal[
    "duplicate pane",
    "unaligned pane",
    "retraction of what was never there",
    "update after close",
    "truncated last line",
]


@dataclass(frozen=True)
class Anomaly:
    """Something that no right output contains, whatever the query is."""

    name: AnomalyName
    place: str
    """The file and the line, or the row of a format without lines."""
    detail: str
    """The row, the pane or the key that it is about, as text."""
    instant: Instant | None = None
    """When it shows, if it is about an instant."""

    def __str__(self) -> str:
        return f"{self.place}: {self.name}: {self.detail}"


@dataclass(frozen=True)
class EveryInstant:
    """All instants before a horizon, which may be FOREVER."""

    horizon: End = FOREVER


@dataclass(frozen=True)
class LastInstants:
    """The instants e − 1 of panes: e = offset + k · step, before a horizon."""

    step: int
    offset: int = 0
    horizon: End = FOREVER


@dataclass(frozen=True)
class OneInstant:
    """A single snapshot."""

    at: Instant


Judged = EveryInstant | LastInstants | OneInstant


def is_judged(judged: Judged, t: Instant) -> bool:
    """Does the recording say something about the instant t?

    >>> [t for t in range(10) if is_judged(LastInstants(step=4, offset=1), t)]
    [0, 4, 8]
    """
    match judged:
        case EveryInstant(horizon):
            return t < horizon
        case LastInstants(step, offset, horizon):
            return (t + 1 - offset) % step == 0 and t < horizon
        case OneInstant(at):
            return t == at
        case _:
            assert_never(judged)


@dataclass(frozen=True, eq=False)
class Recording:
    """What an engine wrote down."""

    kind: OutputKind
    claims: PhysicalStream
    """The query's columns and, as the last column, a count; in the order of starts, and rows may overlap."""
    judged: Judged
    anomalies: tuple[Anomaly, ...] = ()

    @property
    def schema(self) -> Schema:
        """The query's columns."""
        return Schema(self.claims.schema.columns[:-1])

    def sparse(self) -> "SparseStream":
        """The claims as the reference writes its results: for small recordings."""
        from semantics import SparseStream

        spans = self.claims.to_interval().elements
        listed = zip(rows(self.claims.columns), spans, strict=True)
        runs = [(identical_row(row[:-1]), interval, int(cast(int, row[-1] or 0))) for row, (_, interval) in listed]
        return SparseStream.of_runs(self.schema, runs)
