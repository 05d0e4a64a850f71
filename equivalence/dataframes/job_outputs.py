"""What a job's DataFrame says: intervals, panes of a window, or events."""

from collections.abc import Sequence

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f
from pyspark.sql import types as t

from equivalence.dataframes.query_over_dataframes import column_named, frame_by_layout
from equivalence.dataframes.result_frames import result_frame
from equivalence.programs.program_output import ProgramOutput
from physical.columns.stream import PhysicalStream
from physical.engines.spark.decode_dataframe import MOMENT_TYPES
from physical.files.layout import COUNT, START, Layout
from semantics import Schema, SnapeqError

WINDOW = "window"
TIME = "_time_of_the_row"
"""What the time is called if the query has a column of its name."""


def kind_of(output: DataFrame, times: Sequence[str]) -> ProgramOutput:
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
    output: DataFrame, kind: ProgramOutput, schema: Schema, milliseconds: int, times: Sequence[str]
) -> PhysicalStream:
    """The output as a stream, with its counts."""
    if kind == "intervals":
        return result_frame(output, "the job's output", schema, milliseconds).collected()
    shown, moment = _pane_end(output) if kind == "panes" else _event(output, times)
    name = TIME if shown in schema.names else shown
    timed = output.withColumn(name, moment)
    moments = isinstance(timed.schema[name].dataType, MOMENT_TYPES)
    layout = Layout(schema, name, None, COUNT, (name,) if moments else (), milliseconds)
    found = frame_by_layout(timed, layout, "the job's output").collected()
    return found.valid_during(found.start - 1, found.start) if kind == "panes" else found


def _event(output: DataFrame, times: Sequence[str]) -> tuple[str, Column]:
    name = event_time(output, times)
    return name, column_named(name)


def _pane_end(output: DataFrame) -> tuple[str, Column]:
    """The column that says when a pane ends, as messages name it."""
    struct = next((field for field in output.schema.fields if field.name.lower() == WINDOW), None)
    if struct is None:
        return "window_end", column_named("window_end")
    if not isinstance(struct.dataType, t.StructType) or "end" not in struct.dataType.names:
        raise SnapeqError(
            f"the job's output: column {struct.name} is {struct.dataType.simpleString()}; expected a window"
        )
    return f"{struct.name}.end", f.col(f"`{struct.name}`.end")
