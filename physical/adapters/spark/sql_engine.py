"""Spark SQL as an engine under test: its own joins, set operations and aggregates, on every snapshot."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from physical.adapters.spark.sql_plan import is_relational, query
from physical.columns.stream import PhysicalStream
from semantics import Plan

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from physical.runtime.run_whole import AnyStream


class SparkSqlEngine:
    """Standard operators by Spark SQL; with ANSI rules overflows raise errors, without them they wrap around."""

    lifts = True
    time_limit = 300.0

    def __init__(self, *, ansi: bool = True, guarded: bool = False) -> None:
        self.ansi = ansi
        self.guarded = guarded
        self.name = "spark-sql" + ("" if ansi else " without ANSI") + (" guarded" if guarded else "")

    def supports(self, plan: Plan) -> bool:
        return is_relational(plan)

    def run(self, plan: Plan, sources: Mapping[str, "AnyStream"], horizon: int) -> PhysicalStream:
        from physical.adapters.spark.snapshots import as_stream, registered

        spark = own_session(self.ansi)
        tables = registered(spark, {name: PhysicalStream.of(stream) for name, stream in sources.items()}, horizon)
        return as_stream(self._frame(spark, renamed(plan, tables)), plan.schema)

    def _frame(self, spark: "SparkSession", plan: Plan) -> "DataFrame":
        return spark.sql(query(plan, guarded=self.guarded))


def own_session(ansi: bool) -> "SparkSession":
    """A second session on the same Spark, with its own settings and tables."""
    import logging

    from physical.engines.spark.spark_session import LOCAL_CHECKPOINTS, SESSION_SETTINGS, session

    logging.getLogger("SQLQueryContextLogger").disabled = True  # it prints errors that are raised anyway
    spark = session().newSession()
    for name, value in {**SESSION_SETTINGS, **LOCAL_CHECKPOINTS, "spark.sql.ansi.enabled": str(ansi).lower()}.items():
        spark.conf.set(name, value)
    return spark


def renamed(plan: Plan, tables: Mapping[str, str]) -> Plan:
    """The plan over tables that Spark knows by other names."""
    from dataclasses import replace

    from semantics import plan as nodes

    match plan:
        case nodes.Source(name=name):
            return replace(plan, name=tables[name])
        case nodes.Unary():
            return replace(plan, input=renamed(plan.input, tables))
        case _:
            return replace(plan, left=renamed(plan.left, tables), right=renamed(plan.right, tables))
