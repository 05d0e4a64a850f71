"""The interval engine with its state in stores that are not used as they must be."""

from collections.abc import Callable
from typing import Final

from equivalence.mutants.mutant import Mutant
from physical.columns.stream import PhysicalStream
from physical.engines.stored.engine import StoredEngine
from physical.engines.stored.operator_state import StateStores
from physical.runtime.operator_graph import Algebra
from physical.storage.stored_elements import StoredElements
from semantics import Schema

Spoil = Callable[[StoredElements], None]


class SpoiltStores(StateStores):
    """Stores that are spoilt as soon as they are made; elements may be said to end in order when they do not."""

    def __init__(self, spoil: Spoil, in_order: bool | None) -> None:
        super().__init__()
        self.spoil = spoil
        self.in_order = in_order

    def _stored(self, schema: Schema, in_order: bool) -> StoredElements:
        made = super()._stored(schema, in_order if self.in_order is None else self.in_order)
        self.spoil(made)
        return made


class SpoiltEngine(StoredEngine):
    """The stored engine over spoilt stores."""

    def __init__(self, name: str, spoil: Spoil, in_order: bool | None) -> None:
        self.name = name
        self.spoil = spoil
        self.in_order = in_order

    def algebra(self) -> Algebra:
        return SpoiltStores(self.spoil, self.in_order).algebra


def _nothing(_: StoredElements) -> None: ...


def _purges_early(made: StoredElements) -> None:
    purge = made.purge
    made.purge = lambda t: purge(t + 1)  # type: ignore[method-assign]


def _never_purges(made: StoredElements) -> None:
    made.purge = lambda t: t < 0  # type: ignore[method-assign]  # nothing ever ends then


def _reads_stale(made: StoredElements) -> None:
    """What was read last is given again after an insertion."""
    insert = made.insert

    def inserting(batch: PhysicalStream) -> None:
        read = made._read
        insert(batch)
        made._read = read if read is not None and len(read) else None

    made.insert = inserting  # type: ignore[method-assign]


def _loses_the_last(made: StoredElements) -> None:
    """Of a batch of several elements the last is not stored."""
    insert = made.insert

    def inserting(batch: PhysicalStream) -> None:
        insert(batch.take(slice(max(len(batch) - 1, 1))))

    made.insert = inserting  # type: ignore[method-assign]


STORED_STATE: Final[tuple[Mutant, ...]] = tuple(
    Mutant(f"stored state: {name}", "engine", SpoiltEngine(f"stored state: {name}", spoil, in_order))
    for name, spoil, in_order in (
        ("elements are taken to end in order", _nothing, True),
        ("purged one instant early", _purges_early, None),
        ("never purged", _never_purges, None),
        ("read before the last insertion", _reads_stale, None),
        ("the last element of a batch is lost", _loses_the_last, None),
    )
)
