"""What can be wrong with an engine, by name; and one such finding, with the smallest case that shows it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from equivalence.counterexample import Counterexample
from semantics import Plan, Stream, show
from semantics.notation import show_step


class Name(StrEnum):
    """The kinds of finding."""

    WRONG_RESULT = "WrongResult"
    """Some snapshot differs from the reference."""
    RAISES = "Raises"
    HANGS = "Hangs"
    """No result within the time limit."""
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
    plan: Plan | None = None
    streams: Mapping[str, Stream] | None = None
    blamed: Plan | None = None
    counterexample: Counterexample | None = None
    """For a wrong result: the left side is the reference, the right one the engine."""

    def __str__(self) -> str:
        head = f"{self.name} in {self.operator}, situation {self.situation}: {self.message}"
        if self.counterexample is not None:
            body = [str(self.counterexample)]
        else:
            body = [f"let {name} = {show(stream)}" for name, stream in sorted((self.streams or {}).items())]
            body += [f"plan {show(self.plan)}"] if self.plan is not None else []
        told = self.blamed is None or self.counterexample is not None  # a counterexample says itself whom to blame
        blame = [] if told or self.blamed is None else [f"blamed: {show_step(self.blamed)}"]
        return "\n".join([head, *body, *blame])

    def to_json(self) -> dict[str, object]:
        found = self.counterexample
        return {
            "name": str(self.name),
            "operator": self.operator,
            "situation": self.situation,
            "message": self.message,
            "plan": None if self.plan is None else show(self.plan),
            "streams": {name: show(stream) for name, stream in sorted((self.streams or {}).items())},
            "blamed": None if self.blamed is None else show(self.blamed),
            "counterexample": None if found is None else found.to_json(),
        }
