"""The kinds of fault that an engine can have."""

from enum import StrEnum


class FaultKind(StrEnum):
    """What is wrong; reports, JSON and known gaps use these names."""

    WRONG_RESULT = "WrongResult"
    """Some snapshot differs from the reference."""
    RAISES = "Raises"
    HANGS = "Hangs"
    """No result within the time limit."""
    CRASHED = "Crashed"
    """The process of the engine ended."""
    BREAKS_PROTOCOL = "BreaksProtocol"
    """What an engine that is driven by a command says is no answer to what it was asked."""
    WRONG_SCHEMA = "WrongSchema"
    """The result has other columns than the plan, or is no stream."""
    UNSORTED_OUTPUT = "UnsortedOutput"
    """An element starts before its predecessor."""
    INVALID_INTERVAL = "InvalidInterval"
    """An interval holds no instant, or starts before 0."""
    ENDLESS_OUTPUT = "EndlessOutput"
    """The result has more elements than any right one could have."""
    CHANGES_INPUTS = "ChangesInputs"
    NONDETERMINISTIC = "Nondeterministic"
    """The same input gives different results."""
    MISSED_OVERFLOW = "MissedOverflow"
    """A result where there must be an error: an integer overflows."""
    HOLDS_TOO_MUCH = "HoldsTooMuch"
    """A session keeps elements that no future element can overlap."""
    KNOWN_GAP = "KnownGap"
    """A fault that the owner of the engine listed as known, with a reason."""
    STALE_GAP = "StaleGap"
    """A known gap that did not show: it is fixed, or no case came near it."""


NO_FAILURES = frozenset({FaultKind.KNOWN_GAP, FaultKind.STALE_GAP})
"""These are reported, but an engine conforms in spite of them."""


class Fault(Exception):
    """A fault of an engine, raised where it shows."""

    def __init__(self, name: FaultKind, message: str) -> None:
        super().__init__(f"{name}: {message}")
        self.name = name
        self.message = message
