"""Points in time made of numbers, moved by numbers of units, and how far they are apart."""

import math
from collections.abc import Callable, Sequence
from datetime import date, datetime, time
from typing import Final, TypeVar

from semantics.expression import Arithmetic, ArithmeticSymbol, Cast, Constant, Expression
from semantics.functions.calendar_fields import UNIT, UNIT_MICROS, UNIT_MONTHS, moment
from semantics.functions.definition import Function, Given, Overload, Shorthand
from semantics.functions.time_formats import FORMAT, read, read_timestamp
from semantics.temporal import MICROS, Date, DayInterval, MonthInterval, Time, Timestamp
from semantics.types import Type

INT, FLOAT, STR, DATE, TIMESTAMP, TIME = Type.INT, Type.FLOAT, Type.STR, Type.DATE, Type.TIMESTAMP, Type.TIME
SPAN = Type.DAY_INTERVAL
T = TypeVar("T")


def counted(number: int) -> Timestamp | None:
    """The point in time so many microseconds after 1970 began; NULL if it is outside of the years 1 to 9999."""
    return Timestamp(number) if Timestamp.least <= number <= Timestamp.greatest else None


def of_seconds(seconds: float) -> Timestamp | None:
    if isinstance(seconds, int):
        return counted(seconds * MICROS)
    return counted(round(seconds * MICROS)) if math.isfinite(seconds) and abs(seconds) < 1e12 else None


def of_millis(millis: int) -> Timestamp | None:
    return counted(millis * 1000)


def of_precision(number: int, precision: int) -> Timestamp | None:
    """A number of seconds, with so many digits of fractions of them."""
    scale = {0: MICROS, 3: 1000, 6: 1}.get(precision)
    return None if scale is None else counted(number * scale)


def millis(point: Timestamp) -> int:
    return int(point) // 1000


def micros(point: Timestamp) -> int:
    return int(point)


def make_date(year: int, month: int, day: int) -> Date | None:
    return _made(lambda: Date(date(year, month, day)))


def make_time(hour: int, minute: int, second: int) -> Time | None:
    return _made(lambda: Time(time(hour, minute, second)))


def make_timestamp(year: int, month: int, day: int, hour: int, minute: int, second: int) -> Timestamp | None:
    return _made(lambda: Timestamp(datetime(year, month, day, hour, minute, second)))


def _made(make: Callable[[], T]) -> T | None:
    """NULL if there is no such thing."""
    try:
        return make()
    except (ValueError, OverflowError):
        return None


def binned(stride: DayInterval, point: Timestamp, origin: Timestamp = Timestamp(0)) -> Timestamp | None:  # noqa: B008  # it is a number
    """The last multiple of the stride, counted from the origin, that is not after the point."""
    return counted(int(point) - (int(point) - int(origin)) % int(stride)) if stride > 0 else None


def units_between(unit: str, start: Timestamp, end: Timestamp) -> int:
    """Whole units from one point to another, cut towards zero."""
    if start > end:
        return -units_between(unit, end, start)
    if unit in UNIT_MICROS:
        return (int(end) - int(start)) // UNIT_MICROS[unit]
    one, two = moment(start), moment(end)
    months = (two.year - one.year) * 12 + two.month - one.month
    months -= (two.day, two.time()) < (one.day, one.time())
    return months // UNIT_MONTHS[unit]


def _called(name: str, *arguments: Given) -> Expression | None:
    from semantics.functions.table import call_of

    return call_of(name, arguments)


def _one(unit: str) -> Constant:
    """INTERVAL '1' unit."""
    if unit in UNIT_MONTHS:
        return Constant(MonthInterval(UNIT_MONTHS[unit]), Type.MONTH_INTERVAL)
    return Constant(DayInterval(UNIT_MICROS[unit]), SPAN)


def _word(argument: Given) -> str | None:
    """A unit that is written as a constant."""
    value = argument.value if isinstance(argument, Constant) else None
    unit = value.lower().removeprefix("sql_tsi_") if isinstance(value, str) else ""
    return next((known for known in (unit, unit.removesuffix("s")) if UNIT.valid(known)), None)


def add(arguments: Sequence[Given]) -> Expression | None:
    """unit, number, point: point + number * INTERVAL '1' unit."""
    unit = _word(arguments[0]) if len(arguments) == 3 else None
    point = arguments[2] if unit else None
    if unit is None or point is None:
        return None
    fine = point.type is DATE and unit in UNIT_MICROS and UNIT_MICROS[unit] < UNIT_MICROS["day"]
    return Arithmetic("+", Cast(point, TIMESTAMP) if fine else point, _times(arguments[1], unit))


def _times(number: Given, unit: str) -> Expression:
    return Arithmetic("*", Constant(None, INT) if number is None else number, _one(unit))


def _moved(symbol: ArithmeticSymbol) -> Callable[[Sequence[Given]], Expression | None]:
    """point, and days or an INTERVAL."""

    def rewrite(arguments: Sequence[Given]) -> Expression | None:
        if len(arguments) != 2 or arguments[0] is None or arguments[1] is None:
            return None
        span = arguments[1]
        return Arithmetic(symbol, arguments[0], _times(span, "day") if span.type is INT else span)

    return rewrite


def add_months(arguments: Sequence[Given]) -> Expression | None:
    if len(arguments) != 2 or arguments[0] is None:
        return None
    return Arithmetic("+", arguments[0], _times(arguments[1], "month"))


def date_diff(arguments: Sequence[Given]) -> Expression | None:
    """end, start: days between them. unit, start, end: boundaries of units between them."""
    if len(arguments) == 2:
        end, start = (argument and Cast(argument, DATE) for argument in arguments)
        return _called("timestampdiff", Constant("day", STR), start, end)
    if len(arguments) != 3 or _word(arguments[0]) is None:
        return None
    unit = Constant(_word(arguments[0]), STR)
    start, end = (_called("date_trunc", unit, argument) for argument in arguments[1:])
    return _called("timestampdiff", unit, start, end)


def to_date(arguments: Sequence[Given]) -> Expression | None:
    return Cast(arguments[0], DATE) if len(arguments) == 1 and arguments[0] is not None else None


_POINT: Final = (TIMESTAMP,)
TIME_NUMBERS: Final = (
    Function(("to_timestamp",), (Overload((STR,), TIMESTAMP, read_timestamp, nullable=True), Overload((STR, FORMAT), TIMESTAMP, read, nullable=True), Overload((INT,), TIMESTAMP, of_seconds, nullable=True), Overload((FLOAT,), TIMESTAMP, of_seconds, nullable=True)), "A text as a TIMESTAMP, as CAST reads it or in a format, or seconds since 1970; NULL if it is none.", (("TO_TIMESTAMP('2024-02-29 13:45:06')", "timestamp '2024-02-29 13:45:06'"), ("TO_TIMESTAMP('29/02/2024', 'dd/MM/yyyy')", "timestamp '2024-02-29 00:00:00'"), ("TO_TIMESTAMP(1.5)", "timestamp '1970-01-01 00:00:01.5'"))),
    Function(("to_timestamp_ltz",), (Overload((INT, INT), TIMESTAMP, of_precision, nullable=True),), "A number since 1970 as a TIMESTAMP: of seconds with the precision 0, of milliseconds with 3, of microseconds with 6.", (("TO_TIMESTAMP_LTZ(1500, 3)", "timestamp '1970-01-01 00:00:01.5'"),)),
    Function(("timestamp_seconds",), (Overload((INT,), TIMESTAMP, of_seconds, nullable=True),), "The point in time so many seconds after 1970 began.", (("TIMESTAMP_SECONDS(60)", "timestamp '1970-01-01 00:01:00'"),)),
    Function(("timestamp_millis",), (Overload((INT,), TIMESTAMP, of_millis, nullable=True),), "So many milliseconds.", (("TIMESTAMP_MILLIS(1500)", "timestamp '1970-01-01 00:00:01.5'"),)),
    Function(("timestamp_micros",), (Overload((INT,), TIMESTAMP, counted, nullable=True),), "So many microseconds.", (("TIMESTAMP_MICROS(1)", "timestamp '1970-01-01 00:00:00.000001'"),)),
    Function(("unix_millis",), (Overload(_POINT, INT, millis),), "Milliseconds since 1970, cut down.", (("UNIX_MILLIS(TIMESTAMP '1970-01-01 00:00:01.5')", "1500"),)),
    Function(("unix_micros",), (Overload(_POINT, INT, micros),), "Microseconds since 1970.", (("UNIX_MICROS(TIMESTAMP '1970-01-01 00:00:01')", "1000000"),)),
    Function(("make_date",), (Overload((INT, INT, INT), DATE, make_date, nullable=True),), "Of year, month and day; NULL if there is no such day.", (("MAKE_DATE(2024, 2, 29)", "date '2024-02-29'"), ("MAKE_DATE(2023, 2, 29)", "null"))),
    Function(("make_time",), (Overload((INT, INT, INT), TIME, make_time, nullable=True),), "Of hour, minute and second.", (("MAKE_TIME(13, 45, 6)", "time '13:45:06'"),)),
    Function(("make_timestamp",), (Overload((INT, INT, INT, INT, INT, INT), TIMESTAMP, make_timestamp, nullable=True),), "Of year, month, day, hour, minute and second.", (("MAKE_TIMESTAMP(2024, 2, 29, 13, 45, 6)", "timestamp '2024-02-29 13:45:06'"),)),
    Function(("date_bin",), (Overload((SPAN, TIMESTAMP, TIMESTAMP), TIMESTAMP, binned, optional=1, nullable=True),), "The beginning of the stride that a point is in, counted from the third argument, or from 1970.", (("DATE_BIN(INTERVAL '15' MINUTE, TIMESTAMP '2024-02-29 13:44:06')", "timestamp '2024-02-29 13:30:00'"),)),
    Function(("timestampdiff",), (Overload((UNIT, TIMESTAMP, TIMESTAMP), INT, units_between),), "Whole units from the first point to the second, cut towards zero.", (("TIMESTAMPDIFF(MONTH, DATE '2024-01-31', DATE '2024-02-29')", "0"), ("TIMESTAMPDIFF(MINUTE, TIMESTAMP '2024-01-01 00:01:30', TIMESTAMP '2024-01-01 00:00:00')", "-1"))),
    Shorthand(("datediff", "date_diff"), date_diff, "(DATE, DATE) → INT or (unit, TIMESTAMP, TIMESTAMP) → INT", "Days from the second date to the first; with a unit, how many beginnings of units are between the first point and the second.", (("DATEDIFF(DATE '2024-03-01', DATE '2024-02-28')", "2"), ("DATEDIFF(YEAR, DATE '2023-12-31', DATE '2024-01-01')", "1"))),
    Shorthand(("timestampadd", "dateadd"), add, "(unit, INT, TIMESTAMP or DATE) → the same", "So many units later: `x + n * INTERVAL '1' unit`. A DATE and hours are a TIMESTAMP.", (("TIMESTAMPADD(MONTH, 1, DATE '2024-01-31')", "date '2024-02-29'"), ("TIMESTAMPADD(HOUR, 1, DATE '2024-01-31')", "timestamp '2024-01-31 01:00:00'"))),
    Shorthand(("date_add",), _moved("+"), "(DATE or TIMESTAMP, INT or INTERVAL) → the first", "So many days later, or an interval: `x + …`.", (("DATE_ADD(DATE '2024-02-28', 2)", "date '2024-03-01'"), ("DATE_ADD(DATE '2024-01-31', INTERVAL '1' MONTH)", "date '2024-02-29'"))),
    Shorthand(("date_sub",), _moved("-"), "(DATE or TIMESTAMP, INT or INTERVAL) → the first", "So many days earlier.", (("DATE_SUB(DATE '2024-03-01', 1)", "date '2024-02-29'"),)),
    Shorthand(("add_months",), add_months, "(DATE or TIMESTAMP, INT) → the first", "The same day so many months later, or the last one of a shorter month.", (("ADD_MONTHS(DATE '2024-01-31', 1)", "date '2024-02-29'"),)),
    Shorthand(("date",), to_date, "(any type) → DATE", "`CAST(x AS DATE)`.", (("DATE(TIMESTAMP '2024-02-29 13:45:06')", "date '2024-02-29'"),)),
)  # fmt: skip
