"""Small relational schemas: a few tables, with keys and NOT NULL declared or not."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from equivalence.cases.choices import Choices
from semantics import Schema, Type
from semantics.constraint import Constraint, Key, Lasting, NotNull
from semantics.schema import Column
from semantics.sql import Catalogue, Declaration

SQL_TYPES: Final[Mapping[Type, str]] = {Type.INT: "BIGINT", Type.STR: "VARCHAR", Type.BOOL: "BOOLEAN"}
"""The types that queries are made over, in words that every system knows."""
_TYPES: Final = (Type.INT, Type.INT, Type.INT, Type.STR, Type.BOOL)
_TABLES: Final = ("t", "u", "v")
_COLUMNS: Final = ("a", "b", "c")


@dataclass(frozen=True)
class Table:
    """A table: its columns, of which some are never NULL, and its key, if one is declared."""

    name: str
    columns: tuple[tuple[str, Type], ...]
    key: tuple[str, ...] = ()
    not_null: tuple[str, ...] = ()

    @property
    def schema(self) -> Schema:
        return Schema(tuple(Column(name, type_) for name, type_ in self.columns))

    @property
    def ddl(self) -> str:
        """CREATE TABLE as every system reads it."""
        listed = [
            f"{name} {SQL_TYPES[type_]}{' NOT NULL' if name in self.not_null else ''}" for name, type_ in self.columns
        ]
        key = [f"PRIMARY KEY ({', '.join(self.key)})"] if self.key else []
        return f"CREATE TABLE {self.name} ({', '.join([*listed, *key])})"

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """What is known of the rows; a table is the same at every instant."""
        key = (Key(self.name, self.key),) if self.key else ()
        filled = (NotNull(self.name, self.not_null),) if self.not_null else ()
        return (Lasting(self.name), *key, *filled)


@dataclass(frozen=True)
class RelationalSchema:
    """Tables that a query may read."""

    tables: tuple[Table, ...]

    @property
    def ddl(self) -> list[str]:
        return [table.ddl for table in self.tables]

    @property
    def types(self) -> dict[str, dict[str, str]]:
        """Tables, columns and types, as optimizers of SQL want to be told."""
        return {table.name: {name: SQL_TYPES[type_] for name, type_ in table.columns} for table in self.tables}

    @cached_property
    def catalogue(self) -> Catalogue:
        made = Catalogue()
        for table in self.tables:
            made.add(Declaration(table.name, table.schema, table.schema.names))
        return made

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        return tuple(constraint for table in self.tables for constraint in table.constraints)

    def only(self, names: set[str]) -> "RelationalSchema":
        """The same without the tables that nobody asks for."""
        return RelationalSchema(tuple(table for table in self.tables if table.name in names))


def choose_schema(choices: Choices) -> RelationalSchema:
    """Three tables of two or three columns with the same names, so that names alone do not say whose they are."""
    return RelationalSchema(tuple(_choose_table(choices, name) for name in _TABLES))


def _choose_table(choices: Choices, name: str) -> Table:
    rest = [(column, choices.of(_TYPES)) for column in _COLUMNS[1 : choices.between(2, 3)]]
    columns = (("a", Type.INT), *rest)
    key = columns[: choices.between(1, 2)] if choices.chance(1, 3) else ()
    not_null = [column for column, _ in columns if choices.chance(1, 4)]
    return Table(name, columns, tuple(column for column, _ in key), tuple(not_null))
