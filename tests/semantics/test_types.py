"""Types beyond INT, FLOAT, BOOL and STR: their objects, their values, arithmetic, comparisons and casts."""

import copy
import pickle
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal

import pytest

from semantics import (
    ArithmeticOverflow,
    CastError,
    Column,
    Date,
    DayInterval,
    MonthInterval,
    Multiset,
    Schema,
    StreamError,
    Time,
    Timestamp,
    Type,
    TypeMismatch,
    Value,
    array_of,
    decimal,
    evaluate,
    parse,
    parse_plan,
    row_of,
    show,
    show_expression,
)
from semantics.expression import Constant
from semantics.expression import evaluate as value_of
from semantics.failing import can_fail
from semantics.value import conform, order

EAST = timezone(timedelta(hours=2))
ALL = (
    Type.INT,
    Type.TIMESTAMP,
    Type.DAY_INTERVAL,
    decimal(10, 2),
    array_of(decimal(5)),
    row_of(("a", Type.INT), ("b c", array_of(Type.STR))),
)


@pytest.mark.parametrize("type_", ALL, ids=repr)
def test_there_is_one_object_of_each_type(type_: Type) -> None:
    assert pickle.loads(pickle.dumps(type_)) is type_
    assert copy.deepcopy(type_) is type_


def test_types_are_written_and_read_back() -> None:
    for type_ in ALL:
        assert parse(f"null:{type_.value}").type is type_


@pytest.mark.parametrize(
    ("given", "type_", "value"),
    [
        (datetime(2024, 1, 31, 12, 30), Type.TIMESTAMP, Timestamp("2024-01-31 12:30:00")),
        (
            datetime(2024, 1, 31, 12, tzinfo=timezone(timedelta(hours=2))),
            Type.TIMESTAMP,
            Timestamp("2024-01-31 10:00:00"),
        ),
        (datetime(1969, 12, 31, tzinfo=UTC), Type.TIMESTAMP, Timestamp(-86_400_000_000)),
        (date(2024, 2, 29), Type.DATE, Date("2024-02-29")),
        (time(1, 2, 3, 4), Type.TIME, Time("01:02:03.000004")),
        (timedelta(days=-1), Type.DAY_INTERVAL, DayInterval("-1 00:00:00")),
        (Decimal("2.5"), decimal(5, 2), Decimal("2.50")),
        (7, decimal(5, 2), Decimal("7.00")),
        (Decimal("-0.00"), decimal(5, 2), Decimal("0.00")),
        ([1, None], array_of(Type.FLOAT), (1.0, None)),
        ({"b": "x"}, row_of(("a", Type.INT), ("b", Type.STR)), (None, "x")),
    ],
)
def test_values_of_python_become_values_of_the_type(given: object, type_: Type, value: Value) -> None:
    found = conform(given, type_, "x")
    assert (found, type(found), repr(found)) == (value, type(value), repr(value))


@pytest.mark.parametrize(
    ("given", "type_"),
    [
        (5, Type.TIMESTAMP),
        ("2024-01-01", Type.DATE),
        (Timestamp(5), Type.INT),
        (Timestamp(5), Type.DATE),
        (Date(5), Type.TIMESTAMP),
        (datetime(2024, 1, 1), Type.DATE),
        (Decimal("2.345"), decimal(5, 2)),
        (Decimal("1000"), decimal(5, 2)),
        (Decimal("nan"), decimal(5, 2)),
        (2.5, decimal(5, 2)),
        ("ab", array_of(Type.STR)),
        ({"c": 1}, row_of(("a", Type.INT))),
        ((1, 2), row_of(("a", Type.INT))),
    ],
)
def test_what_is_no_value_of_the_type_is_refused(given: object, type_: Type) -> None:
    with pytest.raises(TypeMismatch, match="x"):
        conform(given, type_, "x")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("timestamp '2024-01-31 23:00:00' + day_interval '0 02:00:00'", Timestamp("2024-02-01 01:00:00")),
        ("month_interval '0-1' + timestamp '2024-01-31 23:00:00'", Timestamp("2024-02-29 23:00:00")),
        ("date '2024-03-31' - month_interval '0-1'", Date("2024-02-29")),
        ("date '2024-03-01' - date '2024-02-01'", DayInterval("29 00:00:00")),
        ("timestamp '2024-03-01 06:00:00' - date '2024-03-01'", DayInterval("0 06:00:00")),
        ("time '23:30:00' + day_interval '0 01:00:00'", Time("00:30:00")),
        ("day_interval '0 00:00:05' * 3", DayInterval("0 00:00:15")),
        ("day_interval '0 00:00:05' / 2", DayInterval("0 00:00:02.5")),
        ("month_interval '0-5' / 2", MonthInterval("0-3")),
        ("month_interval '1-0' / 0", None),
        ("-(day_interval '1 00:00:00')", DayInterval("-1 00:00:00")),
        ("decimal '0.10' + decimal '0.20'", Decimal("0.30")),
        ("decimal '2.5' * 3", Decimal("7.5")),
        ("decimal '1.0' / 3", Decimal("0.333333333333333333333")),
        ("decimal '-7.5' mod 2", Decimal("-1.5")),
        ("decimal '1.5' / 0", None),
        ("decimal '1.5' + 0.25", 1.75),
        ("decimal '1.50' = 1.5", True),
        ("decimal '1.5' > 1", True),
        ("date '2024-01-01' < timestamp '2024-01-01 00:00:01'", True),
        ("coalesce(null:date, timestamp '2024-01-01 00:00:01')", Timestamp("2024-01-01 00:00:01")),
        ("coalesce(date '2024-01-01', timestamp '2024-01-01 00:00:01')", Timestamp("2024-01-01 00:00:00")),
        ("case when true then 1 else decimal '2.50' end", Decimal("1.00")),
        ("array<int>[1, null] < array<int>[1, 0]", True),
        ("array<float>[nan] = array<float>[nan]", True),
        ("timestamp '2024-01-01 00:00:00' + null:day_interval", None),
    ],
)
def test_arithmetic_and_comparisons(text: str, value: Value) -> None:
    found = value_of(parse(text), ())
    assert (found, type(found), repr(found)) == (value, type(value), repr(value))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("cast('2024-02-29' as date)", Date("2024-02-29")),
        ("cast(' 12.345 ' as decimal(5, 2))", Decimal("12.35")),
        ("cast(-2.5 as decimal(2, 0))", Decimal("-3")),
        ("cast(-2.9 as int)", -2),
        ("cast(decimal '2.9' as int)", 2),
        ("cast(timestamp '1970-01-01 00:00:01' as int)", 1_000_000),
        ("cast(1000000 as timestamp)", Timestamp("1970-01-01 00:00:01")),
        ("cast(timestamp '1969-12-31 23:00:00' as date)", Date("1969-12-31")),
        ("cast(timestamp '1969-12-31 23:00:00' as time)", Time("23:00:00")),
        ("cast(date '2024-01-01' as timestamp)", Timestamp("2024-01-01 00:00:00")),
        ("cast(true as str)", "true"),
        ("cast(1.5 as str)", "1.5"),
        ("cast('Yes' as bool)", True),
        ("cast('NaN' as float) = cast('nan' as float)", True),
        ("cast(array<int>[1, null] as array<str>)", ("1", None)),
        ("try_cast('x' as int)", None),
        ("try_cast('99999999999999999999' as int)", None),
        ("try_cast(1000 as decimal(5, 2))", None),
        ("try_cast(array<str>['x'] as array<int>)", None),
    ],
)
def test_casts(text: str, value: Value) -> None:
    found = value_of(parse(text), ())
    assert (found, type(found), repr(found)) == (value, type(value), repr(value))


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("cast('x' as int)", CastError, "no INT can be made of 'x'"),
        ("cast('2024-02-30' as date)", CastError, "there is no day"),
        ("cast('2024-01-01 00:00:00.0000001' as timestamp)", CastError, "finer than a microsecond"),
        ("cast(nan as int)", CastError, "no INT can be made of nan"),
        ("cast(inf as decimal(5, 2))", CastError, "not finite"),
        ("decimal(38, 0) '99999999999999999999999999999999999999' + 1", ArithmeticOverflow, r"DECIMAL\(38, 0\)"),
        ("timestamp '9999-12-31 00:00:00' + day_interval '1 00:00:00'", ArithmeticOverflow, "out of range"),
        ("date '2024-01-01' + day_interval '0 01:00:00'", ArithmeticOverflow, "no whole number of days"),
    ],
)
def test_what_has_no_value_is_an_error(text: str, error: type[Exception], message: str) -> None:
    expression = parse(text)
    assert can_fail(expression)
    with pytest.raises(error, match=message):
        value_of(expression, ())


@pytest.mark.parametrize(
    "text",
    [
        "date '2024-01-01' + 1",
        "date '2024-01-01' + date '2024-01-01'",
        "time '10:00:00' + month_interval '0-1'",
        "day_interval '1 00:00:00' + month_interval '0-1'",
        "day_interval '1 00:00:00' * 1.5",
        "-(date '2024-01-01')",
        "array<int>[1] + 1",
        "date '2024-01-01' = 'x'",
        "array<int>[1] = array<float>[1.0]",
        "cast(date '2024-01-01' as bool)",
    ],
)
def test_what_makes_no_sense_has_no_type(text: str) -> None:
    with pytest.raises(TypeMismatch):
        parse(text)


def test_notation_is_read_back() -> None:
    constants: list[tuple[Value, Type]] = [
        (Timestamp("2024-01-31 12:30:00.25"), Type.TIMESTAMP),
        (Decimal("-12.50"), decimal(10, 2)),
        (((1, None), None), array_of(array_of(Type.INT))),
        ((Date("2024-01-31"), "it's"), row_of(("a", Type.DATE), ("b", Type.STR))),
    ]
    for value, type_ in constants:
        constant = Constant(value, type_)
        assert parse(show_expression(constant)) == constant


def test_streams_of_new_types_are_evaluated() -> None:
    columns, at = "(at timestamp, price decimal(5, 2))", "timestamp '2024-01-01 00:00:00'"
    plan = parse_plan(f"S{columns} | window(range 2) | filter(price > decimal '1.00')")
    stream = parse(f"raw{columns}: ({at}, decimal '1.5')@0 (null, decimal '1')@1")
    row = (Timestamp("2024-01-01 00:00:00"), Decimal("1.50"))
    assert evaluate(plan, {"S": stream}, horizon=3).at(1) == Multiset({row: 1})
    assert parse(show(stream)) == stream


def test_rows_are_ordered_with_their_parts() -> None:
    values: list[Value] = [(2,), (None,), None, (1, 5), (1,)]
    assert sorted(values, key=order) == [None, (None,), (1,), (1, 5), (2,)]


def test_a_row_of_a_wrong_type_names_the_column() -> None:
    schema = Schema((Column("d", Type.DATE),))
    with pytest.raises((TypeMismatch, StreamError), match="column d must be DATE, got '2024-01-01'"):
        schema.row(("2024-01-01",))
