"""The table: every example is true, every function is what the table says of it."""

import copy
import pickle
import re
from decimal import Decimal
from typing import Any, cast

import pytest

from equivalence.cases.random_expressions import SCALAR_FUNCTIONS
from semantics import ScalarFunction, Schema, TypeMismatch, parse, parse_plan, show_expression
from semantics.errors import ArithmeticOverflow
from semantics.expression import Call, Cast, Constant, Expression, Ref, evaluate
from semantics.fold import fold_expression
from semantics.functions.calls import built_ins, first_built_in
from semantics.functions.definition import Shorthand
from semantics.functions.table import BY_NAME, FAMILIES, call_of
from semantics.notation.show_expression import show_value
from semantics.plan import Map
from semantics.sql import Catalogue, parse_query, to_sql
from semantics.types import Type, decimal
from tests.semantics.functions.arguments import WAYS, call, nested_calls, rows

EXAMPLES = [example for family in FAMILIES.values() for found in family for example in found.examples]
CATALOGUE = Catalogue.of({"S": Schema.of(b=bool, x=int, f=float, s=str)}, SCALAR_FUNCTIONS.values())
X, S = Ref(0, Type.INT), Ref(1, Type.STR)


def expression(sql: str) -> Expression:
    plan = parse_query(f"SELECT {sql} AS v FROM S", CATALOGUE)
    assert isinstance(plan, Map)
    return plan.expressions[0]


@pytest.mark.parametrize(("sql", "value"), EXAMPLES, ids=[sql for sql, _ in EXAMPLES])
def test_the_examples_are_true(sql: str, value: str) -> None:
    assert show_value(evaluate(expression(sql), ())) == value


def test_every_function_has_a_line_and_an_example() -> None:
    for found in BY_NAME.values():
        assert re.fullmatch(r"[^\n]+[.?]", found.about), found.names
        assert found.examples, found.names


def test_no_name_means_two_functions() -> None:
    assert len(BY_NAME) == sum(len(found.names) for family in FAMILIES.values() for found in family)


def test_synonyms_are_the_same_function() -> None:
    assert call_of("UCASE", [S]) == call_of("upper", [S])
    assert call_of("no such function", [S]) is None


@pytest.mark.parametrize("way", WAYS, ids=lambda way: f"{way[0]}/{len(way[1])}")
def test_calls_are_shown_read_and_pickled(way: Any) -> None:
    made = call(way)
    assert parse(show_expression(made)) == made
    assert pickle.loads(pickle.dumps(made)).function is made.function
    assert copy.deepcopy(made).function is made.function


@pytest.mark.parametrize("way", WAYS, ids=lambda way: f"{way[0]}/{len(way[1])}")
def test_oracle_null_and_errors_are_as_the_table_says(way: Any) -> None:
    for number in range(3):
        made = call(way, number)
        function: Any = made.function
        for row in rows(made, 40, number):
            known = None not in row
            try:
                value = evaluate(made, row)
            except ArithmeticOverflow:
                assert not function.total, row
                continue
            if function.strict and not known:
                assert value is None
            elif not function.nullable:
                assert value is not None, row


def test_nested_calls_read_back_from_the_notation_and_from_sql() -> None:
    for made in nested_calls(150):
        assert parse(show_expression(made), SCALAR_FUNCTIONS) == made
        plan = Map(CATALOGUE.find("S").plan, (made,), ("v",))  # type: ignore[union-attr]
        assert parse_query(to_sql(plan, CATALOGUE), CATALOGUE) == plan


def test_constant_calls_are_computed() -> None:
    assert fold_expression(expression("UPPER('a') || s")) == call_of(
        "concat", [Constant("A", Type.STR), Ref(3, Type.STR)]
    )
    overflow = expression("ABS(-9223372036854775808)")
    assert fold_expression(overflow) == overflow


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("upper", [X], "UPPER: arguments must be (STR) → STR, got (INT)"),
        ("Length", [], "LENGTH: arguments must be (STR) → INT, got ()"),
        ("abs", [S], "ABS: arguments must be (INT) → INT or (DECIMAL) → DECIMAL or (FLOAT) → FLOAT, got (STR)"),
        ("substring", [S, S], "SUBSTRING: arguments must be (STR, INT [, INT]) → STR, got (STR, STR)"),
        ("greatest", [X, S], "GREATEST: arguments must be (any type, …) → any type, got (INT, STR)"),
        ("nullif", [X], "NULLIF: arguments must be (any type, any type) → the first, got (INT)"),
        ("regexp_like", [S, S], "REGEXP_LIKE: pattern must be a constant such as 'a+', '^b|c$', '[a-c][0-9]*', '(a)(b?)', 'x.y', got no constant"),
        ("regexp_like", [S, Constant("(", Type.STR)], "REGEXP_LIKE: pattern must be a constant such as 'a+', '^b|c$', '[a-c][0-9]*', '(a)(b?)', 'x.y', got '('"),
    ],
)  # fmt: skip
def test_wrong_arguments_are_told_what_is_right(name: str, arguments: list[Expression], message: str) -> None:
    with pytest.raises(TypeMismatch, match=re.escape(message) + "$"):
        call_of(name, arguments)


def test_null_takes_the_type_that_is_asked_for() -> None:
    assert call_of("substring", [S, None]) == call_of("substring", [S, Constant(None, Type.INT)])
    assert call_of("greatest", [None, S]) == call_of("greatest", [Constant(None, Type.STR), S])
    assert call_of("if", [None, None, S]) == call_of("if", [Constant(None, Type.BOOL), Constant(None, Type.STR), S])


def test_wider_types_are_cast_to() -> None:
    day, amount = Ref(0, Type.DATE), Ref(1, decimal(5, 2))
    assert call_of("date_format", [day, Constant("yyyy", Type.STR)]) == call_of(
        "date_format", [Cast(day, Type.TIMESTAMP), Constant("yyyy", Type.STR)]
    )
    assert call_of("sqrt", [amount]) == call_of("sqrt", [Cast(amount, Type.FLOAT)])
    assert cast("Expression", call_of("greatest", [amount, X])).type is decimal(21, 2)
    assert cast("Expression", call_of("abs", [amount])).type is decimal(5, 2)


def test_shorthands_are_other_nodes() -> None:
    shorthands = [name for name, found in BY_NAME.items() if isinstance(found, Shorthand)]
    assert {"nullif", "ifnull", "nvl", "if", "iif", "decode", "strpos"} <= set(shorthands)
    assert show_expression(expression("NULLIF(x, 0)")) == "case when $1:int = 0 then null:int else $1:int end"


def test_ints_become_floats_where_floats_are_asked_for() -> None:
    made = call_of("sqrt", [X])
    assert isinstance(made, Call)
    assert made.function.parameters == (Type.FLOAT,)
    assert evaluate(made, (9,)) == 3.0


def test_calls_of_built_in_functions_are_found_wherever_they_stand() -> None:
    inner = "S(x int, s str) | filter(length(s) > 1) | group(x; max(upper(s)) as m)"
    assert first_built_in(parse_plan(inner)) == "upper"
    assert (
        first_built_in(parse_plan("S(x int, s str) | filter(x = 1 or not length(s) > abs(x)) | distinct")) == "length"
    )
    assert first_built_in(parse_plan("S(x int) | filter(x > 1)")) is None
    assert [f.name for f in built_ins(parse("upper(lower('a'))"))] == ["upper", "lower"]


def test_a_user_defined_function_is_no_built_in_one() -> None:
    halve = SCALAR_FUNCTIONS["halve"]
    assert list(built_ins(Call(halve, (Constant(1.0, Type.FLOAT),)))) == []


def test_a_decimal_that_does_not_fit_into_its_type_is_an_overflow() -> None:
    """ABS keeps the type of its argument, so only a function that promises too little can overflow."""
    wide = ScalarFunction("wide", (Type.INT,), decimal(3, 0), Decimal)
    assert evaluate(Call(wide, (Constant(999, Type.INT),)), ()) == Decimal(999)
    with pytest.raises(ArithmeticOverflow, match=r"wide: result must fit into DECIMAL\(3, 0\), got 1000"):
        evaluate(Call(wide, (Constant(1000, Type.INT),)), ())
