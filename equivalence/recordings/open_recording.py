"""A recording as a command names it: its files, its kind, its key, and the instants at which it is judged."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Final

from equivalence.query_files.calendar import calendar_of
from equivalence.query_files.query_over_files import QueryOverFiles
from equivalence.query_files.stream_files import layout
from equivalence.recordings.claims import Claims
from equivalence.recordings.kinds import is_intervals, recognised
from equivalence.recordings.output_key import output_key
from equivalence.recordings.panes import pane_offset, pane_reset, pane_size, pane_step
from equivalence.recordings.places import NO_TIME, USUAL_NAMES, Given, find_places
from equivalence.recordings.reading import Reading
from equivalence.recordings.recorded_files import RecordedFiles, recorded_files
from equivalence.recordings.recorded_rows import RowReader
from equivalence.recordings.recording import EveryInstant, Judged, LastInstants, OneInstant, OutputKind
from physical.kernels.types import ENDLESS
from semantics import FOREVER, Instant, Schema, SnapeqError

NEEDS_A_KEY: Final = ("upsert", "updates")
DAY: Final = 86_400_000
"""Milliseconds: no mistake about time zones is as long."""


@dataclass(frozen=True)
class RecordingOptions:
    """What the caller says about a recording."""

    kind: OutputKind | None = None
    """None lets the file tell."""
    key: tuple[str, ...] | None = None
    at: Instant | None = None
    end: Callable[[], Instant] | None = None
    """Finds the last instant of the inputs, at which a log without times is judged."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Columns that do not have their usual names, as in `Given`."""
    offset: int = 0
    """Panes end at offset + k · step."""
    file_unit: Fraction | None = None
    horizon: int | None = None
    columns: tuple[str, ...] | None = None
    """The names of values that were printed without names."""
    step: int | None = None
    """The distance of panes, where the query's windows do not say it."""
    panes_close: bool = True
    """As in `Reading`."""
    missing_is_null: bool = False
    """As in `Given`."""


@dataclass(frozen=True)
class OpenRecording:
    """A recording that is ready to be read, and what its kind was told by if nobody said it."""

    claims: Claims
    shown_by: str | None
    unused: tuple[str, ...] = ()
    """Columns of the file that nothing is done with."""
    written_later: str | None = None
    """The column with the times of writing, if that is what it holds."""


@contextmanager
def open_recording(path: Path, query: QueryOverFiles, options: RecordingOptions) -> Iterator[OpenRecording]:
    """Open a file, a folder of part files or a pipe as a recording of the query's output."""
    key = options.key if options.key is not None else output_key(query.plan)
    with recorded_files(path, options.columns, key) as files:
        yield opened(files, query, options)


def opened(files: RecordedFiles, query: QueryOverFiles, options: RecordingOptions) -> OpenRecording:
    """The same for files that are open already."""
    times = tuple(dict.fromkeys(t for s in query.sources if (t := layout(s.name, query).start) is not None))
    given, schema = Given(options.names, times, options.missing_is_null), query.plan.schema
    file_schema = files.schema()
    shown_by, kind = None, options.kind
    if kind is None and is_intervals(file_schema):
        kind, shown_by = "intervals", "it has _start"
    if kind is None and file_schema.names:
        places = find_places(file_schema, schema, given, files.name)
        kind, shown_by = recognised(files, file_schema, places, has_moment=options.at is not None)
    if kind == "events" and "time" not in options.names:
        given = _own_time(given, schema)
    unit = 1000 if query.catalogue is None else query.catalogue.unit.value
    key = _key(query, options, kind or "panes", files.name)
    reading = Reading(schema, kind or "panes", given, key, unit, options.file_unit, calendar=calendar_of(query))
    reader = RowReader(files, reading)
    if reader.has_panes:
        reading = replace(
            reading,
            pane_size=pane_size(query.plan),
            pane_step=pane_step(query.plan, options.step),
            pane_offset=options.offset or pane_offset(query.plan),
            pane_reset=pane_reset(query.plan),
            panes_close=options.panes_close,
        )
        reader = RowReader(files, reading)
    _check_times(reader)
    if _is_written_later(reader, options):
        found = opened(files, query, replace(options, kind=reading.kind, names={**options.names, "time": NO_TIME}))
        clock = ".".join(reader.places.time or ())
        return replace(found, shown_by=shown_by, written_later=clock)
    judged = _judged(reader, options)
    claims = Claims(reader, judged, ENDLESS if options.horizon is None else options.horizon)
    read = () if not file_schema.names else reader.places.values if kind == "snapshot" else reader.places.all()
    used = {place[0] for place in read}
    return OpenRecording(claims, shown_by, tuple(name for name in file_schema.names if name not in used))


def _key(query: QueryOverFiles, options: RecordingOptions, kind: OutputKind, name: str) -> tuple[str, ...] | None:
    """As it is given, or as the query groups."""
    schema = query.plan.schema
    wrong = [column for column in options.key or () if column not in schema.names]
    if wrong:
        there = ", ".join(schema.names)
        raise SnapeqError(f"--key {', '.join(wrong)}: the query has no such column; expected some of: {there}")
    if kind == "debezium":
        return options.key
    key = options.key if options.key is not None else output_key(query.plan)
    if key is None and kind in NEEDS_A_KEY:
        raise SnapeqError(f"{name}: {kind} need a key, by which a new row replaces an old one; expected --key a,b")
    return key


def _own_time(given: Given, schema: Schema) -> Given:
    """Rows at their own instants may have it among the query's columns, under the name that it has in the input."""
    own = next((name for name in given.times if name in schema.names), None)
    return given if own is None else replace(given, names={**given.names, "time": own})


def _check_times(reader: RowReader) -> None:
    """Kinds that cannot be without a time or a window."""
    kind = reader.reading.kind
    if not reader.file_schema.names:
        return
    if kind in ("panes", "updates") and not reader.has_panes:
        wanted = "window_end, window.end or WINDOWEND, or say which column it is: --window-end NAME"
        raise SnapeqError(f"{reader.files.name}: there is no column with the ends of windows; expected {wanted}")
    if kind == "events" and reader.places.time is None:
        times = ", ".join(reader.reading.given.times) or "a time column"
        raise SnapeqError(f"{reader.files.name}: there is no time; expected {times}, or say --time NAME")


def _is_written_later(reader: RowReader, options: RecordingOptions) -> bool:
    """Does a log begin long after all input, by the clock of the sink that wrote it?"""
    log = reader.reading.kind in ("retract", "debezium", "upsert") and not reader.has_panes
    if not log or not reader.has_times or options.end is None or "time" in options.names:
        return False
    place = reader.places.time
    if place is None or place[-1].lower() not in USUAL_NAMES["time"]:
        return False
    by_clock = RowReader(reader.files, replace(reader.reading, unit=1))
    first = next((int(batch.start.min()) for batch in by_clock.batches() if len(batch)), 0)
    return first > options.end() * reader.reading.unit + DAY


def _judged(reader: RowReader, options: RecordingOptions) -> Judged:
    reading, horizon = reader.reading, FOREVER if options.horizon is None else options.horizon
    if reader.has_panes:
        return LastInstants(reading.pane_step, reading.pane_offset, horizon)
    if reader.has_times and options.at is None:
        return EveryInstant(horizon)
    if options.at is not None:
        return OneInstant(options.at)
    if options.end is None or reading.kind == "snapshot":
        raise SnapeqError(f"{reader.files.name}: it has no times; expected --at T, or --at end for the last input")
    return OneInstant(options.end())
