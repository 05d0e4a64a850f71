"""A probe: a query, and something done with it, for which alternatives predict different answers."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from equivalence.conformance.subject.in_process import Subject
from equivalence.deviations.outcome import Outcomes, rounded
from equivalence.deviations.situation import Situation
from equivalence.dialects.property import Alternative, changed
from equivalence.verdicts.fault_kind import Fault, FaultKind
from semantics import Plan, Schema, SnapeqError, parse_plan, show
from semantics.sparse.row_steps import Counts
from semantics.sparse.stream import SparseStream
from semantics.sql.to_text.plans import to_sql
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


def answer_of(schema: Schema, counts: Counts) -> Answer:
    return Answer("rows", SparseStream.counted(schema, rounded(counts), HORIZON).runs)


@dataclass(frozen=True)
class Probe(ABC):
    """A query in the notation; what the engine is given with it, its kinds say."""

    query: str

    @cached_property
    def plan(self) -> Plan:
        return parse_plan(self.query)

    @property
    def text(self) -> str:
        """What is asked, for people."""
        return to_sql(self.plan)

    def told(self, answer: Answer) -> str:
        """An answer, for people."""
        return str(answer)

    @cached_property
    @abstractmethod
    def situation(self) -> Situation:
        """What the engine should answer to."""

    @cached_property
    def standard(self) -> Answer:
        return self._answer(self.situation)

    def predicted(self, alternatives: Iterable[Alternative]) -> Answer:
        """What an engine answers for which all these alternatives hold, by the reference."""
        situation = changed(self.situation, alternatives)
        return self.standard if situation == self.situation else self._answer(situation)

    def _answer(self, situation: Situation) -> Answer:
        try:
            return answer_of(self.plan.schema, Outcomes().of(situation))
        except SnapeqError as error:
            return Answer("error", message=str(error))

    def asked(self, subject: Subject) -> Answer:
        """What an engine answers; raises Unsupported if it says that it cannot."""
        try:
            return self._found(subject)
        except Fault as fault:
            meant = fault.name is FaultKind.RAISES and self._runs_otherwise(subject)
            return Answer("error" if meant else "fault", message=fault.message)

    @abstractmethod
    def _found(self, subject: Subject) -> Answer:
        """What it gives; raises Fault if it does something else."""

    @abstractmethod
    def _runs_otherwise(self, subject: Subject) -> bool:
        """Does it answer the same query where no alternative is an error? If not, it has another reason to fail."""

    @abstractmethod
    def given(self) -> Sequence[str]:
        """What the engine is given, in lines for people."""

    @abstractmethod
    def to_json(self) -> dict[str, object]:
        """The same for programs."""
