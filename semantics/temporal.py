"""Points in time and spans of it as values: integers that count a unit, and are written as SQL writes them.

They compare, hash and go into arrays as the integers they are. Arithmetic gives plain integers, which
`semantics.temporal_arithmetic` makes values of their types again.
"""

import re
from calendar import monthrange
from datetime import date, datetime, time, timedelta
from typing import Any, ClassVar, Final, Self

MICROS: Final = 1_000_000
"""Microseconds of a second; no value is finer."""
DAY_MICROS: Final = 86_400 * MICROS
EPOCH_DAY: Final = date(1970, 1, 1).toordinal()

_DATE: Final = r"(?P<date>\d{4}-\d{1,2}-\d{1,2})"
_CLOCK: Final = r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(:(?P<second>\d{2})(\.(?P<fraction>\d{1,12}))?)?"
_ZONE: Final = r"\s*(?P<zone>Z|UTC|[+-]\d{2}(:?\d{2})?)?"
_TIMESTAMP: Final = re.compile(rf"{_DATE}([ T]\s*{_CLOCK}{_ZONE})?", re.IGNORECASE)
_DAY_INTERVAL: Final = re.compile(
    r"(?P<sign>[+-])?\s*(?P<days>\d{1,12})?\s*((?P<hour>\d+):(?P<minute>\d+)(:(?P<second>\d+)(\.(?P<fraction>\d{1,12}))?)?)?"
)
_MONTH_INTERVAL: Final = re.compile(r"(?P<sign>[+-])?\s*(?P<years>\d{1,12})-(?P<months>\d{1,2})")


class Counted(int):
    """A number of units that is shown and read as text; each subclass says how."""

    __slots__ = ()
    unit: ClassVar[str]
    """What one is: as messages call it."""
    least: ClassVar[int] = -(2**63)
    greatest: ClassVar[int] = 2**63 - 1

    def __new__(cls, value: Any = 0) -> Self:
        """From a count, a text, or what Python's datetime has for it; ValueError if it is none."""
        number = cls.parsed(value.strip()) if isinstance(value, str) else cls.counted(value)
        if not cls.least <= number <= cls.greatest:
            raise ValueError(f"{int.__repr__(number)} {cls.unit} are out of range")
        return super().__new__(cls, number)

    @classmethod
    def counted(cls, value: Any) -> int:
        """The count that another value of Python stands for."""
        if isinstance(value, int) and not isinstance(value, bool):
            return int(value)
        raise ValueError(f"expected a {cls.__name__}, got {value!r}")

    @classmethod
    def parsed(cls, text: str) -> int:
        """The count that a text stands for."""
        raise NotImplementedError

    @property
    def text(self) -> str:
        """As SQL writes it, without the name of the type."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.text!r})"

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (int(self),))


class Timestamp(Counted):
    """Microseconds since 1970-01-01 00:00:00, without a time zone.

    >>> Timestamp("2024-02-29 12:30:00.5"), int(Timestamp("1970-01-01 00:00:01"))
    (Timestamp('2024-02-29 12:30:00.5'), 1000000)
    """

    __slots__ = ()
    unit = "microseconds since 1970"
    least = (1 - EPOCH_DAY) * DAY_MICROS
    greatest = (date.max.toordinal() + 1 - EPOCH_DAY) * DAY_MICROS - 1

    @classmethod
    def counted(cls, value: Any) -> int:
        if isinstance(value, datetime):
            naive = value.replace(tzinfo=None) - (value.utcoffset() or timedelta())
            return (naive - datetime(1970, 1, 1)) // timedelta(microseconds=1)
        if isinstance(value, date | Date):
            return int(Date(value)) * DAY_MICROS
        return super().counted(value)

    @classmethod
    def parsed(cls, text: str) -> int:
        found = _TIMESTAMP.fullmatch(text)
        if not found:
            raise ValueError(f"expected a text such as 2024-01-31 12:30:00, got {text!r}")
        clock = _clock(found, text) if found["hour"] else 0
        return Date.parsed(found["date"]) * DAY_MICROS + clock - _offset(found["zone"])

    @property
    def text(self) -> str:
        days, micros = divmod(int(self), DAY_MICROS)
        return f"{_date_text(days)} {_clock_text(micros)}"


class Date(Counted):
    """Days since 1970-01-01.

    >>> Date("1970-01-31") + 1, Date(31)
    (31, Date('1970-02-01'))
    """

    __slots__ = ()
    unit = "days since 1970"
    least = 1 - EPOCH_DAY
    greatest = date.max.toordinal() - EPOCH_DAY

    @classmethod
    def counted(cls, value: Any) -> int:
        if isinstance(value, datetime):
            raise ValueError(f"expected a date, got {value!r}")
        if isinstance(value, date):
            return value.toordinal() - EPOCH_DAY
        return super().counted(value)

    @classmethod
    def parsed(cls, text: str) -> int:
        parts = text.split("-")
        if not re.fullmatch(_DATE, text):
            raise ValueError(f"expected a text such as 2024-01-31, got {text!r}")
        try:
            return date(*map(int, parts)).toordinal() - EPOCH_DAY
        except ValueError as error:
            raise ValueError(f"there is no day {text!r}: {error}") from None

    @property
    def text(self) -> str:
        return _date_text(int(self))


class Time(Counted):
    """Microseconds since midnight: a time of the day.

    >>> Time("12:30:00"), str(Time(1))
    (Time('12:30:00'), '00:00:00.000001')
    """

    __slots__ = ()
    unit = "microseconds since midnight"
    least = 0
    greatest = DAY_MICROS - 1

    @classmethod
    def counted(cls, value: Any) -> int:
        if isinstance(value, time):
            seconds = (value.hour * 60 + value.minute) * 60 + value.second
            return seconds * MICROS + value.microsecond
        return super().counted(value)

    @classmethod
    def parsed(cls, text: str) -> int:
        found = re.fullmatch(_CLOCK, text)
        if not found:
            raise ValueError(f"expected a text such as 12:30:00, got {text!r}")
        return _clock(found, text)

    @property
    def text(self) -> str:
        return _clock_text(int(self))


class DayInterval(Counted):
    """A span of microseconds: SQL's INTERVAL DAY TO SECOND.

    >>> DayInterval("1 02:00:00"), DayInterval(-1500000), int(DayInterval("00:01"))
    (DayInterval('1 02:00:00'), DayInterval('-0 00:00:01.5'), 60000000)
    """

    __slots__ = ()
    unit = "microseconds"

    @classmethod
    def counted(cls, value: Any) -> int:
        if isinstance(value, timedelta):
            return value // timedelta(microseconds=1)
        return super().counted(value)

    @classmethod
    def parsed(cls, text: str) -> int:
        found = _DAY_INTERVAL.fullmatch(text)
        if not found or not (found["days"] or found["hour"]):
            raise ValueError(f"expected a text such as 1 02:30:00 (days, then hours), got {text!r}")
        hours, minutes, seconds = (int(found[part] or 0) for part in ("hour", "minute", "second"))
        clock = ((hours * 60 + minutes) * 60 + seconds) * MICROS + _fraction(found["fraction"], text)
        micros = int(found["days"] or 0) * DAY_MICROS + clock
        return -micros if found["sign"] == "-" else micros

    @property
    def text(self) -> str:
        days, micros = divmod(abs(int(self)), DAY_MICROS)
        return f"{'-' if self < 0 else ''}{days} {_clock_text(micros)}"


class MonthInterval(Counted):
    """A span of months: SQL's INTERVAL YEAR TO MONTH.

    >>> MonthInterval("1-2"), int(MonthInterval("-0-3"))
    (MonthInterval('1-2'), -3)
    """

    __slots__ = ()
    unit = "months"

    @classmethod
    def parsed(cls, text: str) -> int:
        found = _MONTH_INTERVAL.fullmatch(text)
        if not found:
            raise ValueError(f"expected a text such as 1-2 (years and months), got {text!r}")
        months = int(found["years"]) * 12 + int(found["months"])
        return -months if found["sign"] == "-" else months

    @property
    def text(self) -> str:
        years, months = divmod(abs(int(self)), 12)
        return f"{'-' if self < 0 else ''}{years}-{months}"


def plus_months(days: int, months: int) -> int:
    """The same day of the month so many months later, or the last one if that month is shorter.

    >>> Date(plus_months(Date("2024-01-31"), 1)), Date(plus_months(Date("2024-03-31"), -1))
    (Date('2024-02-29'), Date('2024-02-29'))
    """
    day = date.fromordinal(days + EPOCH_DAY)
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if not 1 <= year <= 9999:
        raise ValueError(f"year {year} is out of range")
    first, length = date(year, month + 1, 1).toordinal(), monthrange(year, month + 1)[1]
    return first + min(day.day, length) - 1 - EPOCH_DAY


def _date_text(days: int) -> str:
    return date.fromordinal(days + EPOCH_DAY).isoformat()


def _clock(found: re.Match[str], text: str) -> int:
    hours, minutes, seconds = (int(found[part] or 0) for part in ("hour", "minute", "second"))
    if hours > 23 or minutes > 59 or seconds > 59:
        raise ValueError(f"there is no time {text!r}")
    return ((hours * 60 + minutes) * 60 + seconds) * MICROS + _fraction(found["fraction"], text)


def _fraction(digits: str | None, text: str) -> int:
    """Microseconds of a fraction of a second. What is finer is refused, not rounded."""
    given = (digits or "").ljust(6, "0")
    if given[6:].strip("0"):
        raise ValueError(f"{text!r} is finer than a microsecond")
    return int(given[:6])


def _offset(zone: str | None) -> int:
    if zone is None or zone.upper() in ("Z", "UTC"):
        return 0
    digits = zone[1:].replace(":", "").ljust(4, "0")
    minutes = int(digits[:2]) * 60 + int(digits[2:])
    return (-1 if zone[0] == "-" else 1) * minutes * 60 * MICROS


def _clock_text(micros: int) -> str:
    seconds, fraction = divmod(micros, MICROS)
    clock = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{clock}.{fraction:06}".rstrip("0") if fraction else clock
