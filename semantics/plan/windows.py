"""Windows: how long a row stays valid."""

from functools import cached_property
from typing import ClassVar

from semantics.dataclass_on_use import dataclass
from semantics.errors import WindowError
from semantics.node_checks import as_tuples, check_fits, check_keys, check_positive, check_rows, named_schema
from semantics.plan.node import Unary
from semantics.schema import Schema
from semantics.time import FOREVER, End
from semantics.value import Type
from semantics.whole_numbers import is_whole


@dataclass(frozen=True)
class TimeWindow(Unary):
    """ω_{w,s}: the rows of the last `size` instants, renewed every `slide` instants."""

    computable: ClassVar[bool] = False
    size: End
    slide: int = 1

    def __post_init__(self) -> None:
        if self.size != FOREVER:
            check_positive(self.operator, "size", self.size)
        check_positive(self.operator, "slide", self.slide)


@dataclass(frozen=True)
class CountWindow(Unary):
    """ω^rows: the last `rows` occurrences, renewed with every `slide`-th one, or with all their ties."""

    computable: ClassVar[bool] = False
    rows: int
    slide: int = 1
    ties: bool = False

    def __post_init__(self) -> None:
        check_rows(self.operator, self.rows, self.slide, self.ties)


@dataclass(frozen=True)
class PartitionedWindow(Unary):
    """ω^rows_P: a count window for each group of the key columns."""

    computable: ClassVar[bool] = False
    keys: tuple[int, ...]
    rows: int
    slide: int = 1
    ties: bool = False

    def __post_init__(self) -> None:
        as_tuples(self, "keys")
        check_keys(self.operator, self.keys, self.scope)
        check_rows(self.operator, self.rows, self.slide, self.ties)


@dataclass(frozen=True)
class LandmarkWindow(Unary):
    """ω_[a,∞): everything since the last landmark: start, start + reset, start + 2 reset, …"""

    computable: ClassVar[bool] = False
    start: int
    reset: int | None = None

    def __post_init__(self) -> None:
        if not is_whole(self.start) or self.start < 0:
            raise WindowError(f"{self.operator}: start must be an instant ≥ 0, got {self.start!r}")
        check_fits(self.operator, "start", self.start)
        if self.reset is not None:
            check_positive(self.operator, "reset", self.reset)


@dataclass(frozen=True)
class SessionWindow(Unary):
    """ω^gap_P: per group the rows of a session, from its first instant until the gap after its last one has passed.

    The output has two columns more: where the session begins, and where it ends.
    """

    computable: ClassVar[bool] = False
    gap: int
    keys: tuple[int, ...] = ()
    """The columns of a group; without them all rows are one."""
    touching: bool = False
    """Do two instants belong to one session that are exactly a gap apart?"""
    names: tuple[str, str] = ("session_start", "session_end")

    def __post_init__(self) -> None:
        as_tuples(self, "keys", "names")
        check_positive(self.operator, "gap", self.gap)
        if self.keys:
            check_keys(self.operator, self.keys, self.scope)
        _ = self.schema

    @cached_property
    def schema(self) -> Schema:
        columns = self.input.schema
        return named_schema(self.operator, (*columns.names, *self.names), (*columns.types, Type.INT, Type.INT))

    @property
    def looks_ahead(self) -> bool:
        return True
