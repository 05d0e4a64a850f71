"""Stores from parameters: each is built for the way in which it will be used (Section 6)."""

from collections.abc import Iterator
from typing import assert_never

from physical.storage.archive import ArchiveJournal, ArchiveLayout
from physical.storage.block_layout import BlockLayout, ChainLayout
from physical.storage.database import connected
from physical.storage.errors import StoreError
from physical.storage.fifo import FifoLayout
from physical.storage.journal import Journal
from physical.storage.journal_tables import TableJournal
from physical.storage.linked_blocks import InPlaceLayout, RandomLayout
from physical.storage.parameters import Parameters, ReadPattern, Role, UpdatePattern
from physical.storage.store import Store
from semantics.value import Row


def create(parameters: Parameters, source: Iterator[Row] | None = None) -> Store:
    """A store with these parameters; an active one needs the source of its items.

    >>> from physical.storage.parameters import Parameters, UpdatePattern
    >>> store = create(Parameters(update=UpdatePattern.FIFO))
    >>> [store.buffer_item((letter,)) for letter in "abc"]
    [0, 1, 2]
    >>> store.delete_up_to(0)
    >>> store.reader().next_item()
    (1, ('b',))
    """
    if (source is None) != (parameters.role is Role.PASSIVE):
        raise StoreError(f"create: an active store and no other has a source; the role is {parameters.role.value}")
    if parameters.persistence is None:
        return Store(parameters, layout_for(parameters), Journal(), source)
    layout, journal = _persistent(parameters)
    return Store(parameters, layout, journal, source)


def layout_for(parameters: Parameters) -> BlockLayout:
    """The layout of items in memory; it has no id index if all consumers read sequentially."""
    sizes = parameters.sizes
    indexed = parameters.reads != {ReadPattern.SEQUENTIAL} or bool(parameters.key)
    match parameters.update:
        case UpdatePattern.FIFO:
            return FifoLayout(sizes.block)
        case UpdatePattern.RANDOM:
            return RandomLayout(sizes.block, indexed, sizes.collection, sizes.room)
        case UpdatePattern.IN_PLACE:
            return InPlaceLayout(sizes.block, indexed)
        case UpdatePattern.NO_UPDATE:
            return ChainLayout(sizes.block, indexed)
        case _:
            assert_never(parameters.update)


def _persistent(parameters: Parameters) -> tuple[BlockLayout, Journal]:
    """Write-through to the database; items that are never updated are only there and take no memory."""
    where = parameters.persistence
    assert where is not None
    database = connected(where)
    if parameters.update is UpdatePattern.NO_UPDATE:
        archived = ArchiveJournal(database, where.table, parameters.schema, where.group)
        return ArchiveLayout(archived, parameters.sizes.block), archived
    return layout_for(parameters), TableJournal(database, where.table, parameters.schema, where.group)
