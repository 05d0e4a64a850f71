"""Nodes of an incremental plan. What is made of a basic window flows up at once; what is merged, once per slide.

`absorb` takes rows as soon as they are known, even before the slide at which they begin to be valid: that is what makes
chunks possible. `slide` is called for every node that merges, from the leaves to the root.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from physical.engines.incremental.batch import Batch, together

Function = Callable[[Batch], Batch]


class Node(ABC):
    """One operator, and where its rows go."""

    def __init__(self) -> None:
        self.targets: list[tuple[Node, int]] = []

    @abstractmethod
    def absorb(self, port: int, rows: Batch, start: int) -> None:
        """Take rows that are valid from this start on."""

    def give(self, rows: Batch, start: int) -> None:
        if len(rows):
            for node, port in self.targets:
                node.absorb(port, rows, start)


class RowNode(Node):
    """Simple concatenation: each row by itself, so each basic window by itself."""

    def __init__(self, function: Function) -> None:
        super().__init__()
        self.function = function

    def absorb(self, port: int, rows: Batch, start: int) -> None:  # noqa: ARG002  # there is one input, or all are alike
        self.give(self.function(rows), start)


class MergingNode(Node):
    """A node that keeps what it took, and has something to do at every slide."""

    @abstractmethod
    def expire(self, now: int) -> None:
        """Let go of all that is valid until now at most."""

    @abstractmethod
    def slide(self, now: int, until: int) -> None:
        """Give on what is merged now; nothing begins or ends before until."""

    @abstractmethod
    def held(self) -> list[Batch]:
        """Everything that is kept."""


class Sink(Node):
    """Where results come out."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting = Waiting()

    def absorb(self, port: int, rows: Batch, start: int) -> None:  # noqa: ARG002  # there is one input
        self.waiting.add(rows, start)

    def held(self) -> list[Batch]:
        return self.waiting.held()


class Waiting:
    """Batches by the instant at which they begin."""

    def __init__(self) -> None:
        self.batches: dict[int, list[Batch]] = {}

    def add(self, rows: Batch, start: int) -> None:
        self.batches.setdefault(start, []).append(rows)

    def due(self, now: int) -> list[Batch]:
        """Those that begin now."""
        return self.batches.pop(now, [])

    def due_together(self, now: int) -> Batch | None:
        """Those that begin now as one, if there are any."""
        due: Sequence[Batch] = self.due(now)
        return together(due) if due else None

    def held(self) -> list[Batch]:
        return [rows for batches in self.batches.values() for rows in batches]
