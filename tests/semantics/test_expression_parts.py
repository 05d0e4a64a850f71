"""Expressions taken apart, moved and turned round."""

from semantics import ScalarFunction, Scope, Type, decimal, parse_expression, parse_plan, show, show_expression
from semantics.aggregate import Count, CountRows, name_of
from semantics.comparison import both_ways
from semantics.expression import Call, Comparison, Expression, Ref, conjuncts
from semantics.failing import can_fail
from semantics.newer_types import newer_type, types_in
from semantics.plan import aggregates_in
from semantics.rebuild import with_expressions
from semantics.schema import Schema
from semantics.substitute import shifted, substitute_in_aggregate

SCOPE = Scope(Schema.of(x=int, y=int, z=int))
X, Y = Ref(0, Type.INT), Ref(1, Type.INT)


def expression(text: str) -> Expression:
    return parse_expression(text, SCOPE)


X_IS_SMALL = expression("x < 3")


def test_conjuncts_from_left_to_right() -> None:
    parts = conjuncts(expression("(x > 1 and (y > 2 or z > 3)) and z is null"))
    assert [show_expression(part, SCOPE) for part in parts] == ["x > 1", "y > 2 or z > 3", "z is null"]


def test_what_is_no_conjunction_is_its_own_part() -> None:
    assert list(conjuncts(X_IS_SMALL)) == [X_IS_SMALL]


def test_shifted_also_inside_lists_and_branches() -> None:
    wide = Scope(Schema.of(a=int, x=int, y=int, z=int))
    moved = shifted(expression("case when x in (1, y) then z else 5 end = 7"), 1)
    assert show_expression(moved, wide) == "case when x in (1, y) then z else 5 end = 7"


def test_the_argument_of_an_aggregate_moves_and_count_of_rows_has_none() -> None:
    assert substitute_in_aggregate(Count(X), lambda _: Y) == Count(Y)
    assert substitute_in_aggregate(CountRows(), lambda _: Y) == CountRows()


def test_a_comparison_both_ways() -> None:
    comparison = Comparison("<=", X, Y)
    assert both_ways(comparison) == [("<=", X, Y), (">=", Y, X)]


def test_functions_over_rows_are_moved_with_their_arguments() -> None:
    plan = parse_plan("S(x int, y int) | over(sum(x) rows 2 as a, first(x) range 3 as b, lag(x, 1) as c, rank() as d)")
    moved = with_expressions(plan, lambda _: Y)
    assert show(moved) == (
        "S(x int, y int) | over(sum(y) rows 2 as a, first(y) range 3 as b, lag(y, 1) as c, rank() as d)"
    )


def test_aggregates_of_frames_are_aggregates_of_the_plan() -> None:
    plan = parse_plan(
        "S(x int, y int) | aggregate(count(*) as n, max(x) as m) | over(min(n) rows 1 as a, lag(m, 1) as b)"
    )
    assert [name_of(aggregate) for aggregate in aggregates_in(plan)] == ["min", "count", "max"]


def test_types_are_found_in_columns_and_in_all_parts_of_expressions() -> None:
    plan = parse_plan("S(x int) | filter(cast(x as decimal(5, 2)) > decimal '1.5' and date '2024-01-31' is null)")
    assert newer_type(plan) == "CAST"
    assert {decimal(5, 2), decimal(2, 1), Type.DATE, Type.BOOL, Type.INT} <= set(types_in(plan))
    assert newer_type(parse_plan("S(x int) | map(x + 1 as y)")) is None


def test_a_function_that_may_fail_makes_its_expression_fail() -> None:
    halve = ScalarFunction("halve", (Type.INT,), Type.INT, lambda x: x // 2)
    assert can_fail(Comparison("=", Call(halve, (X,)), Y))
    assert can_fail(expression("abs(x) = 1"))
    assert not can_fail(expression("x = 1 and y is null"))
