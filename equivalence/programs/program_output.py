"""What a program's output says, and what the query says in the same form: intervals, panes of a window, or events."""

from typing import Literal

from equivalence.recordings.panes import at_panes
from physical.columns.stream import PhysicalStream, in_order
from physical.files.canonical_runs import runs_of
from physical.files.counted import counted_schema
from physical.runtime.run_whole import clipped

ProgramOutput = Literal["intervals", "panes", "events"]


def counted_answer(answer: PhysicalStream, step: int | None, horizon: int) -> PhysicalStream:
    """The right answer, with its counts; with a step, only at the last instant of each pane."""
    runs = runs_of(clipped(answer, horizon), counted_schema(answer.schema))
    return in_order(runs if step is None else at_panes(runs, step))
