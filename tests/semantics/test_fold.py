"""Folding keeps the meaning of expressions and plans, and leaves out what nothing depends on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equivalence.cases.strategies import cases, expressions, plans, rows
from semantics import (
    ArithmeticOverflow,
    Expression,
    FunctionError,
    Plan,
    Row,
    Schema,
    Scope,
    parse,
    parse_plan,
    show,
)
from semantics.evaluate import evaluate
from semantics.expression import children
from semantics.expression import evaluate as value_of
from semantics.fold import fold_expression, fold_plan, is_empty
from semantics.rebuild import with_children
from semantics.types import BASIC_TYPES
from tests.semantics.notation.test_notation import KNOWN

COLUMNS = Schema.of(x=int, y=float, s=str, b=bool)
ANY_EXPRESSION = st.sampled_from(BASIC_TYPES).flatmap(lambda type_: expressions(Scope(COLUMNS), type_, awkward=True))


@given(ANY_EXPRESSION, rows(COLUMNS, awkward=True))
def test_a_folded_expression_has_the_same_value_and_type(expression: Expression, row: Row) -> None:
    folded = fold_expression(expression)
    assert folded.type is expression.type
    try:
        expected = value_of(expression, row)
    except (ArithmeticOverflow, FunctionError):
        return
    assert show((value_of(folded, row),)) == show((expected,))


@given(ANY_EXPRESSION)
def test_an_expression_is_rebuilt_from_its_parts(expression: Expression) -> None:
    assert with_children(expression, children(expression)) == expression


@given(st.data())
def test_a_folded_plan_has_the_same_snapshots(data: st.DataObject) -> None:
    plan: Plan = data.draw(plans(awkward=True))
    case = data.draw(cases(plan, awkward=True))
    folded = fold_plan(plan)
    assert folded.schema.types == plan.schema.types
    try:
        expected = evaluate(plan, case, 12).snapshots
    except (ArithmeticOverflow, FunctionError):
        return
    assert evaluate(folded, case, 12).snapshots == expected
    assert not (is_empty(folded) and any(expected))


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("$0:int > 1 + 1", "$0:int > 2"),
        ("$0:int > 0 and true", "$0:int > 0"),
        ("false or $0:int > 0", "$0:int > 0"),
        ("$0:int > 0 and false", "false"),
        ("$0:int > 0 and null:bool", "$0:int > 0 and null:bool"),
        (
            "case when 1 = 2 then 5 when $0:int = 1 then 6 when true then 7 else 8 end",
            "case when $0:int = 1 then 6 else 7 end",
        ),
        ("case when false then 5 else 8 end", "8"),
        ("coalesce(null:int, $0:int, 3, $1:int)", "coalesce($0:int, 3)"),
        ("coalesce(null:int, null:int)", "null:int"),
        ("9223372036854775807 + 1", "9223372036854775807 + 1"),
    ],
)
def test_constants_are_folded(text: str, folded: str) -> None:
    assert show(fold_expression(parse(text, KNOWN))) == folded


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("A(x int) | filter(true or x = 1)", "A(x int)"),
        ("A(x int) | distinct | distinct", "A(x int) | distinct"),
        ("union(A(x int) | filter(false), A(x int))", "A(x int)"),
        ("union(A(x int), A(x int) | filter(null:bool) | window(range 2))", "A(x int)"),
        ("A(x int) | total(count(x + (1 - 1)) as n)", "A(x int) | total(count(x + 0) as n)"),
    ],
)
def test_what_changes_nothing_is_left_out(text: str, folded: str) -> None:
    assert show(fold_plan(parse_plan(text))) == folded


@pytest.mark.parametrize(
    ("text", "empty"),
    [
        ("A(x int) | filter(false)", True),
        ("A(x int) | filter(false) | total(count(*) as n)", False),
        ("A(x int) | filter(false) | aggregate(count(*) as n)", True),
        ("leftjoin(A(x int), B(y int) | filter(false); x = y)", False),
        ("rightjoin(A(x int), B(y int) | filter(false); x = y)", True),
        ("semijoin(A(x int), B(y int) | filter(false); x = y)", True),
        ("antijoin(A(x int), B(y int) | filter(false); x = y)", False),
    ],
)
def test_what_is_always_empty(text: str, empty: bool) -> None:
    assert is_empty(parse_plan(text)) is empty


def test_nothing_but_nulls_is_null() -> None:
    assert fold_expression(parse("coalesce(null:int, null:int)")) == parse("null:int")
