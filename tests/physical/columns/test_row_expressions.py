"""Functions over one row say what the reference says."""

from hypothesis import given
from hypothesis import strategies as st

from physical.columns.row_expressions import columns_getter, row_function, rows_function
from semantics import ArithmeticOverflow, Row, Scope, Value, parse_expression
from semantics.expression import And, Expression, Not, Or, evaluate
from semantics.value import identical_row
from tests.physical.columns.test_expressions import FLOATS, INTS, NUMBERS, ON_NUMBERS, ON_WORDS, TEXTS

CONDITIONS = [
    parse_expression(text, Scope(NUMBERS)) for text in ("i < j", "f > g", "i = f", "f >= 1", "i IS NULL", "g <> 2.5")
]
NUMBER_ROWS = st.tuples(*(st.none() | values for values in (INTS, INTS, FLOATS, FLOATS))).map(identical_row)
WORD_ROWS = st.tuples(*[st.none() | TEXTS] * 3)


def outcome(expression: Expression, row: Row) -> Value:
    try:
        return evaluate(expression, row)
    except ArithmeticOverflow as error:
        return str(error)


def found(expression: Expression, row: Row) -> Value:
    try:
        value: Value = row_function(expression)(row)
    except ArithmeticOverflow as error:
        return str(error)
    return value


@given(st.one_of(st.tuples(st.sampled_from(ON_NUMBERS), NUMBER_ROWS), st.tuples(st.sampled_from(ON_WORDS), WORD_ROWS)))
def test_oracle_one_value(case: tuple[Expression, Row]) -> None:
    assert (found(*case),) == (outcome(*case),)


@given(st.sampled_from(CONDITIONS), st.sampled_from(CONDITIONS), NUMBER_ROWS)
def test_oracle_logic(one: Expression, other: Expression, row: Row) -> None:
    for expression in (And(one, other), Or(one, Not(other)), Not(And(one, one))):
        assert found(expression, row) is outcome(expression, row)


def test_rows_of_values() -> None:
    sums = tuple(parse_expression(text, Scope(NUMBERS)) for text in ("i + 1", "g"))
    assert rows_function(sums)((1, 2, 0.5, 1.5)) == (2, 1.5)
    assert rows_function(sums[1:])((1, 2, 0.5, 1.5)) == (1.5,)
    assert [columns_getter(positions)((1, 2)) for positions in ((), (1,), (1, 0))] == [(), (2,), (2, 1)]
