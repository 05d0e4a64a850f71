"""Sessions of rows in the order of their arrival: a session that the watermark has closed takes no row any more.

A late row is no longer a matter of its own validity here: whether it is lost, extends a session, joins two or begins
one beside a closed one depends on which sessions are open when it comes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from equivalence.recordings.arrivals import Arrived
from equivalence.recordings.late_policy import SessionRule
from equivalence.recordings.late_rows import LateStream
from physical.columns.column import ColumnVector
from physical.columns.column import rows as python_rows
from physical.columns.expressions import evaluate
from physical.columns.stream import PhysicalStream, in_order
from physical.files.spill import Spill
from semantics import Instant, Interval, Plan, Row, Type
from semantics.now_in_expressions import now_as_column
from semantics.plan import Filter, Map, SessionWindow, Source
from semantics.value import identical_row


@dataclass(frozen=True, eq=False)
class Session:
    """Rows that belong together, from the first one's time up to a gap after the last one's."""

    start: Instant
    end: Instant
    rows: list[Row]

    def with_others(self, others: "Sequence[Session]") -> "Session":
        """One session of this one and others."""
        parts = [self, *others]
        return Session(min(p.start for p in parts), max(p.end for p in parts), [row for p in parts for row in p.rows])

    def elements(self) -> list[tuple[Row, Interval]]:
        return [((*row, self.start, self.end), Interval(self.start, self.end)) for row in self.rows]


@dataclass
class OpenSessions:
    """The sessions of all groups that may still take rows."""

    window: SessionWindow
    rule: SessionRule = "open"
    groups: dict[Row, list[Session]] = field(default_factory=dict)

    def take(self, row: Row, t: Instant, open_from: Instant) -> list[Session]:
        """Put a row where it belongs, or drop it; gives the sessions of its group that take no rows any more.

        A session whose last instant is `open_from` or later is open.
        """
        key = identical_row(tuple(row[i] for i in self.window.keys))
        over, group = self._parted(self.groups.pop(key, []), open_from)
        own = Session(t, t + self.window.gap, [row])
        near = [session for session in group if self._belong_together(session, own)]
        whole = own.with_others([] if self.rule == "alone" else near)
        if whole.end - 1 >= open_from:
            group = [session for session in group if session not in near] + [own.with_others(near)]
        if group:
            self.groups[key] = group
        return over

    def over(self, open_from: Instant) -> list[Session]:
        """Take out all sessions that take no rows any more."""
        parted = {key: self._parted(group, open_from) for key, group in self.groups.items()}
        self.groups = {key: group for key, (_, group) in parted.items() if group}
        return [session for over, _ in parted.values() for session in over]

    def rest(self) -> list[Session]:
        return [session for group in self.groups.values() for session in group]

    def earliest(self, otherwise: Instant) -> Instant:
        """Where the earliest of these sessions begins, if that is before this instant."""
        return min([otherwise, *(session.start for session in self.rest())])

    def _parted(self, group: Sequence[Session], open_from: Instant) -> tuple[list[Session], list[Session]]:
        """Those that take no rows any more, and the others. By one rule a session that has ended may become longer."""
        ended = open_from - self.window.gap - 1 if self.rule == "ended" else open_from
        return [s for s in group if s.end - 1 < ended], [s for s in group if s.end - 1 >= ended]

    def _belong_together(self, one: Session, other: Session) -> bool:
        reach = 1 if self.window.touching else 0
        return other.start < one.end + reach and one.start < other.end + reach


@dataclass(frozen=True)
class LateSessions:
    """What a session window gives over a stream in the order of arrival."""

    window: SessionWindow
    late: LateStream

    def batches(self) -> Iterator[PhysicalStream]:
        """Rows with the bounds of their session, in the order of its beginning."""
        waiting = Spill(self.window.schema, in_order)
        sessions = OpenSessions(self.window, self.late.lateness.sessions)
        try:
            for arrived in self.late.arrived():
                waiting.add(self._stream([*self._taken(sessions, arrived), *sessions.over(self._open(arrived.after))]))
                yield waiting.before(sessions.earliest(self._open(arrived.after) - 2 * self.window.gap - 1))
            waiting.add(self._stream(sessions.rest()))
            yield from waiting.rest()
        finally:
            waiting.close()

    def _taken(self, sessions: OpenSessions, arrived: Arrived) -> list[Session]:
        """Put the rows into their sessions; gives those that were over before one came."""
        kept = work_on_rows(self.window.input, numbered(arrived.elements))
        rows = python_rows(kept.columns)
        watermarks = arrived.watermarks[kept.end].tolist()
        steps = zip(rows, kept.start.tolist(), watermarks, strict=True)
        return [over for row, t, watermark in steps for over in sessions.take(row, t, self._open(watermark))]

    def _open(self, watermark: Instant) -> Instant:
        """A session whose last instant is this one or later is open."""
        lateness = self.late.lateness
        if lateness.sessions == "ended":
            return watermark - 1
        return watermark + 1 if lateness.closes_early else watermark

    def _stream(self, sessions: Sequence[Session]) -> PhysicalStream:
        in_time = sorted(sessions, key=lambda session: session.start)
        return PhysicalStream.from_elements(self.window.schema, [e for s in in_time for e in s.elements()])


def numbered(rows: PhysicalStream) -> PhysicalStream:
    """The same rows, with their number in place of their end: so one knows them again when some have been dropped."""
    return rows.valid_during(rows.start, np.arange(len(rows)))


def work_on_rows(plan: Plan, rows: PhysicalStream) -> PhysicalStream:
    """What filters and maps over a stream make of these rows of it; now is a row's own instant."""
    if isinstance(plan, Source):
        return rows
    below = work_on_rows(plan.inputs[0], rows)
    columns = (*below.columns, ColumnVector(Type.INT, below.start))
    if isinstance(plan, Filter):
        truth = evaluate(now_as_column(plan.predicate, len(below.columns)), columns, len(below))
        return below.take(truth.mask() & truth.values.astype(np.bool_))
    assert isinstance(plan, Map)
    made = [evaluate(now_as_column(e, len(below.columns)), columns, len(below)) for e in plan.expressions]
    return below.with_columns(plan.schema, made)
