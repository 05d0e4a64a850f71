"""What single parts of a store promise: refusals, memory, threads."""

from pathlib import Path
from threading import Thread

import pytest

from physical.storage.block_layout import ChainLayout
from physical.storage.create import create
from physical.storage.errors import NoSuchItem, StoreError
from physical.storage.fifo import FifoLayout
from physical.storage.linked_blocks import RandomLayout
from physical.storage.parameters import (
    AccessModel,
    Collection,
    Parameters,
    Persistent,
    ReadPattern,
    Role,
    Sizes,
    UpdatePattern,
)
from physical.storage.store import Store
from semantics import Schema, SnapeqError
from semantics.value import Row

SCHEMA = Schema.of(minute=int, toll=float)
FIFO, RANDOM, IN_PLACE, NO_UPDATE = (
    UpdatePattern.FIFO,
    UpdatePattern.RANDOM,
    UpdatePattern.IN_PLACE,
    UpdatePattern.NO_UPDATE,
)


def store_of(update: UpdatePattern, **more: object) -> Store:
    return create(Parameters(update=update, **more))  # type: ignore[arg-type]  # any parameters


def filled(store: Store, count: int) -> Store:
    for number in range(count):
        store.buffer_item((number, 0.5))
    return store


@pytest.mark.parametrize(
    ("attempt", "message"),
    [
        (lambda: store_of(FIFO).delete_items([0]), "delete_items: the update pattern must be RANDOM, got FIFO"),
        (lambda: store_of(NO_UPDATE).delete_up_to(0), "the update pattern must be FIFO or RANDOM, got NO_UPDATE"),
        (lambda: store_of(FIFO).update((1,)), "update: the update pattern must be IN_PLACE, got FIFO"),
        (lambda: store_of(FIFO).draw(), "draw: a passive store has no source"),
        (lambda: store_of(FIFO).subscribe(print), "subscribe: a pull store is asked for its items; use reader"),
        (lambda: store_of(FIFO, access=AccessModel.PUSH).reader(), "reader: a push store tells its subscribers"),
        (lambda: store_of(FIFO).reader("nobody"), "reader: unknown consumer 'nobody'; consumers: consumer"),
        (lambda: store_of(FIFO).reader().get_item(0), "get_item: there is no item with id 0"),
        (lambda: store_of(FIFO).register_index((("a", "="),)), "the store has no schema"),
        (lambda: store_of(FIFO).synchronisation, "the store has no condition to wait for"),
        (lambda: store_of(FIFO, read=ReadPattern.SEQUENTIAL).reader().get_item(0), "has next_item only"),
        (lambda: store_of(FIFO, schema=SCHEMA).reader().retrieve((("toll", "="),), [1.0]), "no index"),
        (lambda: store_of(FIFO, schema=SCHEMA).register_index((("speed", "="),)), "unknown column 'speed'"),
        (lambda: store_of(FIFO, schema=SCHEMA).buffer_item((1,)), "item must have 2 values"),
        (lambda: store_of(IN_PLACE, schema=SCHEMA, key=("minute",)).buffer_item((1, 2.0)), "use update"),
        (lambda: store_of(IN_PLACE, schema=SCHEMA, key=("minute",)).update((None, 2.0)), "a key must not be NULL"),
        (lambda: store_of(IN_PLACE), "an IN-PLACE store and no other has a key"),
        (lambda: store_of(FIFO, key=("a",)), "a key needs a schema, got none"),
        (lambda: store_of(FIFO, sharing=("a", "a")), "consumers of a shared store must differ, got a, a"),
        (lambda: store_of(FIFO, read={"a": ReadPattern.RANDOM}), "read patterns must be for"),
        (lambda: store_of(FIFO, role=Role.ACTIVE), "an active store and no other has a source"),
        (lambda: Sizes(block=0), "block must be ≥ 1"),
    ],
)
def test_what_was_not_ordered_is_refused(attempt: object, message: str) -> None:
    assert callable(attempt)
    with pytest.raises(SnapeqError, match=message):
        attempt()


def test_a_circle_uses_its_blocks_again() -> None:
    store = store_of(FIFO, sizes=Sizes(block=4))
    layout = store.contents.layout
    assert isinstance(layout, FifoLayout)
    for id in range(1000):
        store.buffer_item((id,))
        store.delete_up_to(id - 10)
    assert len(store) == 10
    assert layout.circle <= 5


@pytest.mark.parametrize(
    ("collection", "blocks", "places"), [(Collection.WHOLE_BLOCKS, 10, 40), (Collection.SHRINK, 10, 10)]
)
def test_garbage_waits_until_there_is_too_much_of_it(collection: Collection, blocks: int, places: int) -> None:
    """Of every block of four one item is left: whole blocks cannot go, but three quarters of the places can."""
    store = filled(store_of(RANDOM, sizes=Sizes(block=4, collection=collection, room=29)), 40)
    store.delete_items([id for id in range(39) if id % 4])
    assert counts(store) == (10, 40)
    store.delete_items([39])
    assert counts(store) == (blocks, places)
    store.delete_items(range(20))
    layout = store.contents.layout
    assert isinstance(layout, RandomLayout)
    layout.collect()
    assert counts(store)[0] == 5
    assert [id for id, _ in store.reader().next_items()] == list(range(20, 40, 4))


def counts(store: Store) -> tuple[int, int]:
    """How many blocks there are, and how many places in them."""
    layout = store.contents.layout
    block, found = layout.first_block(), []
    while block is not None:
        found.append(len(block.items))
        block = layout.block_after(block)
    return len(found), sum(found)


def test_only_stores_that_are_read_in_order_have_no_id_index() -> None:
    for pattern, indexed in (
        (ReadPattern.SEQUENTIAL, False),
        (ReadPattern.RANDOM, True),
        (ReadPattern.CLUSTERED, True),
    ):
        layout = store_of(RANDOM, read=pattern).contents.layout
        assert isinstance(layout, ChainLayout)
        assert (layout.index is not None) is indexed


def test_single_columns() -> None:
    reader = filled(store_of(FIFO, schema=SCHEMA), 3).reader()
    assert reader.get_attribute(2, "minute") == 2
    assert [reader.next_attribute("minute") for _ in range(3)] == [0, 1, 2]
    with pytest.raises(NoSuchItem, match="no item after id 2"):
        reader.next_attribute("minute")


def test_an_archive_is_read_from_the_database_in_any_process(tmp_path: Path) -> None:
    where = Persistent("sqlite", tmp_path / "tolls.db", table="Tolls of 10 weeks", group=100)
    parameters = Parameters(schema=SCHEMA, update=NO_UPDATE, persistence=where)
    filled(create(parameters), 250).close()
    store = create(parameters)
    store.register_index((("minute", ">="), ("minute", "<")))
    assert [id for id, _ in store.reader().retrieve((("minute", ">="), ("minute", "<")), [100, 103])] == [100, 101, 102]
    assert store.reader().get_item(249) == (249, 0.5)
    assert store.buffer_item((0, None)) == 250
    store.close()


def test_a_request_waits_for_another_thread() -> None:
    store = store_of(FIFO, schema=SCHEMA, synchronisation=("minute", ">="))
    answers: list[bool] = []
    waiting = Thread(target=lambda: answers.append(store.synchronisation.wait(3, timeout=60)))
    waiting.start()
    filled(store, 4)
    waiting.join()
    assert answers == [True]
    assert store.synchronisation.wait(9, timeout=0) is False


def test_readers_of_a_circle_need_no_lock() -> None:
    """One thread writes, two read and consume; each must see every item once and whole."""
    store = store_of(
        FIFO, sharing=("x", "y"), read={"x": ReadPattern.SEQUENTIAL, "y": ReadPattern.CLUSTERED}, sizes=Sizes(block=8)
    )
    seen: dict[str, list[tuple[int, Row]]] = {"x": [], "y": []}

    def read(consumer: str) -> None:
        reader = store.reader(consumer)
        while len(seen[consumer]) < 5000:
            seen[consumer] += reader.next_items()

    readers = [Thread(target=read, args=(consumer,)) for consumer in seen]
    for reader in readers:
        reader.start()
    for number in range(5000):
        store.buffer_item((number, 0.5))
    for reader in readers:
        reader.join()
    assert seen["x"] == seen["y"] == [(number, (number, 0.5)) for number in range(5000)]


@pytest.mark.parametrize("pattern", ReadPattern)
def test_an_item_that_goes_while_it_is_read_is_gone_and_never_another(pattern: ReadPattern) -> None:
    store, count = store_of(FIFO, read=pattern, sizes=Sizes(block=4)), 20_000
    seen: list[tuple[int, Row]] = []

    def read() -> None:
        reader, position = store.reader(), 0
        while position < count - 6:
            seen.extend(reader.next_items())
            position = max(reader.position, store.contents.layout.low)

    reader = Thread(target=read)
    reader.start()
    for number in range(count):
        store.buffer_item((number,))
        store.delete_up_to(number - 6)
    reader.join()
    assert [id for id, _ in seen] == sorted({id for id, _ in seen})
    assert all(item == (id,) for id, item in seen)


def test_a_layout_says_what_it_was_not_made_for() -> None:
    with pytest.raises(StoreError, match="FifoLayout: it cannot replace items; another update pattern was expected"):
        FifoLayout(4).replace(0, (1,))
