"""What became of a mutation, as plain data: one line of a campaign's file."""

from dataclasses import asdict, dataclass
from typing import Literal

from equivalence.mutants.machine.syntax_mutations import SyntaxMutation

Status = Literal["killed", "survived", "equivalent", "not reached", "not tried", "no code"]
"""Equivalent: survived, as a record says it must. Not reached: no trial executes the function. Not tried: it cannot be
changed in a running process. No code: neither Python nor numba compiles it."""


@dataclass(frozen=True)
class MutantOutcome:
    """A mutation, its fate, and what saw it first."""

    module: str
    function: str
    kind: str
    before: str
    after: str
    number: int
    line: int
    source: str
    status: Status
    by: str = ""
    """The trial that killed it."""
    finding: str = ""
    trials: int = 0
    """Trials that ran, the one that killed it included."""
    seconds: float = 0.0
    """CPU time."""

    @property
    def identity(self) -> tuple[str, ...]:
        return self.module, self.function, self.kind, self.before, self.after, str(self.number)

    @property
    def suite(self) -> str:
        """The suite whose trial killed it."""
        return self.by.rpartition(" ")[0]

    def to_json(self) -> dict[str, object]:
        return asdict(self)

    def __str__(self) -> str:
        return f"{self.module}:{self.line} {self.kind}: {self.before} → {self.after}"


def outcome_of(
    mutation: SyntaxMutation, status: Status, *, by: str = "", finding: str = "", trials: int = 0, seconds: float = 0.0
) -> MutantOutcome:
    module, function, kind, before, after, number = mutation.identity
    where = mutation.line, mutation.source
    return MutantOutcome(
        module, function, kind, before, after, int(number), *where, status, by, finding, trials, seconds
    )
