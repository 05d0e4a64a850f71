"""The one time unit of a catalogue, and durations and timestamps counted in it."""

from datetime import UTC, datetime, timedelta
from enum import Enum
from fractions import Fraction

from semantics.errors import StreamError
from semantics.expression import Arithmetic, Cast, Constant, Expression, Now
from semantics.types import Type


class TimeUnit(Enum):
    """How long one instant is, in milliseconds."""

    MILLISECOND = 1
    SECOND = 1000
    MINUTE = 60_000
    HOUR = 3_600_000
    DAY = 86_400_000

    def __str__(self) -> str:
        return self.name

    @property
    def micros(self) -> int:
        """How long one instant is, in microseconds."""
        return self.value * 1000


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def now_as_timestamp(unit: TimeUnit) -> Expression:
    """The instant of the snapshot as a TIMESTAMP; instants count units since 1970."""
    return Cast(Arithmetic("*", Now(), Constant(unit.micros, Type.INT)), Type.TIMESTAMP)


def unit_named(name: str) -> TimeUnit | None:
    """The unit with this name, in singular or plural.

    >>> unit_named("minutes"), unit_named("fortnight")
    (<TimeUnit.MINUTE: 60000>, None)
    """
    singular = name.upper().removesuffix("S")
    return TimeUnit.__members__.get(singular)


def converted(number: int, unit: TimeUnit, into: TimeUnit) -> int | None:
    """A duration in another unit; None where it is not a whole number of it.

    >>> converted(10, TimeUnit.MINUTE, TimeUnit.SECOND), converted(90, TimeUnit.SECOND, TimeUnit.MINUTE)
    (600, None)
    """
    exact = Fraction(number * unit.value, into.value)
    return int(exact) if exact.denominator == 1 else None


def instant(text: str, unit: TimeUnit) -> int:
    """The instant of an ISO 8601 text, counted from 1970 in UTC; text without an offset is UTC.

    >>> instant("1970-01-02T00:00:00Z", TimeUnit.HOUR)
    24
    """
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise StreamError(f"TIMESTAMP: expected an ISO 8601 text, got {text!r}") from None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    exact = Fraction((moment - EPOCH) // timedelta(microseconds=1), unit.value * 1000)
    if exact.denominator != 1 or exact < 0:
        raise StreamError(f"TIMESTAMP: expected a whole number of units of one {unit} since 1970, got {text!r}")
    return int(exact)
