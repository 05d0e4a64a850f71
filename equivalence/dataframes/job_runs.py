"""A job, called with the DataFrames of some streams, and what it gave."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from uuid import uuid4

from pyspark.sql import DataFrame, SparkSession

from equivalence.dataframes.job_arrival import IN_ORDER, Arrival
from equivalence.dataframes.job_inputs import batch_inputs, streaming_inputs
from equivalence.dataframes.job_outputs import counted_output, kind_of
from equivalence.programs.program_inputs import ProgramInput, called, milliseconds_of
from equivalence.programs.program_output import ProgramOutput
from equivalence.query_files.query_over_files import QueryOverFiles
from physical.columns.stream import PhysicalStream
from physical.engines.spark.continuous.stored_files import is_remote
from physical.engines.spark.errors import SlowStart, readable_errors
from physical.engines.spark.spark_session import LOCAL_CHECKPOINTS, set_for_now
from semantics import Schema, SnapeqError, Stream

REPETITIONS: Final = 3
"""So often a run is made again, because a Python process that Spark needs for it did not start in time."""
Job = Callable[..., DataFrame]
"""Takes a DataFrame for each stream, by name or in the order of the declarations; or one mapping of all of them."""


@dataclass(frozen=True)
class JobOptions:
    """How a job is run, and how its output is read."""

    streaming: bool = False
    """Are inputs streaming DataFrames?"""
    output: ProgramOutput | None = None
    """What the output is; None lets its columns tell."""
    time: str | None = None
    """The time column of events."""
    output_mode: str = "append"
    arrival: Arrival = IN_ORDER
    """How the rows of streaming inputs come."""


@dataclass(frozen=True)
class JobRun:
    """What a job gave, as a stream with counts, and what its output was taken for."""

    found: PhysicalStream
    kind: ProgramOutput


class JobRunner:
    """Runs one job on streams."""

    def __init__(
        self, spark: SparkSession, job: Job, query: QueryOverFiles, inputs: Sequence[ProgramInput], options: JobOptions
    ) -> None:
        self.spark, self.job, self.options, self.inputs = spark, job, options, inputs
        self.milliseconds = milliseconds_of(query)
        self.schema: Schema = query.plan.schema
        self.times = [options.time] if options.time else [one.layout.start for one in inputs if one.layout.start]

    def run(self, streams: Mapping[str, Stream], horizon: int, step: int = 1) -> JobRun:
        """Call the job and read all that it gives; windows end at multiples of the step."""
        for _ in range(REPETITIONS):
            with suppress(SlowStart):
                return self._run(streams, horizon, step)
        return self._run(streams, horizon, step)

    def _run(self, streams: Mapping[str, Stream], horizon: int, step: int) -> JobRun:
        with TemporaryDirectory(prefix="snapeq-job-") as folder, readable_errors():
            frames = self._inputs(streams, horizon, step, Path(folder))
            output = called(self.job, "the job", self.inputs, frames)
            if not isinstance(output, DataFrame):
                raise SnapeqError(f"the job gave {type(output).__name__}; expected a DataFrame")
            kind = self.options.output or kind_of(output, self.times)
            if output.isStreaming:
                return JobRun(self._streamed(output, kind, Path(folder)), kind)
            return JobRun(self._read(output, kind), kind)

    def _inputs(self, streams: Mapping[str, Stream], horizon: int, step: int, folder: Path) -> list[DataFrame]:
        if self.options.streaming:
            return streaming_inputs(self.spark, self.inputs, streams, horizon, step, folder, self.options.arrival)
        return batch_inputs(self.spark, self.inputs, streams)

    def _streamed(self, output: DataFrame, kind: ProgramOutput, folder: Path) -> PhysicalStream:
        """Run the query until its inputs are over, into Spark's memory."""
        name = f"snapeq_{uuid4().hex}"
        writer = output.writeStream.format("memory").queryName(name).outputMode(self.options.output_mode)
        writer = writer.trigger(availableNow=True).option("checkpointLocation", str(folder / "checkpoint"))
        with set_for_now(self.spark, {} if is_remote(self.spark) else LOCAL_CHECKPOINTS):
            query = writer.start()
        try:
            query.awaitTermination()
            return self._read(self.spark.table(name), kind)
        finally:
            query.stop()
            with suppress(Exception):  # only memory is lost
                self.spark.catalog.dropTempView(name)

    def _read(self, output: DataFrame, kind: ProgramOutput) -> PhysicalStream:
        return counted_output(output, kind, self.schema, self.milliseconds, self.times)
