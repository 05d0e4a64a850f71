"""Wrong answers to requests: by readers, value indexes, updates in place, subscriptions and synchronisation."""

from collections.abc import Mapping, Sequence
from typing import Final

from equivalence.mutants.mutation import Change, each, mutate
from physical.storage.block import GONE, Slot
from physical.storage.block_layout import Entry
from physical.storage.consumers import ClusteredReader, SequentialReader, StoreReader
from physical.storage.contents import Contents
from physical.storage.linked_blocks import InPlaceLayout
from physical.storage.parameters import IndexSchema, Symbol
from physical.storage.store import Store, Subscriber
from semantics.value import Row, Value


def readers(kind: type[StoreReader], mutation: type[StoreReader]) -> Change:
    """Mutate the readers of this kind that a store gives out."""
    change = each(kind, mutation)

    class GivesOtherReaders(Store):
        def reader(self, consumer: str | None = None) -> StoreReader:
            found = super().reader(consumer)
            change(found)
            return found

    return each(Store, GivesOtherReaders)


def in_place(mutation: type[Store]) -> Change:
    """Mutate stores in which items are replaced where they are."""

    def change(store: object) -> None:
        if isinstance(store, Store) and isinstance(store.contents.layout, InPlaceLayout):
            mutate(store, mutation)

    return change


class TrustsTheCachedBlock(ClusteredReader):
    """The next item is looked for in the block of the last one, if that block was filled then."""

    def slot(self, id: int) -> Slot:
        if self.block is None or not self.block.items:
            self.block = self.layout.find(id)
        return GONE if self.block is None else self.layout.get(self.block, id)


class CachesItems(ClusteredReader):
    """An item that was read once is read from a copy from then on."""

    copies: Mapping[int, Slot] = {}

    def slot(self, id: int) -> Slot:
        if id not in self.copies and (item := super().slot(id)) is not GONE:
            self.copies = {**self.copies, id: item}
        return self.copies.get(id, GONE)


class SkipsTheFirstOfABlock(SequentialReader):
    """The first item of every block but the first is skipped."""

    def scan(self) -> Entry | None:
        found = super().scan()
        if found is not None and found[0] % 3 == 0 and found[0]:  # the stores that are checked have blocks of 3
            self.position = found[0] + 1
            return super().scan()
        return found


class IndexesMissReplacements(Contents):
    """Value indexes still know an item as it was before it was replaced."""

    def replace(self, id: int, item: Row) -> None:
        self.journal.replace(id, item)
        self.layout.replace(id, item)


_INCLUSIVE: Final[dict[Symbol, Symbol]] = {"<": "<=", ">": ">="}


class RangesIncludeTheirEnd(Store):
    """A look-up for smaller or larger values finds equal ones, too."""

    def register_index(self, index: IndexSchema) -> None:
        super().register_index(index)
        made = self.contents.indexes[index]
        made.symbols = [_INCLUSIVE.get(symbol, symbol) for symbol in made.symbols]


class InsertsInstead(Store):
    """No item is ever replaced."""

    def _keyed(self, item: Row, values: Sequence[Value] | None) -> int | None:
        return None


class IgnoresTheValues(Store):
    """The item to be replaced is looked for by the key of the new one, whatever values the request has."""

    def _keyed(self, item: Row, values: Sequence[Value] | None) -> int | None:
        return super()._keyed(item, None)


class AnnouncesNewItemsOnly(Store):
    """Subscribers do not hear of an item that replaces another."""

    def subscribe(self, subscriber: Subscriber) -> None:
        newest = self.contents.layout.next_id - 1

        def announce(id: int, item: Row) -> None:
            nonlocal newest
            if id > newest:
                newest = id
                subscriber(id, item)

        super().subscribe(announce)


def lets_all_through(store: object) -> None:
    """A request that waits for an item with a certain value is content with any item."""
    assert isinstance(store, Store)
    if store.parameters.synchronisation is not None:
        store.synchronisation.fits = lambda _: len(store) > 0


class LosesFetchedItems(Store):
    """What an active store fetches for a reader at the end is not stored."""

    def _more(self) -> bool:
        return self.source is not None and next(self.source, None) is not None
