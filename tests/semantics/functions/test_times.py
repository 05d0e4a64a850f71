"""Functions of points in time at their edges, and against Python's own calendar."""

import random
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from semantics import Schema, TypeMismatch, parse, show_expression
from semantics.expression import Expression, evaluate
from semantics.functions.calendar_fields import UNIT_MICROS, UNIT_MONTHS, beginning, field_of_timestamp, next_beginning
from semantics.functions.time_formats import formatted, is_format, read
from semantics.functions.time_numbers import binned, counted, make_date, of_seconds, units_between
from semantics.plan import Map
from semantics.sql import Catalogue, parse_query
from semantics.sql.errors import SqlError
from semantics.temporal import Date, DayInterval, Timestamp

CATALOGUE = Catalogue.of({"S": Schema.of(x=int)})
UNITS = (*UNIT_MICROS, *UNIT_MONTHS)


def expression(sql: str) -> Expression:
    plan = parse_query(f"SELECT {sql} AS v FROM S", CATALOGUE)
    assert isinstance(plan, Map)
    return plan.expressions[0]


def points(number: int) -> list[Timestamp]:
    choices = random.Random(3)
    return [Timestamp(choices.randint(Timestamp.least, Timestamp.greatest)) for _ in range(number)]


@pytest.mark.parametrize("unit", UNITS)
def test_a_point_is_between_the_beginnings_of_its_unit(unit: str) -> None:
    for point in points(60):
        first, then = beginning(unit, point), next_beginning(unit, point)
        assert first <= point
        assert beginning(unit, first) == first
        assert then is None or then >= point
        assert then is None or beginning(unit, then) == then
        assert units_between(unit, first, point) == 0


@pytest.mark.parametrize(
    ("unit", "start"),
    [
        ("week", "2024-02-26"),
        ("month", "2024-03-01"),
        ("quarter", "2024-01-01"),
        ("decade", "2020-01-01"),
        ("century", "2001-01-01"),
        ("millennium", "2001-01-01"),
    ],
)
def test_beginnings(unit: str, start: str) -> None:
    assert beginning(unit, Timestamp("2024-03-03 12:00:00")) == Timestamp(start)


def test_the_first_week_begins_with_the_first_day() -> None:
    assert beginning("week", Timestamp("0001-01-03")) == Timestamp("0001-01-01")
    assert beginning("decade", Timestamp("0001-01-03")) == Timestamp("0001-01-01")
    assert next_beginning("year", Timestamp("9999-02-01")) is None


def test_oracle_fields_are_those_of_python() -> None:
    for point in points(80):
        at = datetime(1970, 1, 1) + timedelta(microseconds=int(point))
        found = [
            field_of_timestamp(f, point)
            for f in ("year", "month", "day", "hour", "minute", "second", "isodow", "week", "doy")
        ]
        iso = at.isocalendar()
        assert found == [
            at.year,
            at.month,
            at.day,
            at.hour,
            at.minute,
            at.second,
            iso.weekday,
            iso.week,
            (at.date() - date(at.year, 1, 1)).days + 1,
        ]


@pytest.mark.parametrize(
    "pattern", ["yyyy-MM-dd HH:mm:ss", "yyyyMMddHHmmssSSS", "yyyy-MM-dd'T'HH:mm:ss.SSSSSS", "dd.MM.yyyy"]
)
def test_what_is_written_in_a_format_reads_back(pattern: str) -> None:
    for point in points(40):
        text = formatted(point, pattern)
        found = read(text, pattern)
        assert found is not None
        assert formatted(found, pattern) == text


@pytest.mark.parametrize(
    "pattern", ["", "abc", "YYYY", "yyyy-MM-dd MM", "yyyy 'x", "SSS SSSSSS", "%Y-%m-%d", "hh:mm a", "'only text'"]
)
def test_other_formats_are_refused(pattern: str) -> None:
    assert not is_format(pattern)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (read("2024-02-30 00:00:00"), None),
        (read("2024-2-3", "yyyy-MM-dd"), None),
        (read("12:30", "HH:mm"), Timestamp("1970-01-01 12:30:00")),
        (read("٢٠٢٤", "yyyy"), None),
        (of_seconds(float("nan")), None),
        (of_seconds(10**15), None),
        (of_seconds(-1), Timestamp("1969-12-31 23:59:59")),
        (counted(Timestamp.greatest + 1), None),
        (make_date(0, 1, 1), None),
        (make_date(2**40, 1, 1), None),
        (binned(DayInterval(0), Timestamp(5)), None),
        (binned(DayInterval(10), Timestamp(-1)), Timestamp(-10)),
        (binned(DayInterval(10), Timestamp(12), Timestamp(5)), Timestamp(5)),
        (units_between("month", Timestamp("2024-01-31"), Timestamp("2024-02-29")), 0),
        (units_between("month", Timestamp("2024-01-31 10:00"), Timestamp("2024-03-31 09:59")), 1),
        (units_between("year", Timestamp("2024-02-29"), Timestamp("2023-02-28")), -1),
        (units_between("day", Timestamp("2024-01-02"), Timestamp("2024-01-01 00:00:01")), 0),
    ],
)
def test_edges(found: Any, expected: Any) -> None:
    assert found == expected


@pytest.mark.parametrize(
    ("sql", "shown"),
    [
        ("FLOOR(DATE '2024-03-03' TO MONTH)", "date_trunc('month', date '2024-03-03')"),
        ("YEAR(DATE '2024-03-03')", "extract('year', date '2024-03-03')"),
        ("DATE_PART('YEAR', DATE '2024-03-03')", "extract('year', date '2024-03-03')"),
        ("TIMESTAMPADD(DAY, x, DATE '2024-03-03')", "date '2024-03-03' + $0:int * day_interval '1 00:00:00'"),
        ("DATE_SUB(DATE '2024-03-03', 1)", "date '2024-03-03' - 1 * day_interval '1 00:00:00'"),
        ("TO_CHAR(DATE '2024-03-03', 'DD.MM.YYYY')", "date_format(cast(date '2024-03-03' as timestamp), 'dd.MM.yyyy')"),
    ],
)
def test_the_forms_of_sql(sql: str, shown: str) -> None:
    made = expression(sql)
    assert show_expression(made) == shown
    assert parse(shown) == made


@pytest.mark.parametrize(
    ("sql", "problem"),
    [
        ("EXTRACT(FORTNIGHT FROM DATE '2024-03-03')", "EXTRACT: field must be a constant such as 'year'"),
        ("EXTRACT(HOUR FROM DATE '2024-03-03')", "EXTRACT: field must be a constant such as 'year'"),
        ("DATE_FORMAT(DATE '2024-03-03', '%Y')", "DATE_FORMAT: format must be a constant such as"),
        ("TO_CHAR(DATE '2024-03-03', 'Mon')", "TO_CHAR: arguments must be"),
        ("UNIX_TIMESTAMP()", "UNIX_TIMESTAMP: arguments must be"),
        ("TIMESTAMPADD(x, 1, DATE '2024-03-03')", "TIMESTAMPADD: arguments must be"),
        ("DATE_TRUNC(x, DATE '2024-03-03')", "DATE_TRUNC: unit must be a constant such as"),
        ("TO_CHAR(DATE '2024-03-03', 5)", "TO_CHAR: arguments must be"),
        ("DATE_ADD(DATE '2024-03-03')", "DATE_ADD: arguments must be"),
        ("DATE_ADD(NULL, 1)", "DATE_ADD: arguments must be"),
        ("ADD_MONTHS(NULL, 1)", "ADD_MONTHS: arguments must be"),
        ("DATEDIFF(5, DATE '2024-03-03', DATE '2024-03-04')", "DATEDIFF: arguments must be"),
        ("DATEDIFF(DATE '2024-03-03')", "DATEDIFF: arguments must be"),
        ("NULLIF(x)", "NULLIF: arguments must be"),
        ("IF(TRUE)", "IF: arguments must be"),
        ("NVL2(x, 1)", "NVL2: arguments must be"),
        ("DECODE(x, 1)", "DECODE: arguments must be"),
    ],
)
def test_wrong_words_are_told_what_is_right(sql: str, problem: str) -> None:
    with pytest.raises((SqlError, TypeMismatch), match=problem):
        expression(sql)


@pytest.mark.parametrize(
    ("sql", "value"),
    [
        ("EXTRACT(EPOCH FROM TIMESTAMP '1969-12-31 23:59:58.5')", -2),
        ("EXTRACT(EPOCH FROM DATE '1970-01-03')", 172_800),
        ("EXTRACT(DOW FROM DATE '2024-03-02')", 6),
        ("CEIL(DATE '2024-03-03' TO MONTH)", Date("2024-04-01")),
        ("CEIL(DATE '2024-03-01' TO MONTH)", Date("2024-03-01")),
        ("CEIL(DATE '2024-03-03' TO HOUR)", Date("2024-03-03")),
        ("CEIL(DATE '9999-12-31' TO YEAR)", None),
        ("CEIL(TIMESTAMP '2024-02-28 23:00:01' TO DAY)", Timestamp("2024-02-29")),
        ("ADD_MONTHS(DATE '2024-01-31', 1)", Date("2024-02-29")),
        ("DATE_ADD(DATE '2024-02-28', 2)", Date("2024-03-01")),
        ("DATEDIFF(DATE '2024-03-01', DATE '2024-02-28')", 2),
        ("DATEDIFF('year', DATE '2023-12-31', DATE '2024-01-01')", 1),
        ("ROUND(DECIMAL '-2.345', 2)", Decimal("-2.350")),
        ("ROUND(DECIMAL '1250.00', -2)", Decimal("1300.00")),
        ("TRUNCATE(DECIMAL '-2.39', 1)", Decimal("-2.30")),
        ("FLOOR(DECIMAL '-2.10')", Decimal("-3.00")),
        ("CEIL(DECIMAL '-2.90')", Decimal("-2.00")),
        ("SIGN(DECIMAL '-0.01')", -1),
        ("SIGN(DECIMAL '0.00')", 0),
        ("NVL2(CAST(NULL AS INT), 1, 2)", 2),
        ("DECODE(2, 1, 'one', 2, 'two', 'many')", "two"),
        ("DECODE(NULL, NULL, 'none', 'some')", "none"),
    ],
)
def test_values_worked_out_by_hand(sql: str, value: Any) -> None:
    found = evaluate(expression(sql), (1,))
    assert (found, type(found), repr(found)) == (value, type(value), repr(value))


def test_a_date_plus_hours_is_a_timestamp() -> None:
    assert evaluate(expression("TIMESTAMPADD(HOUR, 5, DATE '2024-03-03')"), ()) == Timestamp("2024-03-03 05:00:00")
    assert evaluate(expression("LAST_DAY(DATE '2023-02-03')"), ()) == Date("2023-02-28")
