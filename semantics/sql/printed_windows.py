"""Windows as text of the language."""

from semantics.plan import CountWindow, LandmarkWindow, PartitionedWindow, TimeWindow
from semantics.sql.printed_expressions import name_text
from semantics.time import FOREVER

Window = TimeWindow | CountWindow | PartitionedWindow | LandmarkWindow


def is_now(window: Window) -> bool:
    """Is it the now-window, the identity, which is never written?"""
    return isinstance(window, TimeWindow) and (window.size, window.slide) == (1, 1)


def window_text(window: Window) -> str:
    """`WINDOW(…)`, in the time unit of the catalogue."""
    return f"WINDOW({_specification(window)})"


def _specification(window: Window) -> str:
    match window:
        case TimeWindow(size=size):
            return f"RANGE {'UNBOUNDED' if size == FOREVER else size}{_slide(window)}"
        case CountWindow():
            return _rows(window)
        case PartitionedWindow(keys=keys):
            names = ", ".join(name_text(window.schema.names[key]) for key in keys)
            return f"PARTITION BY {names} {_rows(window)}"
        case LandmarkWindow(start=start, reset=reset):
            return f"LANDMARK {start}{'' if reset is None else f' RESET {reset}'}"


def _rows(window: CountWindow | PartitionedWindow) -> str:
    return f"ROWS {window.rows}{' WITH TIES' if window.ties else _slide(window)}"


def _slide(window: TimeWindow | CountWindow | PartitionedWindow) -> str:
    return "" if window.slide == 1 else f" SLIDE {window.slide}"
