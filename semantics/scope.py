"""Names outside, positions inside: how a column name is looked up, and a position is named."""

from dataclasses import dataclass

from semantics.errors import SchemaError
from semantics.expression import Ref
from semantics.schema import Schema
from semantics.value import Type

LEFT, RIGHT = "left", "right"


@dataclass(frozen=True, slots=True)
class Scope:
    """The columns an expression may use: those of one input, or of two side by side."""

    left: Schema
    right: Schema | None = None

    @property
    def types(self) -> tuple[Type, ...]:
        """The types of all columns, in the order of positions."""
        return self.left.types + (self.right.types if self.right else ())

    @property
    def _labels(self) -> list[tuple[str, str, Ref]]:
        """(side, name, reference) of every column, in the order of positions."""
        sides = [(LEFT, column) for column in self.left.columns]
        sides += [(RIGHT, column) for column in (self.right.columns if self.right else ())]
        return [(side, column.name, Ref(i, column.type)) for i, (side, column) in enumerate(sides)]

    def __str__(self) -> str:
        if self.right is None:
            return f"columns: {self.left}"
        return f"left columns: {self.left}; right columns: {self.right}"

    def find(self, name: str, side: str | None = None) -> Ref:
        """The reference that a name means; a side is needed where both inputs have the name."""
        if side and self.right is None:
            raise SchemaError(f"{side}.{name}: there is only one input here, write {name}; {self}")
        found = [ref for s, n, ref in self._labels if n == name and side in (None, s)]
        if not found:
            raise SchemaError(f"unknown column {name!r}; {self}")
        if len(found) > 1:
            raise SchemaError(f"ambiguous column {name!r}, say left or right of it; {self}")
        return found[0]

    def label(self, index: int) -> tuple[str | None, str]:
        """The shortest (side, name) that means the column at this position."""
        side, name, _ = self._labels[index]
        twice = sum(n == name for _, n, _ in self._labels) > 1
        return (side if twice else None, name)
