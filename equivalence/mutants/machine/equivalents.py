"""Mutants that are known to change nothing that anybody could see, each with the reason.

A record names a mutation by what it is, not by its line. It has a hash of the function's source: if the function
changes, the record is stale, and the mutant counts as a survivor until somebody has looked at it again.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final, Literal, get_args

from equivalence.mutants.machine.outcome import MutantOutcome

FILE: Final = Path(__file__).with_name("equivalents.json")
Reason = Literal["only speed or memory", "cannot happen", "same value", "any order will do", "still right, does less"]
REASONS: Final = get_args(Reason)


@dataclass(frozen=True)
class Equivalent:
    """A mutation, and why it is equivalent."""

    module: str
    function: str
    kind: str
    before: str
    after: str
    number: int
    source: str
    """The hash of the function's source for which somebody looked."""
    reason: Reason
    why: str

    @property
    def identity(self) -> tuple[str, ...]:
        return self.module, self.function, self.kind, self.before, self.after, str(self.number)

    @classmethod
    def of(cls, outcome: MutantOutcome, reason: Reason, why: str) -> "Equivalent":
        """The record for a survivor."""
        module, function, kind, before, after, number = outcome.identity
        return cls(module, function, kind, before, after, int(number), outcome.source, reason, why)


Records = Mapping[tuple[str, ...], Equivalent]


@cache
def recorded() -> Records:
    """All records, by what the mutation is."""
    records = [Equivalent(**record) for record in json.loads(FILE.read_text(encoding="utf-8"))]
    return {record.identity: record for record in records}


def write(records: Iterable[Equivalent]) -> None:
    """Write the records anew, in order."""
    listed = [asdict(record) for record in sorted(records, key=lambda record: record.identity)]
    FILE.write_text(json.dumps(listed, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def against_records(outcome: MutantOutcome, records: Records) -> MutantOutcome:
    """A survivor for which there is a record that is not stale is equivalent."""
    fits = is_recorded(outcome, records) and outcome.status == "survived"
    return replace(outcome, status="equivalent") if fits else outcome


def is_recorded(outcome: MutantOutcome, records: Records) -> bool:
    record = records.get(outcome.identity)
    return record is not None and record.source == outcome.source
