"""What a job's DataFrame says: intervals, panes of a window, or events; and what the query says in the same form.

A pane with the end e is the snapshot at e − 1 of a window without a slide: engines' panes are [e − w, e), and a window
RANGE w holds (t − w, t] at t. A pane in which nothing is has no row, not even one with a count of 0.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f
from pyspark.sql import types as t

from equivalence.dataframes.query_over_dataframes import column_named, frame_by_layout
from equivalence.dataframes.result_frames import result_frame
from physical.columns.stream import PhysicalStream, in_order
from physical.engines.spark.decode_dataframe import MOMENT_TYPES
from physical.files.canonical_runs import runs_of
from physical.files.counted import counted_schema
from physical.files.layout import COUNT, START, Layout
from physical.runtime.run_whole import clipped
from semantics import FOREVER, Interval, Plan, Schema, SnapeqError, SparseStream, Unsupported
from semantics.plan import Aggregation, TimeWindow
from semantics.sparse import first_difference

OutputKind = Literal["intervals", "panes", "events"]
WINDOW = "window"
PANE_END = "_pane_end"


def kind_of(output: DataFrame, times: Sequence[str]) -> OutputKind:
    """What the columns of an output show it to be; these are the time columns of its inputs."""
    names = {name.lower() for name in output.columns}
    if START in names:
        return "intervals"
    if WINDOW in names or "window_end" in names:
        return "panes"
    event_time(output, times)
    return "events"


def event_time(output: DataFrame, times: Sequence[str]) -> str:
    """The one time column that an output has."""
    names = {name.lower() for name in output.columns}
    there = [time for time in dict.fromkeys(times) if time.lower() in names]
    if len(there) == 1:
        return there[0]
    if there:
        raise SnapeqError(f"the job's output has several times: {', '.join(there)}; say which one it is at (time)")
    wanted = ", ".join([START, WINDOW, "window_end", *dict.fromkeys(times)])
    raise SnapeqError(f"the job's output has no time; expected one of {wanted}; there are: {', '.join(output.columns)}")


def counted_output(
    output: DataFrame, kind: OutputKind, schema: Schema, milliseconds: int, times: Sequence[str]
) -> PhysicalStream:
    """The output as a stream, with its counts."""
    if kind == "intervals":
        return result_frame(output, "the job's output", schema, milliseconds).collected()
    moment = _pane_end(output) if kind == "panes" else column_named(event_time(output, times))
    timed = output.withColumn(PANE_END, moment)
    moments = isinstance(timed.schema[PANE_END].dataType, MOMENT_TYPES)
    layout = Layout(schema, PANE_END, None, COUNT, (PANE_END,) if moments else (), milliseconds)
    found = frame_by_layout(timed, layout, "the job's output").collected()
    return found.valid_during(found.start - 1, found.start) if kind == "panes" else found


def counted_answer(answer: PhysicalStream, step: int | None, horizon: int) -> PhysicalStream:
    """The right answer, with its counts; with a step, only at the last instant of each pane."""
    runs = runs_of(clipped(answer, horizon), counted_schema(answer.schema))
    return in_order(runs if step is None else _at_panes(runs, step))


def as_panes(plan: Plan) -> tuple[Plan, int]:
    """The plan whose snapshots at e − 1 are the panes of this one, and the step between panes."""
    windows = [node for node in plan.walk() if isinstance(node, TimeWindow)]
    slides = {_pane_step(window) for window in windows}
    if len(slides) != 1:
        raise Unsupported("panes: all windows of the query must have the same slide, or the same size without one")
    return _without_slides(plan), slides.pop()


def _pane_step(window: TimeWindow) -> int:
    """The slide, or the size of a window that does not slide: then its panes follow each other."""
    if window.slide > 1:
        return window.slide
    if window.size == FOREVER:
        raise Unsupported("panes: a window without an end has none; expected WINDOW(RANGE …)")
    return int(window.size)


def _without_slides(plan: Plan) -> Plan:
    below = plan.with_inputs(*map(_without_slides, plan.inputs))
    if isinstance(below, TimeWindow):
        return replace(below, slide=1)
    return replace(below, on_empty=False) if isinstance(below, Aggregation) else below


def _at_panes(runs: PhysicalStream, step: int) -> PhysicalStream:
    """A piece of each run for each pane that ends within it: [e − 1, e)."""
    first, last = runs.start // step + 1, runs.end // step
    number = np.maximum(last - first + 1, 0)
    which = np.repeat(np.arange(len(runs)), number)
    within = np.arange(len(which)) - np.repeat(np.cumsum(number) - number, number)
    end = (first[which] + within) * step
    return runs.take(which).valid_during(end - 1, end)


def differ_at_panes(step: int) -> Callable[[SparseStream, SparseStream], bool]:
    """Do two results differ at the last instant of some pane?"""
    return lambda left, right: first_difference(_by_pane(left, step), _by_pane(right, step)) is not None


def _by_pane(result: SparseStream, step: int) -> SparseStream:
    """The same result, its instants replaced by numbers of panes; what no pane sees is left out."""
    numbered = [
        (row, i.start // step + 1, FOREVER if i.end == FOREVER else i.end // step + 1, n) for row, i, n in result.runs
    ]
    runs = tuple((row, Interval(first, after), n) for row, first, after, n in numbered if first < after)
    return SparseStream(result.schema, runs)


def _pane_end(output: DataFrame) -> Column:
    struct = next((field for field in output.schema.fields if field.name.lower() == WINDOW), None)
    if struct is None:
        return column_named("window_end")
    if not isinstance(struct.dataType, t.StructType) or "end" not in struct.dataType.names:
        raise SnapeqError(
            f"the job's output: column {struct.name} is {struct.dataType.simpleString()}; expected a window"
        )
    return f.col(f"`{struct.name}`.end")
