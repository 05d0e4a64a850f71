"""Times of a recording as instants of the query: ISO texts, timestamps, or numbers in any unit."""

from fractions import Fraction
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from physical.columns.arrow_buffers import as_type, numbers, validity
from physical.files.times import FAR_FUTURE, WrongValue, instants
from physical.kernels.types import ENDLESS, Ints
from semantics import SchemaError, SnapeqError
from semantics.sql.units import TimeUnit, unit_named

FINER_UNITS: Final = {"MICROSECOND": Fraction(1, 1000), "NANOSECOND": Fraction(1, 1_000_000)}
EARLY_EPOCH: Final = 100_000_000
"""Numbers from here on are taken for seconds, or something finer, since 1970; this one is in 1973."""
EPOCH_UNITS: Final = (Fraction(1000), Fraction(1), *FINER_UNITS.values())
UNITS_APART: Final = 500
"""Times since 1970 that differ by such a factor are in different units."""


def milliseconds_of(unit: str) -> Fraction:
    """How long a unit of this name is.

    >>> milliseconds_of("seconds"), milliseconds_of("microsecond")
    (Fraction(1000, 1), Fraction(1, 1000))
    """
    named = unit_named(unit)
    found = FINER_UNITS.get(unit.upper().removesuffix("S")) if named is None else Fraction(named.value)
    if found is None:
        known = ", ".join((*FINER_UNITS, *TimeUnit.__members__))
        raise SnapeqError(f"--engine-unit {unit}: expected one of: {known}")
    return found


def unit_name(unit: Fraction) -> str:
    """The name of a unit, as one that people count."""
    known = {Fraction(each.value): each.name for each in TimeUnit} | {each: name for name, each in FINER_UNITS.items()}
    return f"{known[unit].lower()}s"


def since_1970(largest: int, unit: int) -> Fraction:
    """What numbers count that are times of people, in a query whose instants have so many milliseconds.

    The query's own unit, unless that would lead beyond all calendars: then the first finer one that does not.

    >>> [since_1970(n, 1000) for n in (1586938200, 1586938200000, 1586938200000000)]
    [Fraction(1000, 1), Fraction(1, 1), Fraction(1, 1000)]
    """
    units = [Fraction(unit), *(each for each in EPOCH_UNITS if each < unit)]
    return next((each for each in units if largest * each < FAR_FUTURE), units[-1])


def is_numeric(type_: pa.DataType) -> bool:
    """Are times of this type numbers? A column without any value so far is taken for one."""
    return bool(pa.types.is_integer(type_) or pa.types.is_null(type_))


def moments(array: pa.Array, given: Fraction, unit: int, null: int | None = None, *, signed: bool = False) -> Ints:
    """Instants of `unit` milliseconds; numbers count units of `given` ones. WrongValue names what does not fit."""
    if not is_numeric(array.type):
        return instants(array, unit, True, null, signed=signed)
    if array.null_count and null is None:
        raise WrongValue(int(np.argmin(validity(array))), "there is no time")
    known = validity(array)
    values: Ints = np.where(known, numbers(as_type(array, pa.int64())), 0)
    _refuse_mixed(values)
    scaled = _scaled(values, given / unit, signed)
    return scaled if null is None else np.where(known, scaled, null)


def timestamps(counted: pa.Array, unit: Fraction) -> pa.Array:
    """Numbers that count units of so many milliseconds since 1970, as timestamps.

    >>> timestamps(pa.array([1586938200, None]), Fraction(1000))[0].as_py()
    datetime.datetime(2020, 4, 15, 8, 10)
    """
    microseconds = unit * 1000
    scaled = pc.multiply_checked(counted.cast(pa.int64()), microseconds.numerator)
    whole = pc.divide(scaled, microseconds.denominator)
    if pc.any(pc.not_equal(pc.multiply(whole, microseconds.denominator), scaled)).as_py():
        raise SchemaError("a timestamp has microseconds, and these are finer")
    return whole.cast(pa.timestamp("us"))


def _scaled(values: Ints, factor: Fraction, signed: bool) -> Ints:
    if not signed and (values < 0).any():
        i = int(np.argmax(values < 0))
        raise WrongValue(i, "before instant 0", int(values[i]))
    if values.max(initial=0) > (ENDLESS - 1) // factor.numerator:
        i = int(np.argmax(values))
        raise WrongValue(i, f"beyond the last instant {ENDLESS - 1}", int(values[i]))
    found, rest = np.divmod(values * factor.numerator, factor.denominator)
    if rest.any():
        i = int(np.argmax(rest != 0))
        problem = f"no whole number of the query's units, each of which is {1 / factor} of the file's"
        raise WrongValue(i, problem, int(values[i]))
    return found


def _refuse_mixed(values: Ints) -> None:
    """Seconds and milliseconds since 1970 in one column are a mistake of the writer."""
    epochs = values[values >= EARLY_EPOCH]
    if len(epochs) and int(epochs.max()) // UNITS_APART > int(epochs.min()):
        odd = int(epochs.min()) if values[0] != epochs.min() else int(epochs.max())
        position = int(np.argmax(values == odd))
        raise WrongValue(position, f"in another unit than {int(values[0])}: times must have one unit", odd)
