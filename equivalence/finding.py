"""What can be wrong with an engine, by name; and one such finding, with the smallest case that shows it."""

from dataclasses import dataclass
from enum import StrEnum

from equivalence.counterexample import Counterexample
from equivalence.engine_fault import EngineFault
from semantics import show


class Name(StrEnum):
    """The kinds of finding."""

    WRONG_RESULT = "WrongResult"
    """Some snapshot differs from the reference."""
    RAISES = "Raises"
    HANGS = "Hangs"
    """No result within the time limit."""
    CRASHED = "Crashed"
    """The process that the engine ran in came to its end."""
    WRONG_SCHEMA = "WrongSchema"
    """Other columns than the plan says, or no stream at all."""
    UNSORTED_OUTPUT = "UnsortedOutput"
    """A start before the one before it."""
    INVALID_INTERVAL = "InvalidInterval"
    """An end that is not after its start, or a start before 0."""
    ENDLESS_OUTPUT = "EndlessOutput"
    """More elements than any right result could have."""
    CHANGES_INPUTS = "ChangesInputs"
    NONDETERMINISTIC = "Nondeterministic"
    """The same input twice gives two results."""
    MISSED_OVERFLOW = "MissedOverflow"
    """A result where an integer overflows, which is an error."""
    KNOWN_GAP = "KnownGap"
    """Something is wrong, and the owner of the engine knows and said why."""
    STALE_GAP = "StaleGap"
    """A known gap that did not show: nothing is wrong there any more, or it was not looked at."""


NOTES = frozenset({Name.KNOWN_GAP, Name.STALE_GAP})
"""These are worth telling, but nothing falls short by them."""


class Fault(Exception):
    """Something is wrong with what an engine did."""

    def __init__(self, name: Name, message: str) -> None:
        super().__init__(f"{name}: {message}")
        self.name = name
        self.message = message


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong with an engine: where, and what shows it."""

    name: Name
    message: str
    operator: str = "*"
    """The operator that is blamed: the root of the blamed node."""
    situation: str = "*"
    counterexample: Counterexample | EngineFault | None = None
    """For a wrong result: the left side is the reference, the right one the engine."""

    def __str__(self) -> str:
        head = f"{self.name} in {self.operator}, situation {self.situation}: {self.message}"
        match self.counterexample:
            case None:
                return head
            case EngineFault(setting=setting):
                return f"{head}\n{setting}"
            case Counterexample():
                return f"{head}\n{self.counterexample}"

    def to_json(self) -> dict[str, object]:
        found = self.counterexample
        return {
            "name": str(self.name),
            "operator": self.operator,
            "situation": self.situation,
            "message": self.message,
            "plan": None if found is None else show(found.plans[0]),
            "streams": {} if found is None else {name: show(s) for name, s in sorted(found.streams.items())},
            "blamed": None if found is None or found.blamed is None else show(found.blamed),
            "counterexample": None if found is None else found.to_json(),
        }
