"""Where a recorded file keeps what: the query's columns, times, windows, operations; by given or by usual names."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import pyarrow as pa

from physical.files.layout import COUNT, END, START
from semantics import Schema, SnapeqError

Place = tuple[str, ...]
"""The names of a column and of the fields within it."""

USUAL_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "window start": ("window_start", "windowstart", "window.start", "session_window.start", "wstart", "w_start"),
    "window end": ("window_end", "windowend", "window.end", "session_window.end", "wend", "w_end"),
    "operation": ("op", "_op", "__op", "rowkind", "row_kind", "_change_type", "mz_diff", "mz_state", "_diff", "diff"),
    "watermark": ("watermark", "_watermark", "current_watermark"),
    "time": ("ts_ms", "__ts_ms", "mz_timestamp", "rw_timestamp", "_commit_timestamp"),
}
NO_TIME: Final = "none"
"""What --time says of a log whose times are only those of its writing."""
MILLISECOND_NAMES: Final = frozenset({"ts_ms", "__ts_ms", "mz_timestamp", "rw_timestamp", "windowstart", "windowend"})
"""Columns that hold milliseconds since 1970 if they hold numbers, whatever the unit of the query is."""
OPTIONS: Final = {
    "window start": "--window-start",
    "window end": "--window-end",
    "operation": "--op",
    "time": "--time",
    "watermark": "--watermark",
}


@dataclass(frozen=True)
class Given:
    """Names of columns that are not the usual ones: `window end` → `until`, say."""

    names: Mapping[str, str] = field(default_factory=dict)
    times: tuple[str, ...] = ()
    """The time columns of the inputs: an output may have one of them."""
    missing_is_null: bool = False
    """Are fields of JSON left out where they are NULL, as Spark does, so that a column may not show at all?"""

    @property
    def timeless(self) -> bool:
        """Do rows have no time of their own, whatever the columns are called?"""
        return self.names.get("time") == NO_TIME


@dataclass(frozen=True)
class Places:
    """Where things stand; None where a file does not have them."""

    values: tuple[Place, ...]
    """The query's columns; of a Debezium envelope those of `after`."""
    before: tuple[Place, ...] | None
    """The same of `before`."""
    envelope: Place | None
    """Where `after` stands."""
    window_start: Place | None
    window_end: Place | None
    time: Place | None
    operation: Place | None
    end: Place | None = None
    """The end of a row's interval; its start is the time."""
    count: Place | None = None
    watermark: Place | None = None
    """The watermark that was in force when a row was written."""

    def all(self) -> Iterator[Place]:
        """Every place that is read."""
        yield from self.values
        yield from self.before or ()
        yield from filter(
            None, (self.window_start, self.window_end, self.time, self.operation, self.end, self.count, self.watermark)
        )


def find_interval_places(file: pa.Schema, schema: Schema, where: str) -> Places:
    """The places of a file of intervals."""
    values = tuple(_value(file, (), name, where) for name in schema.names)
    start, end = (_value(file, (), name, where) for name in (START, END))
    return Places(values, None, None, None, None, start, None, end, _found(file, (COUNT,)))


def find_places(file: pa.Schema, schema: Schema, given: Given, where: str) -> Places:
    """Find the query's columns and everything else; an error names what is missing and what is there."""
    root = _root(file)
    envelope = _found(file, (*root, "after"))
    own = envelope or root
    if given.missing_is_null:
        values = tuple(value_at(file, own, name) or (*own, name) for name in schema.names)
    else:
        values = tuple(_value(file, own, name, where) for name in schema.names)
    before = None if envelope is None else (*root, "before")
    taken = {name.lower() for name in schema.names}

    def one(what: str, extra: Sequence[str] = ()) -> Place | None:
        return _one(file, (own, root), what, given, (*USUAL_NAMES[what], *extra), taken, where)

    pair = _found(file, (*own, "start")) is not None and _found(file, (*own, "end")) is not None
    return Places(
        values,
        None if before is None else tuple((*before, *place[len(own) :]) for place in values),
        envelope,
        one("window start", ("start",) if pair else ()),
        one("window end", ("end",) if pair else ()),
        None if given.timeless else one("time", given.times),
        one("operation"),
        watermark=one("watermark"),
    )


def _root(file: pa.Schema) -> Place:
    """Kafka Connect puts rows and the envelopes of Debezium into a payload, beside their schema."""
    payload = _found(file, ("payload",))
    return payload if payload is not None and fields(file, payload) else ()


def value_at(file: pa.Schema, own: Place, name: str) -> Place | None:
    """A column of the query; one that a dialect calls `window.start` may be a field of `window`."""
    return _found(file, (*own, name)) or _found(file, (*own, *name.split(".")))


def _value(file: pa.Schema, own: Place, name: str, where: str) -> Place:
    found = value_at(file, own, name)
    if found is None:
        there = ", ".join(fields(file, own)) or "none"
        raise SnapeqError(f"{where}: there is no column {name}; expected the query's columns; there are: {there}")
    return found


def _one(
    file: pa.Schema,
    roots: tuple[Place, ...],
    what: str,
    given: Given,
    usual: Sequence[str],
    taken: set[str],
    where: str,
) -> Place | None:
    """A column that is named by an option, or has a usual name and is none of the query's own."""
    wanted = given.names.get(what)
    names = [wanted] if wanted is not None else [name for name in usual if name.lower() not in taken]
    for name in names:
        for root in dict.fromkeys(roots):
            found = _found(file, (*root, *name.split(".")))
            if found is not None:
                return found
    if wanted is not None:
        there = ", ".join(fields(file, ()))
        raise SnapeqError(f"{where}: there is no column {wanted} ({OPTIONS[what]}); there are: {there}")
    return None


def fields(file: pa.Schema, root: Place) -> list[str]:
    """The names of a file's columns, or of the fields of one of them."""
    type_ = type_at(file, root) if root else pa.struct(list(file))
    return [type_.field(i).name for i in range(type_.num_fields)] if pa.types.is_struct(type_) else []


def type_at(file: pa.Schema, place: Place) -> pa.DataType:
    """The type of what stands at a place; where a file leaves NULL out, nothing may stand there."""
    type_ = file.field(place[0]).type if place[0] in file.names else pa.null()
    for name in place[1:]:
        type_ = type_.field(name).type if pa.types.is_struct(type_) else pa.null()
    return type_


def _found(file: pa.Schema, wanted: Place) -> Place | None:
    """A place as the file spells it; capital letters matter only if several names differ in nothing else."""
    found: Place = ()
    for name in wanted:
        there = fields(file, found)
        same = [name] if name in there else [other for other in there if other.lower() == name.lower()]
        if len(same) != 1:
            return None
        found = (*found, same[0])
    return found
