"""Every kind of store that can be ordered, described by what its producer and consumers do to it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Final, Literal

from physical.storage.parameters import (
    SOLE_CONSUMER,
    AccessModel,
    Collection,
    Parameters,
    Persistent,
    ReadPattern,
    Role,
    Sizes,
    UpdatePattern,
)
from physical.storage.patterns import Consume, Expire
from semantics import Schema

DatabaseName = Literal["sqlite", "duckdb"]
DerivePattern = Callable[[Expire, list[Consume], bool], UpdatePattern]
SCHEMA: Final = Schema.of(a=int, b=str, c=float)
KEY: Final = "a"


@dataclass(frozen=True)
class Consumer:
    """How one consumer reads, and what it consumes."""

    name: str
    consume: Consume
    read: ReadPattern


@dataclass(frozen=True)
class Configuration:
    """A store, described by the behaviour of those who use it."""

    producer: Expire
    consumers: tuple[Consumer, ...]
    roomy: bool = False
    collection: Collection = Collection.SHRINK
    room: int = 0
    database: DatabaseName | None = None
    group: int = 1
    role: Role = Role.PASSIVE
    access: AccessModel = AccessModel.PULL
    typed: bool = True
    """Is there a schema, and with it a synchronisation condition?"""

    def __str__(self) -> str:
        users = ", ".join(f"{c.consume.value} {c.read.value}" for c in self.consumers)
        where = "transient" if self.database is None else f"{self.database} group {self.group}"
        details = f"{self.collection.value}, room {self.room}{', roomy' if self.roomy else ''}"
        kind = f"{self.role.value} {self.access.value} {'typed' if self.typed else 'untyped'}"
        return f"{self.producer.value} | {users} | {details} | {where} | {kind}"

    def parameters(self, derive: DerivePattern, folder: Path) -> Parameters:
        """The parameters of the store, its update pattern derived."""
        update = derive(self.producer, [consumer.consume for consumer in self.consumers], self.roomy)
        return Parameters(
            role=self.role,
            access=self.access,
            synchronisation=(KEY, "=") if self.typed else None,
            schema=SCHEMA if self.typed else None,
            persistence=self._persistent(folder),
            read={consumer.name: consumer.read for consumer in self.consumers},
            update=update,
            sharing=tuple(c.name for c in self.consumers) if len(self.consumers) > 1 else (),
            key=(KEY,) if update is UpdatePattern.IN_PLACE else (),
            sizes=Sizes(block=3, collection=self.collection, room=self.room),
        )

    def _persistent(self, folder: Path) -> Persistent | None:
        if self.database is None:
            return None
        return Persistent(self.database, folder / "store.db", group=self.group, power_safe=False)


def configurations(databases: tuple[DatabaseName | None, ...] = (None, "sqlite", "duckdb")) -> Iterator[Configuration]:
    """All of them: every combination of values that influence each other."""
    for producer, group, database in product(Expire, _groups(), databases):
        for roomy, (collection, room) in product((False, True), product(Collection, (0, 4))):
            for role, access, typed in product(Role, AccessModel, (True, False)):
                if typed or producer is not Expire.REPLACED:
                    size = 1 if room == 0 else 3
                    yield Configuration(producer, group, roomy, collection, room, database, size, role, access, typed)


def _groups() -> list[tuple[Consumer, ...]]:
    """One consumer of each kind, and two or three of different kinds."""
    alone = [(Consumer(SOLE_CONSUMER, consume, read),) for consume, read in product(Consume, ReadPattern)]
    pairs = [
        (Consumer("x", first, one), Consumer("y", second, other))
        for (first, second), (one, other) in zip(
            product(Consume, Consume), [*product(ReadPattern, ReadPattern)][::-1], strict=True
        )
    ]
    three = tuple(
        Consumer(name, consume, read)
        for name, consume, read in zip(
            "xyz", (Consume.ORDERED, Consume.EAGER, Consume.ORDERED), ReadPattern, strict=True
        )
    )
    return [*alone, *pairs, three]
