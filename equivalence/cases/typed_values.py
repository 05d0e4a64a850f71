"""Values of decimals, points in time, spans, arrays and rows, few and close together, so that rows meet."""

from collections.abc import Callable
from decimal import Decimal
from typing import Final

from semantics import Date, DayInterval, MonthInterval, SnapeqError, Time, Timestamp, Type, Value
from semantics.decimals import scaled
from semantics.temporal import Counted
from semantics.value import conform

COMMON: Final[dict[Type, list[Value]]] = {
    Type.TIMESTAMP: [Timestamp(0), Timestamp("1970-01-01 00:00:01"), Timestamp("1970-01-02 00:00:00"), Timestamp(-1)],
    Type.DATE: [Date(0), Date(1), Date("1970-01-31"), Date(-1)],
    Type.TIME: [Time(0), Time("00:00:01"), Time("12:00:00")],
    Type.DAY_INTERVAL: [DayInterval(0), DayInterval("1 00:00:00"), DayInterval("0 00:00:01"), DayInterval(-1)],
    Type.MONTH_INTERVAL: [MonthInterval(0), MonthInterval(1), MonthInterval(13), MonthInterval(-1)],
}
AWKWARD: Final[dict[Type, list[Value]]] = {
    Type.TIMESTAMP: [Timestamp(1), Timestamp("2024-02-29 23:59:59.999999"), Timestamp("1969-12-31 00:00:00")],
    Type.DATE: [Date("2024-02-29"), Date("1900-03-01"), Date("2023-12-31")],
    Type.TIME: [Time("23:59:59.999999")],
    Type.DAY_INTERVAL: [DayInterval("-1 00:00:00"), DayInterval(1), DayInterval("400 00:00:00")],
    Type.MONTH_INTERVAL: [MonthInterval(12), MonthInterval(-12)],
}


class ValuesByType(dict[Type, list[Value]]):
    """Values of every type: those of types with parameters are made when they are asked for."""

    def __init__(self, known: dict[Type, list[Value]], made: Callable[[Type], list[Value]]) -> None:
        super().__init__(known)
        self._made = made

    def __missing__(self, type_: Type) -> list[Value]:
        self[type_] = self._made(type_)
        return self[type_]


def common_decimals(type_: Type) -> list[Value]:
    """Zero, one, a half if there is one, and a negative number.

    >>> from semantics import decimal
    >>> common_decimals(decimal(5, 2))
    [Decimal('0.00'), Decimal('1.00'), Decimal('0.50'), Decimal('-0.01')]
    """
    precision, scale = type_.sizes or (1, 0)
    units = [0, 10**scale, 5 * 10 ** max(scale - 1, 0), -1]
    return [scaled(n, scale) for n in units if abs(n) < 10**precision]


def awkward_decimals(type_: Type) -> list[Value]:
    """The largest and the one beside it, which are one number as floats, and the smallest differences."""
    precision, scale = type_.sizes or (1, 0)
    return [scaled(n, scale) for n in (1, 10**precision - 1, 1 - 10**precision, max(10**precision - 2, 0))]


def common_parts(type_: Type, values: "dict[Type, list[Value]]") -> list[Value]:
    """Short arrays, or rows, of common values; one has a NULL in it, one the same value twice."""
    if type_.element is not None:
        first, second = values[type_.element][:2]
        return [(), (first,), (first, second), (None,), (second, second)]
    fields = [values[field] for _, field in type_.fields or ()]
    return [tuple(part[0] for part in fields), tuple(part[1] for part in fields), (None,) * len(fields)]


def beside(value: Counted | Decimal) -> set[Value]:
    """The value, and those one unit away: of its count, or of its last digit.

    >>> sorted(beside(Date("2024-03-01"))), sorted(beside(Decimal("1.50")))
    ([Date('2024-02-29'), Date('2024-03-01'), Date('2024-03-02')], [Decimal('1.49'), Decimal('1.50'), Decimal('1.51')])
    """
    if isinstance(value, Decimal):
        exponent = value.as_tuple().exponent
        unit = Decimal(1).scaleb(int(exponent))
        return {value - unit, value, value + unit}
    kind = type(value)
    return {kind(n) for n in (int(value) - 1, int(value), int(value) + 1) if kind.least <= n <= kind.greatest}


def as_held(value: Value, type_: Type) -> Value:
    """The value as one of this type, if it is one: a plain integer may be a count of its unit."""
    if type_.is_counted and type(value) is int:
        return type_.python(value) if type_.python.least <= value <= type_.python.greatest else None
    try:
        return conform(value, type_, "value")
    except SnapeqError:
        return None
