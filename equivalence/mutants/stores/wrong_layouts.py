"""Wrong layouts, id indexes and marks: items that are collected too early, too late, or under the wrong id."""

from collections.abc import Iterable

from equivalence.mutants.mutation import Change, each, mutate
from physical.storage.block import ItemBlock
from physical.storage.block_layout import BlockLayout, ChainLayout
from physical.storage.consumed import Consumption, Marks
from physical.storage.contents import Contents
from physical.storage.fifo import FifoLayout
from physical.storage.id_index import IdIndex
from physical.storage.journal_tables import TableJournal
from physical.storage.linked_blocks import RandomLayout
from physical.storage.store import Store


def layout(kind: type[BlockLayout], mutation: type[BlockLayout]) -> Change:
    """Mutate the layout of stores that have one of this kind."""
    change = each(kind, mutation)
    return lambda store: change(_contents(store).layout)


def contents(mutation: type[Contents]) -> Change:
    """Mutate how the parts of a store are changed together."""
    return lambda store: mutate(_contents(store), mutation)


def consumption(mutation: type[Consumption]) -> Change:
    """Mutate how a store decides what no consumer needs."""
    return lambda store: mutate(_contents(store).consumption, mutation)


def _contents(store: object) -> Contents:
    assert isinstance(store, Store)
    return store.contents


class CollectsLiveItems(RandomLayout):
    """A block with one live item is collected as if it had none."""

    def _collect(self, block: ItemBlock) -> None:
        if block.live == 1 and len(block.items) > 1 and block is not self.tail:
            block.live = 0
        super()._collect(block)


class CollectsTheLastBlock(RandomLayout):
    """A block without live items is collected even while it is being filled."""

    def _collect(self, block: ItemBlock) -> None:
        if block.live == 0:
            self._unlink(block)


class ShrinksWithoutIds(RandomLayout):
    """After a block was shrunk, items are still looked for at their old places."""

    def _collect(self, block: ItemBlock) -> None:
        super()._collect(block)
        block.ids = None


class FreesABlockEarly(FifoLayout):
    """A block is freed though its last item is still needed."""

    def take_until(self, id: int) -> None:
        super().take_until(id)
        if self.low % self.size:
            self._free(self.low // self.size)


class KeepsTheLastOne(FifoLayout):
    """All items up to an id are taken out, but not the item itself."""

    def take_until(self, id: int) -> None:
        super().take_until(id - 1)


class ReusesBlocksInUse(FifoLayout):
    """The next block of the circle is always taken for free."""

    def _free_after_tail(self) -> ItemBlock | None:
        return None if self.tail is None else self.tail.next


class FindsTheBlockBefore(IdIndex):
    """The first item of every block is looked for in the block before."""

    def find(self, id: int) -> ItemBlock | None:
        return super().find(id - 1) or super().find(id)


def id_index(mutation: type[IdIndex]) -> Change:
    """Mutate the id index of stores that have one."""

    def change(store: object) -> None:
        layout = _contents(store).layout
        if isinstance(layout, ChainLayout) and layout.index is not None:
            mutate(layout.index, mutation)

    return change


class AnyConsumerWillDo(Consumption):
    """Items are outdated as soon as one consumer has marked them."""

    def outdated(self, ids: Iterable[int]) -> list[int]:
        return [id for id in ids if any(id in marks for marks in self.marks.values())]


class FastestConsumerDecides(Contents):
    """Items go when the fastest consumer has passed them."""

    def remove_until(self, id: int) -> None:
        super().remove_until(max(id, max(marks.low for marks in self.consumption.marks.values()) - 1))


class MarksThatHideNothing(Marks):
    """A consumer still sees the items that it has consumed."""

    def __contains__(self, id: object) -> bool:
        return False


def consumed_items_are_shown(store: object) -> None:
    marks = _contents(store).consumption.marks
    for consumer in marks:
        marks[consumer] = MarksThatHideNothing()


def gives_ids_twice(store: object) -> None:
    """After a restart, ids continue after the last item that is left."""
    layout = _contents(store).layout
    if isinstance(_contents(store).journal, TableJournal) and isinstance(layout, ChainLayout):
        layout.next_id = 1 + max([id for id, _ in layout.items()], default=-1)
