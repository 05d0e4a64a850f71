"""Decimals, times, spans, arrays and rows in columns: the same values and errors as row by row."""

from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest

from physical.columns.arrow import from_arrow, to_arrow
from physical.columns.column import ColumnVector, concatenated, from_values, order_codes, rows
from physical.columns.expressions import evaluate
from physical.columns.stream import PhysicalStream
from semantics import (
    ArithmeticOverflow,
    Date,
    DayInterval,
    MonthInterval,
    Row,
    Schema,
    SchemaError,
    Scope,
    Time,
    Timestamp,
    Type,
    Value,
    array_of,
    decimal,
    parse_expression,
    row_of,
)
from semantics.expression import evaluate as value_of
from semantics.value import order

SCHEMA = Schema.of(
    at=Type.TIMESTAMP,
    d=Type.DATE,
    t=Type.TIME,
    i=Type.DAY_INTERVAL,
    m=Type.MONTH_INTERVAL,
    p=decimal(10, 2),
    q=decimal(12, 4),
    big=decimal(30, 1),
    a=array_of(Type.FLOAT),
    r=row_of(("x", Type.INT), ("y", Type.DATE)),
    n=int,
    f=float,
)
NULLS: Row = (None,) * len(SCHEMA)
ROWS: list[Row] = [
    (
        Timestamp("2024-01-31 12:00:00.5"),
        Date("1969-12-31"),
        Time("23:30:00"),
        DayInterval("-1 00:00:00"),
        MonthInterval(13),
        Decimal("-12.50"),
        Decimal("-12.5000"),
        Decimal("12345678901234567890.5"),
        (1.5, None),
        (1, Date(3)),
        2,
        0.1,
    ),
    NULLS,
    (
        Timestamp(0),
        Date(0),
        Time(0),
        DayInterval(0),
        MonthInterval(0),
        Decimal("0.10"),
        Decimal("0.1000"),
        Decimal("0.1"),
        (),
        (None, None),
        0,
        float("nan"),
    ),
]
COLUMNS = [from_values([row[i] for row in ROWS], type_) for i, type_ in enumerate(SCHEMA.types)]


def test_values_come_back_as_they_were() -> None:
    assert [repr(row) for row in rows(COLUMNS)] == [repr(row) for row in ROWS]


@pytest.mark.parametrize("column", COLUMNS, ids=SCHEMA.names)
def test_codes_are_in_the_order_of_values(column: ColumnVector) -> None:
    twice = concatenated([column, column])
    codes, _ = order_codes(twice)
    values = twice.to_values()
    known = [i for i, value in enumerate(values) if value is not None]
    assert sorted(known, key=lambda i: (codes[i], i)) == sorted(known, key=lambda i: (order(values[i]), i))


@pytest.mark.parametrize(
    "text",
    [
        "at + i",
        "at - d",
        "d + i",
        "d - m",
        "t + i",
        "i * n",
        "i / n",
        "-(i)",
        "-(p)",
        "-(big)",
        "p + q",
        "p * q",
        "p / q",
        "p mod q",
        "p + n",
        "p + f",
        "big + p",
        "p = q",
        "p < n",
        "p > f",
        "p = big",
        "big >= n",
        "d < at",
        "a < a",
        "a is distinct from array<float>[]",
        "r = row<x int, y date>[1, date '1970-01-04']",
        "p in (decimal '0.1', 2, q)",
        "coalesce(d, at)",
        "case when n = 2 then p else n end",
        "cast(at as date)",
        "cast(at as time)",
        "cast(d as timestamp)",
        "cast(i as int)",
        "cast(n as timestamp)",
        "cast(p as str)",
        "cast(p as decimal(5, 1))",
        "cast(big as float)",
        "try_cast(f as decimal(3, 2))",
        "cast(p as int)",
        "cast(a as array<str>)",
    ],
)
def test_expressions_are_as_row_by_row(text: str) -> None:
    expression = parse_expression(text, Scope(SCHEMA))
    assert [repr(v) for v in evaluate(expression, COLUMNS, 3).to_values()] == [
        repr(value_of(expression, row)) for row in ROWS
    ]


@pytest.mark.parametrize(
    "text",
    [
        "at + day_interval '4000000 00:00:00'",
        "d + day_interval '0 00:00:01'",
        "i * 9223372036854775807",
        "cast(p as decimal(2, 1))",
    ],
)
def test_what_overflows_is_an_error(text: str) -> None:
    with pytest.raises(ArithmeticOverflow):
        evaluate(parse_expression(text, Scope(SCHEMA)), COLUMNS, 3)


def test_arrow_has_the_same_values() -> None:
    months = SCHEMA.names.index("m")
    stream = PhysicalStream(SCHEMA, tuple(COLUMNS), np.arange(3), np.arange(3) + 1)
    back = from_arrow(to_arrow(stream))
    assert [t for i, t in enumerate(back.schema.types) if i != months] == [
        t for i, t in enumerate(SCHEMA.types) if i != months
    ]
    without = [tuple(map(str, (*row[:months], *row[months + 1 :]))) for row in rows(back.columns)]
    assert without == [tuple(map(str, (*row[:months], *row[months + 1 :]))) for row in ROWS]


@pytest.mark.parametrize(
    ("array", "value"),
    [
        (pa.array([1500], pa.timestamp("ms", "Europe/Berlin")), Timestamp("1970-01-01 00:00:01.5")),
        (pa.array([2_000], pa.timestamp("ns")), Timestamp(2)),
        (pa.array([86_400_000], pa.date64()), Date(1)),
        (pa.array([5], pa.time32("s")), Time("00:00:05")),
        (pa.array([7], pa.duration("s")), DayInterval("0 00:00:07")),
        (pa.array([Decimal("1.5")], pa.decimal256(20, 3)), Decimal("1.500")),
    ],
)
def test_other_units_of_arrow_are_read(array: pa.Array, value: Value) -> None:
    (row,) = rows(from_arrow(pa.table({"x": array, "_start": [0], "_end": [1]})).columns)
    assert row == (value,)


def test_what_is_finer_than_a_microsecond_is_refused() -> None:
    table = pa.table({"x": pa.array([1], pa.timestamp("ns")), "_start": [0], "_end": [1]})
    with pytest.raises(SchemaError, match=r"column x must be TIMESTAMP.*would lose data"):
        from_arrow(table)
