"""Functions of points in time by the calendar: fields of them, and the beginnings of hours, weeks and years.

There is no time zone: a TIMESTAMP is what a clock in UTC shows. Weeks are those of ISO 8601 and begin on Monday.
"""

from calendar import monthrange
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from typing import Final

from semantics.expression import Arithmetic, Cast, Constant, Expression
from semantics.functions.definition import Function, Given, Overload, Shorthand, Word
from semantics.temporal import DAY_MICROS, EPOCH_DAY, MICROS, Date, Timestamp, plus_months
from semantics.types import Type

INT, STR, DATE, TIMESTAMP, TIME = Type.INT, Type.STR, Type.DATE, Type.TIMESTAMP, Type.TIME
DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS: Final = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)

_DAY_FIELDS: Final[dict[str, Callable[[date], int]]] = {
    "year": lambda day: day.year,
    "quarter": lambda day: (day.month + 2) // 3,
    "month": lambda day: day.month,
    "day": lambda day: day.day,
    "week": lambda day: day.isocalendar().week,
    "isoyear": lambda day: day.isocalendar().year,
    "isodow": lambda day: day.isoweekday(),
    "dow": lambda day: day.isoweekday() % 7,
    "doy": lambda day: day.timetuple().tm_yday,
    "decade": lambda day: day.year // 10,
    "century": lambda day: (day.year + 99) // 100,
    "millennium": lambda day: (day.year + 999) // 1000,
}
_CLOCK_FIELDS: Final[dict[str, Callable[[int], int]]] = {
    "hour": lambda micros: micros // (3600 * MICROS),
    "minute": lambda micros: micros // (60 * MICROS) % 60,
    "second": lambda micros: micros // MICROS % 60,
    "millisecond": lambda micros: micros // 1000 % 60_000,
    "microsecond": lambda micros: micros % (60 * MICROS),
}
UNIT_MICROS: Final = {
    "microsecond": 1,
    "millisecond": 1000,
    "second": MICROS,
    "minute": 60 * MICROS,
    "hour": 3600 * MICROS,
    "day": DAY_MICROS,
    "week": 7 * DAY_MICROS,
}
UNIT_MONTHS: Final = {"month": 1, "quarter": 3, "year": 12, "decade": 120, "century": 1200, "millennium": 12000}
_MONDAY: Final = 4 * DAY_MICROS
"""The first Monday after the epoch, which was a Thursday."""

TIMESTAMP_FIELD: Final = Word("field", (*_DAY_FIELDS, *_CLOCK_FIELDS, "epoch"))
DATE_FIELD: Final = Word("field", (*_DAY_FIELDS, "epoch"))
TIME_FIELD: Final = Word("field", tuple(_CLOCK_FIELDS))
SPAN_FIELD: Final = Word("field", ("day", *_CLOCK_FIELDS, "epoch"))
MONTHS_FIELD: Final = Word("field", ("year", "month"))
UNIT: Final = Word("unit", (*UNIT_MICROS, *UNIT_MONTHS))


def field_of_timestamp(field: str, point: Timestamp) -> int:
    days, micros = divmod(int(point), DAY_MICROS)
    if field == "epoch":
        return int(point) // MICROS
    return _CLOCK_FIELDS[field](micros) if field in _CLOCK_FIELDS else field_of_date(field, days)


def field_of_date(field: str, days: int) -> int:
    if field == "epoch":
        return int(days) * (DAY_MICROS // MICROS)
    return _DAY_FIELDS[field](date.fromordinal(days + EPOCH_DAY))


def field_of_time(field: str, micros: int) -> int:
    return _CLOCK_FIELDS[field](int(micros))


def field_of_span(field: str, span: int) -> int:
    """Fields of a negative span are negative."""
    days, micros = divmod(abs(int(span)), DAY_MICROS)
    wholes = {"day": days, "epoch": abs(int(span)) // MICROS}
    size = wholes[field] if field in wholes else _CLOCK_FIELDS[field](micros)
    return size if span >= 0 else -size


def field_of_months(field: str, months: int) -> int:
    years, rest = divmod(abs(int(months)), 12)
    return (years if field == "year" else rest) * (1 if months >= 0 else -1)


def beginning(unit: str, point: Timestamp) -> Timestamp:
    """The last beginning of a unit that is not after the point. Weeks and centuries before year 1 begin with it."""
    micros = int(point)
    if unit == "week":
        return Timestamp(max(micros - (micros - _MONDAY) % (7 * DAY_MICROS), Timestamp.least))
    if unit in UNIT_MICROS:
        return Timestamp(micros - micros % UNIT_MICROS[unit])
    day = date.fromordinal(micros // DAY_MICROS + EPOCH_DAY)
    first = 1 if unit in ("century", "millennium") else 0  # the 21st century began in 2001
    months = (day.year - first) * 12 + day.month - 1
    year, month = divmod(months - months % UNIT_MONTHS[unit], 12)
    return Timestamp(date(max(year + first, 1), month + 1, 1))


def beginning_of_date(unit: str, day: Date) -> Date:
    """Units below a day leave it as it is."""
    return (
        day
        if UNIT_MICROS.get(unit, DAY_MICROS) < DAY_MICROS
        else Date(int(beginning(unit, Timestamp(day))) // DAY_MICROS)
    )


def next_beginning(unit: str, point: Timestamp) -> Timestamp | None:
    """The first beginning of a unit that is not before the point; NULL if it is after the year 9999."""
    begun = beginning(unit, point)
    if begun == point:
        return point
    try:
        if unit in UNIT_MICROS:
            return Timestamp(int(begun) + UNIT_MICROS[unit])
        return Timestamp(plus_months(int(begun) // DAY_MICROS, UNIT_MONTHS[unit]) * DAY_MICROS)
    except ValueError:
        return None


def next_beginning_of_date(unit: str, day: Date) -> Date | None:
    if UNIT_MICROS.get(unit, DAY_MICROS) < DAY_MICROS:
        return day
    found = next_beginning(unit, Timestamp(day))
    return None if found is None else Date(int(found) // DAY_MICROS)


def last_day(day: Date) -> Date:
    found = date.fromordinal(day + EPOCH_DAY)
    return Date(found.replace(day=monthrange(found.year, found.month)[1]))


def day_name(day: Date) -> str:
    return DAYS[date.fromordinal(day + EPOCH_DAY).weekday()]


def month_name(day: Date) -> str:
    return MONTHS[date.fromordinal(day + EPOCH_DAY).month - 1]


def _of_day(meaning: Callable[[Date], str]) -> Callable[[Timestamp], str]:
    return lambda point: meaning(Date(int(point) // DAY_MICROS))


def moment(point: Timestamp) -> datetime:
    """The same as a datetime of Python."""
    return datetime(1970, 1, 1) + timedelta(microseconds=int(point))


def _extracting(field: str, more: int = 0) -> Callable[[Sequence[Given]], Expression | None]:
    """EXTRACT of one field; plus a number, where others count from 1."""

    def rewrite(arguments: Sequence[Given]) -> Expression | None:
        from semantics.functions.table import call_of

        made = call_of("extract", [Constant(field, STR), *arguments]) if len(arguments) == 1 else None
        return Arithmetic("+", made, Constant(more, INT)) if made is not None and more else made

    return rewrite


def _exactly(
    field: str, micros: Callable[[Expression], Expression | None]
) -> Callable[[Sequence[Given]], Expression | None]:
    """A field in seconds with their fraction, where there is one: of a number of microseconds."""

    def rewrite(arguments: Sequence[Given]) -> Expression | None:
        if len(arguments) != 1 or arguments[0] is None:
            return None
        fine = arguments[0].type in (TIMESTAMP, TIME, Type.DAY_INTERVAL)
        counted = micros(arguments[0]) if fine else None
        return Arithmetic("/", counted, Constant(MICROS, INT)) if counted is not None else _extracting(field)(arguments)

    return rewrite


def _microsecond_field(value: Expression) -> Expression | None:
    return _extracting("microsecond")([value])


def _named(names: str, field: str, value: str, about: str) -> Shorthand:
    sql = f"{names.split()[0].upper()}(TIMESTAMP '2024-02-29 13:45:06.789')"
    return Shorthand(tuple(names.split()), _extracting(field), "(TIMESTAMP or DATE) → INT", about, ((sql, value),))


CALENDAR: Final = (
    Function(("extract", "date_part"), (Overload((TIMESTAMP_FIELD, TIMESTAMP), INT, field_of_timestamp), Overload((DATE_FIELD, DATE), INT, field_of_date), Overload((TIME_FIELD, TIME), INT, field_of_time), Overload((SPAN_FIELD, Type.DAY_INTERVAL), INT, field_of_span), Overload((MONTHS_FIELD, Type.MONTH_INTERVAL), INT, field_of_months)), "A field, as a whole number. Also `EXTRACT(field FROM x)`. MILLISECOND and MICROSECOND include the seconds; DOW counts from Sunday, 0; EPOCH is in seconds, cut down.", (("EXTRACT(QUARTER FROM DATE '2024-02-29')", "1"), ("DATE_PART('millisecond', TIMESTAMP '2024-02-29 13:45:06.789')", "6789"), ("EXTRACT(DOW FROM DATE '2024-03-03')", "0"), ("EXTRACT(HOUR FROM INTERVAL '1 02:00' DAY TO MINUTE)", "2"))),
    Shorthand(("exact_epoch",), _exactly("epoch", lambda value: Cast(value, INT)), "(TIMESTAMP, DATE or DAY_INTERVAL) → FLOAT", "The seconds since 1970, or of the span, with their fraction; of a DATE a whole number.", (("EXACT_EPOCH(TIMESTAMP '1970-01-01 00:00:01.5')", "1.5"),)),
    Shorthand(("exact_second",), _exactly("second", _microsecond_field), "(TIMESTAMP, TIME or DAY_INTERVAL) → FLOAT", "The second with its fraction.", (("EXACT_SECOND(TIMESTAMP '2024-02-29 13:45:06.789')", "6.789"),)),
    _named("year", "year", "2024", "The year."),
    _named("quarter", "quarter", "1", "The quarter, 1 to 4."),
    _named("month", "month", "2", "The month, 1 to 12."),
    _named("week weekofyear", "week", "9", "The week of ISO 8601."),
    _named("day dayofmonth", "day", "29", "The day of the month."),
    _named("dayofyear doy", "doy", "60", "The day of the year."),
    Shorthand(("dayofweek",), _extracting("dow", 1), "(TIMESTAMP or DATE) → INT", "The day of the week, from Sunday, 1, to Saturday, 7.", (("DAYOFWEEK(DATE '2024-03-03')", "1"),)),
    Shorthand(("hour",), _extracting("hour"), "(TIMESTAMP or TIME) → INT", "The hour.", (("HOUR(TIME '13:45:06')", "13"),)),
    Shorthand(("minute",), _extracting("minute"), "(TIMESTAMP or TIME) → INT", "The minute.", (("MINUTE(TIME '13:45:06')", "45"),)),
    Shorthand(("second",), _extracting("second"), "(TIMESTAMP or TIME) → INT", "The second, cut to a whole number.", (("SECOND(TIME '13:45:06.9')", "6"),)),
    Function(("date_trunc",), (Overload((UNIT, TIMESTAMP), TIMESTAMP, beginning), Overload((UNIT, DATE), DATE, beginning_of_date)), "The beginning of the hour, week, year or other unit. Also `FLOOR(x TO unit)`.", (("DATE_TRUNC('hour', TIMESTAMP '2024-02-29 13:45:06')", "timestamp '2024-02-29 13:00:00'"), ("DATE_TRUNC('week', DATE '2024-03-03')", "date '2024-02-26'"), ("FLOOR(DATE '2024-03-03' TO YEAR)", "date '2024-01-01'"))),
    Function(("date_ceil",), (Overload((UNIT, TIMESTAMP), TIMESTAMP, next_beginning, nullable=True), Overload((UNIT, DATE), DATE, next_beginning_of_date, nullable=True)), "The same if it is a beginning, else the next one; NULL after the year 9999. Also `CEIL(x TO unit)`.", (("CEIL(TIMESTAMP '2024-02-29 13:45:06' TO HOUR)", "timestamp '2024-02-29 14:00:00'"),)),
    Function(("last_day",), (Overload((DATE,), DATE, last_day),), "The last day of the month.", (("LAST_DAY(DATE '2024-02-03')", "date '2024-02-29'"),)),
    Function(("dayname",), (Overload((DATE,), STR, day_name), Overload((TIMESTAMP,), STR, _of_day(day_name))), "The English name of the day.", (("DAYNAME(DATE '2024-02-29')", "'Thursday'"),)),
    Function(("monthname",), (Overload((DATE,), STR, month_name), Overload((TIMESTAMP,), STR, _of_day(month_name))), "The English name of the month.", (("MONTHNAME(DATE '2024-02-29')", "'February'"),)),
)  # fmt: skip
