"""Streams as the DataFrames that a job gets: the declared columns, in their order, with times as they are declared."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession

from equivalence.dataframes.job_arrival import Arrival, ArrivedBatches
from equivalence.query_files.query_over_files import QueryOverFiles
from equivalence.query_files.stream_files import layout
from physical.columns.stream import PhysicalStream
from physical.engines.spark.frame import to_table
from physical.files.layout import Layout
from physical.kernels.types import ENDLESS, Ints
from semantics import RawStream, Stream

DAYS_AFTER_THE_END: Final = 366
"""The last row of a streaming input comes this much later: watermarks pass all that was before."""
MILLISECONDS_OF_A_DAY: Final = 86_400_000
MOMENT: Final = pa.timestamp("us", tz="UTC")


@dataclass(frozen=True)
class JobInput:
    """One stream or table of a query."""

    name: str
    columns: tuple[str, ...]
    layout: Layout

    def table(self, stream: Stream | PhysicalStream) -> pa.Table:
        """All elements of a stream, in their order."""
        elements = PhysicalStream.of(stream)
        named = dict(zip(elements.schema.names, to_table(elements).columns, strict=False))
        if self.layout.start is not None:
            named[self.layout.start] = self._times(self.layout.start, elements.start)
        if self.layout.end is not None:
            named[self.layout.end] = self._times(self.layout.end, elements.end)
        return pa.table({column: named[column] for column in self.columns})

    def _times(self, column: str, instants: Ints) -> pa.Array:
        endless = instants == ENDLESS
        if column not in self.layout.timestamps:
            return pa.array(instants, mask=endless)
        return pa.array(np.where(endless, 0, instants) * (self.layout.unit * 1000), mask=endless).cast(MOMENT)

    def after_the_end(self, horizon: int) -> pa.Table:
        """One row of NULLs, so late that no watermark waits for what was before."""
        late = horizon + DAYS_AFTER_THE_END * MILLISECONDS_OF_A_DAY // self.layout.unit
        nothing = tuple(None for _ in self.layout.schema.names)
        return self.table(RawStream(self.layout.schema, [(nothing, late)]))


def job_inputs(query: QueryOverFiles) -> list[JobInput]:
    """The inputs of a job for a query, in the order of their declarations."""
    found = []
    for source in query.sources:
        known, declared = layout(source.name, query), query.declaration(source.name)
        columns = known.names if declared is None else declared.columns
        found.append(JobInput(source.name, columns, known))
    order = [] if query.catalogue is None else list(query.catalogue.relations)
    return sorted(found, key=lambda one: order.index(one.name) if one.name in order else len(order))


def batch_inputs(spark: SparkSession, inputs: Sequence[JobInput], streams: Mapping[str, Stream]) -> list[DataFrame]:
    """Whole streams."""
    return [spark.createDataFrame(one.table(streams[one.name])) for one in inputs]


def streaming_inputs(
    spark: SparkSession,
    inputs: Sequence[JobInput],
    streams: Mapping[str, Stream],
    horizon: int,
    step: int,
    folder: Path,
    arrival: Arrival,
) -> list[DataFrame]:
    """Streams in micro-batches, rows far ahead that end them, and then what comes too late; tables are whole."""
    made = []
    flowing = {one.name: PhysicalStream.of(streams[one.name]) for one in inputs if one.layout.start is not None}
    arrived = arrival.batches(flowing, horizon, step)
    for one in inputs:
        if one.layout.start is None:
            made.append(spark.createDataFrame(one.table(streams[one.name])))
            continue
        place = folder / one.name
        place.mkdir()
        for number, table in enumerate(_batches(one, arrived[one.name], horizon)):
            _write(place / f"{number}.parquet", table, number)
        schema = spark.createDataFrame(one.table(streams[one.name])).schema
        made.append(spark.readStream.schema(schema).option("maxFilesPerTrigger", 1).parquet(str(place)))
    return made


def _batches(one: JobInput, arrived: ArrivedBatches, horizon: int) -> Iterator[pa.Table]:
    yield from map(one.table, arrived.on_time)
    yield one.after_the_end(horizon)
    if arrived.late is not None:
        # Once more, because Spark drops what is later than the watermark of the batch before the last one.
        yield one.after_the_end(horizon + 1)
        yield one.table(arrived.late)


def _write(path: Path, table: pa.Table, number: int) -> None:
    """A file that is younger than those before it: Spark reads the oldest first."""
    pq.write_table(table, path)
    os.utime(path, (1_000_000_000 + number,) * 2)
