"""WINDOW(…) into a window operator; the now-window is the identity and leaves no trace (Section 5.2)."""

from sqlglot import exp

from semantics.how_many import how_many
from semantics.plan import CountWindow, LandmarkWindow, PartitionedWindow, Plan, SessionWindow, TimeWindow
from semantics.sql.catalogue import Catalogue
from semantics.sql.constants import whole_number
from semantics.sql.errors import blaming, one_of, wrong
from semantics.sql.grammar.nodes import Duration, StreamWindow
from semantics.sql.to_plan.visible_columns import Entry, matching
from semantics.sql.units import TimeUnit, converted, unit_named
from semantics.time import FOREVER


def windowed(plan: Plan, window: StreamWindow, entries: list[Entry], catalogue: Catalogue) -> Plan:
    """The window on top of what it stands behind (Section 5.1)."""
    with blaming(window, "numbers from 1 to 2⁶³ − 1, and columns that differ"):
        match window.args["kind"]:
            case "RANGE":
                return _time_window(plan, window, entries, catalogue)
            case "ROWS":
                return _rows_window(plan, window, entries)
            case "SESSION":
                return _session_window(plan, window, entries, catalogue)
            case _:
                return _landmark_window(plan, window, catalogue)


def _landmark_window(plan: Plan, window: StreamWindow, catalogue: Catalogue) -> Plan:
    """With a slide: what the window was at the last multiple of it, which a time window of one instant says."""
    start, reset, slide = (window.args.get(part) for part in ("size", "reset", "slide"))
    assert start is not None
    made = LandmarkWindow(plan, units(start, catalogue), units(reset, catalogue) if reset else None)
    step = units(slide, catalogue) if slide else 1
    return made if step == 1 else TimeWindow(made, 1, step)


def _time_window(plan: Plan, window: StreamWindow, entries: list[Entry], catalogue: Catalogue) -> Plan:
    """A window of time treats all groups alike, so their columns must only be there."""
    _ = [_position(key, entries) for key in window.args.get("partition") or ()]
    size, slide = window.args.get("size"), window.args.get("slide")
    length = units(size, catalogue) if size else FOREVER
    step = units(slide, catalogue) if slide else 1
    if size and slide is None and length == 1:
        return plan
    made = TimeWindow(plan, length, step)
    return plan if (made.size, made.slide) == (1, 1) else made


def _rows_window(plan: Plan, window: StreamWindow, entries: list[Entry]) -> Plan:
    rows, slide = _whole(window.args["size"]), window.args.get("slide")
    step, ties = _whole(slide) if slide else 1, bool(window.args.get("ties"))
    partition = window.args.get("partition")
    if not partition:
        return CountWindow(plan, rows, step, ties)
    return PartitionedWindow(plan, tuple(_position(key, entries) for key in partition), rows, step, ties)


def _session_window(plan: Plan, window: StreamWindow, entries: list[Entry], catalogue: Catalogue) -> Plan:
    names = tuple(name.name for name in window.args.get("names") or ()) or ("session_start", "session_end")
    if len(names) != 2:
        raise wrong(window, f"SESSION has two columns more, got {how_many(len(names), 'name')}", "two names")
    keys = tuple(_position(key, entries) for key in window.args.get("partition") or ())
    return SessionWindow(plan, units(window.args["size"], catalogue), keys, bool(window.args.get("touching")), names)


def _position(key: exp.Column, entries: list[Entry]) -> int:
    found = matching(entries, key)
    if not found:
        raise wrong(key, f"unknown column {key.name} in PARTITION BY", one_of(entry.name for entry in entries))
    return found[0].position


def units(duration: Duration, catalogue: Catalogue) -> int:
    """A duration as a number of instants."""
    number, unit = _whole(duration), duration.args.get("unit")
    if unit is None:
        return number
    known = unit_named(unit.name)
    if known is None:
        raise wrong(unit, f"unknown time unit {unit.name}", one_of(f"{name}S" for name in TimeUnit.__members__))
    whole = converted(number, known, catalogue.unit)
    if whole is None:
        problem = f"{number} {unit.name} is not a whole number of the time unit {catalogue.unit}"
        raise wrong(duration, problem, "a multiple of the time unit, or a smaller unit by SET TIME UNIT")
    return whole


def _whole(duration: Duration) -> int:
    text = duration.this.name
    if not text.isdigit():
        raise wrong(duration, f"{text} is not a whole number", "a whole number")
    return whole_number(duration, text)
