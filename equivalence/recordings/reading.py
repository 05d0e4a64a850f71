"""How a recording is to be read: its kind, its columns, its key, and the units of its times."""

from dataclasses import dataclass, field
from fractions import Fraction

from equivalence.query_files.calendar import NUMBERS, Calendar
from equivalence.recordings.places import Given
from equivalence.recordings.recording import OutputKind
from semantics import Schema


@dataclass(frozen=True)
class Reading:
    """How the rows of a recording are to be read."""

    schema: Schema
    kind: OutputKind
    given: Given = field(default_factory=Given)
    key: tuple[str, ...] | None = None
    unit: int = 1000
    """Milliseconds per instant of the query."""
    file_unit: Fraction | None = None
    """Milliseconds per unit of the file; None means that of the query, except where a name says milliseconds."""
    pane_size: int | None = None
    pane_step: int = 1
    pane_offset: int = 0
    pane_reset: "tuple[int, int] | None" = None
    """Of panes that grow until a reset: the first start, and the distance of starts."""
    panes_close: bool = True
    """Is a pane final once the watermark has reached its end and it was written?"""
    calendar: Calendar = NUMBERS
    """How instants are written in messages."""
