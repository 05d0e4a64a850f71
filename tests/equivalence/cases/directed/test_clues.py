"""What plans speak of: constants through arithmetic, aggregates and maps, windows, thresholds, joins."""

import pytest

from equivalence.cases.directed.around import around_pattern
from equivalence.cases.directed.clues import Clues, clues_of
from equivalence.cases.directed.pools import pools_of
from semantics import Schema, parse_plan, show
from semantics.expression import Constant, Like, holds
from semantics.value import Type


def clues(*plans: str) -> Clues:
    return clues_of(*map(parse_plan, plans))


def test_constants_go_back_through_arithmetic_and_maps() -> None:
    found = clues("S(x int, y int) | map(x * 2 + 10 as v, -y as w) | filter(v = 110 and w > 7)")
    assert {49, 50, 51} <= found.columns["S", 0]
    assert {-6, -7, -8} <= found.columns["S", 1]


def test_thresholds_of_counts_are_numbers_of_rows() -> None:
    having = "S(x int) | window(range 60) | group(x; count(*) as n) | filter(n >= 50)"
    assert {49, 50, 51} <= set(clues(having).counts)
    assert {20, 21} <= set(clues("S(x int) | window(rows 20)", "S(x int) | window(rows 21)").counts)


def test_thresholds_of_sums_are_values_too() -> None:
    found = clues("S(x int) | aggregate(sum(x) as s) | filter(s > 9000)")
    assert {9000, 9001, 4500, 3000} <= found.columns["S", 0]


def test_sizes_with_sums_and_differences() -> None:
    found = clues("S(x int) | window(range 600 slide 60)")
    assert {60, 540, 600, 660} <= set(found.spans)
    assert {60, 120} <= set(found.anchors)
    assert {100, 150, 200} <= set(clues("S(x int) | window(landmark 100 reset 50)").anchors)


def test_conditions_that_link_rows_of_other_sources() -> None:
    found = clues("join(A(x int, y int), B(u int, v int); x = u and y = v and x > 5)")
    assert [(link.sources, show(link.expression)) for link in found.links] == [
        (("A", "B"), "$0:int = $2:int"),
        (("A", "B"), "$1:int = $3:int"),
    ]
    assert [(about.sources, show(about.expression)) for about in found.conditions] == [(("A",), "$0:int > 5")]


def test_a_witness_passes_all_conditions() -> None:
    plan = parse_plan("S(x int, y int, s str) | filter(x > 1000 and y between 70 and 80 and s like 'ab_%')")
    found = clues_of(plan)
    row = pools_of(found, tuple(plan.sources().items())).witnesses["S"]
    assert all(holds(condition.expression, row) for condition in found.conditions)


def test_texts_match_a_pattern_and_nearly_match_it() -> None:
    for pattern in ("a%", "%b", "_c%", "10!%_", "%mid%"):
        like = Like(Constant("", Type.STR), Constant(pattern, Type.STR), "!")
        truths = {holds(Like(Constant(text, Type.STR), like.pattern, "!"), ()) for text in around_pattern(pattern, "!")}
        assert truths == {True, False}


def test_a_plan_without_constants_has_common_values() -> None:
    schemas = (("S", Schema.of(x=int)),)
    assert pools_of(clues("S(x int) | distinct"), schemas).values["S", 0][:2] == (0, 1)


@pytest.mark.parametrize(
    "condition",
    [
        "x + y > 9223372036854775807",
        "x * y * y = -9223372036854775808",
        "f * f > 1e308 and f - x < -1e308",
        "x mod y = 9223372036854775807 or 9223372036854775807 mod x = 1",
        "f / x > 'Infinity' or f * x = 'NaN'",
        "x * x - x * x = 0",
        "case when x * y > 7 then f else y end > 5e-324",
    ],
)
def test_awkward_constants_have_clues_too(condition: str) -> None:
    text = condition.replace("'Infinity'", "inf").replace("'NaN'", "nan")
    plan = parse_plan(f"S(x int, y int, f float) | filter({text})")
    pools = pools_of(clues_of(plan), tuple(plan.sources().items()))
    assert pools.values["S", 0]
