"""What is declared about the streams and tables of a system: their columns and times, and how their lines are read."""

from dataclasses import dataclass

from physical.files.layout import Layout
from physical.live.lines import LineReader
from semantics import Schema, SchemaError
from semantics.sql import Catalogue, Constraint, Declaration


@dataclass(frozen=True)
class Declared:
    """The catalogue, as the system uses it."""

    catalogue: Catalogue
    line_bytes: int

    def __post_init__(self) -> None:
        if not self.streams:
            raise SchemaError("a system needs a stream; expected CREATE STREAM … ORDERED BY … in the catalogue")

    @property
    def streams(self) -> dict[str, Schema]:
        """The streams: everything that is declared and no table."""
        return {found.name: found.schema for found in self._declarations() if not found.is_table}

    @property
    def tables(self) -> dict[str, Schema]:
        return {found.name: found.schema for found in self._declarations() if found.is_table}

    @property
    def raw(self) -> frozenset[str]:
        """Streams whose elements are valid for one instant each."""
        return frozenset(found.name for found in self._declarations() if found.ordered is not None)

    def find(self, name: str) -> str:
        """The stream or table with this name, as it was declared."""
        found = self.catalogue.find(name)
        if not isinstance(found, Declaration):
            known = ", ".join(sorted({*self.streams, *self.tables}))
            raise SchemaError(f"there is no stream {name!r}; expected one of: {known}")
        return found.name

    def layout(self, name: str) -> Layout:
        """How the lines of a stream or table are laid out."""
        found = self.catalogue.relations[name]
        assert isinstance(found, Declaration)
        start, end = found.valid or (found.ordered, None)
        unit = self.catalogue.unit.value
        return Layout(found.schema, start, end, timestamps=found.timestamps, unit=unit, clock=found.clock)

    def reader(self, name: str) -> LineReader:
        return LineReader.of(name, self.layout(name), self.line_bytes)

    def constraints(self, name: str) -> tuple[Constraint, ...]:
        """What is declared about the rows of a stream or table."""
        found = self.catalogue.relations[name]
        return found.constraints if isinstance(found, Declaration) else ()

    def not_checked(self) -> list[str]:
        """A remark on every constraint that rows are not held against: a reference to a stream."""
        return [
            f"{name} REFERENCES {each.table} is not checked, and not used; only references to tables are"
            for name in self.streams
            for each in self.constraints(name)
            if each.kind == "REFERENCES" and each.table not in self.tables
        ]

    def signature(self) -> dict[str, object]:
        """What a state depends on."""
        layouts = {found.name: repr((self.layout(found.name), found.constraints)) for found in self._declarations()}
        return {"unit": self.catalogue.unit.name, **layouts}

    def _declarations(self) -> list[Declaration]:
        return [found for found in self.catalogue.relations.values() if isinstance(found, Declaration)]
