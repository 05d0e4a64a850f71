"""Nodes of an incremental plan. Results for a basic window flow up at once, merged results once per slide.

`absorb` takes rows as soon as they are known, even before the slide at which they become valid: that makes chunks
possible. `slide` is called for every node that merges, from the leaves to the root.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from physical.engines.incremental.expiring_rows import ExpiringRows, together

Function = Callable[[ExpiringRows], ExpiringRows]


class IncrementalNode(ABC):
    """One operator, and the nodes that take its rows."""

    def __init__(self) -> None:
        self.targets: list[tuple[IncrementalNode, int]] = []

    @abstractmethod
    def absorb(self, port: int, rows: ExpiringRows, start: int) -> None:
        """Take rows that become valid at this start."""

    def give(self, rows: ExpiringRows, start: int) -> None:
        if len(rows):
            for node, port in self.targets:
                node.absorb(port, rows, start)


class RowNode(IncrementalNode):
    """Simple concatenation: it treats each row, and so each basic window, by itself."""

    def __init__(self, function: Function) -> None:
        super().__init__()
        self.function = function

    def absorb(self, port: int, rows: ExpiringRows, start: int) -> None:  # noqa: ARG002  # there is one input, or all are alike
        self.give(self.function(rows), start)


class MergingNode(IncrementalNode):
    """A node with state that gives out a merged result at every slide."""

    @abstractmethod
    def expire(self, now: int) -> None:
        """Drop everything that expires now or before."""

    @abstractmethod
    def slide(self, now: int, until: int) -> None:
        """Give out the merged result from now to until; nothing begins or ends between the two."""

    @abstractmethod
    def held(self) -> list[ExpiringRows]:
        """Everything in the state."""


class OutputNode(IncrementalNode):
    """Collects the results of a plan."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting = WaitingRows()

    def absorb(self, port: int, rows: ExpiringRows, start: int) -> None:  # noqa: ARG002  # there is one input
        self.waiting.add(rows, start)

    def held(self) -> list[ExpiringRows]:
        return self.waiting.held()


class WaitingRows:
    """Rows by the instant at which they become valid."""

    def __init__(self) -> None:
        self.batches: dict[int, list[ExpiringRows]] = {}

    def add(self, rows: ExpiringRows, start: int) -> None:
        self.batches.setdefault(start, []).append(rows)

    def due(self, now: int) -> list[ExpiringRows]:
        """The rows that become valid now."""
        return self.batches.pop(now, [])

    def due_together(self, now: int) -> ExpiringRows | None:
        """The rows that become valid now, as one batch; None if there are none."""
        due: Sequence[ExpiringRows] = self.due(now)
        return together(due) if due else None

    def held(self) -> list[ExpiringRows]:
        return [rows for batches in self.batches.values() for rows in batches]
