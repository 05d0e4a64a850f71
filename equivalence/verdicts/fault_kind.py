"""What can be wrong with an engine, by name."""

from enum import StrEnum


class FaultKind(StrEnum):
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
    HOLDS_TOO_MUCH = "HoldsTooMuch"
    """A session keeps elements that nothing to come can overlap."""
    KNOWN_GAP = "KnownGap"
    """Something is wrong, and the owner of the engine knows and said why."""
    STALE_GAP = "StaleGap"
    """A known gap that did not show: nothing is wrong there any more, or it was not looked at."""


NO_FAILURES = frozenset({FaultKind.KNOWN_GAP, FaultKind.STALE_GAP})
"""These are worth telling, but nothing falls short by them."""


class Fault(Exception):
    """Something is wrong with what an engine did."""

    def __init__(self, name: FaultKind, message: str) -> None:
        super().__init__(f"{name}: {message}")
        self.name = name
        self.message = message
