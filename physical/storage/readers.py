"""How one consumer reads a store: each reader remembers no more than its pattern is worth (Table 5, Figure 7)."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from physical.storage.block import GONE, Block, Slot
from physical.storage.consumption import Marks
from physical.storage.contents import Contents
from physical.storage.errors import Gone, StoreError
from physical.storage.layout import Entry
from physical.storage.parameters import IndexSchema, ReadPattern
from semantics.value import Row, Value

More = Callable[[], bool]
"""Asked at the end: is there another item now?"""


class Reader(ABC):
    """A consumer's view: items that it has consumed are not in it."""

    def __init__(self, contents: Contents, marks: Marks, more: More) -> None:
        self.contents = contents
        self.layout = contents.layout
        self.marks = marks
        self.more = more
        self.position = 0
        """The id from which on the next item is looked for."""

    @abstractmethod
    def scan(self) -> Entry | None:
        """The first item at the position or behind it."""

    @abstractmethod
    def slot(self, id: int) -> Slot:
        """What is stored under an id."""

    def next_item(self) -> Entry | None:
        """The next item, or None if there is no other yet. An active store fetches one then."""
        while True:
            found = self.scan()
            if found is None:
                if self.more():
                    continue
                return None
            self.position = found[0] + 1
            if found[0] not in self.marks:
                return found

    def next_attribute(self, name: str) -> Value:
        """One column of the next item; an error if there is no other yet."""
        found = self.next_item()
        if found is None:
            raise Gone(f"next_attribute: there is no item after id {self.position - 1}")
        return found[1][self.contents.column(name)]

    def get_item(self, id: int) -> Row:
        """The item with this id."""
        item = GONE if id in self.marks else self.slot(id)
        if not isinstance(item, tuple):
            raise Gone(f"get_item: there is no item with id {id}; it expired, was consumed, or never was")
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


class SequentialReader(Reader):
    """Goes from block to block along the links; there is no id index."""

    def __init__(self, contents: Contents, marks: Marks, more: More) -> None:
        super().__init__(contents, marks, more)
        self.block: Block | None = None

    def scan(self) -> Entry | None:
        found = self.layout.scan(self.block, max(self.position, self.marks.low))
        if found is None:
            return None
        self.block, id, item = found
        return id, item

    def slot(self, id: int) -> Slot:
        raise StoreError(f"get_item: a sequential reader has next_item only, got id {id}")

    def rewind(self) -> None:
        super().rewind()
        self.block = None


class RandomReader(Reader):
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
        self.block: Block | None = None

    def slot(self, id: int) -> Slot:
        block = self.block
        if block is None or not self.layout.has(block, id):
            block = self.block = self.layout.find(id)
        return GONE if block is None else self.layout.get(block, id)


READERS: dict[ReadPattern, type[Reader]] = {
    ReadPattern.SEQUENTIAL: SequentialReader,
    ReadPattern.RANDOM: RandomReader,
    ReadPattern.CLUSTERED: ClusteredReader,
}
