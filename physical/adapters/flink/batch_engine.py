"""Flink's SQL in batch mode, over tables of snapshots."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Final

from physical.adapters.sql.dialect import SqlDialect
from physical.adapters.sql.remote_engine import RemoteSqlEngine, Rows
from semantics import Plan, Type
from semantics.plan import Over

if TYPE_CHECKING:
    import pyarrow as pa

    from physical.adapters.flink.databases import Table

TYPES: Final = {"int64": "BIGINT", "double": "DOUBLE", "bool": "BOOLEAN", "string": "STRING"}
DATABASES: Final = "physical.adapters.flink.databases"


class FlinkDialect(SqlDialect):
    types: ClassVar[Mapping[Type, str]] = {**SqlDialect.types, Type.STR: "STRING"}
    has_special_floats = False
    has_float_modulo = False

    def can_be_said(self, node: Plan) -> bool:
        """Its OVER has not been tried."""
        return not isinstance(node, Over)

    def modulo(self, left: str, right: str, type_: Type) -> str:  # noqa: ARG002  # integers only
        return f"MOD({left}, {right})"


class FlinkEngine(RemoteSqlEngine):
    name = "flink"
    dialect = FlinkDialect()
    database = f"{DATABASES}:Database"
    lifts = True
    cases_per_run = 40
    time_limit = 300.0

    def ask(self, tables: "Mapping[str, pa.Table]", sql: str) -> Rows:
        return super().ask({name: plain(table) for name, table in tables.items()}, sql)


def plain(table: "pa.Table") -> "Table":
    """Columns and rows as lists."""
    columns = [(field.name, TYPES[str(field.type)]) for field in table.schema]
    return columns, list(zip(*(column.to_pylist() for column in table.columns), strict=True))
