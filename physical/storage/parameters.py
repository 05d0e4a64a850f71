"""The eight parameters of a store (Table 1), and sizes that they leave open."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Final, Literal

from physical.storage.errors import StoreError
from semantics import Schema

Symbol = Literal["=", "<", "<=", ">", ">="]
IndexSchema = tuple[tuple[str, Symbol], ...]
"""Columns, each with the comparison by which it is looked up."""
SOLE_CONSUMER: Final = "consumer"
"""The consumer of a store that is not shared."""


class Role(Enum):
    """Who puts items into the store: it pulls them from a source, or the engine pushes them."""

    ACTIVE = "active"
    PASSIVE = "passive"


class AccessModel(Enum):
    """How items leave the store: it calls subscribers, or consumers ask for them."""

    PUSH = "push"
    PULL = "pull"


class ReadPattern(Enum):
    """In which order a consumer asks for items."""

    SEQUENTIAL = "sequential"
    RANDOM = "random"
    CLUSTERED = "clustered"


class UpdatePattern(Enum):
    """How items leave or change."""

    FIFO = "fifo"
    RANDOM = "random"
    IN_PLACE = "in-place"
    NO_UPDATE = "no-update"


class Collection(Enum):
    """How a RANDOM store frees marked items: only whole blocks of them, or every single one."""

    WHOLE_BLOCKS = "whole blocks"
    SHRINK = "shrink"


@dataclass(frozen=True)
class Persistent:
    """Where a store survives its process: a table in a file of SQLite or DuckDB."""

    database: Literal["sqlite", "duckdb"]
    path: Path
    table: str = "store"
    group: int = 1
    """Requests that are committed together; with 1, every call that has returned is acknowledged."""
    power_safe: bool = True
    """Wait for the disk at every commit; without it, a failure of the machine can lose changes (SQLite)."""


@dataclass(frozen=True)
class Sizes:
    """Sizes that the parameters leave open."""

    block: int = 256
    """Items in a block."""
    collection: Collection = Collection.SHRINK
    room: int = 1024
    """Marked items that a RANDOM store keeps before it collects them; 0 collects at once."""

    def __post_init__(self) -> None:
        if self.block < 1 or self.room < 0:
            raise StoreError(f"Sizes: block must be ≥ 1 and room ≥ 0, got {self.block} and {self.room}")


@dataclass(frozen=True)
class Parameters:
    """The description of a store; the defaults are those of Table 1."""

    role: Role = Role.PASSIVE
    access: AccessModel = AccessModel.PULL
    synchronisation: tuple[str, Symbol] | None = None
    """A column and how a request's value is compared with it; requests wait until some item fits."""
    schema: Schema | None = None
    persistence: Persistent | None = None
    """None means transient."""
    read: ReadPattern | Mapping[str, ReadPattern] = ReadPattern.RANDOM
    """One pattern for all consumers, or one for each."""
    update: UpdatePattern = UpdatePattern.RANDOM
    sharing: tuple[str, ...] = ()
    """The consumers of a shared store."""
    key: tuple[str, ...] = ()
    """The columns by which an IN-PLACE store replaces items."""
    sizes: Sizes = field(default_factory=Sizes)

    def __post_init__(self) -> None:
        self._need_schema(self.synchronisation is not None, "a synchronisation condition")
        self._need_schema(bool(self.key), "a key")
        if (self.update is UpdatePattern.IN_PLACE) != bool(self.key):
            raise StoreError(
                f"Parameters: an IN-PLACE store and no other has a key, got {self.update.value} {self.key}"
            )
        if len(set(self.sharing)) != len(self.sharing):
            raise StoreError(f"Parameters: consumers of a shared store must differ, got {', '.join(self.sharing)}")
        if not isinstance(self.read, ReadPattern) and set(self.read) != set(self.consumers):
            raise StoreError(f"Parameters: read patterns must be for {self.consumers}, got {tuple(self.read)}")

    @property
    def consumers(self) -> tuple[str, ...]:
        return self.sharing or (SOLE_CONSUMER,)

    def read_of(self, consumer: str) -> ReadPattern:
        """The read pattern of one consumer."""
        return self.read if isinstance(self.read, ReadPattern) else self.read[consumer]

    @property
    def reads(self) -> frozenset[ReadPattern]:
        return frozenset(self.read_of(consumer) for consumer in self.consumers)

    def _need_schema(self, wanted: bool, what: str) -> None:
        if wanted and self.schema is None:
            raise StoreError(f"Parameters: {what} needs a schema, got none")
