"""Fields and beginnings of points in time over whole columns: by integer arithmetic and numpy's calendar."""

from collections.abc import Callable
from typing import Final

import numpy as np

from physical.kernels.types import Array, Ints
from semantics.functions.calendar_fields import UNIT_MICROS
from semantics.functions.time_formats import tokens
from semantics.temporal import DAY_MICROS, MICROS

GRAINS: Final = {"HH": 1, "mm": 2, "ss": 3, "SSS": 4, "SSSSSS": 5}
_SIZES: Final = (DAY_MICROS, 3600 * MICROS, 60 * MICROS, MICROS, 1000, 1)
Field = Callable[[Ints], Array]


def _calendar(micros: Ints, unit: str) -> Array:
    """How many of these units have passed since 1970."""
    return micros.view("datetime64[us]").astype(f"datetime64[{unit}]").astype(np.int64)


def _months(micros: Ints) -> Array:
    return _calendar(micros, "M")


def _day(micros: Ints) -> Array:
    return micros // DAY_MICROS


def _first_day(micros: Ints, unit: str) -> Array:
    return micros.view("datetime64[us]").astype(f"datetime64[{unit}]").astype("datetime64[D]").astype(np.int64)


_FIELDS: Final[dict[str, Field]] = {
    "year": lambda micros: _calendar(micros, "Y") + 1970,
    "quarter": lambda micros: _months(micros) % 12 // 3 + 1,
    "month": lambda micros: _months(micros) % 12 + 1,
    "day": lambda micros: _day(micros) - _first_day(micros, "M") + 1,
    "doy": lambda micros: _day(micros) - _first_day(micros, "Y") + 1,
    "dow": lambda micros: (_day(micros) + 4) % 7,
    "isodow": lambda micros: (_day(micros) + 3) % 7 + 1,
    "hour": lambda micros: micros % DAY_MICROS // (3600 * MICROS),
    "minute": lambda micros: micros // (60 * MICROS) % 60,
    "second": lambda micros: micros // MICROS % 60,
    "millisecond": lambda micros: micros // 1000 % 60_000,
    "microsecond": lambda micros: micros % (60 * MICROS),
    "epoch": lambda micros: micros // MICROS,
}


def shown_part(pattern: str, micros: Ints) -> Ints:
    """What a format shows of every point in time: whole days, hours, or whatever is finest in it."""
    finest = max((GRAINS.get(text, 0) for kind, text in tokens(pattern) or () if kind == "part"), default=0)
    unit = _SIZES[finest]
    found: Ints = micros - micros % unit
    return found


def fields(field: str, micros: Ints) -> Array | None:
    """A field of every point in time, if numpy knows it."""
    return _FIELDS[field](micros) if field in _FIELDS else None


def beginnings(unit: str, micros: Ints) -> Array | None:
    """The beginning of the unit of every point in time, if numpy knows it."""
    if unit in ("month", "year"):
        return _first_day(micros, unit[0].upper()) * DAY_MICROS
    if unit in UNIT_MICROS and unit != "week":
        return micros - micros % UNIT_MICROS[unit]
    return None
