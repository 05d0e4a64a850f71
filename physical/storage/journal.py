"""The journal of a store: every change can be recorded before it is acknowledged."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from semantics.value import Row


@dataclass
class JournalContents:
    """What a journal has recorded: all items, the next id, and the marks of each consumer."""

    items: list[tuple[int, Row]] = field(default_factory=list)
    next_id: int = 0
    low: Mapping[str, int] = field(default_factory=dict)
    eager: Mapping[str, set[int]] = field(default_factory=dict)


class Journal:
    """Records changes. This one records nothing: a transient store lives as long as its process."""

    acknowledged = 0
    """How many requests are certain to survive."""

    def recover(self) -> JournalContents:
        """What was recorded before."""
        return JournalContents()

    def insert(self, id: int, item: Row) -> None:
        """Record a new item."""

    def replace(self, id: int, item: Row) -> None:
        """Record that an item was replaced."""

    def remove(self, ids: Iterable[int]) -> None:
        """Record that some items were removed."""

    def remove_until(self, id: int) -> None:
        """Record that all items up to this one were removed."""

    def mark(self, consumer: str, ids: Iterable[int]) -> None:
        """Record that a consumer no longer needs some items."""

    def mark_until(self, consumer: str, id: int) -> None:
        """Record that a consumer no longer needs items up to this one."""

    def done(self) -> None:
        """A request is complete: all changes since the last one belong to it."""

    def commit(self) -> None:
        """Make all requests so far survive."""

    def close(self) -> None:
        """Commit and close."""
