"""What the prover knows of DISTINCT and of aggregates of several columns; what it does not know, it says."""

import pytest

from equivalence.prover.limits import in_fragment
from equivalence.prover.prove import prove
from semantics import Plan, parse_plan

A = "A(x int, y int)"
TRUE = {
    "sum of a set": (
        f"{A} | aggregate(sum(distinct x) as a)",
        f"{A} | map(x as x) | distinct | aggregate(sum(x) as a)",
    ),
    "rows of values": (
        f"{A} | filter(x > 0 and y > 0) | aggregate(count(distinct x, y) as a)",
        f"{A} | filter(x > 0 and y > 0) | distinct | aggregate(count(*) as a)",
    ),
    "mode of a filter": (
        f"{A} | filter(x > 1) | filter(y > 1) | aggregate(mode(x) as a)",
        f"{A} | filter(x > 1 and y > 1) | aggregate(mode(x) as a)",
    ),
}
FALSE = {
    "distinct dropped": (f"{A} | aggregate(sum(distinct x) as a)", f"{A} | aggregate(sum(x) as a)"),
    "the other end": (f"{A} | aggregate(min_by(x, y) as a)", f"{A} | aggregate(max_by(x, y) as a)"),
    "the least of all": (f"{A} | aggregate(min_by(x, y) as a)", f"{A} | aggregate(min(x) as a)"),
}


def plans(texts: tuple[str, str]) -> tuple[Plan, Plan]:
    return parse_plan(texts[0]), parse_plan(texts[1])


@pytest.mark.parametrize("name", TRUE)
def test_what_is_true_is_proved(name: str) -> None:
    assert prove(*plans(TRUE[name])).kind == "proved"


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_is_refuted(name: str) -> None:
    assert prove(*plans(FALSE[name])).kind == "refuted"


def test_aggregates_of_several_columns_are_named() -> None:
    plan = parse_plan(f"{A} | aggregate(corr(x, y) as a)")
    assert in_fragment(plan) == "CORR of several columns: the prover knows functions of single values"
    assert prove(plan, parse_plan(f"{A} | filter(true) | aggregate(corr(x, y) as a)")).kind != "refuted"
