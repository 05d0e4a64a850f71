"""A store instance: the requests that its parameters allow (Tables 4 and 5)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from physical.storage.block_layout import BlockLayout, Entry
from physical.storage.consumers import READERS, StoreReader
from physical.storage.contents import Contents
from physical.storage.errors import StoreError
from physical.storage.journal import Journal
from physical.storage.parameters import AccessModel, IndexSchema, Parameters, Role, UpdatePattern
from physical.storage.synchronisation import Synchronisation
from semantics.value import Row, Value

Subscriber = Callable[[int, Row], None]
Take = Callable[[list[Entry]], None]


class Store:
    """Made by `physical.storage.create.create`; one thread writes, any number may read."""

    def __init__(
        self, parameters: Parameters, layout: BlockLayout, journal: Journal, source: Iterator[Row] | None = None
    ) -> None:
        self.parameters = parameters
        self.contents = Contents(parameters, layout, journal)
        self.source = source
        self.subscribers: list[Subscriber] = []
        self.key: IndexSchema = tuple((name, "=") for name in parameters.key)
        self._synchronisation: Synchronisation | None = None
        if self.key:
            self.register_index(self.key)
        if parameters.synchronisation is not None:
            condition = (parameters.synchronisation,)
            self.register_index(condition)
            self._synchronisation = Synchronisation(lambda value: bool(self.contents.lookup(condition, [value])))

    def __len__(self) -> int:
        return len(self.contents.layout)

    def buffer_item(self, item: Row) -> int:
        """Store an item of the engine (passive stores); gives its id."""
        if self.parameters.role is Role.ACTIVE:
            raise StoreError("buffer_item: an active store takes its items from its source; use draw")
        if self.parameters.update is UpdatePattern.IN_PLACE:
            raise StoreError("buffer_item: an IN-PLACE store replaces items by their key; use update")
        return self._put(item)

    def draw(self, limit: int = 1) -> int:
        """Fetch up to `limit` items from the source (active stores); gives how many there were."""
        if self.source is None:
            raise StoreError("draw: a passive store has no source; use buffer_item or update")
        items = list(islice(self.source, limit))
        for item in items:
            self._put(item)
        return len(items)

    def update(self, item: Row, values: Sequence[Value] | None = None) -> int:
        """Replace the item with this key, by default the key of the new item; insert it if there is none."""
        if self.parameters.role is Role.ACTIVE:
            raise StoreError("update: an active store takes its items from its source; use draw")
        self._only("update", UpdatePattern.IN_PLACE)
        return self._put(item, values)

    def delete_up_to(self, id: int) -> None:
        """The producer no longer has any item up to this id (FIFO and RANDOM stores)."""
        self._only("delete_up_to", UpdatePattern.FIFO, UpdatePattern.RANDOM)
        self.contents.remove_until(id)
        self._done()

    def delete_items(self, ids: Iterable[int]) -> None:
        """The producer no longer has these items (RANDOM stores)."""
        self._only("delete_items", UpdatePattern.RANDOM)
        self.contents.remove(list(ids))
        self._done()

    def consume_up_to(self, consumer: str, id: int) -> None:
        """A consumer no longer needs items up to this id; a store from which nothing is deleted keeps them all."""
        self.contents.marks("consume_up_to", consumer)
        if self.parameters.update in (UpdatePattern.FIFO, UpdatePattern.RANDOM):
            self.contents.mark_until(consumer, min(id, self.contents.layout.next_id - 1))
            self._done()

    def consume_items(self, consumer: str, ids: Iterable[int]) -> None:
        """A consumer no longer needs these items; only a RANDOM store makes use of that, others keep them."""
        marks = self.contents.marks("consume_items", consumer)
        if self.parameters.update is UpdatePattern.RANDOM:
            self.contents.mark(consumer, [i for i in ids if 0 <= i < self.contents.layout.next_id and i not in marks])
            self._done()

    def reader(self, consumer: str | None = None) -> StoreReader:
        """A reader for a consumer, made for its read pattern (pull stores)."""
        if self.parameters.access is AccessModel.PUSH:
            raise StoreError("reader: a push store tells its subscribers; use subscribe")
        name = self.parameters.consumers[0] if consumer is None else consumer
        marks = self.contents.marks("reader", name)
        return READERS[self.parameters.read_of(name)](self.contents, marks, self._more)

    def subscribe(self, subscriber: Subscriber) -> None:
        """Call a function with every new item, and with every item that replaces one (push stores)."""
        if self.parameters.access is AccessModel.PULL:
            raise StoreError("subscribe: a pull store is asked for its items; use reader")
        self.subscribers.append(subscriber)

    def register_index(self, index: IndexSchema) -> None:
        """Prepare for look-ups by the values of these columns."""
        if self.parameters.schema is None:
            raise StoreError(f"register_index: the store has no schema, so it knows no column of {index}")
        self.contents.add_index(self.parameters.schema, index)

    @property
    def synchronisation(self) -> Synchronisation:
        """Requests that wait for items (stores with a synchronisation condition)."""
        if self._synchronisation is None:
            raise StoreError("synchronisation: the store has no condition to wait for")
        return self._synchronisation

    def retrieve_when(self, consumer: str, index: IndexSchema, values: Sequence[Value], take: Take) -> None:
        """Look up items as soon as one fits the store's condition, and hand them on; at once if one does already.

        The index has the column of the condition, so that the request says what it waits for.
        """
        wanted, reader = self._wanted("retrieve_when", index, values), self.reader(consumer)
        self.synchronisation.when(wanted, lambda: take(reader.retrieve(index, values)))

    def retrieve_waiting(
        self, consumer: str, index: IndexSchema, values: Sequence[Value], timeout: float | None = None
    ) -> list[Entry] | None:
        """Look up items; blocks until another thread has stored one that fits the condition. None after the timeout."""
        wanted = self._wanted("retrieve_waiting", index, values)
        return self.reader(consumer).retrieve(index, values) if self.synchronisation.wait(wanted, timeout) else None

    def _wanted(self, request: str, index: IndexSchema, values: Sequence[Value]) -> Value:
        """The value with which a request waits."""
        condition = self.parameters.synchronisation
        found = [value for (name, _), value in zip(index, values, strict=True) if condition and name == condition[0]]
        if not found:
            wanted = f"the column of the store's condition, {condition}"
            raise StoreError(f"{request}: the look-up must have {wanted}; got {index}")
        return found[0]

    @property
    def acknowledged(self) -> int:
        """How many requests that changed the store are certain to survive the process."""
        return self.contents.journal.acknowledged

    def commit(self) -> None:
        """Make all requests so far survive."""
        self.contents.journal.commit()

    def close(self) -> None:
        """Commit, and close the database."""
        self.contents.journal.close()

    def _put(self, item: Row, values: Sequence[Value] | None = None) -> int:
        item = self._checked(item)
        id = self._keyed(item, values) if self.key else None
        if id is None:
            id = self.contents.insert(item)
        else:
            self.contents.replace(id, item)
        for subscriber in self.subscribers:
            subscriber(id, item)
        self._done()
        return id

    def _keyed(self, item: Row, values: Sequence[Value] | None) -> int | None:
        """The id of the item to be replaced."""
        own = [item[self.contents.column(name)] for name in self.parameters.key]
        if any(value is None for value in own):
            raise StoreError(f"update: a key must not be NULL, got {own} for {', '.join(self.parameters.key)}")
        found = self.contents.lookup(self.key, own if values is None else values)
        taken = self.contents.lookup(self.key, own)
        if taken and taken != found:
            raise StoreError(f"update: the key {own} belongs to another item, with id {taken[0][0]}")
        return found[0][0] if found else None

    def _more(self) -> bool:
        """A reader has reached the end: is there another item now?"""
        return self.source is not None and self.draw() > 0

    def _done(self) -> None:
        """A request is complete: it is recorded as a whole, and waiting requests may look again."""
        self.contents.journal.done()
        if self._synchronisation is not None:
            self._synchronisation.changed()

    def _checked(self, item: Row) -> Row:
        schema = self.parameters.schema
        if schema is None:
            return tuple(item)
        return item if schema.fits(item) else schema.row(item, "buffer_item: item")

    def _only(self, request: str, *patterns: UpdatePattern) -> None:
        if self.parameters.update not in patterns:
            wanted = " or ".join(pattern.name for pattern in patterns)
            raise StoreError(f"{request}: the update pattern must be {wanted}, got {self.parameters.update.name}")
