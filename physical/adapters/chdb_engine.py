"""ClickHouse in a process, which is called chdb."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from physical.adapters.sql.dialect import SqlDialect
from physical.adapters.sql.remote_engine import RemoteSqlEngine, Rows
from semantics import Type
from semantics import aggregate as agg
from semantics.aggregate import Aggregate

if TYPE_CHECKING:
    import pyarrow as pa

TYPES: Final = {
    "int64": "Nullable(Int64)",
    "double": "Nullable(Float64)",
    "bool": "Nullable(Bool)",
    "string": "Nullable(String)",
}
SETTINGS: Final = "SET join_use_nulls = 1, aggregate_functions_null_for_empty = 1"
"""Outer joins pad with NULL and sums of nothing are NULL, as in the standard."""


class ChdbDialect(SqlDialect):
    types: ClassVar[Mapping[Type, str]] = {
        Type.INT: TYPES["int64"],
        Type.FLOAT: TYPES["double"],
        Type.BOOL: TYPES["bool"],
        Type.STR: TYPES["string"],
    }
    statistics: ClassVar[Mapping[type[Aggregate], str]] = {
        **SqlDialect.statistics,
        agg.VarPop: "varPopStable",
        agg.StddevPop: "stddevPopStable",
    }
    has_escapes = False

    def inside(self, text: str, options: Sequence[str]) -> str:
        """Its IN, as documented, takes no notice of NULLs among the options."""
        return f"({' OR '.join(f'{text} = {option}' for option in options)})"

    def text(self, value: str) -> str:
        return super().text(value.replace("\\", "\\\\"))


class ChdbEngine(RemoteSqlEngine):
    name = "chdb"
    dialect = ChdbDialect()
    database = f"{__name__}:Database"
    differences = (*RemoteSqlEngine.differences, "special floats")  # NaN is not equal to itself there, and no maximum
    booleans_are_numbers = True


class Database:
    """One session with tables in memory."""

    def __init__(self) -> None:
        from chdb import session

        self.session = session.Session()
        self.session.query(SETTINGS)
        self.version = str(self.session.query("SELECT version()", "TSV")).strip()

    def ask(self, tables: "Mapping[str, pa.Table]", sql: str) -> Rows:
        import pyarrow as pa

        for name, given in tables.items():
            columns = ", ".join(f"{field.name} {TYPES[str(field.type)]}" for field in given.schema)
            self.session.query(f"CREATE OR REPLACE TABLE {name} ({columns}) ENGINE = Memory")
            self.session.query(f"INSERT INTO {name} SELECT * FROM Python(given)")  # it finds `given` by its name
        found = pa.ipc.open_file(pa.py_buffer(self.session.query(sql, "Arrow").bytes())).read_all()
        return zip(*(column.to_pylist() for column in found.columns), strict=True)
