"""A probe over whole streams."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from equivalence.conformance.subject.in_process import Subject
from equivalence.deviations.situation import Situation, situation_of
from equivalence.dialects.probe import HORIZON, Answer, Probe, answer_of
from equivalence.recordings.recording import EveryInstant
from equivalence.verdicts.fault_kind import Fault
from semantics import Stream, parse, show
from semantics.sparse.stream import counts_of_runs
from semantics.time import Interval


@dataclass(frozen=True)
class StreamProbe(Probe):
    """A query and its streams, in the notation."""

    data: Mapping[str, str] = field(hash=False)
    harmless: Mapping[str, str] | None = field(default=None, hash=False)
    """Rows for which no alternative is an error."""

    @cached_property
    def streams(self) -> Mapping[str, Stream]:
        return {name: parse(text) for name, text in self.data.items()}

    @cached_property
    def situation(self) -> Situation:
        return situation_of(self.plan, self.streams, EveryInstant(HORIZON))

    def _found(self, subject: Subject) -> Answer:
        found = subject.elements(self.plan, self.streams, HORIZON)
        runs = ((row, Interval(start, end), 1) for row, start, end in found)
        return answer_of(self.plan.schema, counts_of_runs(runs, HORIZON))

    def _runs_otherwise(self, subject: Subject) -> bool:
        if self.harmless is None:
            return True
        try:
            subject.elements(self.plan, {name: parse(text) for name, text in self.harmless.items()}, HORIZON)
        except Fault:
            return False
        return True

    def given(self) -> Sequence[str]:
        return [f"{name} = {text}" for name, text in self.data.items()]

    def to_json(self) -> dict[str, object]:
        return {"streams": {name: show(stream) for name, stream in self.streams.items()}}
