"""Ways to spoil a store."""

from collections.abc import Callable
from typing import Any

from physical.storage.block import GONE
from physical.storage.block_layout import ChainLayout
from physical.storage.consumed import Marks
from physical.storage.parameters import AccessModel, ReadPattern
from semantics.value import Row

Spoil = Callable[[Any], None]
"""Changes a store that has just been made."""


def in_layout(kind: type, spoil: Spoil) -> Spoil:
    """Spoils the layout of stores that have one of this kind."""
    return lambda store: spoil(store.contents.layout) if isinstance(store.contents.layout, kind) else None


def in_layout_of_store(kind: type, spoil: Spoil) -> Spoil:
    """Spoils stores that have a layout of this kind."""
    return lambda store: spoil(store) if isinstance(store.contents.layout, kind) else None


def collects_blocks_with_a_live_item(layout: Any) -> None:
    collect = layout._collect

    def collecting(block: Any) -> None:
        if block.live == 1 and len(block.items) > 1 and block is not layout.tail:
            block.live = 0
        collect(block)

    layout._collect = collecting


def collects_the_block_that_is_filled(layout: Any) -> None:
    def collecting(block: Any) -> None:
        if block.live == 0:
            layout._unlink(block)

    layout._collect = collecting


def shrinks_without_ids(layout: Any) -> None:
    collect = layout._collect

    def collecting(block: Any) -> None:
        collect(block)
        block.ids = None

    layout._collect = collecting


def frees_a_block_early(layout: Any) -> None:
    take_until = layout.take_until

    def taking(id: int) -> None:
        take_until(id)
        if layout.low % layout.size:
            layout._free(layout.low // layout.size)

    layout.take_until = taking


def keeps_the_last_one(layout: Any) -> None:
    take_until = layout.take_until
    layout.take_until = lambda last: take_until(last - 1)


def reuses_blocks_in_use(layout: Any) -> None:
    layout._free_after_tail = lambda: None if layout.tail is None else layout.tail.next


def finds_the_block_before(layout: Any) -> None:
    """The first item of every block is looked for in the block before."""
    if layout.index is not None:
        find = layout.index.find
        layout.index.find = lambda wanted: find(wanted - 1) or find(wanted)


def any_consumer_will_do(store: Any) -> None:
    marks = store.contents.consumption.marks
    store.contents.consumption.outdated = lambda ids: [id for id in ids if any(id in m for m in marks.values())]


def fastest_consumer_decides(store: Any) -> None:
    contents = store.contents
    remove_until = contents.remove_until

    def removing(id: int) -> None:
        remove_until(max(id, max(marks.low for marks in contents.consumption.marks.values()) - 1))

    contents.remove_until = removing


class Shown(Marks):
    """Marks that hide nothing from the one who made them."""

    def __contains__(self, id: object) -> bool:
        return False


def consumed_items_are_shown(store: Any) -> None:
    for consumer in store.contents.consumption.marks:
        store.contents.consumption.marks[consumer] = Shown()


def with_readers(kind: ReadPattern, spoil: Spoil) -> Spoil:
    """Spoils every reader of this pattern."""

    def spoiling(store: Any) -> None:
        make = store.reader

        def reader(consumer: str | None = None) -> Any:
            made = make(consumer)
            if store.parameters.read_of(consumer or store.parameters.consumers[0]) is kind:
                spoil(made)
            return made

        store.reader = reader

    return spoiling


def trusts_the_cached_block(reader: Any) -> None:
    """Whatever was read last is where the next item is looked for, if that block was filled then."""

    def slot(id: int) -> Any:
        if reader.block is None or not reader.block.items:
            reader.block = reader.layout.find(id)
        return GONE if reader.block is None else reader.layout.get(reader.block, id)

    reader.slot = slot


def caches_items(reader: Any) -> None:
    """What was read once is read from a copy from then on."""
    slot, copies = reader.slot, {}

    def copying(id: int) -> Any:
        if id not in copies and (item := slot(id)) is not GONE:
            copies[id] = item
        return copies.get(id, GONE)

    reader.slot = copying


def skips_to_the_next_block(reader: Any) -> None:
    scan = reader.scan

    def scanning() -> Any:
        found = scan()
        if found is not None and found[0] % 3 == 0 and found[0]:
            reader.position = found[0] + 1
            return scan()
        return found

    reader.scan = scanning


def index_misses_replacements(store: Any) -> None:
    contents = store.contents

    def replace(id: int, item: Row) -> None:
        contents.journal.replace(id, item)
        contents.layout.replace(id, item)

    contents.replace = replace


def range_includes_its_end(store: Any) -> None:
    register = store.register_index

    def registering(index: Any) -> None:
        register(index)
        made = store.contents.indexes[index]
        made.symbols = [{"<": "<=", ">": ">="}.get(symbol, symbol) for symbol in made.symbols]

    store.register_index = registering


def inserts_instead(store: Any) -> None:
    store._keyed = lambda item, values: None


def ignores_the_values(store: Any) -> None:
    keyed = store._keyed
    store._keyed = lambda item, values: keyed(item, None)


def counts_the_unacknowledged(store: Any) -> None:
    journal = store.contents.journal
    if hasattr(journal, "recorded"):
        done = journal.done

        def counting() -> None:
            done()
            journal.acknowledged = journal.recorded

        journal.done = counting


def forgets(*requests: str) -> Spoil:
    """The journal does not take down some kinds of change."""

    def spoil(store: Any) -> None:
        for request in requests:
            setattr(store.contents.journal, request, lambda *_: None)

    return spoil


def gives_ids_twice(store: Any) -> None:
    """After a restart ids go on behind the last item that is left."""
    layout = store.contents.layout
    if hasattr(store.contents.journal, "recorded") and isinstance(layout, ChainLayout):
        layout.next_id = 1 + max([id for id, _ in layout.items()], default=-1)


def tells_of_new_items_only(store: Any) -> None:
    replace, subscribers = store.contents.replace, store.subscribers

    def replacing(id: int, item: Row) -> None:
        replace(id, item)
        store.subscribers = []

    def insert(item: Row) -> int:
        store.subscribers = subscribers
        return int(store.contents.__class__.insert(store.contents, item))

    if store.parameters.access is AccessModel.PUSH:
        store.contents.replace, store.contents.insert = replacing, insert


def lets_all_through(store: Any) -> None:
    if store._synchronisation is not None:
        store._synchronisation.fits = lambda value: len(store) > 0


def loses_what_a_reader_fetched(store: Any) -> None:
    def more() -> bool:
        return store.source is not None and next(store.source, None) is not None

    store._more = more
