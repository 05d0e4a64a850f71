"""Recordings of all kinds against a right answer that Spark computes.

What the recording claims is read here, in batches, and written as intervals with counts. The query and the comparison
run on Spark, so memory depends neither on the inputs nor on the recording.
"""

from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, assert_never

from equivalence.command.on_spark import SparkQueryRun, as_printed, working_on_spark
from equivalence.command.terminal import warn
from semantics import SnapeqError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from equivalence.command.recorded_output import OutputOptions
    from equivalence.recordings.claims import Claims
    from equivalence.recordings.judge import RecordingVerdict
    from equivalence.recordings.recording import Judged
    from physical.engines.spark.exchange import Spread
    from physical.engines.spark.frame import Frame


def judged_on_spark(run: SparkQueryRun, output: Path, said: "OutputOptions") -> "RecordingVerdict":
    """Is what an engine recorded right? As `judge`, with the right answer and the comparison on Spark."""
    from physical.engines.spark.spark_session import check_installed

    check_installed()
    if not output.exists():
        raise SnapeqError(f"{output}: there is no such file; expected a file or a folder of this machine")
    with working_on_spark(run.target, "checking on Spark", run.addresses.values()) as (spark, spread):
        return _Judging(run, spark, spread).verdict(output, said)


@dataclass(frozen=True)
class _Judging:
    """One recording in a session."""

    run: SparkQueryRun
    spark: Any
    """The session."""
    spread: "Spread"

    def verdict(self, output: Path, said: "OutputOptions") -> "RecordingVerdict":
        from equivalence.command.recorded_output import say_what_it_is
        from equivalence.recordings.open_recording import open_recording
        from physical.engines.spark.sampled_frames import last_start

        frames = self.run.frames(self.spark)
        options = said.recording_options(self.run.query, partial(last_start, frames.values()))
        with open_recording(output, self.run.query, options) as recording:
            say_what_it_is(output, recording)
            return self._compared(recording.claims, frames)

    def _compared(self, claims: "Claims", frames: "Mapping[str, Frame]") -> "RecordingVerdict":
        from equivalence.recordings.judge import verdict_of
        from physical.engines.spark.canonical_jobs import first_difference

        with _as_file(claims) as path:
            theirs = self._claimed(path, claims)
            right = self._answer(claims.judged, frames)
            found = first_difference(right.of(right.data.persist()), theirs, self.spread)
            for remark in claims.reader.times.remarks() if claims.reader.file_schema.names else ():
                warn(f"snapeq: {remark}")
            return verdict_of(claims, as_printed(found))

    def _claimed(self, path: Path, claims: "Claims") -> "Frame":
        from physical.engines.spark.frame import Frame
        from physical.files.counted import counted_schema

        return Frame(self.spark.read.parquet(str(path)), counted_schema(claims.reading.schema))

    def _answer(self, judged: "Judged", frames: "Mapping[str, Frame]") -> "Frame":
        """The right answer at the instants that are judged, with counts."""
        from equivalence.recordings.recording import EveryInstant, LastInstants, OneInstant
        from equivalence.recordings.right_answer import pane_plan
        from physical.engines.spark.sampled_frames import at_instant, at_panes, later

        match judged:
            case EveryInstant():
                return self.run.result(frames, self.spread).runs
            case OneInstant(at):
                runs = replace(self.run, horizon=at + 1).result(frames, self.spread).runs
                return at_instant(runs, at)
            case LastInstants(step, offset):
                plan, delay = pane_plan(self.run.query.plan, judged)
                horizon = None if self.run.horizon is None else self.run.horizon + delay
                delayed = {name: later(frame, delay) for name, frame in frames.items()}
                self.run.check_constraints(frames, self.spread)
                runs = self.run.of_plan(plan, horizon).unchecked_result(delayed, self.spread).runs
                return at_panes(runs, step, offset, delay)
            case _:
                assert_never(judged)


@contextmanager
def _as_file(claims: "Claims") -> "Iterator[Path]":
    """All claims in a Parquet file with the columns of a frame; rows that are taken back have negative counts."""
    from physical.columns.stream import PhysicalStream
    from physical.engines.spark.frame import to_table
    from physical.files.counted import counted_schema
    from physical.files.writer import table_in_file

    with TemporaryDirectory(prefix="snapeq-") as folder:
        path = Path(folder) / "claims.parquet"
        empty = to_table(PhysicalStream.empty(counted_schema(claims.reading.schema)))
        with table_in_file(path, empty.schema) as sink:
            for batch in claims.batches(ordered=False):
                if len(batch):
                    sink.write(to_table(batch).cast(empty.schema))
        yield path
