"""The FIFO layout: blocks in a circle, reused as soon as all their items are gone; no locks.

There is one writer. `next_id` is increased last, so a reader sees an item only after it was written. After reading an
item, a reader checks again that it is still there, because its block may have been reused meanwhile.
"""

from collections.abc import Iterator

from physical.storage.block import GONE, ItemBlock, Slot
from physical.storage.block_layout import BlockLayout, Entry
from semantics.value import Row


class FifoLayout(BlockLayout):
    """Items from `low` to `next_id` − 1 are there. Block number n holds the ids n·size … n·size + size − 1."""

    lock_free = True

    def __init__(self, size: int) -> None:
        self.size = size
        self.tail: ItemBlock | None = None
        self.numbered: dict[int, ItemBlock] = {}
        """The blocks that hold items; the other blocks of the circle are free."""

    def __len__(self) -> int:
        return self.next_id - self.low

    def append(self, item: Row) -> int:
        id = self.next_id
        number, place = divmod(id, self.size)
        if place == 0 or self.tail is None:
            self.tail = self._next_block(number)
        self.tail.items.append(item)
        self.next_id = id + 1
        return id

    def restore(self, id: int, item: Row) -> None:
        if self.tail is None:
            self._begin_at(id)
        self.append(item)

    def begin_with(self, id: int) -> None:
        if self.tail is None and id:
            self._begin_at(id)

    def find(self, id: int) -> ItemBlock | None:
        return self.numbered.get(id // self.size)

    def first_block(self) -> ItemBlock | None:
        return self.numbered.get(self.low // self.size)

    def block_after(self, block: ItemBlock) -> ItemBlock | None:
        return self.numbered.get(block.first // self.size + 1)

    def has(self, block: ItemBlock, id: int) -> bool:
        return block.first <= id < block.first + len(block.items)

    def get(self, block: ItemBlock, id: int) -> Slot:
        place = id - block.first
        if place < 0 or not self.low <= id < self.next_id:
            return GONE
        try:
            item = block.items[place]
        except IndexError:  # reused meanwhile
            return GONE
        return item if id >= self.low else GONE

    def get_anywhere(self, id: int) -> Slot:
        block = self.numbered.get(id // self.size)
        return GONE if block is None else self.get(block, id)

    def scan(self, block: ItemBlock | None, since: int) -> tuple[ItemBlock, int, Row] | None:
        id = max(since, self.low)
        while id < self.next_id:
            if block is None or not block.first <= id < block.first + self.size:
                block = self.numbered.get(id // self.size)
            item = GONE if block is None else self.get(block, id)
            if isinstance(item, tuple) and block is not None:
                return block, id, item
            id = max(id, self.low)
        return None

    def take_until(self, id: int) -> None:
        old, self.low = self.low, max(self.low, min(id + 1, self.next_id))
        for number in range(old // self.size, self.low // self.size):
            self._free(number)

    def items(self) -> Iterator[Entry]:
        return ((id, item) for id, item in super().items() if id >= self.low)

    @property
    def circle(self) -> int:
        """How many blocks there are, in use or not."""
        return sum(1 for _ in self._circle())

    def _circle(self) -> Iterator[ItemBlock]:
        block = self.tail
        while block is not None:
            yield block
            block = block.next if block.next is not self.tail else None

    def _begin_at(self, id: int) -> None:
        """Start as if all items before this one had come and gone."""
        self.next_id = self.low = id
        block = self.tail = self._next_block(id // self.size)
        block.items += [GONE] * (id % self.size)

    def _next_block(self, number: int) -> ItemBlock:
        """The block after the youngest: a free one, or a new one in the circle."""
        block = self._free_after_tail() or self._inserted(ItemBlock(number * self.size))
        block.reuse(number * self.size)
        self.numbered[number] = block
        return block

    def _free_after_tail(self) -> ItemBlock | None:
        """The block after the youngest, if it holds no items."""
        after = None if self.tail is None else self.tail.next
        if after is None or after is self.tail or self.numbered.get(after.first // self.size) is after:
            return None
        return after

    def _inserted(self, block: ItemBlock) -> ItemBlock:
        block.next = block if self.tail is None else self.tail.next
        if self.tail is not None:
            self.tail.next = block
        return block

    def _free(self, number: int) -> None:
        """Clear a block whose items are gone; it stays in the circle."""
        block = self.numbered.pop(number, None)
        if block is not None:
            block.items.clear()
