"""FIRST, LAST, PREV and NEXT (Table 2 g and j), and reads that wait for their data (Section 6.2)."""

from random import Random
from threading import Thread

import pytest

from physical.storage.block_layout import Entry
from physical.storage.create import create
from physical.storage.errors import StoreError
from physical.storage.parameters import SOLE_CONSUMER, IndexSchema, Parameters, ReadPattern, Sizes, UpdatePattern
from physical.storage.store import Store
from semantics import Schema
from semantics.value import Row

SCHEMA = Schema.of(minute=int, toll=int)
BY_MINUTE: IndexSchema = (("minute", "="),)
BY_TOLL: IndexSchema = (("toll", "="),)


def store_of(update: UpdatePattern, read: ReadPattern) -> Store:
    return create(Parameters(schema=SCHEMA, update=update, read=read, sizes=Sizes(block=3, room=4)))


@pytest.mark.parametrize("read", [ReadPattern.CLUSTERED, ReadPattern.RANDOM])
@pytest.mark.parametrize("update", [UpdatePattern.FIFO, UpdatePattern.RANDOM, UpdatePattern.NO_UPDATE])
@pytest.mark.parametrize("seed", range(5))
def test_neighbours_are_those_of_a_list(update: UpdatePattern, read: ReadPattern, seed: int) -> None:
    random, store, model = Random(seed), store_of(update, read), dict[int, Row]()
    reader = store.reader()
    for number in range(60):
        model[store.buffer_item((number, 0))] = (number, 0)
        if update is not UpdatePattern.NO_UPDATE and random.random() < 0.4:
            last = min(model) + random.randint(0, 2)
            if random.random() < 0.5:
                store.consume_up_to(SOLE_CONSUMER, last)
            else:
                store.delete_up_to(last)
            model = {id: item for id, item in model.items() if id > last}
        if update is UpdatePattern.RANDOM and model and random.random() < 0.5:
            gone = random.choice(list(model))
            store.delete_items([gone])
            del model[gone]
        entries = list(model.items())
        assert (reader.first(), reader.last()) == ((entries[0], entries[-1]) if entries else (None, None))
        around = random.randint(-1, number + 2)
        assert reader.before(around) == max((entry for entry in entries if entry[0] < around), default=None)
        assert reader.after(around) == min((entry for entry in entries if entry[0] > around), default=None)


def test_the_query_of_table_2_j_reads_around_a_cursor() -> None:
    """Items that differ from the one before and are below the one after."""
    store = store_of(UpdatePattern.FIFO, ReadPattern.CLUSTERED)
    for toll in (3, 3, 5, 4, 4, 1, 6):
        store.buffer_item((0, toll))
    reader, found = store.reader(), list[int]()
    while (entry := reader.next_item()) is not None:
        before, after = reader.before(entry[0]), reader.after(entry[0])
        if before is not None and after is not None and before[1][1] != entry[1][1] and toll_of(entry) < toll_of(after):
            found.append(entry[0])
    assert found == [5]


def test_the_query_of_table_2_g_consumes_what_lies_between_at_once() -> None:
    store = create(Parameters(schema=SCHEMA, update=UpdatePattern.RANDOM, sizes=Sizes(room=0)))
    reader = store.reader()
    for number in range(50):
        store.buffer_item((number, 0))
        last = reader.last()
        if last is not None and (between := reader.before(last[0])) not in (None, reader.first()):
            store.consume_items(SOLE_CONSUMER, [between[0]])
    assert (reader.first(), reader.last(), len(store)) == ((0, (0, 0)), (49, (49, 0)), 2)


def toll_of(entry: Entry) -> int:
    toll = entry[1][1]
    assert isinstance(toll, int)
    return toll


def waiting_store() -> Store:
    store = create(
        Parameters(schema=SCHEMA, update=UpdatePattern.FIFO, sharing=("tolls", "alerts"), synchronisation=BY_MINUTE[0])
    )
    store.register_index(BY_TOLL)
    return store


def test_a_read_is_delayed_until_there_is_data_for_its_minute() -> None:
    store, answers = waiting_store(), list[list[Entry]]()
    store.buffer_item((6, 1))
    store.retrieve_when("tolls", BY_MINUTE, [7], answers.append)
    store.retrieve_when("tolls", BY_MINUTE, [6], answers.append)
    assert answers == [[(0, (6, 1))]]
    store.buffer_item((7, 2))
    assert answers == [[(0, (6, 1))], [(1, (7, 2))]]
    assert store.synchronisation.waiting == 0


def test_a_read_blocks_until_another_thread_has_stored_the_data() -> None:
    store, answers = waiting_store(), list[list[Entry] | None]()
    waits = Thread(target=lambda: answers.append(store.retrieve_waiting("alerts", BY_MINUTE, [3], timeout=60)))
    waits.start()
    store.buffer_item((3, 9))
    waits.join()
    assert answers == [[(0, (3, 9))]]
    assert store.retrieve_waiting("alerts", BY_MINUTE, [4], timeout=0) is None


def test_a_look_up_without_the_column_of_the_condition_cannot_wait() -> None:
    with pytest.raises(StoreError, match="retrieve_when: the look-up must have the column of the store's condition"):
        waiting_store().retrieve_when("tolls", BY_TOLL, [7], print)
