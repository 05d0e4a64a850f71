"""Constants that a column meets only through arithmetic, by cases alone: products, remainders, CASE, joins."""

import pytest

from equivalence import check_plans
from equivalence.cases.choices import SeededChoices
from equivalence.cases.directed.clues import clues_of
from equivalence.cases.directed.draw import choose_directed_case
from equivalence.cases.search import CaseOutcome
from equivalence.comparison import settle_neighbours
from equivalence.rules.instances import Instance
from equivalence.sampling.sample import compare_at_all_times
from semantics import ScalarFunction, Type, parse_plan

A, B = "A(x int, y int, f float)", "B(u int, v int)"
LENGTH = ScalarFunction("length", (Type.STR,), Type.INT, len)

PAIRS = [
    (f"{A} | filter(x * x > 90000)", f"{A} | filter(x * x > 95000)"),
    (f"{A} | filter(x * x * x > 1000000)", f"{A} | filter(x * x * x > 1100000)"),
    (f"{A} | filter(x * y > 70000)", f"{A} | filter(x * y > 70003)"),
    (f"{A} | filter(x * y > 40000 and x < 250 and y < 250)", f"{A} | filter(x * y > 41000 and x < 250 and y < 250)"),
    (f"{A} | filter(x * x + y * y < 2500)", f"{A} | filter(x * x + y * y < 2600)"),
    (f"{A} | filter((x - 700) * (x - 700) < 17)", f"{A} | filter((x - 700) * (x - 700) < 26)"),
    (f"{A} | filter(f * f > 2.5)", f"{A} | filter(f * f > 2.6)"),
    (f"{A} | filter(x / y > 400)", f"{A} | filter(x / y > 401)"),
    (f"{A} | filter(500 mod x = 3)", f"{A} | filter(500 mod x = 4)"),
    (f"{A} | filter(x mod y = 60)", f"{A} | filter(x mod y = 61)"),
    (
        f"{A} | filter(case when x * x > 40000 then 1 else 0 end = 1)",
        f"{A} | filter(case when x * x > 44000 then 1 else 0 end = 1)",
    ),
    (f"{A} | map(x * x - 10 * x as z) | filter(z > 6000)", f"{A} | map(x * x - 10 * x as z) | filter(z > 6100)"),
    (
        f"{A} | group(x; sum(y * y) as t) | filter(t > 9000)",
        f"{A} | group(x; sum(y * y) as t) | filter(t > 9300)",
    ),
    (f"join({A}, {B}; x = u + 250)", f"join({A}, {B}; x = u + 251)"),
    (f"join({A}, {B}; x * 3 = v and v > 500)", f"join({A}, {B}; x * 3 = v and v > 503)"),
    (f"join({A}, {B}; x * u > 33000)", f"join({A}, {B}; x * u > 33100)"),
    (f"semijoin({A}, {B}; u > y * 4 + 300)", f"semijoin({A}, {B}; u > y * 4 + 299)"),
]


@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_cases_alone_tell_them_apart(left: str, right: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settle_neighbours, "solvers_missing", lambda: "not asked")
    assert check_plans(parse_plan(left), parse_plan(right)).kind == "refuted"


def test_a_function_that_a_user_brings_is_looked_at_from_outside() -> None:
    left, right = (parse_plan(f"S(s str) | filter(length(s) > {length})", {"length": LENGTH}) for length in (37, 38))
    assert check_plans(left, right).kind == "refuted"


@pytest.mark.parametrize(
    "join",
    [
        f"join({A}, {B}; x = u + 250)",
        f"join({A}, {B}; x + u = 5000 and y = v)",
        f"join({A}, {A} | map(x as z); x = z + 100)",
        f"join({A}, {B} | map(u * 7 as w, v as v); x = w + 3 and y > v + 40)",
    ],
)
def test_rows_that_meet_are_planted(join: str) -> None:
    plan = parse_plan(join)
    cases = [choose_directed_case(SeededChoices(n), plan.sources(), (), clues_of(plan)) for n in range(40)]
    assert sum(compare_at_all_times(Instance(plan, plan), case) is CaseOutcome.FIRED for case in cases) >= 4


def test_where_the_next_constant_is_the_same_a_further_one_is_measured() -> None:
    verdict = check_plans(parse_plan(f"{A} | filter(x * x > 90100)"), parse_plan(f"{A} | filter(90100 < x * x)"))
    measured = verdict.evidence["neighbours"]
    assert verdict.kind == "agreed"
    assert isinstance(measured, dict)
    assert measured["proved"] >= 2
    assert measured["told_apart"] + measured["proved"] == measured["of"]
