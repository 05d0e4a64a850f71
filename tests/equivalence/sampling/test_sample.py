"""Checks of plans and rules: what they accept, what they refute, what they call vacuous."""

import pytest

from equivalence import check_plans, check_rule
from equivalence.cases.choices import SeededChoices
from equivalence.cases.random_cases import choose_case
from equivalence.rules.instances import conditions
from equivalence.rules.statement import Free, Sides, rule
from semantics import Schema, SchemaError, Type, col, count, source
from semantics.constraint import Constraint, Key, References, broken

A = source("A", x=int)


@rule("ω_v(ω_w(A)) ≐ ω_v(A) where w = 1", source="test")
def narrow(free: Free) -> Sides:
    a, v, w = free.stream("A"), free.number("v"), free.number("w")
    free.require("w = 1", w == 1)
    return a.window(w).window(v), a.window(v)


@rule("A ⋈ B has every a once where b is a key", source="test")
def keyed(free: Free) -> Sides:
    a, b = free.stream("A", types=(Type.INT,)), free.stream("B", types=(Type.INT,))
    free.given(Key("B", ("b1",)))
    return a.join(b, col("a1") == col("b1")).select("a1"), a.semijoin(b, col("a1") == col("b1"))


@rule("σ_false is never empty", source="test")
def impossible(free: Free) -> Sides:
    a = free.stream("A")
    free.require("0 = 1", False)
    return a, a


@pytest.mark.parametrize("true", [narrow, keyed], ids=lambda rule: rule.name)
def test_a_true_rule_agrees_and_its_sibling_is_refuted(true: object) -> None:
    verdict = check_rule(true, examples=300)  # type: ignore[arg-type]  # a rule
    assert verdict.kind == "agreed"
    (condition,) = conditions(true)  # type: ignore[arg-type]  # a rule
    assert check_rule(true.without(condition), examples=300).kind == "refuted"  # type: ignore[attr-defined]


def test_a_condition_that_never_holds_is_vacuous() -> None:
    verdict = check_rule(impossible, examples=50)
    assert (verdict.kind, verdict.evidence["unmet"]) == ("vacuous", 50)
    assert not verdict.holds


def test_plans_with_other_columns_are_bad_input() -> None:
    with pytest.raises(SchemaError, match="different columns"):
        check_plans(A, A.aggregate(n=count()).select(s=col("n").is_null()))


def test_the_same_seed_gives_the_same_case() -> None:
    plans = A.window(2).window(2), A.window(3)
    assert check_plans(*plans, seed=5) == check_plans(*plans, seed=5)


def test_generated_cases_keep_keys_and_references() -> None:
    schemas = {"P": Schema.of(k=int, v=str), "C": Schema.of(r=int, w=int)}
    constraints: list[Constraint] = [Key("P", ("k",)), References("C", ("r",), "P", ("k",))]
    filled = 0
    for seed in range(300):
        case = choose_case(SeededChoices(seed), schemas, constraints)
        assert [broken(constraint, case) for constraint in constraints] == [None, None]
        filled += any(row[0] is not None for row, _ in case["C"].elements)  # type: ignore[union-attr]  # interval streams
    assert filled > 200
