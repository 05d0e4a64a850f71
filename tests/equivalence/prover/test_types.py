"""Proofs about decimals, points in time, spans and casts: right ones are found, and wrong ones never."""

import pytest

from equivalence.prover.prove import prove
from semantics import parse_plan

COLUMNS = (
    "S(at timestamp, d date, p decimal(10, 2), q decimal(12, 4), i day_interval, m month_interval, x int, f float)"
)


def kind(left: str, right: str) -> str:
    return prove(parse_plan(f"{COLUMNS} | filter({left})"), parse_plan(f"{COLUMNS} | filter({right})")).kind


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("at + day_interval '1 00:00:00' < timestamp '2024-01-03 12:00:00'", "at < timestamp '2024-01-02 12:00:00'"),
        ("p > decimal '3.14'", "p * 2 > decimal '6.28'"),
        ("p < decimal '1.5'", "p < decimal '1.50'"),
        ("p + p > decimal '3'", "2 * p > 3"),
        ("d < timestamp '2024-01-02 00:00:00'", "d <= date '2024-01-01'"),
        ("at - timestamp '1970-01-01 00:00:00' > i", "at > timestamp '1970-01-01 00:00:00' + i"),
        ("cast(x as timestamp) > at", "x > cast(at as int)"),
        ("try_cast(x as date) is null and x > 0", "x > 2932896"),
        ("cast(p as int) = 1 and d + m > d", "d + m > d and cast(p as int) = 1"),
    ],
)
def test_proved(left: str, right: str) -> None:
    assert kind(left, right) == "proved"


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("p > decimal '3.14'", "p >= decimal '3.14'"),
        ("p = q", "p < q or p = q"),
        ("cast(p as int) = 7", "p = decimal '7'"),
        ("cast(f as decimal(10, 2)) = decimal '1.25'", "f = 1.25"),
        ("d + month_interval '0-1' = date '2024-02-29'", "d = date '2024-01-29'"),
        ("cast(at as date) = d", "at = d"),
        ("p / 3 = decimal '0.333333'", "p = decimal '1'"),
        ("try_cast(x as date) is null", "x is null"),
        ("cast(q as decimal(10, 2)) = p", "q = p"),
        ("p + f > 1.0", "p > 1.0 - f"),
    ],
)
def test_never_proved(left: str, right: str) -> None:
    assert kind(left, right) in ("refuted", "unknown")


@pytest.mark.parametrize("aggregate", ["avg(p)", "sum(p)", "median(p)"])
def test_aggregates_of_other_digits_are_other_aggregates(aggregate: str) -> None:
    """Both columns are integers in a proof, but one is of hundredths."""
    tenfold = aggregate.replace("p)", "cast(p * 10 as decimal(12, 1)))")
    plans = [f"S(p decimal(10, 2)) | aggregate({of} as a) | map(cast(a as float) as a)" for of in (aggregate, tenfold)]
    left, right = map(parse_plan, plans)
    assert prove(left, right).kind != "proved"


def test_arrays_are_outside_the_fragment() -> None:
    plan = parse_plan("S(a array<int>) | filter(a = array<int>[1])")
    verdict = prove(plan, plan)
    assert (verdict.kind, verdict.evidence["reason"]) == ("unknown", "outside the fragment: type ARRAY<INT>")
