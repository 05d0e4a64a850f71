"""Elements of a stream in a store, one item for every element: for the state of operators."""

from collections.abc import Iterator
from typing import Final, overload

from physical.columns.column import from_values, rows
from physical.columns.stream import PhysicalStream
from physical.storage.create import create
from physical.storage.parameters import IndexSchema, Parameters, Persistent, ReadPattern, UpdatePattern
from semantics import Schema
from semantics.schema import Column
from semantics.value import Row, Type

BY_END: Final[IndexSchema] = (("_end", "<="),)


def items_of(batch: PhysicalStream) -> list[Row]:
    """Every element as one item: its row, its start and its end."""
    spans = zip(batch.start.tolist(), batch.end.tolist(), strict=True)
    return [(*row, start, end) for row, (start, end) in zip(rows(batch.columns), spans, strict=True)]


def stream_of(schema: Schema, items: list[Row]) -> PhysicalStream:
    """The elements that items stand for."""
    if not items:
        return PhysicalStream.empty(schema)
    *columns, start, end = zip(*items, strict=True)
    made = [from_values(values, type_) for values, type_ in zip(columns, schema.types, strict=True)]
    starts, ends = (from_values(values, Type.INT).values for values in (start, end))
    return PhysicalStream(schema, tuple(made), starts, ends)


def item_schema(schema: Schema) -> Schema:
    """The columns of an item; they are numbered, because a plan may have one name twice."""
    columns = [Column(f"c{i}", type_) for i, type_ in enumerate(schema.types)]
    return Schema((*columns, Column("_start", Type.INT), Column("_end", Type.INT)))


class StoredElements:
    """Elements in a store: FIFO if they end in the order in which they come, otherwise RANDOM."""

    def __init__(self, schema: Schema, update: UpdatePattern, persistence: Persistent | None = None) -> None:
        self.schema = schema
        self.store = create(
            Parameters(schema=item_schema(schema), persistence=persistence, read=ReadPattern.SEQUENTIAL, update=update)
        )
        self._read: PhysicalStream | None = None
        """The elements as read from the store; None if it has changed since."""
        if update is UpdatePattern.RANDOM:
            self.store.register_index(BY_END)

    @property
    def elements(self) -> PhysicalStream:
        if self._read is None:
            self._read = stream_of(self.schema, [item for _, item in self._entries()])
        return self._read

    @elements.setter
    def elements(self, elements: PhysicalStream) -> None:
        self.store.delete_up_to(self.store.contents.layout.next_id - 1)
        self.insert(elements)

    def insert(self, batch: PhysicalStream) -> None:
        for item in items_of(batch):
            self.store.buffer_item(item)
        self._read = None

    def purge(self, t: int) -> bool:
        ended = self._ended(t)
        if ended and self.store.parameters.update is UpdatePattern.FIFO:
            self.store.delete_up_to(ended[-1])
        elif ended:
            self.store.delete_items(ended)
        self._read = None if ended else self._read
        return bool(ended)

    def _ended(self, t: int) -> list[int]:
        """The ids of elements that end at t or before."""
        reader, ended = self.store.reader(), list[int]()
        if self.store.parameters.update is UpdatePattern.RANDOM:
            return [id for id, _ in reader.retrieve(BY_END, [t])]
        while (entry := reader.next_item()) is not None and self._end(entry[1]) <= t:
            ended.append(entry[0])
        return ended

    def _end(self, item: Row) -> int:
        end = item[-1]
        assert isinstance(end, int)
        return end

    def _entries(self) -> list[tuple[int, Row]]:
        reader, found = self.store.reader(), list[tuple[int, Row]]()
        while (entry := reader.next_item()) is not None:
            found.append(entry)
        return found


class StoredBatches(list[PhysicalStream]):
    """The waiting elements of one port, as the one batch that a store holds."""

    def __init__(self, home: StoredElements) -> None:
        super().__init__()
        self.home = home

    def append(self, batch: PhysicalStream) -> None:
        self.home.insert(batch)

    def __iter__(self) -> Iterator[PhysicalStream]:
        return iter([self.home.elements])

    def __len__(self) -> int:
        return 1

    @overload  # type: ignore[override]  # a slice gives a plain list
    def __getitem__(self, place: int) -> PhysicalStream: ...
    @overload
    def __getitem__(self, place: slice) -> list[PhysicalStream]: ...
    def __getitem__(self, place: int | slice) -> PhysicalStream | list[PhysicalStream]:
        return [self.home.elements][place]
