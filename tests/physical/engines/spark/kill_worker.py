"""A process with a continuous query that somebody will kill.

    python -m tests.physical.engines.spark.kill_worker FOLDER WHEN

It says through the pipe FOLDER/said that it has come to a point: between two batches, or inside one. What has to come
to the inside of a batch first does all that is there, says that it is between two, and goes on with what comes then.
"""

import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from physical.engines.spark import spark_session as sessions
from physical.engines.spark.continuous import running_query
from physical.engines.spark.continuous.query_frame import result_schema, sources_of
from physical.engines.spark.continuous.sink import FolderSink
from semantics import parse_plan
from tests.physical.engines.spark.arriving import arriving

PLAN: Final = parse_plan(
    "join(S(x int) | window(rows 3), T(y int) | window(range 4); x = y) | aggregate(count(*) as n, sum(x) as s)"
)
SLACK: Final = 2
NOW: Final = "now"
"""The file that says from when on a process stalls."""
INTERPRETED: Final = {"spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"}
"""A process that lives for two batches has no use for generated code, nor have jobs over a few rows."""


def begun(spark: SparkSession, folder: Path) -> running_query.RunningQuery:
    """The query, from where it was left."""
    sources = {name: arriving(spark, folder / name, schema) for name, schema in sources_of(PLAN).items()}
    return running_query.start(spark, PLAN, sources, str(folder / "query"), slack=SLACK)


def say(folder: Path, what: str) -> None:
    """Through a pipe that opens at once, also if nobody reads it any more: then `wait` comes to an end."""
    pipe = os.open(folder / "said", os.O_RDWR)
    os.write(pipe, f"{what}\n".encode())
    os.close(pipe)


@dataclass(frozen=True)
class Stall:
    """Lets results pass no more once it is time, though the part has put away what it remembers."""

    folder: Path

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            if len(batch) and (self.folder / NOW).exists():
                say(self.folder, "inside")
                wait()
            yield batch


def wait() -> None:
    """Until the parent is gone: workers are not killed along, but end with the process that started them."""
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(0.1)


def main(where: Path, when: str) -> None:
    write = running_query._written

    def stalled(data: DataFrame, sink: FolderSink, pause: float) -> StreamingQuery:
        return write(data.mapInArrow(Stall(where), result_schema(PLAN.schema)), sink, pause)

    if when == "inside":
        running_query._written = stalled
    running = begun(sessions.session("local[1]", settings=INTERPRETED), where)
    running.drain()
    (where / NOW).touch()
    say(where, "between")
    wait()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
