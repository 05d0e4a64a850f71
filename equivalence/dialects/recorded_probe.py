"""A recording as a probe that was asked already: nobody can ask the engine anything else."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from equivalence.conformance.subject.in_process import Subject
from equivalence.deviations.outcome import Outcomes, rounded
from equivalence.deviations.recorded_situation import RecordedSituation
from equivalence.deviations.situation import Situation
from equivalence.dialects.probe import Answer, Probe
from semantics import FOREVER, Plan, SnapeqError, show
from semantics.sparse.row_steps import Counts
from semantics.sparse.stream import SparseStream

MOST_SHOWN: Final = 8


@dataclass(frozen=True)
class RecordedProbe(Probe):
    """The query is the plan in the notation; recordings are told apart by their names."""

    name: str
    recorded: RecordedSituation = field(compare=False)

    @cached_property
    def plan(self) -> Plan:
        return self.recorded.situation.plan

    @property
    def text(self) -> str:
        return f"recording {self.name}"

    def told(self, answer: Answer) -> str:
        """The first rows, with times as the query has them."""
        if answer.kind != "rows" or not answer.runs:
            return str(answer)
        time = self.situation.calendar.show
        runs = [
            f"{show(row)}@[{time(span.start)}, {'…' if span.end == FOREVER else time(span.end)})" + f"*{n}" * (n > 1)
            for row, span, n in answer.runs[:MOST_SHOWN]
        ]
        further = len(answer.runs) - len(runs)
        return " ".join([*runs, *([f"and {further:,} more"] if further else [])])

    @cached_property
    def situation(self) -> Situation:
        return self.recorded.situation

    @cached_property
    def given_out(self) -> Answer:
        """What the engine wrote."""
        return self._rows(rounded(self.recorded.got))

    def _answer(self, situation: Situation) -> Answer:
        try:
            return self._rows(Outcomes().of(situation))
        except SnapeqError as error:
            return Answer("error", message=str(error))

    def _rows(self, counts: Counts) -> Answer:
        return Answer("rows", SparseStream.counted(self.plan.schema, counts, FOREVER).runs)

    def _found(self, subject: Subject) -> Answer:  # noqa: ARG002  # it was asked before
        return self.given_out

    def _runs_otherwise(self, subject: Subject) -> bool:  # noqa: ARG002
        return True

    def given(self) -> Sequence[str]:
        rows = sum(len(one.arrivals) for one in self.situation.inputs.values())
        return [f"{rows:,} input rows, looked at {self.recorded.scope}"]

    def to_json(self) -> dict[str, object]:
        return {"recording": self.name, "looked_at": self.recorded.scope}
