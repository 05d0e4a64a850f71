"""differential: built-in functions over columns, against the reference row by row."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from physical.columns.column import ColumnVector, from_values
from physical.columns.expressions import evaluate as evaluate_columns
from semantics import Row, decimal
from semantics.errors import ArithmeticOverflow
from semantics.expression import Call, Ref, ScalarFunction, applied, evaluate
from semantics.functions.table import built_in, call_of
from semantics.value import INT_MIN, Type, identical, identical_row
from tests.semantics.functions.arguments import WAYS, call, rows


def columns(made: Call, given: list[Row]) -> list[ColumnVector]:
    return [from_values([row[i] for row in given], argument.type) for i, argument in enumerate(made.arguments)]


def expected(made: Call, row: Row) -> Any:
    """The value, or the error."""
    try:
        return identical(evaluate(made, row))
    except ArithmeticOverflow as error:
        return error


@pytest.mark.parametrize("way", WAYS, ids=lambda way: f"{way[0]}/{len(way[1])}")
def test_differential_every_function(way: Any) -> None:
    for number in range(2):
        made = call(way, number)
        given = rows(made, 60, f"columns {number}")
        right = [(row, expected(made, row)) for row in given]
        fine = [(row, value) for row, value in right if not isinstance(value, ArithmeticOverflow)]
        found = evaluate_columns(made, columns(made, [row for row, _ in fine]), len(fine)).to_values()
        assert identical_row(tuple(found)) == tuple(value for _, value in fine)
        if len(fine) < len(given):
            first = next(value for _, value in right if isinstance(value, ArithmeticOverflow))
            with pytest.raises(ArithmeticOverflow) as caught:
                evaluate_columns(made, columns(made, given), len(given))
            assert str(caught.value) == str(first)


def test_a_function_is_called_once_for_each_distinct_row(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[Any, ...]] = []

    def noted(function: ScalarFunction, values: Sequence[Any]) -> Any:
        seen.append(tuple(values))
        return applied(function, values)

    monkeypatch.setattr("physical.columns.function_calls.applied", noted)
    texts = from_values(["a", "b", "a", None, "b", "a"], Type.STR)
    numbers = from_values([1, 1, 1, 1, 2, 1], Type.INT)
    upper = Call(built_in("upper", (Type.STR,)), (Ref(0, Type.STR),))
    left = Call(built_in("left", (Type.STR, Type.INT)), (Ref(0, Type.STR), Ref(1, Type.INT)))
    assert evaluate_columns(upper, [texts], 6).to_values() == ["A", "B", "A", None, "B", "A"]
    assert seen == [("a",), ("b",), (None,)]
    seen.clear()
    assert evaluate_columns(left, [texts, numbers], 6).to_values() == ["a", "b", "a", None, "b", "a"]
    assert seen == [("a", 1), ("b", 1), (None, 1), ("b", 2)]


def test_values_far_apart_are_numbered() -> None:
    wide = from_values([INT_MIN, 0, 2**63 - 1, 0], Type.INT)
    power = Call(built_in("shift_right", (Type.INT, Type.INT)), (Ref(0, Type.INT), Ref(1, Type.INT)))
    assert evaluate_columns(power, [wide, wide], 4).to_values() == [INT_MIN, 0, 0, 0]


def test_empty_batches_and_functions_without_arguments() -> None:
    pi = Call(built_in("pi", ()), ())
    assert len(evaluate_columns(pi, [], 3)) == 3
    upper = Call(built_in("upper", (Type.STR,)), (Ref(0, Type.STR),))
    assert len(evaluate_columns(upper, [from_values([], Type.STR)], 0)) == 0


def test_functions_of_users_are_called_row_by_row() -> None:
    calls: list[int] = []

    def double(number: int) -> int:
        calls.append(number)
        return 2 * number

    twice = ScalarFunction("twice", (Type.INT,), Type.INT, double)
    column = ColumnVector(Type.INT, np.array([3, 3]))
    assert evaluate_columns(Call(twice, (Ref(0, Type.INT),)), [column], 2).to_values() == [6, 6]
    assert calls == [3, 3]


@pytest.mark.parametrize("name", ["abs", "sign", "floor", "ceil", "greatest"])
def test_large_decimals_are_no_numbers_to_numpy(name: str) -> None:
    large = decimal(22, 2)
    given = [(Decimal(text),) for text in ("0.05", "-0.05", "-7.00", "0.00", "100000000000000000.01")]
    made = call_of(name, [Ref(0, large)])
    assert made is not None
    found = evaluate_columns(made, [from_values([row[0] for row in given], large)], len(given)).to_values()
    assert found == [evaluate(made, row) for row in given]
