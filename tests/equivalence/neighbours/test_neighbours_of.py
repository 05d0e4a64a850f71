"""Neighbours of plans: which there are, what they are called, and what holds of all of them."""

import pytest
from hypothesis import given

from equivalence.cases.functions import KNOWN_FUNCTIONS
from equivalence.cases.strategies import plans
from equivalence.neighbours.neighbours_of import neighbours_of
from semantics import Plan, parse_plan, show
from semantics.fold import fold_plan


def texts(plan: str) -> list[str]:
    return [neighbour.text for neighbour in neighbours_of(parse_plan(plan))]


@given(plans(awkward=True))
def test_a_neighbour_has_the_same_columns_and_another_plan(plan: Plan) -> None:
    folded = fold_plan(plan)
    for neighbour in neighbours_of(plan):
        assert neighbour.plan.schema == folded.schema
        assert neighbour.plan.schema.types == plan.schema.types
        assert neighbour.plan not in (plan, folded)


@given(plans(awkward=True))
def test_a_neighbour_can_be_written_and_read(plan: Plan) -> None:
    for neighbour in neighbours_of(plan):
        assert parse_plan(show(neighbour.plan), KNOWN_FUNCTIONS) == neighbour.plan


@given(plans(awkward=True))
def test_no_neighbour_comes_twice(plan: Plan) -> None:
    found = [neighbour.plan for neighbour in neighbours_of(plan)]
    assert len(set(found)) == len(found)


@pytest.mark.parametrize(
    ("plan", "expected"),
    [
        ("A(x int)", []),
        ("A(x int) | rstream", []),
        (
            "A(x int) | window(range 600)",
            ["RANGE 599 instead of 600", "RANGE 601 instead of 600", "SLIDE 2 instead of 1"],
        ),
        ("A(x int) | window(range 1)", ["RANGE 2 instead of 1", "SLIDE 2 instead of 1"]),
        ("A(x int) | window(range unbounded)", ["SLIDE 2 instead of 1"]),
        (
            "A(x int) | window(landmark 5 reset 9)",
            [
                "LANDMARK 4 instead of 5",
                "LANDMARK 6 instead of 5",
                "RESET 8 instead of 9",
                "RESET 10 instead of 9",
            ],
        ),
        (
            "A(x int) | window(rows 5)",
            ["ROWS 4 instead of 5", "ROWS 6 instead of 5", "SLIDE 2 instead of 1", "WITH TIES"],
        ),
        ("A(x int) | window(rows 1 with ties)", ["ROWS 2 instead of 1", "without WITH TIES"]),
        (
            "A(x int, y int) | window(partition by x, y rows 1 slide 3)",
            [
                "PARTITION BY without x",
                "PARTITION BY without y",
                "ROWS 2 instead of 1",
                "SLIDE 2 instead of 3",
                "SLIDE 4 instead of 3",
            ],
        ),
        ("A(x int) | distinct", ["without DISTINCT"]),
        ("A(x int) | istream", ["without ISTREAM"]),
        ("A(x int) | dstream", ["without DSTREAM"]),
        ("union(A(x int), B(x int))", ["UNION instead of UNION ALL"]),
        ("union(A(x int), B(x int)) | distinct", ["without DISTINCT"]),
        ("difference(A(x int), B(x int))", ["EXCEPT instead of EXCEPT ALL"]),
        ("intersection(A(x int), B(x int))", ["INTERSECT instead of INTERSECT ALL"]),
        (
            "join(A(x int), B(y int); x = y)",
            [
                "LEFT JOIN instead of JOIN",
                "RIGHT JOIN instead of JOIN",
                "`x <= y` instead of `x = y`",
                "`x >= y` instead of `x = y`",
                "without `x = y`",
            ],
        ),
        (
            "A(x int) | filter(x > 50)",
            [
                "`x >= 50` instead of `x > 50`",
                "`x > 49` instead of `x > 50`",
                "`x > 51` instead of `x > 50`",
                "without `x > 50`",
            ],
        ),
        (
            "A(x int, y int) | filter(x is null and y is null)",
            ["without `y is null`", "without `x is null`"],
        ),
        (
            "A(x int) | filter(x in (1, 4))",
            [
                "`x in (4)` instead of `x in (1, 4)`",
                "`x in (1)` instead of `x in (1, 4)`",
                "`x in (0, 4)` instead of `x in (1, 4)`",
                "`x in (2, 4)` instead of `x in (1, 4)`",
                "`x in (1, 3)` instead of `x in (1, 4)`",
                "`x in (1, 5)` instead of `x in (1, 4)`",
                "without `x in (1, 4)`",
            ],
        ),
        (
            "A(x int) | map(coalesce(x, 3) as y)",
            [
                "`3` instead of `coalesce(x, 3)`",
                "`x` instead of `coalesce(x, 3)`",
                "2 instead of 3",
                "4 instead of 3",
            ],
        ),
        (
            "A(x int) | map(case when x is null then x else 3 end as y)",
            ["`3` instead of `case when x is null then x else 3 end`", "2 instead of 3", "4 instead of 3"],
        ),
        (
            "A(x int) | total(count(x) as n)",
            [
                "no row where the input is empty",
                "`count(*)` instead of `count(x)`",
                "`count(distinct x)` instead of `count(x)`",
            ],
        ),
        ("A(x int) | aggregate(count(*) as n)", ["a row where the input is empty", "`count(x)` instead of `count(*)`"]),
        ("A(x int, y int) | group(x; min(y) as n)", ["GROUP BY without x", "`max(y)` instead of `min(y)`"]),
        ("A(x int, y int) | group(x, y)", ["GROUP BY without x", "GROUP BY without y"]),
        (
            "A(x int) | aggregate(top(x, 2) as n)",
            [
                "a row where the input is empty",
                "`top(x, 1)` instead of `top(x, 2)`",
                "`top(x, 3)` instead of `top(x, 2)`",
            ],
        ),
        (
            "A(s str) | filter(s like 'a%')",
            [
                "`s like 'a_'` instead of `s like 'a%'`",
                "`s like 'a%x'` instead of `s like 'a%'`",
                "`s like 'a'` instead of `s like 'a%'`",
                "without `s like 'a%'`",
            ],
        ),
    ],
)
def test_the_neighbours_of_a_plan(plan: str, expected: list[str]) -> None:
    assert texts(plan) == expected


def test_constants_are_folded_first() -> None:
    assert "`x > 7` instead of `x > 6`" in texts("A(x int) | filter(x > 2 * 3)")


@pytest.mark.parametrize(
    "plan",
    ["union(A(x int), A(x int) | window(range 9) | filter(false))", "A(x int) | filter(x > 3 or true)"],
)
def test_dead_branches_have_no_neighbours(plan: str) -> None:
    assert texts(plan) == []


def test_below_a_filter_that_lets_nothing_pass_there_is_nothing_to_change() -> None:
    assert texts("A(x int) | window(range 9) | filter(false) | distinct") == ["true instead of false"]


@pytest.mark.parametrize(
    ("plan", "decisive"),
    [
        ("A(x int) | window(range 6)", 3),
        ("A(x int) | window(rows 6)", 3),
        ("A(x int) | window(landmark 6 reset 7)", 4),
        ("A(x int) | filter(x > 5)", 2),
        ("A(x int) | filter(x * 3 > 5)", 4),
        ("A(x int) | group(x; count(*) as n) | filter(n > 5)", 2),
        ("A(x int) | map(x + 5 as y)", 2),
        ("A(s str) | map(left(s, 5) as y)", 2),
        ("A(x int) | distinct", 0),
        ("join(A(x int), B(y int); x = y)", 0),
    ],
)
def test_sizes_thresholds_and_constants_are_decisive(plan: str, decisive: int) -> None:
    assert sum(neighbour.decisive for neighbour in neighbours_of(parse_plan(plan))) == decisive
