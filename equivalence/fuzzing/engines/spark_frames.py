"""Tables as temporary views of a Spark session, whether Spark itself is behind it or another server."""

from collections.abc import Sequence
from typing import Any, Final

from equivalence.fuzzing.engines.laboratory import Database, FilledTable
from semantics import Type

_TYPES: Final = {Type.INT: "BIGINT", Type.STR: "STRING", Type.BOOL: "BOOLEAN"}


class OpenedFrames:
    """A database whose tables are views; to open another one replaces them."""

    def __init__(self, spark: Any, database: Database) -> None:
        self.spark = spark
        for filled in database:
            rows = list(filled.rows)
            spark.createDataFrame(rows, _schema(filled)).createOrReplaceTempView(filled.table.name)

    def rows(self, sql: str) -> Sequence[Sequence[Any]]:
        found: Sequence[Sequence[Any]] = self.spark.sql(spark_words(sql)).collect()
        return found

    def close(self) -> None:
        pass


def spark_words(sql: str) -> str:
    """VARCHAR without a length is called STRING there.

    >>> spark_words("SELECT CAST(NULL AS VARCHAR) AS x0 FROM t")
    'SELECT CAST(NULL AS STRING) AS x0 FROM t'
    """
    return sql.replace(" AS VARCHAR)", " AS STRING)")


def views(database: Database) -> list[str]:
    """Lines of Python that make the views."""
    return [
        f"spark.createDataFrame({list(filled.rows)!r}, {_schema(filled)!r})"
        f".createOrReplaceTempView({filled.table.name!r})"
        for filled in database
    ]


def _schema(filled: FilledTable) -> str:
    return ", ".join(
        f"{name} {_TYPES[type_]}{' NOT NULL' if name in (*filled.table.not_null, *filled.table.key) else ''}"
        for name, type_ in filled.table.columns
    )
