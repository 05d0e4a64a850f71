"""Which parts of a plan are computed in one go, and by what they are taken apart."""

import pytest

from equivalence.cases.case_column import lift
from physical.engines.spark.stage import SparkStage, chooses_results, stage
from semantics import parse_plan
from semantics.plan import Map

A, B = "A(k int, x int)", "B(l int, y int)"


def staged(text: str) -> SparkStage:
    return stage(parse_plan(text))


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        (f"{A} | distinct", [(0, 1)]),
        (f"{A} | group(k; sum(x) as s)", [(0,)]),
        (f"{A} | group(k; sum(x) as s) | distinct", [(0,)]),
        (f"{A} | distinct | group(k; sum(x) as s)", [(0,)]),
        (f"join({A} | distinct, {B}; k = l) | group(l; count(*) as n)", [(0,), (0,)]),
        (f"leftjoin({A}, {B}; x = y and k = l)", [(1, 0), (1, 0)]),
        (f"leftjoin({A}, {B}; k = l) | group(l; count(*) as n)", [(2,)]),
        (f"{A} | window(partition by k rows 2) | istream", [(0,)]),
        (f"{A} | window(partition by k session 5)", [(0,)]),
        (f"{A} | window(partition by k session 5) | group(k, session_end; count(*) as n)", [(0,)]),
        (f"{A} | over(lag(x, 1) as l, rank() as r per x, k)", [(1, 0)]),
        (f"{A} | distinct | over(lag(x, 1) as l per k) | group(k; sum(l) as s)", [(0,)]),
    ],
)
def test_keys(text: str, keys: list[tuple[int, ...]]) -> None:
    assert [found for _, found in staged(text).inputs] == keys


def test_a_lifted_plan_is_one_stage() -> None:
    plan = lift(parse_plan(f"product({A} | aggregate(sum(x) as s), {B} | window(rows 2)) | distinct"))
    assert [keys for _, keys in stage(plan).inputs] == [(0,), (0,)]


def test_what_has_no_key_goes_over_time() -> None:
    for text in (f"{A} | aggregate(count(*) as n)", f"product({A}, {B})", f"join({A}, {B}; x < y)"):
        assert (staged(text).over_time, staged(text).keyed) == (True, False)
    assert staged(f"{A} | total(count(*) as n)").wants_slices
    assert not staged(f"{A} | window(rows 3)").over_time


@pytest.mark.parametrize("keys", ["", "partition by k "])
def test_sessions_are_never_cut_over_time(keys: str) -> None:
    found = staged(f"{A} | window({keys}session 5)")
    assert (found.over_time, found.keyed) == (False, bool(keys))


@pytest.mark.parametrize("keys", ["", " per k"])
def test_over_is_never_cut_over_time(keys: str) -> None:
    found = staged(f"{A} | over(lag(x, 1) as l{keys})")
    assert (found.over_time, found.keyed) == (False, bool(keys))


def test_columns_are_chosen_before_results_leave_a_worker() -> None:
    joined = f"join({A}, {B}; k = l)"
    plan = parse_plan(f"{joined} | map(k as k, y as y)")
    assert isinstance(plan, Map)
    assert chooses_results(plan)
    assert stage(plan).plan.schema == plan.schema
    assert stage(plan).inputs == staged(joined).inputs
    for text in (f"{joined} | map(k + 1 as k)", f"{A} | map(k as k)", f"{A} | istream | map(k as k)"):
        other = parse_plan(text)
        assert isinstance(other, Map)
        assert not chooses_results(other)


def test_stateless_operators_stay_outside() -> None:
    (below, _), *_ = staged(f"{A} | filter(x > 1) | window(range 3) | distinct").inputs
    assert below == parse_plan(f"{A} | filter(x > 1) | window(range 3)")
