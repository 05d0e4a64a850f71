"""Apache DataFusion."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from physical.adapters.sql.dialect import EXACT_CASTS, TIME_TYPES, SqlDialect
from physical.adapters.sql.functions import MORE_TEXTS, NUMBERS, TIMES, Templates
from physical.adapters.sql.remote_engine import RemoteSqlEngine, Rows
from semantics import Type

if TYPE_CHECKING:
    import pyarrow as pa


class DataFusionDialect(SqlDialect):
    types: ClassVar[Mapping[Type, str]] = {**SqlDialect.types, **TIME_TYPES, Type.TIMESTAMP: "TIMESTAMP(6)"}
    decimal_type = "DECIMAL"
    has_intervals = True
    casts = SqlDialect.casts | EXACT_CASTS
    functions: ClassVar[Templates] = {
        **MORE_TEXTS,
        **NUMBERS,
        **TIMES,
        "is_nan/1": "isnan({0})",
        "sign(int)": "CAST(signum({0}) AS BIGINT)",
    }
    has_all_set_operations = False
    has_escapes = False


class DataFusionEngine(RemoteSqlEngine):
    name = "datafusion"
    dialect = DataFusionDialect()
    database = f"{__name__}:Database"


class Database:
    """A new context with one partition for each query."""

    def __init__(self) -> None:
        import datafusion

        self.version = datafusion.__version__

    def ask(self, tables: "Mapping[str, pa.Table]", sql: str) -> Rows:
        from datafusion import SessionConfig, SessionContext

        context = SessionContext(SessionConfig({"datafusion.execution.target_partitions": "1"}))
        for name, table in tables.items():
            context.register_record_batches(name, [table.to_batches() or [_no_rows(table.schema)]])
        found = context.sql(sql).to_arrow_table()
        return zip(*(column.to_pylist() for column in found.columns), strict=True)


def _no_rows(schema: "pa.Schema") -> "pa.RecordBatch":
    import pyarrow as pa

    return pa.RecordBatch.from_pylist([], schema=schema)
