"""What is known of a relation while a dialect is translated: its columns, and how its rows lie in time."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from sqlglot import exp


@dataclass(frozen=True)
class Mode:
    """What a query is asked for by the query around it."""

    paned: bool = True
    """May rows wait for the end of their windows? Else they come at their own instants, with their windows' columns."""
    settled: bool = False
    """Must rows stay for ever? Else a stream of rows of one instant each will do."""
    partial: bool = False
    """Do rows of windows count before these end? Else the rows of a pane come all at once."""


SETTLED = Mode(paned=False, settled=True)
LASTING = Mode(paned=False, settled=True, partial=True)
STREAMED = Mode()


@dataclass(frozen=True)
class Shape:
    """The columns of a relation. Names of columns are in lower case wherever they are looked up."""

    columns: tuple[str, ...]
    raw: bool = False
    """Is every row valid at one instant only?"""
    times: frozenset[str] = frozenset()
    """The columns that hold this instant."""
    window: Mapping[str, str] = field(default_factory=dict)
    """The columns of windows, and what they hold: start, end or time."""
    paned: bool = False
    """Do rows come at the last instants of their windows, all rows of one window at once?"""
    by_start: bool = True
    """Does the start of a window determine its end? Not where windows grow."""
    hidden: Mapping[str, str] = field(default_factory=dict)
    """Columns that have no value by event time, and why."""
    integers: frozenset[str] = frozenset()
    dates: frozenset[str] = frozenset()
    keys: tuple[str, ...] = ()
    """The primary key of a stream of versions."""
    elements: bool = False
    """Does it hold the elements of arrays? Their columns are known only if they are named."""

    def settled(self) -> "Shape":
        """The same with rows that stay: they have seen other instants than now."""
        return replace(self, raw=False, times=frozenset(), paned=False)

    def has(self, name: str) -> bool:
        return name.lower() in {column.lower() for column in self.columns} or name.lower() in self.hidden


@dataclass(frozen=True)
class Item:
    """One relation of FROM: its tree in this language, its shape and the name that its columns may have before them."""

    node: exp.Expr
    shape: Shape
    alias: str

    def column(self, node: exp.Column) -> str | None:
        """The name of the column if it is one of this item."""
        if node.table and node.table.lower() != self.alias.lower():
            return None
        if self.shape.elements and node.table and node.name.lower() == "value" and self.shape.columns == (self.alias,):
            return self.alias.lower()
        return node.name.lower() if self.shape.has(node.name) else None


def owner(items: Iterable[Item], node: exp.Column) -> Item | None:
    """The item that has a column."""
    return next((item for item in items if item.column(node) is not None), None)
