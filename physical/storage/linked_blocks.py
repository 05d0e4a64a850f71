"""Layouts in linked blocks that may change: RANDOM, with marks and lazy garbage collection; and IN-PLACE."""

from collections.abc import Iterable

from physical.storage.block import GONE, ItemBlock, Slot
from physical.storage.block_layout import ChainLayout, Entry
from physical.storage.parameters import Collection
from semantics.value import Row


class RandomLayout(ChainLayout):
    """Items are marked as removed anywhere; marked places are collected when there are too many.

    A block is locked while it is read or written, as any of its items may go at any time.
    """

    lock_free = False

    def __init__(self, size: int, indexed: bool, collection: Collection, room: int) -> None:
        super().__init__(size, indexed)
        self.collection = collection
        self.room = room
        self.marked = 0
        """How many marked items still have a place."""
        self.dirty: dict[int, ItemBlock] = {}
        """The blocks with marked items, by their first id."""

    def restore(self, id: int, item: Row) -> None:
        tail = self.tail
        if tail is None or len(tail.items) >= self.size:
            tail = self._linked(ItemBlock(id))
        with tail.lock:
            tail.append(id, item)
        self.next_id = id + 1

    def get(self, block: ItemBlock, id: int) -> Slot:
        with block.lock:
            return block.get(id)

    def take(self, ids: Iterable[int]) -> None:
        self.marked += sum([self._mark(id) is not GONE for id in ids])
        if self.marked > self.room:
            self.collect()

    def take_until(self, id: int) -> None:
        due: list[int] = []
        block = self.head
        while block is not None and block.first <= id:
            due += [block.id_at(at) for at, item in enumerate(block.items) if item is not GONE]
            block = block.next
        self.take([found for found in due if found <= id])

    def collect(self) -> None:
        """Free the places of marked items."""
        dirty, self.dirty = self.dirty, {}
        for block in dirty.values():
            self._collect(block)

    def _first_in(self, block: ItemBlock, since: int) -> Entry | None:
        with block.lock:
            return block.first_from(since)

    def _mark(self, id: int) -> Slot:
        block = self.find(id)
        if block is None:
            return GONE
        self.dirty[block.first] = block
        with block.lock:
            return block.mark(id)

    def _collect(self, block: ItemBlock) -> None:
        """Unlink a block without live items, unless it is still being filled; otherwise shrink it if configured."""
        with block.lock:
            dead = len(block.items) - block.live
            if block.live == 0 and block is not self.tail:
                self._unlink(block)
                self.marked -= dead
            elif dead and self.collection is Collection.SHRINK:
                block.shrink()
                self.marked -= dead
            elif dead:
                self.dirty[block.first] = block

    def _unlink(self, block: ItemBlock) -> None:
        """Unlink a block; its own link stays, so that a reader inside it can continue."""
        if block.previous is None:
            self.head = block.next
        else:
            block.previous.next = block.next
        if block.next is not None:
            block.next.previous = block.previous
        if self.index is not None:
            self.index.drop(block)


class InPlaceLayout(ChainLayout):
    """Items are replaced in their place; only the block of the item is locked."""

    lock_free = False

    def get(self, block: ItemBlock, id: int) -> Slot:
        with block.lock:
            return block.get(id)

    def _first_in(self, block: ItemBlock, since: int) -> Entry | None:
        with block.lock:
            return block.first_from(since)

    def replace(self, id: int, item: Row) -> Slot:
        block = self.find(id)
        if block is None:
            return GONE
        with block.lock:
            at = block.place(id)
            old, block.items[at] = block.items[at], item
        return old
