"""Streams as the DataFrames that a job gets, whole or in micro-batches."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession

from equivalence.dataframes.job_arrival import Arrival, ArrivedBatches
from equivalence.programs.program_inputs import ProgramInput
from physical.columns.stream import PhysicalStream
from semantics import RawStream, Stream

DAYS_AFTER_THE_END: Final = 366
"""The last row of a streaming input comes this much later: watermarks pass all that was before."""
MILLISECONDS_OF_A_DAY: Final = 86_400_000


def after_the_end(one: ProgramInput, horizon: int) -> pa.Table:
    """One row of NULLs, so late that no watermark waits for what was before."""
    late = horizon + DAYS_AFTER_THE_END * MILLISECONDS_OF_A_DAY // one.layout.unit
    nothing = tuple(None for _ in one.layout.schema.names)
    return one.table(RawStream(one.layout.schema, [(nothing, late)]))


def batch_inputs(spark: SparkSession, inputs: Sequence[ProgramInput], streams: Mapping[str, Stream]) -> list[DataFrame]:
    """Whole streams."""
    return [spark.createDataFrame(one.table(streams[one.name])) for one in inputs]


def streaming_inputs(
    spark: SparkSession,
    inputs: Sequence[ProgramInput],
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


def _batches(one: ProgramInput, arrived: ArrivedBatches, horizon: int) -> Iterator[pa.Table]:
    yield from map(one.table, arrived.on_time)
    yield after_the_end(one, horizon)
    if arrived.late is not None:
        # Once more, because Spark drops what is later than the watermark of the batch before the last one.
        yield after_the_end(one, horizon + 1)
        yield one.table(arrived.late)


def _write(path: Path, table: pa.Table, number: int) -> None:
    """A file that is younger than those before it: Spark reads the oldest first."""
    pq.write_table(table, path)
    os.utime(path, (1_000_000_000 + number,) * 2)
