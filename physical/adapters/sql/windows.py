"""Windows as conditions on the instant l.t of an element and the instant i.t at which it is seen."""

from collections.abc import Sequence

from semantics.time import FOREVER, End


def range_condition(size: End, slide: int) -> str:
    """ω_{w,s}: the elements of (b − w, b], with b the last multiple of the slide.

    >>> range_condition(10, 2)
    'l.t <= (i.t - i.t % 2) AND l.t > (i.t - i.t % 2) - 10'
    """
    boundary = "i.t" if slide == 1 else f"(i.t - i.t % {slide})"
    return f"l.t <= {boundary}" + ("" if size == FOREVER else f" AND l.t > {boundary} - {size}")


def landmark_condition(start: int, reset: int | None) -> str:
    """Everything since the last landmark.

    >>> landmark_condition(3, None)
    'i.t >= 3 AND l.t <= i.t AND l.t >= 3'
    """
    landmark = str(start) if reset is None else f"i.t - (i.t - {start}) % {reset}"
    return f"i.t >= {start} AND l.t <= i.t AND l.t >= {landmark}"


def last_rows(
    made: str, past: str, part: Sequence[str], order: Sequence[str], rows: int, slide: int, columns: str
) -> str:
    """The last rows in the order of time, then of values, up to the last multiple of the slide."""
    over = f"PARTITION BY {', '.join(part)}"
    number = f"row_number() OVER ({over} ORDER BY {', '.join(['l.t ASC', *order])}) AS place"
    counted = f"SELECT {made}, {number}, count(*) OVER ({over}) AS upto FROM {past}"
    last = "upto" if slide == 1 else f"(upto - upto % {slide})"
    return f"SELECT t, {columns} FROM ({counted}) AS w WHERE place <= {last} AND place > {last} - {rows}"


def last_rows_with_ties(made: str, past: str, part: Sequence[str], rows: int, columns: str) -> str:
    """The rows that fewer than so many others are later than."""
    place = f"rank() OVER (PARTITION BY {', '.join(part)} ORDER BY l.t DESC) AS place"
    return f"SELECT t, {columns} FROM (SELECT {made}, {place} FROM {past}) AS w WHERE place <= {rows}"
