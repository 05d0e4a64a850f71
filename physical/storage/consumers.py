"""How one consumer reads a store: each reader remembers only what helps its read pattern (Table 5, Figure 7)."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from physical.storage.block import GONE, ItemBlock, Slot
from physical.storage.block_layout import Entry
from physical.storage.consumed import Marks
from physical.storage.contents import Contents
from physical.storage.errors import NoSuchItem, StoreError
from physical.storage.parameters import IndexSchema, ReadPattern
from semantics.value import Row, Value

More = Callable[[], bool]
"""Called at the end of the items: is there another one now?"""


class StoreReader(ABC):
    """A consumer's view of a store, without the items that it has consumed."""

    def __init__(self, contents: Contents, marks: Marks, more: More) -> None:
        self.contents = contents
        self.layout = contents.layout
        self.marks = marks
        self.more = more
        self.position = 0
        """The next item has this id or a later one."""

    @abstractmethod
    def scan(self) -> Entry | None:
        """The first item at the position or after it."""

    @abstractmethod
    def slot(self, id: int) -> Slot:
        """What is stored under an id."""

    def next_item(self) -> Entry | None:
        """The next item, or None if there is none yet; an active store tries to fetch one first."""
        while True:
            found = self.scan()
            if found is None:
                if self.more():
                    continue
                return None
            self.position = found[0] + 1
            if found[0] not in self.marks:
                return found

    def next_items(self) -> list[Entry]:
        """All items that the reader has not read yet."""
        found = []
        while (entry := self.next_item()) is not None:
            found.append(entry)
        return found

    def next_attribute(self, name: str) -> Value:
        """One column of the next item; an error if there is no other yet."""
        found = self.next_item()
        if found is None:
            raise NoSuchItem(f"next_attribute: there is no item after id {self.position - 1}")
        return found[1][self.contents.column(name)]

    def get_item(self, id: int) -> Row:
        """The item with this id."""
        item = GONE if id < self.marks.low or id in self.marks.eager else self.slot(id)
        if not isinstance(item, tuple):
            raise NoSuchItem(f"get_item: there is no item with id {id}; it expired, was consumed, or never was")
        return item

    def get_attribute(self, id: int, name: str) -> Value:
        """One column of the item with this id."""
        return self.get_item(id)[self.contents.column(name)]

    def retrieve(self, index: IndexSchema, values: Sequence[Value]) -> list[Entry]:
        """The items that compare with these values as a registered index says, oldest first."""
        found = self.contents.lookup(index, values)
        return [(id, item) for id, item in found if id not in self.marks]

    def rewind(self) -> None:
        """Begin again with the oldest item."""
        self.position = 0

    def first(self) -> Entry | None:
        """FIRST: the oldest item that the consumer has not consumed."""
        return self.after(-1)

    def last(self) -> Entry | None:
        """LAST: the newest of them."""
        return self.before(self.layout.next_id)

    def after(self, id: int) -> Entry | None:
        """NEXT: the first item behind this id."""
        return self._nearest(range(max(id + 1, self._oldest()), self.layout.next_id))

    def before(self, id: int) -> Entry | None:
        """PREV: the last item in front of this id."""
        return self._nearest(range(min(id, self.layout.next_id) - 1, self._oldest() - 1, -1))

    def _nearest(self, ids: range) -> Entry | None:
        """The item of the first of these ids that is still there."""
        for id in ids:
            item = GONE if id in self.marks else self.slot(id)
            if isinstance(item, tuple):
                return id, item
        return None

    def _oldest(self) -> int:
        first = self.layout.first_block()
        return max(self.marks.low, self.layout.next_id if first is None else first.first)


class SequentialReader(StoreReader):
    """Goes from block to block along the links; there is no id index."""

    def __init__(self, contents: Contents, marks: Marks, more: More) -> None:
        super().__init__(contents, marks, more)
        self.block: ItemBlock | None = None

    def next_item(self) -> Entry | None:
        """The next place in the block; where the block ends or has gaps, a search."""
        block, id = self.block, self.position
        if block is None or self.marks.eager or id < self.marks.low:
            return super().next_item()
        item = plain_slot(block, id) if self.layout.lock_free else locked_slot(block, id)
        if id < self.layout.low or not isinstance(item, tuple):
            return super().next_item()
        self.position = id + 1
        return id, item

    def scan(self) -> Entry | None:
        found = self.layout.scan(self.block, max(self.position, self.marks.low))
        if found is None:
            return None
        self.block, id, item = found
        return id, item

    def next_items(self) -> list[Entry]:
        """All unread items, block by block if no item can be removed out of order."""
        if not self.layout.lock_free or self.marks.eager:
            return super().next_items()
        found: list[Entry] = []
        while (entry := self.next_item()) is not None:
            found.append(entry)
            assert self.block is not None
            found += self._rest(self.block, self.position)
        return found

    def _rest(self, block: ItemBlock, since: int) -> list[Entry]:
        """The items of a block from an id on, if it is still the block of that id and has no gap."""
        place = since - block.first
        if block.ids is not None or place <= 0:
            return []
        items = [item for item in block.items[place:] if isinstance(item, tuple)]
        if since < self.layout.low:  # the writer may have reused the block meanwhile
            return []
        self.position = since + len(items)
        return list(zip(range(since, self.position), items, strict=True))

    def slot(self, id: int) -> Slot:
        raise StoreError(f"get_item: a sequential reader has next_item only, got id {id}")

    def rewind(self) -> None:
        super().rewind()
        self.block = None


class RandomReader(StoreReader):
    """Asks the id index for every item."""

    def scan(self) -> Entry | None:
        first = self.layout.first_block()
        id = max(self.position, self.marks.low, 0 if first is None else first.first)
        while id < self.layout.next_id:
            item = self.slot(id)
            if isinstance(item, tuple):
                return id, item
            id += 1
        return None

    def slot(self, id: int) -> Slot:
        return self.layout.get_anywhere(id)


class ClusteredReader(RandomReader):
    """Looks into the block of the last item first, and then asks the id index."""

    def __init__(self, contents: Contents, marks: Marks, more: More) -> None:
        super().__init__(contents, marks, more)
        self.block: ItemBlock | None = None

    def slot(self, id: int) -> Slot:
        block = self.block
        if block is not None and self.layout.lock_free:
            item = plain_slot(block, id)
            if isinstance(item, tuple) and id >= self.layout.low:
                return item
        if block is None or not self.layout.has(block, id):
            block = self.block = self.layout.find(id)
        return GONE if block is None else self.layout.get(block, id)


def plain_slot(block: ItemBlock, id: int) -> Slot:
    """What is in the place of an id, if the block has no gaps; the caller checks that it was not reused meanwhile."""
    place = id - block.first
    try:
        return block.items[place] if place >= 0 and block.ids is None else GONE
    except IndexError:
        return GONE


def locked_slot(block: ItemBlock, id: int) -> Slot:
    """The same for blocks whose items may be removed at any time."""
    with block.lock:
        return plain_slot(block, id)


READERS: dict[ReadPattern, type[StoreReader]] = {
    ReadPattern.SEQUENTIAL: SequentialReader,
    ReadPattern.RANDOM: RandomReader,
    ReadPattern.CLUSTERED: ClusteredReader,
}
