"""Does a continuous query stay as it is for hundreds of batches, if it is stopped and compacted now and then?"""

import os
import tempfile
from pathlib import Path
from statistics import median
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession

from benchmarks.spark.meter import family_seconds
from physical import run
from physical.columns.arrow import table_stream
from physical.engines.spark.continuous.running_query import RunningQuery, start
from physical.engines.spark.frame import END, START, Frame, names, spark_schema
from semantics import Schema, parse_plan

SCHEMA: Final = Schema.of(k=int, x=int)
KEYS, ROWS, INSTANTS, PARTS = 100, 2000, 20, 2
BATCHES_OF_A_LEG: Final = 100
"""Spark remembers how its last hundred batches fared; then the query is stopped, compacted, and goes on."""
PLAN: Final = parse_plan(f"S(k int, x int) | window(range {100 * INSTANTS}) | group(k; sum(x) as s, count(*) as n)")


def show(spark: SparkSession, batches: int) -> None:
    """A line for every hundred batches, and whether the answer is right."""
    tables = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for first in range(0, batches, BATCHES_OF_A_LEG):
            numbers = range(first, min(first + BATCHES_OF_A_LEG, batches))
            tables += [_written(folder / "S", number) for number in numbers]
            _leg(spark, folder, numbers)
        running = _begun(spark, folder)
        running.finish()
        whole = table_stream(pa.concat_tables(tables).rename_columns([*SCHEMA.names, START, END]), START, END)
        same = running.results().equivalent(run(PLAN, {"S": whole}))
        print(f"at the end {_files(folder)}; late: {running.late()}; equivalent: {same}")


def _leg(spark: SparkSession, folder: Path, numbers: range) -> None:
    """Some batches, and how they fared: by Spark's own progress, and by the processor time of all processes."""
    running, used = _begun(spark, folder), family_seconds()
    before = _files(folder)
    running.drain()
    took = [one.seconds for one in running.progress() if sum(one.rows.values())]
    state = [one["stateOperators"][0]["memoryUsedBytes"] for one in running.query.recentProgress]
    running.stop()
    cpu = (family_seconds() - used) / len(numbers)
    print(
        f"batches {numbers[0]} to {numbers[-1]}: median {median(took):.2f} s, {cpu:.2f} s of the processor each;"
        f" state {min(state) / 2**20:.2f} to {max(state) / 2**20:.2f} MB; compacted: {before}; then {_files(folder)}",
        flush=True,
    )


def _begun(spark: SparkSession, folder: Path) -> RunningQuery:
    reader = spark.readStream.schema(spark_schema(SCHEMA)).option("maxFilesPerTrigger", 1)
    source = Frame(reader.parquet(f"{folder}/S"), SCHEMA)
    return start(spark, PLAN, {"S": source}, f"{folder}/query", parts=PARTS, compacts=True)


def _written(folder: Path, number: int) -> pa.Table:
    """A file of rows that are valid for one instant, all after those of the file before.

    Spark takes the oldest file first, and of two that are equally old any: without times of their own some are late.
    """
    folder.mkdir(exist_ok=True)
    random = np.random.default_rng(number)
    begin = np.sort(random.integers(number * INSTANTS, (number + 1) * INSTANTS, ROWS))
    columns = [random.integers(0, KEYS, ROWS), random.integers(0, 100, ROWS), begin, begin + 1]
    table = pa.table(columns, [*names(SCHEMA), START, END])
    path = folder / f"{number:05d}.parquet"
    pq.write_table(table, path)
    os.utime(path, (number + 1, number + 1))
    return table


def _files(folder: Path) -> str:
    """The files of results and of the state, and what they take."""
    made = {part: [one for one in _below(folder / "query") if ("_query" in one.parts) == (part == "state")]
            for part in ("results", "state")}  # fmt: skip
    sizes = {part: sum(one.stat().st_size for one in files) / 2**20 for part, files in made.items()}
    return ", ".join(f"{part} {len(files)} files, {sizes[part]:.1f} MB" for part, files in made.items())


def _below(folder: Path) -> list[Path]:
    return [one for one in folder.rglob("*") if one.is_file()]
