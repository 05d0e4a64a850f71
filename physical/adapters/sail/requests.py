"""What Sail's process can be asked: a plan over streams in memory, or a query over files."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from physical.columns.stream import PhysicalStream
from physical.files.layout import Layout
from semantics import Plan, Row

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from physical.engines.spark.exchange import Spread


@dataclass(frozen=True)
class RunPlan:
    """A plan over streams of the asking process; its result goes back there."""

    plan: Plan
    streams: Mapping[str, PhysicalStream]
    horizon: int | None
    partitions: int | None

    def run(self, spark: "SparkSession") -> PhysicalStream:
        from physical.engines.spark.compile import Compiler
        from physical.engines.spark.engine import coalesced
        from physical.engines.spark.frame import to_frame
        from physical.engines.spark.looking_ahead import result

        frames = {name: to_frame(spark, stream) for name, stream in self.streams.items()}
        return coalesced(result(self.plan, Compiler(frames, self._spread(), self.horizon)).collected())

    def _spread(self) -> "Spread":
        from physical.engines.spark.dialect import SAIL
        from physical.engines.spark.engine import MIN_PARTITIONS, ROWS_PER_PARTITION
        from physical.engines.spark.exchange import Spread

        rows = sum(map(len, self.streams.values()))
        usual = min(cores(), max(MIN_PARTITIONS, rows // ROWS_PER_PARTITION))
        return Spread(self.partitions or usual, heaviest=None, dialect=SAIL)


@dataclass(frozen=True)
class Violation:
    """The first row that violates a constraint, and when."""

    constraint: int
    row: Row
    at: int


@dataclass(frozen=True)
class FilesAnswer:
    """What became of a query over files: a violated constraint, or its result, unless that was written to a folder."""

    violation: Violation | None = None
    runs: PhysicalStream | None = None


@dataclass(frozen=True)
class QueryFiles:
    """A query over files or folders; plans for violations of constraints, which must be empty; where to write."""

    plan: Plan
    streams: Mapping[str, tuple[str, Layout]]
    constraints: tuple[Plan, ...]
    horizon: int | None = None
    partitions: int | None = None
    out: str | None = None

    def run(self, spark: "SparkSession") -> FilesAnswer:
        from physical.engines.spark.canonical_jobs import canonical_result
        from physical.engines.spark.compile import Compiler
        from physical.engines.spark.dialect import SAIL
        from physical.engines.spark.exchange import slices_of
        from physical.engines.spark.read import frame_at
        from physical.engines.spark.write import write_parquet
        from physical.files.canonical_runs import by_row

        frames = {name: frame_at(spark, place, layout, SAIL) for name, (place, layout) in self.streams.items()}
        spread = self._spread()
        compiler = Compiler(frames, spread, self.horizon)
        for number, violations in enumerate(self.constraints):
            first = compiler.frame(violations).first()
            if first is not None:
                return FilesAnswer(Violation(number, *first))
        result = canonical_result(self.plan, compiler)
        if self.out is None:
            return FilesAnswer(runs=by_row(result.runs.collected()))
        write_parquet(result.runs, self.out, slices_of([*frames.values()], spread, result.survey), SAIL)
        return FilesAnswer()

    def _spread(self) -> "Spread":
        from dataclasses import replace

        from physical.engines.spark.dialect import SAIL
        from physical.engines.spark.sizing import bytes_at, rows_at, spread_for

        places = [place for place, _ in self.streams.values()]
        found = spread_for(bytes_at(places), usual=cores(), partitions=self.partitions, rows=rows_at(places))
        return replace(found, dialect=SAIL)


def cores() -> int:
    return os.cpu_count() or 1
