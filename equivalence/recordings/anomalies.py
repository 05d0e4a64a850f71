"""Anomalies as they are found: how many of each name, and the first ones in full."""

from collections import Counter
from dataclasses import dataclass
from typing import Final

from equivalence.recordings.recording import AnomalyName
from semantics import Instant

NOTED_IN_FULL: Final = 1000
"""Of each name; more are only counted."""


@dataclass(frozen=True)
class Note:
    """An anomaly at a row of the log, whose line is looked up later."""

    name: AnomalyName
    number: int
    detail: str
    instant: Instant | None


class AnomalyLog:
    """Takes anomalies in any order."""

    def __init__(self) -> None:
        self.notes: list[Note] = []
        self.counts: Counter[AnomalyName] = Counter()

    def note(self, name: AnomalyName, number: int, detail: str, instant: Instant | None = None) -> None:
        self.counts[name] += 1
        if self.counts[name] <= NOTED_IN_FULL:
            self.notes.append(Note(name, number, detail, instant))

    def clear(self) -> None:
        """Forget all: the file is read again from its beginning."""
        self.notes.clear()
        self.counts.clear()
