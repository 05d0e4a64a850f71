"""The NO-UPDATE layout on disk: items are only in the database, and are read from there block by block."""

from collections.abc import Iterator, Sequence
from typing import Final

from physical.storage.block import ItemBlock, Slot
from physical.storage.block_layout import BlockLayout, Entry
from physical.storage.codec import TypedCodec
from physical.storage.journal import JournalContents
from physical.storage.journal_tables import TableJournal
from physical.storage.parameters import IndexSchema
from physical.storage.value_index import ValueIndex
from semantics import Schema
from semantics.value import Row, Type, Value

ITEMS_AT_ONCE: Final = 4096
"""Items that are read together when all are wanted."""


class ArchiveJournal(TableJournal):
    """A journal that is the store itself: recovery loads nothing into memory."""

    def recover(self) -> JournalContents:
        return JournalContents(next_id=self.next_id)


class ArchiveLayout(BlockLayout):
    """Blocks are copies of what the database holds, made on request."""

    def __init__(self, journal: ArchiveJournal, size: int) -> None:
        self.journal = journal
        self.size = size

    def __len__(self) -> int:
        return self.next_id

    def append(self, item: Row) -> int:  # noqa: ARG002  # the journal has it already
        self.next_id += 1
        return self.next_id - 1

    def restore(self, id: int, item: Row) -> None:
        """Nothing: the item is in the database."""

    def find(self, id: int) -> ItemBlock | None:
        return self._block(id // self.size) if 0 <= id < self.next_id else None

    def first_block(self) -> ItemBlock | None:
        return self.find(0)

    def block_after(self, block: ItemBlock) -> ItemBlock | None:
        return self.find(block.first + self.size)

    def get(self, block: ItemBlock, id: int) -> Slot:
        return block.get(id)

    def scan(self, block: ItemBlock | None, since: int) -> tuple[ItemBlock, int, Row] | None:
        if block is None or not self.has(block, since):
            block = self.find(since)
        found = None if block is None else block.first_from(since)
        return None if block is None or found is None else (block, *found)

    def items(self) -> Iterator[Entry]:
        for first in range(0, self.next_id, ITEMS_AT_ONCE):
            yield from self.journal.stored("_id BETWEEN ? AND ?", (first, first + ITEMS_AT_ONCE - 1))

    def make_index(self, schema: Schema, index: IndexSchema) -> ValueIndex:
        return ArchiveIndex(schema, index, self.journal)

    def _block(self, number: int) -> ItemBlock:
        block = ItemBlock(number * self.size)
        for id, item in self.journal.stored("_id BETWEEN ? AND ?", (block.first, block.first + self.size - 1)):
            block.append(id, item)
        return block


class ArchiveIndex(ValueIndex):
    """Looks values up by a query; floats are compared here, because databases order NaN differently."""

    def __init__(self, schema: Schema, index: IndexSchema, journal: ArchiveJournal) -> None:
        super().__init__(schema, index)
        self.schema = schema
        self.journal = journal

    def add(self, id: int, item: Row) -> None:
        """Nothing: the database has the item."""

    def find(self, values: Sequence[Value]) -> list[int]:
        exact = [(c, s, v) for c, s, v in zip(self.columns, self.symbols, values, strict=False) if self._exact(c)]
        terms = [f"{self.journal.codec.columns[column]} {symbol} ?" for column, symbol, _ in exact]
        found = self.journal.stored(" AND ".join(terms) or "TRUE", [value for _, _, value in exact])
        small = ValueIndex(self.schema, self._index())
        for id, item in found:
            small.add(id, item)
        return small.find(values)

    def _exact(self, column: int) -> bool:
        """Does the database compare values of this column as we do?"""
        return isinstance(self.journal.codec, TypedCodec) and self.schema.types[column] is not Type.FLOAT

    def _index(self) -> IndexSchema:
        return tuple(zip([self.schema.names[column] for column in self.columns], self.symbols, strict=True))
