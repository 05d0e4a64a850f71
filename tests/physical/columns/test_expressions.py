"""Expressions over columns say of every row what the reference says of it, errors included."""

import math
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Final

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equivalence.cases.strategies import expressions, rows, schemas, types
from physical.columns.column import ColumnVector, constant, dtype_of, from_values
from physical.columns.expressions import evaluate, holds
from semantics import (
    ArithmeticOverflow,
    Expression,
    Row,
    ScalarFunction,
    Schema,
    Scope,
    Type,
    TypeMismatch,
    Value,
    parse_expression,
)
from semantics import expression as reference
from semantics.expression import Arithmetic, ArithmeticSymbol, Call, Comparison, ComparisonSymbol, Ref
from semantics.value import INT_MAX, INT_MIN, identical

ARITHMETIC: Final[list[ArithmeticSymbol]] = ["+", "-", "*", "/", "MOD"]
COMPARISONS: Final[list[ComparisonSymbol]] = ["=", "<>", "<", "<=", ">", ">="]
ROOT: Final = math.isqrt(INT_MAX)

INTS = st.one_of(
    st.sampled_from([0, 1, -1, INT_MIN, INT_MAX, 2**53 + 1, -(2**62), ROOT, ROOT + 1, -ROOT - 1]),
    st.integers(-ROOT - 2, ROOT + 2),
    st.integers(INT_MIN, INT_MAX),
)
FLOATS = st.sampled_from([math.nan, math.inf, -math.inf, -0.0, 1.0, -2.5, 5e-324, 2.0**63]) | st.floats()
TEXTS = st.text("abx%_\nä", max_size=3)
NUMBERS = Schema.of(i=int, j=int, f=float, g=float)
WORDS = Schema.of(s=str, t=str, u=str)


def parsed(schema: Schema, texts: Iterable[str]) -> list[Expression]:
    return [parse_expression(text, Scope(schema)) for text in texts]


def pairs(schema: Schema) -> list[tuple[Ref, Ref]]:
    columns = [Ref(i, type_) for i, type_ in enumerate(schema.types)]
    return list(product(columns, columns))


ON_NUMBERS: Final[list[Expression]] = [
    *(Arithmetic(symbol, *pair) for symbol in ARITHMETIC for pair in pairs(NUMBERS)),
    *(Comparison(symbol, *pair) for symbol in COMPARISONS for pair in pairs(NUMBERS)),
    *parsed(NUMBERS, ["-i", "-f", "i IS DISTINCT FROM j", "i IS DISTINCT FROM f", "f IS DISTINCT FROM g"]),
    *parsed(NUMBERS, ["i IN (f, j, g)", "f IN (i, g)", "i IN (j, 0, NULL:INT)", "f NOT IN (1.5, 0)"]),
    *parsed(NUMBERS, ["COALESCE(i, f, j)", "CASE WHEN i < f THEN i WHEN f < g THEN g ELSE j END", "i + j IS NULL"]),
]
ON_WORDS: Final[list[Expression]] = [
    *(Comparison(symbol, *pair) for symbol in COMPARISONS for pair in pairs(WORDS)),
    *parsed(
        WORDS,
        [
            "s LIKE t",
            "s LIKE t ESCAPE 'x'",
            "s LIKE '%a_'",
            "s LIKE '%x%' ESCAPE 'x'",
            "'ab' LIKE s",
            "s IS DISTINCT FROM t",
        ],
    ),
    *parsed(WORDS, ["s > 'ax'", "'b' >= s", "s IN ('a', t, NULL:STR)", "COALESCE(s, t, 'b')", "COALESCE(s, t) = u"]),
    *parsed(
        WORDS, ["CASE WHEN s < t THEN s WHEN t < u THEN 'x' ELSE u END", "CASE WHEN s = t THEN u ELSE NULL:STR END"]
    ),
]


def batch(schema: Schema, table: Sequence[Row]) -> list[ColumnVector]:
    return [from_values([row[i] for row in table], type_) for i, type_ in enumerate(schema.types)]


def overflows(expression: Expression, row: Row) -> bool:
    try:
        reference.evaluate(expression, row)
    except ArithmeticOverflow:
        return True
    return False


def typed(values: Iterable[Value]) -> list[tuple[type, Value]]:
    return [(type(value), identical(value)) for value in values]


def check(expression: Expression, schema: Schema, table: Sequence[Row]) -> None:
    """A batch raises iff a row does, and without those rows it gives all that the reference gives."""
    columns = batch(schema, table)
    fine = np.array([not overflows(expression, row) for row in table], np.bool_)
    if not fine.all():
        with pytest.raises(ArithmeticOverflow):
            evaluate(expression, columns, len(table))
    kept = [column.take(fine) for column in columns]
    result = evaluate(expression, kept, int(fine.sum()))
    expected = [reference.evaluate(expression, row) for row, ok in zip(table, fine, strict=True) if ok]
    check_invariants(result, expression.type, len(expected))
    assert typed(result.to_values()) == typed(expected)
    if expression.type is Type.BOOL:
        assert holds(expression, kept, len(expected)).tolist() == [value is True for value in expected]


def check_invariants(column: ColumnVector, type_: Type, length: int) -> None:
    assert (column.type, column.values.dtype, len(column)) == (type_, np.dtype(dtype_of(type_)), length)
    assert not column.values[~column.mask()].any()
    assert (column.words is not None) == (type_ is Type.STR)
    if column.words is not None:
        assert column.words.tolist() == sorted(set(column.words))


@settings(max_examples=200)
@given(st.data())
def test_differential_nested_expressions(data: st.DataObject) -> None:
    schema = data.draw(schemas(max_columns=6))
    expression = data.draw(expressions(Scope(schema), data.draw(types()), depth=3, awkward=True))
    check(expression, schema, data.draw(st.lists(rows(schema, awkward=True), max_size=8)))


@settings(max_examples=50)
@given(st.lists(st.tuples(*[st.none() | INTS] * 2, *[st.none() | FLOATS] * 2), max_size=6))
def test_differential_any_numbers(table: list[Row]) -> None:
    for expression in ON_NUMBERS:
        check(expression, NUMBERS, table)


@settings(max_examples=50)
@given(st.lists(st.tuples(*[st.none() | TEXTS] * 3), max_size=6))
def test_differential_any_words(table: list[Row]) -> None:
    for expression in ON_WORDS:
        check(expression, WORDS, table)


def value_of(text: str, schema: Schema, table: Sequence[Row]) -> list[Value]:
    return evaluate(parse_expression(text, Scope(schema)), batch(schema, table), len(table)).to_values()


@pytest.mark.parametrize(
    ("text", "i", "j"),
    [
        ("i + j", INT_MAX, 1),
        ("i - j", 0, INT_MIN),
        ("i * j", ROOT + 1, ROOT + 1),
        ("i * j", INT_MIN, -1),
        ("i * j", INT_MIN, INT_MIN),
        ("-i", INT_MIN, 0),
    ],
)
def test_overflow_names_the_first_row_in_the_words_of_the_reference(text: str, i: int, j: int) -> None:
    schema = Schema.of(i=int, j=int)
    with pytest.raises(ArithmeticOverflow) as expected:
        reference.evaluate(parse_expression(text, Scope(schema)), (i, j))
    with pytest.raises(ArithmeticOverflow) as got:
        value_of(text, schema, [(1, 2), (i, j), (INT_MAX, INT_MAX), (INT_MIN, INT_MAX)])
    assert str(got.value) == str(expected.value)


def test_results_at_the_edge_of_64_bits_do_not_overflow() -> None:
    table: list[Row] = [(INT_MAX, -1), (-(2**62), 2), (INT_MIN, 1), (3 * 2**61 - 1, 1), (None, INT_MIN), (-ROOT, ROOT)]
    schema = Schema.of(i=int, j=int)
    assert value_of("i * j", schema, table) == [-INT_MAX, INT_MIN, INT_MIN, 3 * 2**61 - 1, None, -ROOT * ROOT]
    assert value_of("i - j", schema, [(-1, INT_MIN), (None, INT_MIN), (INT_MIN, 0)]) == [INT_MAX, None, INT_MIN]
    assert value_of("i MOD j", schema, [(INT_MIN, -1), (INT_MIN, 0), (-7, 2), (7, -2)]) == [0, None, -1, 1]


def test_only_rows_that_reach_a_branch_can_overflow() -> None:
    schema = Schema.of(i=int)
    table: list[Row] = [(INT_MAX,), (1,), (None,)]
    assert value_of("CASE WHEN i < 9 THEN i + 1 ELSE 0 END", schema, table) == [0, 2, 0]
    assert value_of("CASE WHEN i > 9 THEN 0 WHEN i + 1 > 0 THEN 1 ELSE 2 END", schema, table) == [0, 1, 2]
    assert value_of("COALESCE(i, i + 1, 5)", schema, table) == [INT_MAX, 1, 5]
    with pytest.raises(ArithmeticOverflow):
        value_of("i < 9 AND i + 1 > 0", schema, table)


def test_user_functions_see_only_the_rows_that_need_them() -> None:
    seen: list[Value] = []

    def note(number: float) -> int:
        seen.append(number)
        return int(math.copysign(1, number))

    sign = ScalarFunction("sign", (Type.FLOAT,), Type.FLOAT, note)
    column = from_values([-0.0, None, 5.0, -3.0], Type.FLOAT)
    called = Call(sign, (Ref(0, Type.FLOAT),))
    guard = Comparison("<", Ref(0, Type.FLOAT), reference.Constant(4, Type.FLOAT))
    guarded = reference.Case(((guard, called),), reference.Constant(7.0, Type.FLOAT))
    assert typed(evaluate(guarded, [column], 4).to_values()) == typed([1.0, 7.0, 7.0, -1.0])
    assert seen == [0.0, -3.0]
    assert evaluate(called, [constant(None, Type.FLOAT, 2)], 2).to_values() == [None, None]
    assert len(seen) == 2


def test_user_functions_may_have_no_arguments_and_must_keep_their_promise() -> None:
    answer = Call(ScalarFunction("answer", (), Type.STR, lambda: "42"), ())
    assert evaluate(answer, [], 3).to_values() == ["42"] * 3
    broken = Call(ScalarFunction("broken", (), Type.STR, lambda: 42), ())
    assert evaluate(broken, [], 0).to_values() == []
    with pytest.raises(TypeMismatch, match="broken: result must be STR, got 42"):
        evaluate(broken, [], 1)


def test_an_int_is_compared_as_an_int_with_ints_and_as_a_float_with_floats() -> None:
    table: list[Row] = [(2**53 + 1, 2**53, float(2**53))]
    schema = Schema.of(i=int, j=int, f=float)
    assert value_of("i = j", schema, table) == [False]
    assert value_of("i = f", schema, table) == [True]
    assert value_of("i IN (j, f)", schema, table) == [True]


def test_nan_is_the_greatest_float_and_equals_itself() -> None:
    schema = Schema.of(f=float, g=float)
    table: list[Row] = [(math.nan, math.nan), (math.nan, math.inf), (math.inf, math.nan), (math.nan, None)]
    assert value_of("f = g", schema, table) == [True, False, False, None]
    assert value_of("f <> g", schema, table) == [False, True, True, None]
    assert value_of("f < g", schema, table) == [False, False, True, None]
    assert value_of("f >= g", schema, table) == [True, True, False, None]
    assert value_of("f IS DISTINCT FROM g", schema, table) == [False, True, True, True]


def test_like_matches_each_pair_of_words_with_its_escape() -> None:
    schema = Schema.of(s=str, t=str)
    table: list[Row] = [("5%", "5x%"), ("5a", "5x%"), ("5%", "5%"), ("5a", "5%"), (None, "%"), ("5x%", "5x%")]
    assert value_of("s LIKE t ESCAPE 'x'", schema, table) == [True, False, True, True, None, False]
    assert value_of("s LIKE t", schema, table) == [False, False, True, True, None, True]


def test_the_columns_of_a_batch_stay_as_they_are() -> None:
    schema = Schema.of(i=int, f=float, p=bool)
    columns = batch(schema, [(1, math.nan, True), (None, None, None), (3, -0.0, False)])
    for column in columns:
        column.values.flags.writeable = False
    for text in ("i + 1", "-i", "-f", "f / i", "i MOD 0", "NOT p", "p AND i > 1", "COALESCE(i, f)", "i"):
        evaluate(parse_expression(text, Scope(schema)), columns, 3)
