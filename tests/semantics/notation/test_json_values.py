"""Values in JSON: what is written is read back as the same value of the same type, and nothing else is read."""

import json
import re
from decimal import Decimal
from typing import Any

import pytest

from semantics import (
    FOREVER,
    Date,
    DayInterval,
    Interval,
    MonthInterval,
    Time,
    Timestamp,
    Type,
    Value,
    array_of,
    decimal,
    row_of,
)
from semantics.notation.json_values import exact_element, exact_value, json_element, json_value, value_from_json
from semantics.value import identical

PAIR = row_of(("a", Type.INT), ("b", array_of(Type.DATE)))
VALUES: list[tuple[Value, Type, Any]] = [
    (None, Type.INT, None),
    (-(2**53) + 1, Type.INT, -(2**53) + 1),
    (True, Type.BOOL, True),
    ("NaN", Type.STR, "NaN"),
    (1.5, Type.FLOAT, 1.5),
    (float("nan"), Type.FLOAT, "NaN"),
    (float("-inf"), Type.FLOAT, "-Infinity"),
    (Decimal("12.50"), decimal(5, 2), "12.50"),
    (Timestamp("2024-01-31 12:30:00.5"), Type.TIMESTAMP, "2024-01-31 12:30:00.5"),
    (Date("2024-02-29"), Type.DATE, "2024-02-29"),
    (Time("12:30:00"), Type.TIME, "12:30:00"),
    (DayInterval("-1 00:00:01"), Type.DAY_INTERVAL, "-1 00:00:01"),
    (MonthInterval("1-2"), Type.MONTH_INTERVAL, "1-2"),
    ((1, None, 3), array_of(Type.INT), [1, None, 3]),
    ((1, (Date("2024-02-29"), None)), PAIR, [1, ["2024-02-29", None]]),
    (((1, None),), array_of(PAIR), [[1, None]]),
]


@pytest.mark.parametrize(("value", "type_", "written"), VALUES, ids=[repr(value) for value, _, _ in VALUES])
def test_a_value_reads_back(value: Value, type_: Type, written: Any) -> None:
    assert json.loads(json.dumps(json_value(value))) == json.loads(json.dumps(exact_value(value))) == written
    found = value_from_json(written, type_)
    assert ((identical(found),), repr(found)) == ((identical(value),), repr(value))


def test_rows_may_be_objects_and_decimals_numbers() -> None:
    assert value_from_json({"b": ["2024-02-29"], "a": 1}, PAIR) == (1, (Date("2024-02-29"),))
    assert value_from_json({"a": 1}, PAIR) == (1, None)
    assert repr(value_from_json(7, decimal(5, 2))) == "Decimal('7.00')"
    assert value_from_json(Decimal("0.5"), Type.FLOAT) == 0.5


@pytest.mark.parametrize(
    ("written", "type_", "message"),
    [
        ("x", array_of(Type.INT), "expected ARRAY<INT>, got 'x'"),
        ([1, 2, 3], PAIR, "expected ROW<a INT, b ARRAY<DATE>>, got"),
        ({"a": 1, "c": 2}, PAIR, "must be ROW<a INT, b ARRAY<DATE>>, got {'a': 1, 'c': 2, 'b': None}"),
        (5, Type.DATE, "expected DATE, got 5"),
        ("2024-02-30", Type.DATE, "there is no day"),
        ("1.234", decimal(5, 2), "must be DECIMAL"),
        ("twelve", decimal(5, 2), "expected a number such as 12.50"),
        ("nan", Type.FLOAT, "must be FLOAT"),
        ("1", Type.INT, "must be INT, got '1'"),
        (True, Type.INT, "must be INT, got True"),
    ],
)
def test_what_is_no_value_of_the_type_is_refused(written: Any, type_: Type, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        value_from_json(written, type_)


def test_elements_have_an_end_or_none() -> None:
    big = 2**60
    assert json_element((Decimal("1.5"), big), Interval(3, FOREVER)) == ["1.5", big, 3, None]
    assert exact_element((Decimal("1.5"), big), Interval(3, big)) == ["1.5", str(big), 3, str(big)]
