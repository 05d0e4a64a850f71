"""The canonical form and the equivalence of streams as Spark jobs: equal rows are brought together by their hash."""

from dataclasses import dataclass

import pyarrow as pa
from pyspark.sql import functions as f

from physical.engines.spark.compile import Compiler
from physical.engines.spark.errors import readable_errors
from physical.engines.spark.exchange import Spread, gathered, identified
from physical.engines.spark.frame import END, START, Frame, clipped, names, spark_schema
from physical.engines.spark.stage import SparkStage, stage
from physical.engines.spark.survey import Survey
from physical.engines.spark.worker_tasks import Batches, Task, apart, failing_readably, source
from physical.files.counted import counted_schema
from semantics import Instant, Multiset, Plan, Row, Schema, StreamError
from semantics.plan import Distinct
from semantics.value import identical_row

MAX_SHOWN_ROWS = 1000
"""The rows of a snapshot that are collected to show a difference."""


@dataclass(frozen=True)
class Runs:
    """A worker's part of the canonical form of a result; it has all equal rows of its part."""

    task: Task

    def __call__(self, batches: Batches) -> Batches:
        return failing_readably(self._run, batches)

    def _run(self, batches: Batches) -> Batches:
        from physical.engines.spark.frame import to_table
        from physical.files.canonical_runs import runs_of

        result = self.task.result(batches)
        if result is not None:
            yield from to_table(runs_of(result, counted_schema(result.schema))).to_batches(1 << 17)


@dataclass(frozen=True)
class CountedRuns:
    """A worker's part of the canonical form of a stream with counts."""

    schema: Schema

    def __call__(self, batches: Batches) -> Batches:
        return failing_readably(self._run, batches)

    def _run(self, batches: Batches) -> Batches:
        from physical.engines.spark.frame import from_batches, to_table
        from physical.files.canonical_runs import runs_of_counted

        [table] = apart(batches, (self.schema,))
        if len(table):
            yield from to_table(runs_of_counted(from_batches(table, self.schema))).to_batches(1 << 17)


@dataclass(frozen=True)
class FirstDifference:
    """A worker's part of comparing two streams with counts: gives one instant, or nothing."""

    schema: Schema

    def __call__(self, batches: Batches) -> Batches:
        return failing_readably(self._run, batches)

    def _run(self, batches: Batches) -> Batches:
        from physical.engines.spark.frame import from_batches
        from physical.files.stream_difference import first_difference

        left, right = (from_batches(table, self.schema) for table in apart(batches, (self.schema,) * 2))
        found = first_difference(iter([left]), iter([right]), self.schema)
        if found is not None:
            yield pa.RecordBatch.from_pydict({"instant": [found]})


@dataclass(frozen=True)
class SnapshotDifference:
    """The first instant at which two streams differ, the sizes of both snapshots, and the rows that differ."""

    instant: Instant
    sizes: tuple[int, int]
    left: Multiset
    right: Multiset


def canonical(frame: Frame, spread: Spread) -> Frame:
    """The maximal runs of constant multiplicity of every row; the multiplicity is the last column."""
    return _runs(_by_row([frame], range(len(frame.schema))), [frame], spread)


def canonical_of_counted(frame: Frame, spread: Spread) -> Frame:
    """The same for a stream whose last column is a count."""
    together = gathered(_by_row([frame], range(len(frame.schema) - 1)), [frame], spread)
    return frame.of(together.mapInArrow(CountedRuns(frame.schema), spark_schema(frame.schema)))


@dataclass(frozen=True)
class Result:
    """A result in canonical form, and the survey of the rows of its last stage, if there was one."""

    runs: Frame
    survey: Survey | None = None


def canonical_result(plan: Plan, compiler: Compiler) -> Result:
    """The canonical form of the result of a plan, computed in its last stage if that brings equal rows together.

    A run must stay whole. So if a key is too heavy for one worker, the stage is computed before, cut over time.
    """
    last, found = last_stage(plan), None
    if last is not None:
        frames = [compiler.frame(below) for below, _ in last.inputs]
        found = compiler.survey(last)
        if found is None or not found.heavy:
            return Result(_runs(last, frames, compiler.spread, compiler.horizon), found)
    return Result(canonical(clipped(compiler.frame(plan), compiler.horizon), compiler.spread), found)


def last_stage(plan: Plan) -> SparkStage | None:
    """The last stage of a plan, if it can bring equal rows together, as δ needs them; otherwise None."""
    found = stage(Distinct(plan))
    inside = found.plan.inputs[0]
    return SparkStage(inside, found.inputs) if found.keyed and inside != source(0, plan.schema) else None


def _runs(by_row: SparkStage, frames: list[Frame], spread: Spread, horizon: int | None = None) -> Frame:
    task = Task(by_row.plan, tuple(frame.schema for frame in frames), horizon)
    counted = counted_schema(by_row.plan.schema)
    return Frame(gathered(by_row, frames, spread).mapInArrow(Runs(task), spark_schema(counted)), counted)


def counted(frame: Frame) -> Frame:
    """Every row counts as one."""
    schema = counted_schema(frame.schema)
    data = frame.data.select(*names(frame.schema), f.lit(1).cast("long").alias(names(schema)[-1]), START, END)
    return Frame(data, schema)


def first_difference(left: Frame, right: Frame, spread: Spread) -> SnapshotDifference | None:
    """Where two streams differ first; both have the count as their last column."""
    if left.schema.types != right.schema.types:
        raise StreamError(f"equivalent: streams must have the same types, got {left.schema} and {right.schema}")
    frames = [left, Frame(right.data, left.schema)]
    together = gathered(_by_row(frames, range(len(left.schema) - 1)), frames, spread)
    with readable_errors():
        found = together.mapInArrow(FirstDifference(left.schema), "instant long").toArrow()
    instants = found.column("instant").to_pylist()
    return _difference(frames[0], frames[1], min(instants)) if instants else None


def _by_row(frames: list[Frame], columns: range) -> SparkStage:
    """Rows that agree in these columns come together; they are not cut over time, because a run must stay whole."""
    keys = tuple(columns)
    inputs = [source(i, frame.schema) for i, frame in enumerate(frames)]
    return SparkStage(inputs[0], tuple((one, keys) for one in inputs))


def _difference(left: Frame, right: Frame, t: int) -> SnapshotDifference:
    """The snapshots of both sides at this instant: their sizes, and some rows that one has more often."""
    *columns, count = names(left.schema)
    keys = [identified(f.col(c), type_).alias(c) for c, type_ in zip(columns, left.schema.types, strict=False)]
    sides = [
        side.data.where((f.col(START) <= t) & (f.col(END) > t)).select(
            *keys,
            (f.col(count) if mine == 0 else f.lit(0)).alias("_left"),
            (f.col(count) if mine == 1 else f.lit(0)).alias("_right"),
        )
        for mine, side in enumerate((left, right))
    ]
    rows = (
        sides[0]
        .unionAll(sides[1])
        .groupBy(*columns)
        .agg(f.sum("_left").alias("_left"), f.sum("_right").alias("_right"))
    )
    with readable_errors():
        sizes = rows.agg(f.sum("_left"), f.sum("_right")).collect()[0]
        shown = rows.where("_left != _right").orderBy(*columns).limit(MAX_SHOWN_ROWS).collect()
    multisets = [_multiset([(row[: len(columns)], row[side]) for row in shown]) for side in ("_left", "_right")]
    return SnapshotDifference(t, (int(sizes[0]), int(sizes[1])), *multisets)


def _multiset(rows: "list[tuple[Row, int]]") -> Multiset:
    return Multiset.sum((identical_row(tuple(row)), n) for row, n in rows if n)
