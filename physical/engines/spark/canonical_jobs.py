"""The canonical form and the equivalence of streams as Spark jobs: equal rows are brought together by their hash."""

from dataclasses import dataclass, replace

import pyarrow as pa
from pyspark.sql import functions as f

from physical.engines.spark.compile import Compiler
from physical.engines.spark.errors import readable_errors
from physical.engines.spark.exchange import Spread, gathered, identified, survey
from physical.engines.spark.frame import END, START, Frame, clipped, names, spark_schema
from physical.engines.spark.looking_ahead import seeing_ahead
from physical.engines.spark.merged_runs import whole_runs
from physical.engines.spark.slices import Slices
from physical.engines.spark.stage import SLICE_SCHEMA, SparkStage, chooses_results, is_without_stage, keyless, stage
from physical.engines.spark.survey import Survey
from physical.engines.spark.worker_tasks import Batches, Task, apart, failing_readably, source
from physical.files.counted import counted_schema
from semantics import Instant, Multiset, Plan, Row, Schema, StreamError
from semantics.plan import Distinct, Map
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
        from physical.engines.spark.large_partition import TaskInputs, result_runs

        inputs = TaskInputs.of(batches, self.task.inputs)
        for runs in result_runs(self.task.plan, inputs, self.task.horizon):
            yield from to_table(runs).to_batches(1 << 17)


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
        from physical.engines.spark.large_partition import TaskInputs
        from physical.files.stream_difference import first_difference

        left, right = TaskInputs.of(batches, (self.schema,) * 2).in_batches()
        found = first_difference(left, right, self.schema)
        if found is not None:
            yield pa.RecordBatch.from_pydict({"instant": [found]})


@dataclass(frozen=True)
class SnapshotDifference:
    """The first instant at which two streams differ, the sizes of both snapshots, and the rows that differ."""

    instant: Instant
    sizes: tuple[int, int]
    left: Multiset
    right: Multiset


def canonical(frame: Frame, spread: Spread, found: Survey | None = None) -> Frame:
    """The maximal runs of constant multiplicity of every row; the multiplicity is the last column.

    With a survey, rows that are heavy are cut over time, and their runs are put together afterwards.
    """
    by_row = _by_row([frame], range(len(frame.schema)), over_time=found is not None)
    return _runs(by_row, [frame], spread, found)


def canonical_of_counted(frame: Frame, spread: Spread) -> Frame:
    """The same for a stream whose last column is a count."""
    together = gathered(_by_row([frame], range(len(frame.schema) - 1), over_time=False), [frame], spread)
    return frame.of(together.mapInArrow(CountedRuns(frame.schema), spark_schema(frame.schema)))


@dataclass(frozen=True)
class Result:
    """A result in canonical form, and the survey of the rows of its last stage, if there was one."""

    runs: Frame
    survey: Survey | None = None


def canonical_result(plan: Plan, compiler: Compiler) -> Result:
    """The canonical form of the result of a plan, computed in its last stage if that brings equal rows together.

    If that stage is cut over time, equal rows are together within a slice, and runs are put together at the cuts.
    """
    found = _canonical_result(plan, seeing_ahead(plan, compiler))
    return replace(found, runs=clipped(found.runs, compiler.horizon)) if plan.has_lookahead else found


def _canonical_result(plan: Plan, compiler: Compiler) -> Result:
    last = last_stage(plan)
    if last is not None:
        frames, found = [compiler.frame(below) for below, _ in last.inputs], compiler.survey(last)
        if found is None or not last.keyed or not found.may_cut or last.over_time:
            return Result(_runs(last, frames, compiler.spread, found, compiler.horizon), found)
    frame = clipped(compiler.frame(plan), compiler.horizon)
    known = compiler.any_survey()
    if is_without_stage(plan):
        rows = survey(_by_row([frame], range(len(frame.schema))), [frame], compiler.spread)
        return Result(canonical(frame, compiler.spread, rows), rows or known)
    if known is not None and not known.slices.is_whole:
        return Result(_runs(_by_time(frame), [frame], compiler.spread, known), known)
    return Result(canonical(frame, compiler.spread), known)


def last_stage(plan: Plan) -> SparkStage | None:
    """The last stage of a plan, if it brings equal rows together, at least those of one slice; otherwise None."""
    found = stage(Distinct(plan))
    inside = found.plan.inputs[0]
    if found.keyed and inside != source(0, plan.schema):
        return SparkStage(inside, found.inputs, found.over_time)
    chosen = plan.input if isinstance(plan, Map) and chooses_results(plan) else plan
    return stage(plan) if keyless(chosen) else None


def _runs(
    last: SparkStage, frames: list[Frame], spread: Spread, found: Survey | None = None, horizon: int | None = None
) -> Frame:
    schemas = tuple(frame.schema for frame in frames) + ((SLICE_SCHEMA,) if last.wants_slices else ())
    counted = counted_schema(last.plan.schema)
    task = Runs(Task(last.plan, schemas, horizon))
    runs = Frame(gathered(last, frames, spread, found).mapInArrow(task, spark_schema(counted)), counted)
    slices = _slices(last, found)
    return runs if slices.is_whole else whole_runs(runs, slices, spread)


def _slices(last: SparkStage, found: Survey | None) -> Slices:
    """How the rows of a stage, or some of them, are cut over time."""
    if found is None or not last.over_time or (last.keyed and not found.may_cut):
        return Slices(())
    return found.heavy_slices if last.keyed else found.slices


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


def _by_row(frames: list[Frame], columns: range, *, over_time: bool = True) -> SparkStage:
    """Rows that agree in these columns come together; if they may be cut over time, heavy ones slice by slice."""
    keys = tuple(columns)
    inputs = [source(i, frame.schema) for i, frame in enumerate(frames)]
    return SparkStage(inputs[0], tuple((one, keys) for one in inputs), over_time)


def _by_time(frame: Frame) -> SparkStage:
    """Rows of one slice of time come together, whatever they are: many of them may be equal."""
    return SparkStage(source(0, frame.schema), ((source(0, frame.schema), ()),), over_time=True)


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
