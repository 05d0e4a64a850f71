"""The interface of layouts of items, and the list of linked blocks on which most of them are based."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator

from physical.storage.block import GONE, ItemBlock, Slot
from physical.storage.errors import StoreError
from physical.storage.id_index import IdIndex
from physical.storage.parameters import IndexSchema
from physical.storage.value_index import ValueIndex
from semantics import Schema
from semantics.value import Row

Entry = tuple[int, Row]
"""An item with its id."""


class BlockLayout(ABC):
    """Items by id, in blocks."""

    next_id = 0
    low = 0
    """There is no item before this id."""
    lock_free = False
    """May blocks be read without a lock, because no item changes or is removed out of order?"""

    @abstractmethod
    def __len__(self) -> int:
        """How many items there are."""

    @abstractmethod
    def append(self, item: Row) -> int:
        """Store an item after all others; gives its id."""

    @abstractmethod
    def restore(self, id: int, item: Row) -> None:
        """Put back an item of an earlier process; ids ascend."""

    @abstractmethod
    def find(self, id: int) -> ItemBlock | None:
        """The block that has an item, if there is one."""

    @abstractmethod
    def first_block(self) -> ItemBlock | None:
        """The block of the oldest items."""

    @abstractmethod
    def block_after(self, block: ItemBlock) -> ItemBlock | None:
        """The next younger block."""

    @abstractmethod
    def scan(self, block: ItemBlock | None, since: int) -> tuple[ItemBlock, int, Row] | None:
        """The first item from an id on and its block, searched in a block and those that follow it."""

    @abstractmethod
    def get(self, block: ItemBlock, id: int) -> Slot:
        """An item of a block, or GONE."""

    def has(self, block: ItemBlock, id: int) -> bool:
        """May the item be in this block? Readers ask it of blocks that they remember."""
        return bool(block.items) and block.first <= id <= block.id_at(len(block.items) - 1)

    def take(self, ids: Iterable[int]) -> None:  # noqa: ARG002  # a layout that can do it overrides this
        """Remove items, as far as they are there."""
        raise self._refused("take items out")

    def take_until(self, id: int) -> None:  # noqa: ARG002  # a layout that can do it overrides this
        """Remove all items up to and including this id."""
        raise self._refused("take items out")

    def replace(self, id: int, item: Row) -> Slot:  # noqa: ARG002  # a layout that can do it overrides this
        """Replace an item; gives the old one."""
        raise self._refused("replace items")

    def _refused(self, what: str) -> StoreError:
        """The error for an operation that the update pattern of this layout never needs."""
        return StoreError(f"{type(self).__name__}: it cannot {what}; another update pattern was expected")

    def begin_with(self, id: int) -> None:
        """Give out no id before this one."""
        self.next_id = max(self.next_id, id)

    def make_index(self, schema: Schema, index: IndexSchema) -> ValueIndex:
        """A value index of all items."""
        made = ValueIndex(schema, index)
        for id, item in self.items():
            made.add(id, item)
        return made

    def items(self) -> Iterator[Entry]:
        """All items that are there, oldest first."""
        block = self.first_block()
        while block is not None:
            yield from [(block.id_at(at), item) for at, item in enumerate(block.items) if isinstance(item, tuple)]
            block = self.block_after(block)

    def get_anywhere(self, id: int) -> Slot:
        """An item, wherever it is, or GONE."""
        block = self.find(id)
        return GONE if block is None else self.get(block, id)


class ChainLayout(BlockLayout):
    """Blocks in a linked list, the youngest at its end; items are only ever added."""

    lock_free = True

    def __init__(self, size: int, indexed: bool) -> None:
        self.size = size
        self.head: ItemBlock | None = None
        self.tail: ItemBlock | None = None
        self.index = IdIndex() if indexed else None

    def __len__(self) -> int:
        count, block = 0, self.head
        while block is not None:
            count += block.live
            block = block.next
        return count

    def append(self, item: Row) -> int:
        id = self.next_id
        self.restore(id, item)
        return id

    def restore(self, id: int, item: Row) -> None:
        tail = self.tail
        if tail is None or len(tail.items) >= self.size:
            tail = self._linked(ItemBlock(id))
        tail.append(id, item)
        self.next_id = id + 1

    def find(self, id: int) -> ItemBlock | None:
        if self.index is not None:
            return self.index.find(id)
        block = self.head
        while block is not None and not self.has(block, id):
            block = block.next
        return block

    def first_block(self) -> ItemBlock | None:
        return self.head

    def block_after(self, block: ItemBlock) -> ItemBlock | None:
        return block.next

    def get(self, block: ItemBlock, id: int) -> Slot:
        return block.get(id)

    def scan(self, block: ItemBlock | None, since: int) -> tuple[ItemBlock, int, Row] | None:
        block = self.head if block is None else block
        while block is not None:
            found = self._first_in(block, since)
            if found is not None:
                return block, *found
            block = block.next
        return None

    def _first_in(self, block: ItemBlock, since: int) -> Entry | None:
        return block.first_from(since)

    def _linked(self, block: ItemBlock) -> ItemBlock:
        block.previous = self.tail
        if self.tail is None:
            self.head = block
        else:
            self.tail.next = block
        self.tail = block
        if self.index is not None:
            self.index.add(block)
        return block
