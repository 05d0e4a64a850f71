"""Streams as files that Spark reads one by one, as if they had come in that order."""

import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from physical.adapters.spark.event_time import INSTANT, TIME
from physical.columns.arrow_types import arrow_type
from physical.columns.stream import PhysicalStream
from physical.engines.spark.errors import readable_errors
from physical.engines.spark.frame import END, START, names, spark_schema, to_table
from semantics import Type

SENTINEL_VALUES: Final = {Type.INT: 0, Type.FLOAT: 0.0, Type.BOOL: False, Type.STR: ""}
"""The values of a sentinel row: Spark would drop a row with a NULL key before it moves the watermark."""


JITTER_STEP: Final = 7919


@dataclass(frozen=True)
class EventFeed:
    """How a stream reaches Spark: in batches of some instants, shifted in time, late by at most the delay."""

    instants: int = 1
    delay: int = 0
    shift: int = 5040
    """Spark drops rows at the epoch or before, so time begins later: at a multiple of all slides up to 10."""
    end: int = 1000
    """When the first sentinel comes: after all rows that matter."""
    sentinels: int = 2
    """Rows after the end: the first one moves the watermark, but only the next batch uses the new watermark."""
    rows: int | None = None
    """The rows of a batch, whatever their instants are; None for batches by instants."""
    jitter: int = 0
    """Rows come up to this many instants late, each by a different delay."""

    def live(self, spark: SparkSession, stream: PhysicalStream, folder: Path) -> DataFrame:
        """A streaming frame with the columns c0, c1, …, t, ts and a watermark."""
        folder.mkdir()
        for number, batch in enumerate(self._batches(to_table(stream), stream)):
            path = folder / f"{number:05}.parquet"
            pq.write_table(batch, path)
            os.utime(path, (number + 1, number + 1))  # Spark takes the oldest file first
        schema = spark_schema(stream.schema)
        read = spark.readStream.schema(schema).option("maxFilesPerTrigger", 1).parquet(str(folder))
        return self.timed(read, stream).withWatermark(TIME, f"{self.delay} seconds")

    def timed(self, data: DataFrame, stream: PhysicalStream) -> DataFrame:
        """The columns c0, c1, …, t, ts of rows that are valid for an instant."""
        instant = f.col(START) + self.shift
        return data.select(*names(stream.schema), instant.alias(INSTANT), f.timestamp_seconds(instant).alias(TIME))

    def _batches(self, table: pa.Table, stream: PhysicalStream) -> Iterator[pa.Table]:
        if self.rows is None:
            yield from self._by_instants(table, stream)
        else:
            yield from (table.slice(first, self.rows) for first in range(0, len(stream), self.rows))
        yield from (self._sentinel(stream, self.end * (number + 1)) for number in range(self.sentinels))

    def _by_instants(self, table: pa.Table, stream: PhysicalStream) -> Iterator[pa.Table]:
        comes = stream.start + np.arange(len(stream)) * JITTER_STEP % (self.jitter + 1)
        for first in range(0, int(comes.max()) + 1 if len(stream) else 0, self.instants):
            yield table.filter(pa.array((comes >= first) & (comes < first + self.instants)))

    def _sentinel(self, stream: PhysicalStream, t: int) -> pa.Table:
        values = [pa.array([SENTINEL_VALUES[type_]], arrow_type(type_)) for type_ in stream.schema.types]
        times = [pa.array([t], pa.int64()), pa.array([t + 1], pa.int64())]
        return pa.table([*values, *times], [*names(stream.schema), START, END])


def drained(spark: SparkSession, query: DataFrame) -> tuple[pa.Table, int]:
    """All rows that a streaming query appends until its sources are empty, and how many late rows it dropped."""
    name = f"answer_{uuid4().hex}"
    with readable_errors(), tempfile.TemporaryDirectory() as checkpoint:
        sink = query.writeStream.format("memory").queryName(name).outputMode("append")
        running = sink.option("checkpointLocation", checkpoint).trigger(availableNow=True).start()
        running.awaitTermination()
        late = sum(o.numRowsDroppedByWatermark for p in running.recentProgress for o in p.stateOperators)
        found = spark.table(name).toArrow()
        spark.catalog.dropTempView(name)
    return found, late
