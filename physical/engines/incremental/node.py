"""Nodes of an incremental plan. What is made of a basic window flows up at once; what is merged, once per slide.

`absorb` takes rows as soon as they are known, even before the slide at which they begin to be valid: that is what makes
chunks possible. `slide` is called for every node that merges, from the leaves to the root.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from physical.engines.incremental.expiring_rows import ExpiringRows, together

Function = Callable[[ExpiringRows], ExpiringRows]


class IncrementalNode(ABC):
    """One operator, and where its rows go."""

    def __init__(self) -> None:
        self.targets: list[tuple[IncrementalNode, int]] = []

    @abstractmethod
    def absorb(self, port: int, rows: ExpiringRows, start: int) -> None:
        """Take rows that are valid from this start on."""

    def give(self, rows: ExpiringRows, start: int) -> None:
        if len(rows):
            for node, port in self.targets:
                node.absorb(port, rows, start)


class RowNode(IncrementalNode):
    """Simple concatenation: each row by itself, so each basic window by itself."""

    def __init__(self, function: Function) -> None:
        super().__init__()
        self.function = function

    def absorb(self, port: int, rows: ExpiringRows, start: int) -> None:  # noqa: ARG002  # there is one input, or all are alike
        self.give(self.function(rows), start)


class MergingNode(IncrementalNode):
    """A node that keeps what it took, and has something to do at every slide."""

    @abstractmethod
    def expire(self, now: int) -> None:
        """Let go of all that is valid until now at most."""

    @abstractmethod
    def slide(self, now: int, until: int) -> None:
        """Give on what is merged now; nothing begins or ends before until."""

    @abstractmethod
    def held(self) -> list[ExpiringRows]:
        """Everything that is kept."""


class OutputNode(IncrementalNode):
    """Where results come out."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting = WaitingRows()

    def absorb(self, port: int, rows: ExpiringRows, start: int) -> None:  # noqa: ARG002  # there is one input
        self.waiting.add(rows, start)

    def held(self) -> list[ExpiringRows]:
        return self.waiting.held()


class WaitingRows:
    """Batches by the instant at which they begin."""

    def __init__(self) -> None:
        self.batches: dict[int, list[ExpiringRows]] = {}

    def add(self, rows: ExpiringRows, start: int) -> None:
        self.batches.setdefault(start, []).append(rows)

    def due(self, now: int) -> list[ExpiringRows]:
        """Those that begin now."""
        return self.batches.pop(now, [])

    def due_together(self, now: int) -> ExpiringRows | None:
        """Those that begin now as one, if there are any."""
        due: Sequence[ExpiringRows] = self.due(now)
        return together(due) if due else None

    def held(self) -> list[ExpiringRows]:
        return [rows for batches in self.batches.values() for rows in batches]
