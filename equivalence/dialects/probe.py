"""A probe: a query and few rows, for which alternatives predict different answers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from equivalence.conformance.subject.in_process import Subject
from equivalence.deviations.outcome import Outcomes, rounded
from equivalence.deviations.situation import Situation, situation_of
from equivalence.dialects.property import Alternative, changed
from equivalence.recordings.recording import EveryInstant
from equivalence.verdicts.fault_kind import Fault, FaultKind
from semantics import Plan, Schema, SnapeqError, Stream, parse, parse_plan, show
from semantics.sparse.row_steps import Counts
from semantics.sparse.stream import SparseStream, counts_of_runs
from semantics.stream import Run
from semantics.time import Interval

HORIZON = 40


@dataclass(frozen=True)
class Answer:
    """What an engine gives, or would give: rows, an error, or something that no engine should do."""

    kind: Literal["rows", "error", "fault"]
    runs: tuple[Run, ...] = ()
    message: str = field(default="", compare=False)
    """What the engine said of its error."""

    def __str__(self) -> str:
        if self.kind != "rows":
            return f"{self.kind}: {self.message}" if self.message else self.kind
        shown = [f"{show(row)}@{_shown(interval)}" + (f"*{n}" if n > 1 else "") for row, interval, n in self.runs]
        return " ".join(shown) or "no row"


def _shown(interval: Interval) -> str:
    return f"[{interval.start}, {'…' if interval.end >= HORIZON else interval.end})"


def _rows(schema: Schema, counts: Counts) -> Answer:
    return Answer("rows", SparseStream.counted(schema, rounded(counts), HORIZON).runs)


@dataclass(frozen=True)
class Probe:
    """A plan and its streams, in the notation."""

    query: str
    data: Mapping[str, str] = field(hash=False)
    harmless: Mapping[str, str] | None = field(default=None, hash=False)
    """Rows for which no alternative is an error: an engine that fails for them, too, has another reason to."""

    @cached_property
    def plan(self) -> Plan:
        return parse_plan(self.query)

    @cached_property
    def streams(self) -> Mapping[str, Stream]:
        return {name: parse(text) for name, text in self.data.items()}

    @cached_property
    def situation(self) -> Situation:
        return situation_of(self.plan, self.streams, EveryInstant(HORIZON))

    @cached_property
    def standard(self) -> Answer:
        return self._answer(self.situation)

    def predicted(self, alternatives: Iterable[Alternative]) -> Answer:
        """What an engine answers for which all these alternatives hold, by the reference."""
        situation = changed(self.situation, alternatives)
        return self.standard if situation == self.situation else self._answer(situation)

    def _answer(self, situation: Situation) -> Answer:
        try:
            return _rows(self.plan.schema, Outcomes().of(situation))
        except SnapeqError as error:
            return Answer("error", message=str(error))

    def asked(self, subject: Subject) -> Answer:
        """What an engine answers; raises Unsupported if it says that it cannot."""
        try:
            found = subject.elements(self.plan, self.streams, HORIZON)
        except Fault as fault:
            meant = fault.name is FaultKind.RAISES and self._runs_otherwise(subject)
            return Answer("error" if meant else "fault", message=fault.message)
        runs = ((row, Interval(start, end), 1) for row, start, end in found)
        return _rows(self.plan.schema, counts_of_runs(runs, HORIZON))

    def _runs_otherwise(self, subject: Subject) -> bool:
        if self.harmless is None:
            return True
        try:
            subject.elements(self.plan, {name: parse(text) for name, text in self.harmless.items()}, HORIZON)
        except Fault:
            return False
        return True
