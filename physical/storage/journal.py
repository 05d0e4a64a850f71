"""What happens to a store, as facts that can be written down before they are acknowledged."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from semantics.value import Row


@dataclass
class JournalContents:
    """What was written down before: all items, the next id, and what each consumer had marked."""

    items: list[tuple[int, Row]] = field(default_factory=list)
    next_id: int = 0
    low: Mapping[str, int] = field(default_factory=dict)
    eager: Mapping[str, set[int]] = field(default_factory=dict)


class Journal:
    """Takes down every change. This one takes down nothing: a transient store lives as long as its process."""

    acknowledged = 0
    """How many requests are sure to survive."""

    def recover(self) -> JournalContents:
        """What is there from before."""
        return JournalContents()

    def insert(self, id: int, item: Row) -> None:
        """There is a new item."""

    def replace(self, id: int, item: Row) -> None:
        """There is another item in the place of one."""

    def remove(self, ids: Iterable[int]) -> None:
        """Some items are gone."""

    def remove_until(self, id: int) -> None:
        """All items up to this one are gone."""

    def mark(self, consumer: str, ids: Iterable[int]) -> None:
        """A consumer needs some items no more."""

    def mark_until(self, consumer: str, id: int) -> None:
        """A consumer needs nothing up to this item any more."""

    def done(self) -> None:
        """One request is complete: all changes since the last one belong together."""

    def commit(self) -> None:
        """Make all requests so far survive."""

    def close(self) -> None:
        """Commit and let go."""
