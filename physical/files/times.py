"""Time columns of files as instants."""

from functools import lru_cache

import numpy as np
import pyarrow as pa

from physical.columns.arrow_buffers import as_type, numbers, validity
from physical.columns.column import ColumnVector
from physical.kernels.types import ENDLESS, Bools, Ints

FAR_FUTURE = 10**14
"""Milliseconds since 1970 in the year 5138: numbers that would lead there count a finer unit."""


class WrongValue(Exception):
    """A value that does not fit, with its position and the problem."""

    def __init__(self, position: int, problem: str, value: object = None) -> None:
        super().__init__(problem if value is None else f"{value} is {problem}")
        self.position = position


def instants(array: pa.Array, unit: int, is_timestamp: bool, null: int | None, *, signed: bool = False) -> Ints:
    """The instants of a time column; `null` replaces NULL, or is None if NULL is not allowed.

    Only if they are `signed` they may be before instant 0, as the start of a window may.
    """
    if array.null_count and null is None:
        raise WrongValue(_first(~validity(array)), "there is no time")
    times: Ints = _timestamps(array, unit) if is_timestamp else numbers(as_type(array, pa.int64()))
    if null is not None and array.null_count:
        times = np.where(validity(array), times, null)
    if not signed:
        _refuse(array, times < 0, "before instant 0")
    if null is None:
        _refuse(array, times == ENDLESS, f"beyond the last instant {ENDLESS - 1}")
    return times


def counted_instants(times: ColumnVector, unit: int) -> Ints:
    """Computed times as instants: whole numbers as they are, timestamps in units of so many milliseconds."""
    there = times.mask()
    if not there.all():
        raise WrongValue(_first(~there), "there is no time")
    counts: Ints = times.values
    if times.type.name == "TIMESTAMP":
        counts = np.floor_divide(times.values, unit * 1000)
        uneven = counts * (unit * 1000) != times.values
        if uneven.any():
            raise WrongValue(_first(uneven), f"no whole number of units of {unit} ms", times.values[_first(uneven)])
    if (counts < 0).any():
        raise WrongValue(_first(counts < 0), "before instant 0", counts[_first(counts < 0)])
    return counts


def _refuse(array: pa.Array, wrong: Bools, problem: str) -> None:
    if wrong.any():
        position = _first(wrong)
        raise WrongValue(position, problem, array[position].as_py())


def _timestamps(array: pa.Array, unit: int) -> Ints:
    """Texts, dates or timestamps as numbers of units (in milliseconds) since 1970 in UTC."""
    counted = _counted(array)
    if counted is not None:
        return _since_1970_in(counted, unit)
    ticks = numbers(_microseconds(array).cast(pa.int64()))
    counts = np.floor_divide(ticks, unit * 1000)
    uneven = counts * (unit * 1000) != ticks
    if uneven.any():
        position = _first(uneven)
        raise WrongValue(position, f"no whole number of units of {unit} ms", array[position].as_py())
    return counts


def _counted(array: pa.Array) -> pa.Array | None:
    """Times that are numbers, or texts of digits: counts of a unit since 1970. None if they are something else."""
    from pyarrow import compute

    if pa.types.is_integer(array.type):
        return array.cast(pa.int64())
    first = array[0].as_py() if len(array) and pa.types.is_string(array.type) else None
    if first is None or not first.isdigit() or not first.isascii():
        return None
    return array.cast(pa.int64()) if compute.all(compute.string_is_ascii(array)).as_py() else None


def _since_1970_in(array: pa.Array, unit: int) -> Ints:
    """Counts of the unit itself, or of the first finer one with which they are times of people."""
    values = np.where(validity(array), numbers(array), 0)
    largest = int(values.max(initial=0))
    finer = next((parts for parts in finer_parts(unit) if largest * unit < FAR_FUTURE * parts), 1)
    counts, rest = np.divmod(values, finer)
    if rest.any():
        position = _first(rest != 0)
        raise WrongValue(position, f"no whole number of units of {unit} ms", array[position].as_py())
    return np.asarray(counts)


def finer_parts(unit: int) -> list[int]:
    """Into how many parts a unit of so many milliseconds is cut: 1, into seconds, milli-, micro-, nanoseconds.

    >>> finer_parts(60_000)
    [1, 60, 60000, 60000000, 60000000000]
    """
    return [1, *([unit // 1000] if unit > 1000 and unit % 1000 == 0 else []), *(unit * 10**i for i in (0, 3, 6))]


def _microseconds(array: pa.Array) -> pa.Array:
    if pa.types.is_string(array.type) or pa.types.is_large_string(array.type):
        return _parsed(array)
    if not (pa.types.is_date(array.type) or pa.types.is_timestamp(array.type)):
        raise WrongValue(0, f"a column of {array.type} holds no timestamps")
    try:
        return array.cast(pa.timestamp("us", getattr(array.type, "tz", None)))
    except pa.ArrowInvalid as error:
        raise WrongValue(0, "a timestamp here or further on is finer than a microsecond") from error


def _parsed(texts: pa.Array) -> pa.Array:
    """Parsed by Arrow if all texts have an offset or none has; otherwise one by one."""
    for type_ in (pa.timestamp("us", "UTC"), pa.timestamp("us")):
        try:
            return texts.cast(type_)
        except pa.ArrowInvalid:
            continue
    return pa.array([_read(i, text) for i, text in enumerate(texts.to_pylist())], pa.timestamp("us"))


def _read(position: int, text: str | None) -> int | None:
    try:
        return None if text is None else _since_1970(text)
    except ValueError as error:
        raise WrongValue(position, "no ISO 8601 text", repr(text)) from error


@lru_cache(4096)
def _since_1970(text: str) -> int:
    from datetime import UTC, datetime, timedelta

    moment = datetime.fromisoformat(text)
    moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


def _first(mask: Bools) -> int:
    return int(np.argmax(mask))
