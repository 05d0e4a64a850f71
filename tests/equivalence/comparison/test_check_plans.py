"""Two plans compared: what is refuted, what agrees and how much that means, what stays unknown."""

import pytest

from equivalence import check_plans, exhaust
from equivalence.comparison import settle_neighbours
from equivalence.comparison.comparison import PlanComparison
from equivalence.rules.instances import Instance
from equivalence.verdicts.verdict import Verdict
from semantics import Plan, SchemaError, parse_plan
from semantics.constraint import NotNull


def plans(left: str, right: str) -> tuple[Plan, Plan]:
    return parse_plan(left), parse_plan(right)


def checked(left: str, right: str, examples: int = 400) -> Verdict:
    return check_plans(*plans(left, right), examples=examples)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("S(x int) | window(range 600)", "S(x int) | window(range 601)"),
        ("S(x int) | window(range 600)", "S(x int) | window(range 3600)"),
        ("S(x int) | window(range 600 slide 60)", "S(x int) | window(range 600 slide 61)"),
        ("S(x int) | window(landmark 7 reset 500)", "S(x int) | window(landmark 7 reset 501)"),
        ("S(x int) | filter(x > 50)", "S(x int) | filter(x > 500)"),
        ("S(x int)", "S(x int) | filter(x <> 29 or x is null)"),
        ("S(x int) | window(rows 40)", "S(x int) | window(rows 41)"),
    ],
)
def test_large_numbers_that_differ_are_refuted(left: str, right: str) -> None:
    assert checked(left, right, 1000).kind == "refuted"


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("S(x int) | window(range 600)", "S(x int) | filter(true) | window(range 600)"),
        ("S(x int) | filter(x > 50) | window(range 600)", "S(x int) | window(range 600) | filter(50 < x)"),
        ("S(x int) | window(rows 40) | distinct", "S(x int) | window(rows 40) | distinct | distinct"),
    ],
)
def test_agreement_says_that_each_neighbour_was_told_apart(left: str, right: str) -> None:
    verdict = checked(left, right)
    measured = verdict.evidence["neighbours"]
    assert verdict.kind == "agreed"
    assert isinstance(measured, dict)
    assert (measured["told_apart"] + measured["proved"], measured["open"]) == (measured["of"], [])


def test_a_neighbour_that_means_the_same_is_proved_the_same() -> None:
    verdict = checked("S(x int) | filter(x > 5 and x > 10)", "S(x int) | filter(x > 10)")
    measured = verdict.evidence["neighbours"]
    assert verdict.kind == "agreed"
    assert isinstance(measured, dict)
    # x > 4, x > 6, x >= 5; then those further away, x > 3, x > 7, x > 0, x > 10: each together with x > 10
    assert measured["proved"] == 7
    assert measured["open"] == []


BEYOND = "S(x int) | window(range 3) | aggregate(count(*) as x) | filter(x > 70000)"


def test_what_nothing_tried_would_have_noticed_is_named() -> None:
    verdict = checked(f"union(S(x int), {BEYOND})", f"union({BEYOND}, S(x int))", 100)
    assert verdict.kind == "unknown"
    assert str(verdict.evidence["why"]).startswith("nothing tried would have noticed ")
    assert "`x > 70001` instead of `x > 70000`" in str(verdict.evidence["why"])


def test_without_solvers_nothing_is_proved_and_it_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settle_neighbours, "solvers_missing", lambda: "z3 not installed")
    verdict = checked("S(x int) | filter(x > 5 and x > 10)", "S(x int) | filter(x > 10)", 100)
    measured = verdict.evidence["neighbours"]
    assert verdict.kind == "unknown"
    assert isinstance(measured, dict)
    assert measured["proved"] == 0


def test_plans_without_neighbours_just_agree() -> None:
    verdict = checked("S(x int)", "S(x int) | rstream", 20)
    assert (verdict.kind, verdict.evidence["neighbours"]) == (
        "agreed",
        {"told_apart": 0, "of": 0, "proved": 0, "open": []},
    )


def test_an_early_end_of_what_is_open_does_not_shorten_the_search() -> None:
    verdict = checked("S(x int) | distinct", "S(x int) | distinct | distinct", 300)
    assert verdict.evidence["cases"] == 300


def test_constraints_are_known_to_the_proofs() -> None:
    left, right = plans("S(x int) | aggregate(count(x) as n)", "S(x int) | aggregate(count(*) as n)")
    verdict = check_plans(left, right, constraints=[NotNull("S", ("x",))], examples=300)
    assert verdict.kind == "agreed"


@pytest.mark.parametrize(
    ("left", "right", "message"),
    [
        (
            "A(x int, y int) | map(x as v)",
            "A(y int, x int) | map(y as v)",
            r"source A is declared in two ways: A\(x int, y int\); A\(y int, x int\)",
        ),
        ("A(x int)", "A(x int, y int) | map(x as x)", "source A is declared in two ways"),
        ("A(x int)", "A(x float) | map(1 as x)", "source A is declared in two ways"),
        ("union(A(x int), A(y int))", "A(x int)", "source A is declared in two ways"),
    ],
)
def test_equally_named_sources_must_be_the_same(left: str, right: str, message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        check_plans(*plans(left, right))
    with pytest.raises(SchemaError, match="source 'A' must have the same columns everywhere"):
        exhaust(*plans(left, right))


def test_settling_neighbours_never_forgets_a_refutation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settle_neighbours.NeighbourSettlement, "failure", lambda _: None)
    comparison = PlanComparison(Instance(*plans("S(x int) | window(range 3)", "S(x int) | window(range 4)")))
    comparison.search(200)
    comparison.settle()
    assert comparison.verdict().kind == "refuted"


@pytest.mark.parametrize("other", ["^[a-f]{3}[0-9]*$", "^[a-f]{4}[0-9]+$", "^[a-e]{3}[0-9]+$", "[a-f]{3}[0-9]+$"])
def test_a_regular_expression_with_one_sign_changed_is_refuted(other: str) -> None:
    left, right = (f"S(s str) | filter(regexp_like(s, '{pattern}'))" for pattern in ("^[a-f]{3}[0-9]+$", other))
    assert checked(left, right, 1000).kind == "refuted"
