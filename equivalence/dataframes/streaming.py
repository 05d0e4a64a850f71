"""A query over streaming DataFrames as a streaming DataFrame: results as they become final, for any sink."""

from dataclasses import dataclass

from pyspark.sql import functions as f

from equivalence.dataframes.query_over_dataframes import QueryOverDataFrames
from physical.engines.spark.continuous.packed_rows import LATE
from physical.engines.spark.continuous.query_frame import continuous, parts_of
from physical.engines.spark.continuous.running_query import ROCKSDB, STATE_STORE
from physical.engines.spark.frame import Frame, names
from physical.engines.spark.spark_session import SHUFFLE_PARTITIONS
from physical.files.counted import counted_schema
from semantics import SnapeqError


@dataclass(frozen=True)
class Arrival:
    """How far elements may come after, and before, their time."""

    slack: int = 0
    ahead: int | None = None


def streaming_result(asked: QueryOverDataFrames, arrival: Arrival, partitions: int | None, unbounded: bool) -> Frame:
    """Pieces of the result, each once, with a count of 1; rows about late elements are left out."""
    store = asked.spark.conf.get(STATE_STORE, "")
    if store != ROCKSDB:
        raise SnapeqError(f"a streaming query needs another state store: spark.conf.set({STATE_STORE!r}, {ROCKSDB!r})")
    plan = asked.query.plan
    parts = parts_of(plan, partitions or int(asked.spark.conf.get(SHUFFLE_PARTITIONS) or 1))
    data = continuous(
        plan, asked.frames, None, slack=arrival.slack, ahead=arrival.ahead, parts=parts, allow_unbounded=unbounded
    )
    schema = counted_schema(plan.schema)
    count = f.lit(1).cast("long").alias(names(schema)[-1])
    results = data.where(f.col(LATE).isNull())
    return Frame(results.select(*names(plan.schema), count, "_start", "_end"), schema)
