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
from semantics.casts import can_always_be_cast, cast_value, castable
from semantics.expression import Constant
from semantics.expression import evaluate as value_of
from semantics.failing import can_fail
from semantics.value import conform, identical, order

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
        ("decimal '0.30' - decimal '0.1'", Decimal("0.20")),
        ("null:decimal(5, 2) + decimal '1.5'", None),
        ("decimal '1.5' * null:int", None),
        ("-(decimal '1.50')", Decimal("-1.50")),
        ("-(decimal '0.00')", Decimal("0.00")),
        ("-(null:month_interval)", None),
        ("-(null:int)", None),
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
        ("cast(row<a int, b str>[1, '2'] as row<x str, y float>)", ("1", 2.0)),
        ("cast('2024-01-31 12:00:00+02:00' as timestamp)", Timestamp("2024-01-31 10:00:00")),
        ("cast('2024-01-31T12:00:00.25-0530' as timestamp)", Timestamp("2024-01-31 17:30:00.25")),
        ("cast('2024-01-31 12:00 +02' as timestamp)", Timestamp("2024-01-31 10:00:00")),
        ("cast('2024-01-31 12:00:00Z' as timestamp)", Timestamp("2024-01-31 12:00:00")),
        ("cast('2024-1-31' as timestamp)", Timestamp("2024-01-31 00:00:00")),
        ("cast('-1 00:00:30' as day_interval)", DayInterval(-86_430_000_000)),
        ("cast(14 as month_interval)", MonthInterval("1-2")),
        ("cast(time '01:00:00' as day_interval)", DayInterval("0 01:00:00")),
        ("cast(decimal '2.50' as float)", 2.5),
        ("cast(3 as bool)", True),
        ("cast(0 as bool)", False),
        ("cast(true as int)", 1),
        ("cast(' 1.5e2 ' as float)", 150.0),
        ("cast('-Infinity' as float)", float("-inf")),
        ("cast('1e-300' as decimal(5, 2))", Decimal("0.00")),
        ("try_cast('1e300' as decimal(5, 2))", None),
        ("try_cast('1_000' as decimal(5, 2))", None),
        ("try_cast('one' as float)", None),
        ("try_cast('maybe' as bool)", None),
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
        ("cast('one' as float)", CastError, "expected a number"),
        ("cast('maybe' as bool)", CastError, "expected true or false"),
        ("cast('nan' as decimal(5, 2))", CastError, "expected a number such as 12.50"),
        ("cast('1.2.3' as decimal(5, 2))", CastError, "expected a number such as 12.50"),
        ("cast('1e300' as decimal(5, 2))", CastError, "too many digits"),
        ("cast('24:00:00' as time)", CastError, "there is no time '24:00:00'"),
        ("cast('12:60' as time)", CastError, "there is no time"),
        ("cast('noon' as time)", CastError, "expected a text such as 12:30:00"),
        ("cast('tomorrow' as timestamp)", CastError, "expected a text such as 2024-01-31 12:30:00"),
        ("cast('a day' as day_interval)", CastError, "expected a text such as 1 02:30:00"),
        ("cast('' as day_interval)", CastError, "expected a text such as 1 02:30:00"),
        ("cast('14' as month_interval)", CastError, "expected a text such as 1-2"),
        ("cast(90000000000 as date)", CastError, "out of range"),
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
        "cast(row<a int>[1] as row<a int, b int>)",
        "cast(row<a date>[null] as row<a bool>)",
        "cast(array<int>[1] as row<a int>)",
        "cast(array<int>[1] as str)",
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


SAMPLES: dict[Type, tuple[Value, ...]] = {
    Type.INT: (0, -(2**63), 2**63 - 1),
    Type.FLOAT: (0.0, -1.5, 1e300, float("nan"), float("inf")),
    Type.BOOL: (True, False),
    Type.STR: ("", "1", "true", "2024-01-31", "12:30:00"),
    Type.TIMESTAMP: (Timestamp(Timestamp.least), Timestamp(Timestamp.greatest)),
    Type.DATE: (Date(Date.least), Date(Date.greatest)),
    Type.TIME: (Time(0), Time(Time.greatest)),
    Type.DAY_INTERVAL: (DayInterval(-(2**63)), DayInterval(2**63 - 1)),
    Type.MONTH_INTERVAL: (MonthInterval(-(2**63)), MonthInterval(5)),
    decimal(5, 2): (Decimal("-999.99"), Decimal("999.99"), Decimal("0.00")),
    decimal(38, 0): (Decimal(10**38 - 1),),
    decimal(3, 0): (Decimal(999),),
}
"""The edges of each type."""
PAIRS = [(source, target) for source in SAMPLES for target in SAMPLES if castable(source, target)]


@pytest.mark.parametrize(("source", "target"), PAIRS, ids=repr)
def test_a_cast_that_cannot_fail_has_a_value_of_its_type_at_every_edge(source: Type, target: Type) -> None:
    for value in SAMPLES[source]:
        made = cast_value(value, source, target, safe=True)
        assert made is not None or not can_always_be_cast(source, target)
        assert made is None or (identical(conform(made, target, "made")),) == (identical(made),)


def test_a_cast_that_may_fail_fails_at_some_edge() -> None:
    harmless = {
        (source, target)
        for source, target in PAIRS
        if not can_always_be_cast(source, target)
        and all(cast_value(value, source, target, safe=True) is not None for value in SAMPLES[source])
    }
    assert harmless == set()


@pytest.mark.parametrize(
    ("make", "given", "message"),
    [
        (Timestamp, True, "expected a Timestamp, got True"),
        (Date, datetime(2024, 1, 31), "expected a date, got datetime"),
        (Date, 1.5, "expected a Date, got 1.5"),
        (MonthInterval, timedelta(1), "expected a MonthInterval"),
        (Timestamp, Timestamp.greatest + 1, "microseconds since 1970 are out of range"),
    ],
)
def test_what_is_no_point_in_time_and_no_span(make: type, given: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make(given)


@pytest.mark.parametrize("value", [Timestamp("2024-02-29 01:02:03.5"), Date(0), MonthInterval("-1-2"), DayInterval(1)])
def test_points_and_spans_survive_copies_with_their_types(value: Value) -> None:
    for copied in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value)):
        assert (copied, type(copied)) == (value, type(value))


def test_a_month_beyond_the_calendar_is_an_overflow() -> None:
    with pytest.raises(ArithmeticOverflow, match="year 10000 is out of range"):
        value_of(parse("date '9999-12-01' + month_interval '0-1'"), ())


def test_a_type_that_does_not_exist_is_refused() -> None:
    for precision, scale in ((0, 0), (39, 0), (2, 3), (5, -1), (5.0, 2)):
        with pytest.raises(TypeMismatch, match="DECIMAL: expected 1 ≤ precision ≤ 38 and 0 ≤ scale ≤ precision"):
            decimal(precision, scale)  # type: ignore[arg-type]  # that is the point
    with pytest.raises(TypeMismatch, match="ARRAY: expected the Type of its elements"):
        array_of(int)  # type: ignore[arg-type]
    for fields in ((), (("a", Type.INT), ("a", Type.STR)), (("a", int),)):
        with pytest.raises(TypeMismatch, match="ROW: expected at least one field"):
            row_of(*fields)


def test_a_kind_is_a_type_without_its_parameters() -> None:
    assert [type_.kind for type_ in ALL] == ["int", "timestamp", "day_interval", "decimal", "array", "row"]


def test_a_date_of_python_beyond_the_calendar_names_the_column() -> None:
    with pytest.raises(TypeMismatch, match=r"x must be DAY_INTERVAL, got .* out of range"):
        conform(timedelta(days=999_999_999), Type.DAY_INTERVAL, "x")


def test_a_common_type_that_is_too_short_is_an_overflow() -> None:
    wide, fine = "decimal(38, 0) '99999999999999999999999999999999999999'", "decimal(38, 38) '0.5'"
    with pytest.raises(ArithmeticOverflow, match="must fit into DECIMAL"):
        value_of(parse(f"coalesce({wide}, {fine})"), ())
