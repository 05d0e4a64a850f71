"""A store and its model, step by step: every answer of the store is compared, and everything that it holds."""

from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from equivalence.stores.comparable import comparable_entry, comparable_row, compares
from equivalence.stores.configurations import KEY, SCHEMA, Configuration
from equivalence.stores.model import StoreModel, mark_effect
from equivalence.stores.store_maker import DefaultStoreMaker, OfferedItems, StoreMaker
from physical.storage.consumers import StoreReader
from physical.storage.errors import NoSuchItem, StoreError
from physical.storage.journal_tables import TableJournal
from physical.storage.linked_blocks import RandomLayout
from physical.storage.parameters import AccessModel, IndexSchema, ReadPattern, Role
from physical.storage.patterns import Expire
from semantics.value import Row, Value

INDEXES: Final[tuple[IndexSchema, ...]] = (
    (("a", "="),),
    (("b", "="), ("c", ">=")),
    (("c", "<"), ("a", ">")),
)


class Disagreement(Exception):
    """The store and its model give different answers."""


class Lockstep:
    """Makes every request to both, and raises `Disagreement` at the first difference."""

    def __init__(self, configuration: Configuration, folder: Path, maker: StoreMaker | None = None) -> None:
        self.configuration = configuration
        self.maker: StoreMaker = DefaultStoreMaker() if maker is None else maker
        consumers = configuration.consumers
        kinds = [consumer.consume for consumer in consumers]
        names = tuple(consumer.name for consumer in consumers)
        self.model = StoreModel(mark_effect(configuration.producer, kinds, configuration.roomy), names)
        self.history = {0: self.model.copy()}
        self.parameters = configuration.parameters(self.maker.derive, folder)
        self.replacing = configuration.producer is Expire.REPLACED
        self.readers: dict[str, StoreReader] = {}
        self.positions: dict[str, int] = {}
        """The id at which each consumer reads on."""
        self._drawn: list[Row] = []
        self.announced: list[tuple[int, Row]] = []
        self.expected_announcements: list[tuple[int, Row]] = []
        self.started: list[tuple[int, Value]] = []
        """The waiting requests that the store has started."""
        self.waiting: list[tuple[int, Value]] = []
        self.due: list[tuple[int, Value]] = []
        """The waiting requests that it should have started by now."""
        self._open()

    def insert(self, item: Row, values: Sequence[Value] | None = None) -> None:
        """The producer inserts an item, or replaces one."""
        values = values if self.configuration.role is Role.PASSIVE else None
        id = self._model_put(item, values)
        found = self._attempt(lambda: self._put(item, values))
        self._same("the id of a new item", found, id)
        self._changed()

    def expire_up_to(self, id: int) -> None:
        self.model.delete(list(range(id + 1)))
        self.store.delete_up_to(id)
        self._changed()

    def expire(self, ids: list[int]) -> None:
        self.model.delete(ids)
        self.store.delete_items(ids)
        self._changed()

    def consume_up_to(self, consumer: str, id: int) -> None:
        self.model.consume(consumer, list(range(id + 1)), ordered=True)
        self.store.consume_up_to(consumer, id)
        self._changed()

    def consume(self, consumer: str, ids: list[int]) -> None:
        self.model.consume(consumer, ids, ordered=False)
        self.store.consume_items(consumer, ids)
        self._changed()

    def next_item(self, consumer: str, offered: Sequence[Row] = ()) -> None:
        """A consumer reads on; at the end an active store fetches what is offered."""
        if self.configuration.access is AccessModel.PUSH:
            return
        expected = self._next(consumer)
        self.offered.waiting.extend(offered if self.configuration.role is Role.ACTIVE else ())
        while expected is None and self.offered.waiting:
            self._expect_draw()
            expected = self._next(consumer)
        self.positions[consumer] = self.model.next_id if expected is None else expected[0] + 1
        rest = list(self.offered.waiting)
        self.offered.waiting = deque([*self._drawn, *rest])
        self._drawn = []
        self._same(
            f"the next item of {consumer}",
            comparable_entry(self.readers[consumer].next_item()),
            comparable_entry(expected),
        )
        self.offered.waiting.clear()
        self._changed()

    def get(self, consumer: str, id: int) -> None:
        """A consumer asks for an item by its id."""
        if consumer in self.readers and self._read_of(consumer) is not ReadPattern.SEQUENTIAL:
            expected = self.model.visible(consumer).get(id)
            found = self._attempt(lambda: self.readers[consumer].get_item(id))
            self._same(f"item {id} for {consumer}", comparable_row(found), comparable_row(expected))

    def when(self, value: Value) -> None:
        """A request waits for an item with this value."""
        if self.configuration.typed:
            request = (len(self.started) + len(self.waiting) + len(self.due), value)
            self.waiting.append(request)
            self.store.synchronisation.when(value, lambda: self.started.append(request))
            self._let_through()

    def collect(self) -> None:
        """Garbage is collected at any time."""
        if isinstance(self.store.contents.layout, RandomLayout):
            self.store.contents.layout.collect()

    def commit(self) -> None:
        self.store.commit()

    def crash(self) -> None:
        """The process ends and another one begins; nothing that was acknowledged may be lost."""
        journal = self.store.contents.journal
        if not isinstance(journal, TableJournal):
            return
        acknowledged = self.store.acknowledged
        journal.database.close()
        self._open()
        survived = self.store.acknowledged
        if not acknowledged <= survived <= self.model.changes:
            raise Disagreement(f"{acknowledged} changes were acknowledged, {survived} of {self.model.changes} survived")
        self.model = self.history[survived].copy()
        self._open_readers()
        self.waiting = []
        self.check()

    def check(self) -> None:
        """Compare everything that the store holds, in every way in which a consumer may ask for it."""
        self._same("the number of items", len(self.store), len(self.model.items))
        held = [comparable_entry(entry) for entry in self.store.contents.layout.items()]
        self._same("the items", held, [comparable_entry(entry) for entry in self.model.items.items()])
        self._same("what subscribers have heard", self.announced, self.expected_announcements)
        self._same("requests that were let through", self.started, self.due)
        for consumer, reader in self.readers.items():
            self._check_reader(consumer, reader)

    def close(self) -> None:
        self.store.close()

    def _check_reader(self, consumer: str, reader: StoreReader) -> None:
        visible = self.model.visible(consumer)
        fresh, all_items = self.store.reader(consumer), [comparable_entry(entry) for entry in visible.items()]
        self._same(f"all items for {consumer}", [comparable_entry(entry) for entry in fresh.next_items()], all_items)
        fresh.rewind()
        one_by_one = [comparable_entry(fresh.next_item()) for _ in visible]
        self._same(f"items one by one for {consumer}", one_by_one, all_items)
        for id in range(self.model.next_id + 1):
            self.get(consumer, id)
        for index in INDEXES if self.configuration.typed else ():
            for item in [*visible.values(), (1, "x", 0.5)]:
                self._check_index(consumer, reader, index, item)

    def _check_index(self, consumer: str, reader: StoreReader, index: IndexSchema, like: Row) -> None:
        columns = [SCHEMA.names.index(name) for name, _ in index]
        values = [like[column] for column in columns]
        terms = [(column, symbol, like[column]) for column, (_, symbol) in zip(columns, index, strict=True)]
        visible = self.model.visible(consumer)
        expected = [
            comparable_entry((id, row))
            for id, row in visible.items()
            if all(compares(row[c], s, v) for c, s, v in terms)
        ]
        self._same(
            f"{index} {values} for {consumer}", [comparable_entry(e) for e in reader.retrieve(index, values)], expected
        )

    def _put(self, item: Row, values: Sequence[Value] | None) -> object:
        if self.configuration.role is Role.ACTIVE:
            self.offered.waiting.append(item)
            self.store.draw()
            return None
        return self.store.update(item, values) if self.replacing else self.store.buffer_item(item)

    def _model_put(self, item: Row, values: Sequence[Value] | None = None) -> int | None:
        """Change the model. The new id, or None if the store has to refuse or returns no id."""
        id = self._model_id(item, values) if self.replacing else self.model.insert(item)
        if id is None:
            return None
        self.expected_announcements += [(id, item)] if self.configuration.access is AccessModel.PUSH else []
        return id if self.configuration.role is Role.PASSIVE else None

    def _model_id(self, item: Row, values: Sequence[Value] | None) -> int | None:
        old = self.model.with_value(0, item[0] if values is None else values[0])
        taken = self.model.with_value(0, item[0])
        if item[0] is None or taken not in (None, old):
            return None
        return self.model.insert(item) if old is None else self.model.replace(old, item)

    def _expect_draw(self) -> None:
        item = self.offered.waiting.popleft()
        self._drawn.append(item)
        self._model_put(item)
        self._let_through()
        self.history[self.model.changes] = self.model.copy()

    def _next(self, consumer: str) -> tuple[int, Row] | None:
        position = self.positions[consumer]
        return next(((id, item) for id, item in self.model.visible(consumer).items() if id >= position), None)

    def _changed(self) -> None:
        self._let_through()
        self.history[self.model.changes] = self.model.copy()

    def _let_through(self) -> None:
        """Requests for which there is an item now are due."""
        self.due += [request for request in self.waiting if self._fits(request[1])]
        self.waiting = [request for request in self.waiting if request not in self.due]

    def _fits(self, value: Value) -> bool:
        return self.model.with_value(SCHEMA.names.index(KEY), value) is not None

    def _attempt(self, request: Callable[[], object]) -> object:
        """The answer, or None if the store refuses."""
        try:
            return request()
        except StoreError as error:
            return None if isinstance(error, NoSuchItem) or self.replacing else str(error)

    def _open(self) -> None:
        self.offered = OfferedItems()
        self._drawn = []
        source = self.offered if self.configuration.role is Role.ACTIVE else None
        self.store = self.maker.create(self.parameters, source)
        for index in INDEXES if self.configuration.typed else ():
            self.store.register_index(index)
        if self.configuration.access is AccessModel.PUSH:
            self.store.subscribe(lambda *entry: self.announced.append(entry))
        self._open_readers()

    def _open_readers(self) -> None:
        pull = self.configuration.access is AccessModel.PULL
        names = self.parameters.consumers if pull else ()
        self.readers = {name: self.store.reader(name) for name in names}
        self.positions = dict.fromkeys(names, 0)

    def _read_of(self, consumer: str) -> ReadPattern:
        return self.parameters.read_of(consumer)

    def _same(self, what: str, found: object, expected: object) -> None:
        if found != expected:
            raise Disagreement(f"{what}: the store says {found}, the model {expected}")
