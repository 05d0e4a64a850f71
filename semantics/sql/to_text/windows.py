"""Windows as text of the language."""

from typing import assert_never

from semantics.plan import CountWindow, LandmarkWindow, PartitionedWindow, SessionWindow, TimeWindow
from semantics.sql.names import name_text
from semantics.sql.units import TimeUnit
from semantics.time import FOREVER

Window = TimeWindow | CountWindow | PartitionedWindow | LandmarkWindow | SessionWindow


def is_now(window: Window) -> bool:
    """Is it the now-window, the identity, which is never written?"""
    return isinstance(window, TimeWindow) and (window.size, window.slide) == (1, 1)


def window_text(window: Window, unit: TimeUnit | None) -> str:
    """`WINDOW(…)`; with the unit of the catalogue durations are written in larger ones where these divide them."""
    return f"WINDOW({_specification(window, unit)})"


def _specification(window: Window, unit: TimeUnit | None) -> str:
    match window:
        case TimeWindow(size=size, slide=slide):
            length = "UNBOUNDED" if size == FOREVER else duration_text(int(size), unit)
            return f"RANGE {length}" + ("" if slide == 1 else f" SLIDE {duration_text(slide, unit)}")
        case CountWindow():
            return _rows(window)
        case PartitionedWindow(keys=keys):
            names = ", ".join(name_text(window.schema.names[key]) for key in keys)
            return f"PARTITION BY {names} {_rows(window)}"
        case LandmarkWindow(start=start, reset=reset):
            tail = "" if reset is None else f" RESET {duration_text(reset, unit)}"
            return f"LANDMARK {duration_text(start, unit)}{tail}"
        case SessionWindow(keys=keys, gap=gap, touching=touching, names=names):
            by = ", ".join(name_text(window.schema.names[key]) for key in keys)
            tail = " TOUCHING" if touching else ""
            usual = names == ("session_start", "session_end")
            return "".join(
                [
                    f"PARTITION BY {by} " if keys else "",
                    f"SESSION {duration_text(gap, unit)}{tail}",
                    "" if usual else f" AS {', '.join(map(name_text, names))}",
                ]
            )
        case _:
            assert_never(window)


def _rows(window: CountWindow | PartitionedWindow) -> str:
    slide = "" if window.slide == 1 else f" SLIDE {window.slide}"
    return f"ROWS {window.rows}{' WITH TIES' if window.ties else slide}"


def duration_text(number: int, unit: TimeUnit | None) -> str:
    """So many instants, in the largest unit that divides them.

    >>> duration_text(7200, TimeUnit.SECOND), duration_text(90, TimeUnit.SECOND), duration_text(7200, None)
    ('2 HOURS', '90 SECONDS', '7200')
    """
    if unit is None or number == 0:
        return str(number)
    largest = [other for other in TimeUnit if number * unit.value % other.value == 0 and other.value >= unit.value][-1]
    count = number * unit.value // largest.value
    return f"{count} {largest}{'' if count == 1 else 'S'}"
