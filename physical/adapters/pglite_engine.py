"""PGlite: PostgreSQL, compiled to run inside Node."""

import json
import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final

from physical.adapters.environments import ENVIRONMENTS
from physical.adapters.node_process import NodeProcess
from physical.adapters.postgres_engine import PostgresDialect, PostgresEngine
from physical.adapters.sql.sql_engine import SqlEngine
from semantics import Type, Value
from semantics.types import BASIC_TYPES

if TYPE_CHECKING:
    import pyarrow as pa

TYPES: Final = {"int64": "BIGINT", "double": "DOUBLE PRECISION", "bool": "BOOLEAN", "string": 'TEXT COLLATE "C"'}


class PgliteDialect(PostgresDialect):
    """Its rows come as JSON, with the basic types."""

    types: ClassVar[Mapping[Type, str]] = {type_: PostgresDialect.types[type_] for type_ in BASIC_TYPES}
    decimal_type = ""


class PgliteEngine(SqlEngine):
    name = "pglite"
    dialect = PgliteDialect()
    differences = PostgresEngine.differences

    def __init__(self) -> None:
        self.process = NodeProcess(ENVIRONMENTS["pglite"], "pglite.mjs")

    @property
    def version(self) -> str:
        return str(self.process.ask({})["version"])

    def ask(self, tables: "Mapping[str, pa.Table]", sql: str) -> Iterable[tuple[Any, ...]]:
        given = [_described(name, table) for name, table in tables.items()]
        rows = self.process.ask({"tables": given, "sql": sql})["rows"]
        return ((int(instant), *values) for instant, *values in rows)

    def value(self, value: Any, type_: Type) -> Value:
        """It answers with texts, so that no integer is rounded."""
        match type_:
            case _ if value is None:
                return None
            case Type.INT:
                return int(value)
            case Type.FLOAT:
                return float(value)
            case Type.BOOL:
                return bool(value == "t")
            case _:
                return str(value)


def _described(name: str, table: "pa.Table") -> dict[str, str]:
    """The columns as SQL declares them, and the rows as a text of JSON, which the database reads itself."""
    columns = ", ".join(f"{field.name} {TYPES[str(field.type)]}" for field in table.schema)
    rows = [{name: _written(value) for name, value in row.items()} for row in table.to_pylist()]
    return {"name": name, "columns": columns, "rows": json.dumps(rows)}


def _written(value: object) -> object:
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
