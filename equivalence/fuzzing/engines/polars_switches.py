"""Polars: its optimizations by `QueryOptFlags`, and the streaming engine against the one in memory."""

import re
from collections.abc import Sequence
from typing import Any, Final

from equivalence.fuzzing.engines.laboratory import Database
from equivalence.fuzzing.engines.switched_engine import Engine
from physical.adapters.environments import ENVIRONMENTS
from semantics import Type

STREAMING: Final = "engine in memory instead of streaming"
ALL: Final = "all of them"
_TYPES: Final = {Type.INT: "Int64", Type.STR: "String", Type.BOOL: "Boolean"}
_IDENTIFIER: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|(?<=_POLARS_TMP_SQL_)\d+")
"""What is another one each time that a query is planned."""


class PolarsLaboratory:
    """Queries in SQL over frames. With everything on, the streaming engine runs them."""

    def __init__(self) -> None:
        import polars

        self.version: str = polars.__version__

    def switches(self) -> list[str]:
        import inspect

        import polars

        return [*list(inspect.signature(polars.QueryOptFlags).parameters), ALL, STREAMING]

    def opened(self, database: Database) -> "OpenedPolars":
        return OpenedPolars(database)


class OpenedPolars:
    def __init__(self, database: Database) -> None:
        import polars

        frames = {
            filled.table.name: polars.DataFrame(
                list(filled.rows),
                schema={name: getattr(polars, _TYPES[type_]) for name, type_ in filled.table.columns},
                orient="row",
            ).lazy()
            for filled in database
        }
        self._context: Any = polars.SQLContext(frames)
        self._off = ""

    def switch(self, off: str) -> None:
        self._off = off

    def plan(self, sql: str) -> str:
        shown = self._context.execute(sql).explain(optimizations=self._flags())
        return f"{self._engine()}\n{_IDENTIFIER.sub('', shown)}"

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        frame = self._context.execute(sql).collect(engine=self._engine(), optimizations=self._flags())
        found: list[tuple[Any, ...]] = frame.rows()
        return found

    def close(self) -> None:
        pass

    def _engine(self) -> str:
        return "in-memory" if self._off == STREAMING else "streaming"

    def _flags(self) -> Any:
        import polars

        if self._off in ("", STREAMING):
            return polars.QueryOptFlags()
        return polars.QueryOptFlags.none() if self._off == ALL else polars.QueryOptFlags(**{self._off: False})


def _statement(switch: str) -> str:
    if switch == STREAMING:
        return "collect(engine='in-memory')"
    flags = "QueryOptFlags.none()" if switch == ALL else f"QueryOptFlags({switch}=False)"
    return f"collect(engine='streaming', optimizations=polars.{flags})"


def _program(settings: Sequence[str], sql: str, database: Database) -> list[str]:
    calls = [_statement(one) if one else "collect(engine='streaming')" for one in settings]
    frames = [
        f"'{filled.table.name}': polars.LazyFrame({list(filled.rows)!r}, orient='row', schema={_schema(filled)}),"
        for filled in database
    ]
    imports = ["import polars", "", f"context = polars.SQLContext({{{' '.join(frames)}}})"]
    lines = [f"print(context.execute({sql!r}).{call}.rows())" for call in calls]
    return [*imports, *lines]


def _schema(filled: Any) -> str:
    return "{" + ", ".join(f"{name!r}: polars.{_TYPES[type_]}" for name, type_ in filled.table.columns) + "}"


POLARS: Final = Engine("polars", ENVIRONMENTS["polars"], PolarsLaboratory, ("PanicException",), _statement, _program)
