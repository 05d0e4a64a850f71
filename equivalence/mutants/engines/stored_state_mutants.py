"""The stored engine, with stores that are not used as they must be."""

from collections.abc import Callable
from typing import Final

from equivalence.mutants.engines.mutated_graph import MutatedGraphEngine
from equivalence.mutants.mutant import Mutant
from equivalence.mutants.mutation import mutate
from physical.columns.stream import PhysicalStream
from physical.engines.stored.operator_state import StateStores
from physical.storage.parameters import UpdatePattern
from physical.storage.stored_elements import StoredElements
from semantics import Schema


class MutatedStores(StateStores):
    """Operator state in stores that are mutated as soon as they are made."""

    def __init__(self, mutation: type[StoredElements]) -> None:
        super().__init__()
        self.mutation = mutation

    def new_store(self, schema: Schema, update: UpdatePattern) -> StoredElements:
        made = super().new_store(schema, update)
        mutate(made, self.mutation)
        return made


class StoresInOrder(StateStores):
    """Elements are always expected to end in order, even where they do not."""

    def new_store(self, schema: Schema, update: UpdatePattern) -> StoredElements:
        return super().new_store(schema, UpdatePattern.FIFO)


class PurgesStoreEarly(StoredElements):
    """Elements go one instant before they end."""

    def purge(self, t: int) -> bool:
        return super().purge(t + 1)


class NeverPurgesStore(StoredElements):
    """Everything stays."""

    def purge(self, t: int) -> bool:
        return t < 0


class ReadsStale(StoredElements):
    """What was read last is read again after an insertion."""

    def insert(self, batch: PhysicalStream) -> None:
        read = self._read
        super().insert(batch)
        self._read = read if read is not None and len(read) else None


class LosesTheLastElement(StoredElements):
    """The last element of a batch of several is not stored."""

    def insert(self, batch: PhysicalStream) -> None:
        super().insert(batch.take(slice(max(len(batch) - 1, 1))))


_TABLE: Final[tuple[tuple[str, Callable[[], StateStores]], ...]] = (
    ("elements are taken to end in order", StoresInOrder),
    ("purged one instant early", lambda: MutatedStores(PurgesStoreEarly)),
    ("never purged", lambda: MutatedStores(NeverPurgesStore)),
    ("read before the last insertion", lambda: MutatedStores(ReadsStale)),
    ("the last element of a batch is lost", lambda: MutatedStores(LosesTheLastElement)),
)


def _mutant(name: str, stores: Callable[[], StateStores]) -> Mutant:
    return Mutant(MutatedGraphEngine(f"stored state: {name}", lambda: stores().algebra), "engine")


STORED_STATE: Final[tuple[Mutant, ...]] = tuple(_mutant(name, stores) for name, stores in _TABLE)
