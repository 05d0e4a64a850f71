"""The contents of a store: layout, value indexes, marks and journal, which always change together."""

from collections.abc import Iterable, Sequence
from itertools import takewhile

from physical.storage.block_layout import BlockLayout, Entry
from physical.storage.consumed import Consumption, Marks
from physical.storage.errors import StoreError
from physical.storage.journal import Journal
from physical.storage.parameters import IndexSchema, Parameters, UpdatePattern
from physical.storage.value_index import ValueIndex
from semantics import Schema
from semantics.value import Row, Value


class Contents:
    """Every change is written to the journal first, then made in the layout and in all indexes."""

    def __init__(self, parameters: Parameters, layout: BlockLayout, journal: Journal) -> None:
        self.parameters = parameters
        self.layout = layout
        self.journal = journal
        self.consumption = Consumption(parameters.consumers)
        self.indexes: dict[IndexSchema, ValueIndex] = {}
        self._recover()

    def insert(self, item: Row) -> int:
        self.journal.insert(self.layout.next_id, item)
        id = self.layout.append(item)
        for index in self.indexes.values():
            index.add(id, item)
        return id

    def replace(self, id: int, item: Row) -> None:
        self.journal.replace(id, item)
        old = self.layout.replace(id, item)
        for index in self.indexes.values():
            if isinstance(old, tuple):
                index.drop(id, old)
            index.add(id, item)

    def remove(self, ids: Iterable[int]) -> None:
        ids = dict.fromkeys(ids)
        self.journal.remove(ids)
        for id in ids if self.indexes else ():
            self._unindex(id)
        self.layout.take(ids)
        self.consumption.forget(ids)

    def remove_until(self, id: int) -> None:
        self.journal.remove_until(id)
        if self.indexes:
            for old, _ in list(takewhile(lambda entry: entry[0] <= id, self.layout.items())):
                self._unindex(old)
        self.layout.take_until(id)

    def mark(self, consumer: str, ids: Sequence[int]) -> None:
        """A consumer no longer needs these items; items that no consumer needs are removed."""
        self.journal.mark(consumer, ids)
        self.consumption.marks[consumer].eager.update(ids)
        self.remove(self.consumption.outdated(ids))

    def mark_until(self, consumer: str, id: int) -> None:
        """A consumer no longer needs items up to this one; items that no consumer needs are removed."""
        self.journal.mark_until(consumer, id)
        marks = self.consumption.marks[consumer]
        since = marks.low
        marks.raise_to(id + 1)
        if self.parameters.update is UpdatePattern.FIFO:
            self.remove_until(self.consumption.low - 1)
        else:
            self.remove(self.consumption.outdated(range(since, marks.low)))

    def marks(self, request: str, consumer: str) -> Marks:
        """What a consumer has marked."""
        if consumer not in self.consumption.marks:
            known = ", ".join(self.consumption.marks)
            raise StoreError(f"{request}: unknown consumer {consumer!r}; consumers: {known}")
        return self.consumption.marks[consumer]

    def add_index(self, schema: Schema, index: IndexSchema) -> None:
        """Make an index of all items by these columns."""
        if index not in self.indexes:
            self.indexes[index] = self.layout.make_index(schema, index)

    def lookup(self, index: IndexSchema, values: Sequence[Value]) -> list[Entry]:
        """The items that compare with these values as an index says."""
        if index not in self.indexes:
            known = ", ".join(map(str, self.indexes)) or "none"
            raise StoreError(f"retrieve: no index {index} is registered; there are: {known}")
        found = [(id, self.layout.get_anywhere(id)) for id in self.indexes[index].find(values)]
        return [(id, item) for id, item in found if isinstance(item, tuple)]

    def column(self, name: str) -> int:
        """The place of a column in every item."""
        if self.parameters.schema is None:
            raise StoreError(f"get_attribute: the store has no schema, so it knows no column {name!r}")
        return self.parameters.schema.index(name, "get_attribute")

    def _unindex(self, id: int) -> None:
        item = self.layout.get_anywhere(id)
        if isinstance(item, tuple):
            for index in self.indexes.values():
                index.drop(id, item)

    def _recover(self) -> None:
        """Restore what an earlier process left."""
        found = self.journal.recover()
        for id, item in found.items:
            self.layout.restore(id, item)
        self.layout.begin_with(found.next_id)
        for consumer, marks in self.consumption.marks.items():
            marks.low = found.low.get(consumer, 0)
            marks.eager = set(found.eager.get(consumer, ()))
