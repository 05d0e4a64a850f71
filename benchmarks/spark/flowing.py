"""How many rows a second a continuous query takes, batch by batch, once files are there."""

import tempfile
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession

from benchmarks.spark.meter import timed
from physical import PhysicalStream, run
from physical.columns.arrow import table_stream
from physical.engines.spark.continuous.running_query import RunningQuery, start
from physical.engines.spark.frame import END, START, Frame, names, spark_schema
from semantics import Schema, parse_plan

PLAN: Final = parse_plan("S(k int, x int) | window(range 100) | group(k; sum(x) as s, count(*) as n)")
SCHEMA: Final = Schema.of(k=int, x=int)
KEYS, INSTANTS, IN_FILE, PARTS = 1000, 2000, 200_000, 2


def show(spark: SparkSession, rows: int) -> None:
    """All files are there at the start, and each batch takes one; a line for each, and one for all of them."""
    with tempfile.TemporaryDirectory() as folder:
        tables = [_written(Path(folder) / "S", number) for number in range(max(1, rows // IN_FILE))]
        reader = spark.readStream.schema(spark_schema(SCHEMA)).option("maxFilesPerTrigger", 1)
        source = Frame(reader.parquet(f"{folder}/S"), SCHEMA)
        running = start(spark, PLAN, {"S": source}, f"{folder}/query", parts=PARTS)
        used = timed(running.drain)
        _show_batches(running)
        running.finish()
        whole = table_stream(pa.concat_tables(tables).rename_columns([*SCHEMA.names, START, END]), START, END)
        same = running.results().equivalent(_here(whole))
    size = IN_FILE * len(tables)
    print(f"{size} rows in {used.wall:.1f} s on the wall, {used.cpu:.1f} s of the processor; equivalent: {same}")


def _written(folder: Path, number: int) -> pa.Table:
    """A file of rows that are valid for one instant, all after those of the file before."""
    folder.mkdir(exist_ok=True)
    random = np.random.default_rng(number)
    start = np.sort(random.integers(number * INSTANTS, (number + 1) * INSTANTS, IN_FILE))
    columns = [random.integers(0, KEYS, IN_FILE), random.integers(0, 100, IN_FILE), start, start + 1]
    table = pa.table(columns, [*names(SCHEMA), START, END])
    pq.write_table(table, folder / f"{number:05d}.parquet")
    return table


def _show_batches(running: RunningQuery) -> None:
    for batch in running.query.recentProgress:
        took = batch.durationMs["triggerExecution"] / 1000
        print(f"batch {batch.batchId}: {batch.numInputRows} rows in {took:.1f} s", flush=True)


def _here(stream: PhysicalStream) -> PhysicalStream:
    found: list[PhysicalStream] = []
    used = timed(lambda: found.append(run(PLAN, {"S": stream})))
    print(f"interval engine, one thread: {used.wall:.2f} s")
    return found[0]
