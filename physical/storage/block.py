"""Blocks: arrays of items, linked one after the other."""

from bisect import bisect_left
from threading import Lock
from typing import Final

from semantics.value import Row


class _Gone:
    """Marks the place of a removed item."""

    def __repr__(self) -> str:
        return "GONE"


GONE: Final = _Gone()
Slot = Row | _Gone


class ItemBlock:
    """Items with ascending ids from `first` on. As long as ids have no gaps, an item's place follows from its id."""

    __slots__ = ("first", "ids", "items", "live", "lock", "next", "previous")

    def __init__(self, first: int) -> None:
        self.first = first
        self.items: list[Slot] = []
        self.ids: list[int] | None = None
        """The ids of a block that was shrunk or has gaps; None if they are consecutive."""
        self.live = 0
        self.lock = Lock()
        self.next: ItemBlock | None = None
        self.previous: ItemBlock | None = None

    def append(self, id: int, item: Row) -> None:
        if self.ids is None and id != self.first + len(self.items):
            self.ids = list(range(self.first, self.first + len(self.items)))
        if self.ids is not None:
            self.ids.append(id)
        self.items.append(item)
        self.live += 1

    def place(self, id: int) -> int:
        """Where the item with this id is, or −1."""
        if self.ids is None:
            at = id - self.first
            return at if 0 <= at < len(self.items) else -1
        at = bisect_left(self.ids, id)
        return at if at < len(self.ids) and self.ids[at] == id else -1

    def id_at(self, place: int) -> int:
        return self.first + place if self.ids is None else self.ids[place]

    def get(self, id: int) -> Slot:
        """The item, or GONE."""
        at = self.place(id)
        return GONE if at < 0 else self.items[at]

    def first_from(self, id: int) -> tuple[int, Row] | None:
        """The first item with this id or a later one."""
        start = max(id - self.first, 0) if self.ids is None else bisect_left(self.ids, id)
        for at in range(start, len(self.items)):
            item = self.items[at]
            if isinstance(item, tuple):
                return self.id_at(at), item
        return None

    def mark(self, id: int) -> Slot:
        """Remove an item but keep its place; gives the item."""
        at = self.place(id)
        if at < 0 or self.items[at] is GONE:
            return GONE
        item, self.items[at] = self.items[at], GONE
        self.live -= 1
        return item

    def shrink(self) -> None:
        """Free the places of removed items."""
        kept = [at for at, item in enumerate(self.items) if item is not GONE]
        self.ids = [self.id_at(at) for at in kept]
        self.items = [self.items[at] for at in kept]

    def reuse(self, first: int) -> None:
        """Become the block of other items."""
        self.first, self.ids, self.live = first, None, 0
        self.items.clear()
