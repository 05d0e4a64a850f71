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


NESTED = "S(x int, a array<int>, b array<int>, r row<p int, q str>, s row<p int, q str>)"
RIGHT_WITH_NESTED = {
    "a column that is not used": ("filter(x > 1 and x > 0) | map(x as x)", "filter(x > 1) | map(x as x)"),
    "equality": ("filter(a = b) | map(x as x)", "filter(b = a and a is not null) | map(x as x)"),
    "a constant": ("filter(a = array<int>[1]) | filter(x > 1)", "filter(x > 1) | filter(a = array<int>[1])"),
    "groups of rows": ("group(r; count(*) as n) | map(r as r)", "map(r as r) | distinct"),
    "a function by its name": (
        "filter(x > 1) | map(cardinality(a) as n)",
        "map(cardinality(a) as n, x as x) | filter(x > 1) | map(n as n)",
    ),
    "elements of filtered rows": ("unnest(a as e) | filter(x > 1)", "filter(x > 1) | unnest(a as e)"),
    "NULL has no elements": ("filter(a is not null) | unnest(a as e)", "unnest(a as e)"),
    "NULL is kept alone": (
        "filter(a is null) | unnest(a as e or null)",
        "filter(a is null) | map(x as x, a as a, b as b, r as r, s as s, null:int as e)",
    ),
    "the greatest array of a set": (
        "map(a as a) | aggregate(max(a) as m)",
        "map(a as a) | distinct | aggregate(max(a) as m)",
    ),
}
WRONG_WITH_NESTED = {
    "another column": ("filter(a = b) | map(x as x)", "filter(r = s) | map(x as x)"),
    "NULL is not equal": ("filter(a = a) | map(x as x)", "map(x as x)"),
    "another constant": ("filter(a = array<int>[1])", "filter(a = array<int>[2])"),
    "a constant of another length": ("filter(a = array<int>[1])", "filter(a = array<int>[1, null])"),
    "a part for the whole": ("filter(r = s)", "filter(field(r, 'p') = field(s, 'p'))"),
    "another field": ("filter(field(r, 'p') = x)", "filter(x = 1)"),
    "the smallest for the greatest": ("aggregate(max(a) as m)", "aggregate(min(a) as m)"),
    "elements more than once": ("unnest(a as e)", "unnest(a as e) | distinct"),
    "elements of another array": ("unnest(a as e)", "unnest(b as e)"),
    "rows without elements": ("unnest(a as e)", "unnest(a as e or null)"),
    "a cast of parts that may fail": (
        "map(try_cast(a as array<str>) as a)",
        "filter(a is not null) | map(try_cast(a as array<str>) as a)",
    ),
}


@pytest.mark.parametrize("what", RIGHT_WITH_NESTED)
def test_arrays_and_rows_are_values_of_which_only_equality_and_order_are_known(what: str) -> None:
    left, right = (parse_plan(f"{NESTED} | {steps}") for steps in RIGHT_WITH_NESTED[what])
    assert prove(left, right).kind == "proved"


@pytest.mark.parametrize("what", WRONG_WITH_NESTED)
def test_no_false_proof_about_arrays_and_rows(what: str) -> None:
    left, right = (parse_plan(f"{NESTED} | {steps}") for steps in WRONG_WITH_NESTED[what])
    assert prove(left, right).kind in ("refuted", "unknown")
