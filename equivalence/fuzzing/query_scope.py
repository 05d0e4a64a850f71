"""What a part of a query may refer to."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from semantics import Type


@dataclass(frozen=True)
class Visible:
    """A table or derived table under its alias."""

    alias: str
    columns: tuple[tuple[str, Type], ...]
    padded: bool = False
    """Does an outer join fill it with NULLs?"""

    def of_type(self, type_: Type) -> list[str]:
        return [f"{self.alias}.{name}" for name, found in self.columns if found is type_]


@dataclass(frozen=True)
class QueryScope:
    """The relations of a query's own FROM clause, and those of the queries around it, the nearest first."""

    own: tuple[Visible, ...]
    outer: tuple[Visible, ...] = ()
    compared: tuple[str, ...] = ()
    """Columns that joins equate with others."""

    def columns(self, type_: Type, *, padded: bool = False) -> list[str]:
        """Own columns of a type; only padded ones, if asked for and there are any."""
        asked = [one for one in self.own if one.padded] if padded else self.own
        return [column for one in asked for column in one.of_type(type_)]

    def outer_columns(self, type_: Type) -> list[str]:
        return [column for one in self.outer for column in one.of_type(type_)]

    def plus(self, one: Visible) -> "QueryScope":
        return replace(self, own=(*self.own, one))

    def all_padded(self) -> "QueryScope":
        """After an outer join has filled them all with NULLs."""
        return replace(self, own=tuple(replace(one, padded=True) for one in self.own))

    def comparing(self, pairs: Iterable[tuple[str, str]]) -> "QueryScope":
        return replace(self, compared=tuple(column for pair in pairs for column in pair if self._has(column)))

    def _has(self, column: str) -> bool:
        return any(column.startswith(f"{one.alias}.") for one in self.own)

    def alone(self) -> "QueryScope":
        """Without what is around it."""
        return replace(self, outer=())

    def inside(self) -> tuple[Visible, ...]:
        """What a subquery in it sees around itself."""
        return (*self.own, *self.outer)


def columns_named(types: Sequence[Type]) -> tuple[tuple[str, Type], ...]:
    """The columns of a query's result: x0, x1, …"""
    return tuple((f"x{i}", type_) for i, type_ in enumerate(types))
