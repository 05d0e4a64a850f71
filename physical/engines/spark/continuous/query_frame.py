"""A plan over streaming frames as one streaming frame: its sources are united, and partitioned by key if possible."""

from collections.abc import Mapping
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f
from pyspark.sql.types import LongType, StringType, StructField, StructType

from physical.columns.arrow_types import arrow_type
from physical.engines.spark.continuous.ahead import AheadBound
from physical.engines.spark.continuous.monitor import counted_rows, measured
from physical.engines.spark.continuous.packed_rows import (
    CHANGE,
    COUNT,
    LATE,
    OUTPUT_COLUMNS,
    PACKED_COLUMNS,
    PART,
    Unpack,
    pack,
    written,
)
from physical.engines.spark.continuous.part import END_TAG, session_of
from physical.engines.spark.continuous.part_task import PartTask
from physical.engines.spark.continuous.processor import PartProcessor
from physical.engines.spark.errors import marked, readable_errors
from physical.engines.spark.exchange import HASH, key_hash, tagged
from physical.engines.spark.frame import END, SPARK_TYPES, START, Frame, names, spark_schema
from physical.engines.spark.supported import check_supported
from physical.engines.spark.worker_tasks import TAG, all_slots
from physical.planning.source_keys import source_keys
from semantics import Plan, Schema, StreamError, Type, Unsupported

EVENT_TIME: Final = "_event"
LAST_MILLISECOND: Final = 9_000_000_000_000_000
"""Spark cannot represent later instants as milliseconds."""


def sources_of(plan: Plan) -> dict[str, Schema]:
    """The sources of a plan in the order of their names."""
    return dict(sorted(plan.sources().items()))


def parts_of(plan: Plan, wanted: int) -> int:
    """The number of parts: one, if some operator needs all rows."""
    return 1 if source_keys(plan) is None else wanted


def continuous(
    plan: Plan,
    sources: Mapping[str, Frame],
    ends: DataFrame | None,
    *,
    slack: int,
    parts: int,
    allow_unbounded: bool,
    changelog: bool = False,
    ahead: int | None = None,
) -> DataFrame:
    """The results of a plan as they become known, and how many elements came too late.

    `ends` has a row (part, until) for each part when the streams are over; None if they never are.
    """
    check_supported(plan)
    given = {name: _checked(name, schema, sources) for name, schema in sources_of(plan).items()}
    streams = {
        name: _timed(name, counted_rows(name, frame), slack) for name, frame in given.items() if frame.data.isStreaming
    }
    tables = {name: frame for name, frame in given.items() if name not in streams}
    if not streams:
        raise Unsupported(f"continuous: one of {', '.join(given)} must be read with spark.readStream, got tables only")
    bounds = tuple((name, AheadBound(ahead, frame.clock_unit)) for name, frame in streams.items())
    job = PartTask(plan, _schemas(streams), _schemas(tables), allow_unbounded, changelog, bounds)
    session_of(job)  # raises errors in the plan here and not in a worker
    slots = all_slots([schema for _, schema in job.streams])
    together = _in_parts(plan, streams, parts)
    if ends is not None:
        together = together.unionAll(_ends(ends, slots))
    packed = together.mapInArrow(pack, PACKED_COLUMNS)
    processor = PartProcessor(job, table_parts(plan, tables, parts))
    awake = packed.groupBy(PART).transformWithState(processor, OUTPUT_COLUMNS, "append", "eventTime")
    return measured(awake, streams).mapInArrow(Unpack(_arrow_schema(plan.schema)), result_schema(plan.schema))


def result_schema(schema: Schema) -> StructType:
    """The columns of the output; results have no kind of change, and only rows about late elements name a source."""
    kinds = [StructField(CHANGE, StringType()), StructField(COUNT, LongType()), StructField(LATE, StringType())]
    return StructType([*spark_schema(schema), *kinds])


def _arrow_schema(schema: Schema) -> pa.Schema:
    columns = zip(names(schema), schema.types, strict=True)
    numbers = [(START, pa.int64()), (END, pa.int64()), (CHANGE, pa.string()), (COUNT, pa.int64())]
    return pa.schema([*((name, arrow_type(t)) for name, t in columns), *numbers])


def _checked(name: str, schema: Schema, sources: Mapping[str, Frame]) -> Frame:
    if name not in sources:
        given = ", ".join(sorted(sources)) or "none"
        raise StreamError(f"continuous: no stream is given for source {name!r}; given: {given}")
    found = sources[name]
    if found.schema != schema:
        raise StreamError(f"continuous: source {name!r} must have columns {schema}, got {found.schema}")
    return found


def _timed(name: str, frame: Frame, slack: int) -> Frame:
    """The frame with its own watermark: the latest start so far, minus the slack.

    Event time is the instant plus 1, because Spark's watermark starts at 0 and there may be elements at 0.
    """
    error = marked(StreamError(f"continuous: source {name!r}: an element must start at 0 … {LAST_MILLISECOND}, got "))
    wrong = f.raise_error(f.concat(f.lit(error), f.col(START).cast("string"))).cast("long")
    start = f.when((f.col(START) < 0) | (f.col(START) > LAST_MILLISECOND), wrong).otherwise(f.col(START))
    event = frame.data.withColumn(EVENT_TIME, f.timestamp_millis(start + 1))
    return frame.of(event.withWatermark(EVENT_TIME, f"{slack + 1} milliseconds"))


def _schemas(frames: Mapping[str, Frame]) -> tuple[tuple[str, Schema], ...]:
    return tuple((name, frame.schema) for name, frame in frames.items())


def table_parts(plan: Plan, tables: Mapping[str, Frame], parts: int) -> list[dict[str, bytes]]:
    """The packed rows of every table for each part; all of them pass through this machine."""
    ways = (source_keys(plan) if parts > 1 else None) or {}
    found: list[dict[str, bytes]] = [{} for _ in range(parts)]
    for name, frame in tables.items():
        number = _number(key_hash(frame.schema, ways[name]), parts) if ways else f.lit(0)
        with readable_errors():
            table = frame.data.withColumn(PART, number).toArrow()
        for part, own in enumerate(found):
            own[name] = written(table.filter(pc.equal(table.column(PART), part)).drop_columns([PART]))
    return found


def _number(hashed: Column, parts: int) -> Column:
    return f.pmod(hashed, f.lit(parts)).cast("int")


def _in_parts(plan: Plan, streams: Mapping[str, Frame], parts: int) -> DataFrame:
    """All streams as one frame; every row has the number of its part."""
    frames = list(streams.values())
    ways = source_keys(plan) if parts > 1 else None
    if ways is None:
        return tagged(frames).withColumn(PART, f.lit(0))
    together = tagged(frames, [ways[name] for name in streams])
    return together.withColumn(PART, _number(f.col(HASH), parts)).drop(HASH)


def _ends(ends: DataFrame, slots: Mapping[str, Type]) -> DataFrame:
    """The rows that say that the streams are over, with the columns of the streams."""
    types = {slot: SPARK_TYPES[type_] for slot, type_ in slots.items()}
    nulls = [f.lit(None).cast(type_).alias(slot) for slot, type_ in types.items()]
    until = f.col("until")
    return ends.select(
        *nulls, until.alias(START), until.alias(END), f.lit(END_TAG).alias(TAG), f.col("part").alias(PART)
    )
