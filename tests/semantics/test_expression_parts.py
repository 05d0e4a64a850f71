"""Expressions taken apart, moved and turned round."""

from semantics import Scope, Type, parse_expression, show_expression
from semantics.aggregate import Count, CountRows
from semantics.comparison import both_ways
from semantics.expression import Comparison, Expression, Ref, conjuncts
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
