"""Exhaustive small scope: wrong equalities are refuted by the smallest streams, right ones agree on all."""

from collections.abc import Mapping
from itertools import product
from math import comb

import numpy as np
import pytest

from equivalence.exhaustive.dense import CaseBatch, Mask, ScopeBound, all_of, batch_operators, key, unique_instants
from equivalence.exhaustive.exhaust import DenseError, exhaust
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.verdict import Verdict
from semantics import (
    FOREVER,
    ArithmeticOverflow,
    FunctionError,
    Query,
    RawStream,
    Row,
    ScalarFunction,
    SchemaError,
    SnapeqError,
    Type,
    call,
    col,
    count,
    evaluate,
    left,
    lit,
    min_,
    null,
    right,
    show,
    source,
    sum_,
)
from semantics.value import INT_MAX

A, B, C = (source(name, x=int) for name in "ABC")
Y = B.rename(x="y")
K, L = (source(name, k=int, v=int) for name in "KL")
LARGE = col("x") > 5
SAME = left("x") == right("x")

FALSE: dict[str, tuple[Query, Query, str]] = {
    "distinct over union": (A.union(B).distinct(), A.distinct().union(B.distinct()), "A: (0)@0, B: (0)@0"),
    "windows add up": (A.window(2).window(2), A.window(3), "A: (0)@0"),
    "a window is shorter": (A.window(5), A.window(4), "A: (0)@0"),
    "difference is undone by union": (A.difference(B).union(B), A, "A:, B: (0)@0"),
    "distinct over difference": (
        A.difference(B).distinct(),
        A.distinct().difference(B.distinct()),
        "A: (0)@0 (0)@0, B: (0)@0",
    ),
    "distinct over window": (A.window(2).distinct(), A.distinct().window(2), "A: (0)@0 (0)@1"),
    "window over difference": (
        A.difference(B).window(2),
        A.window(2).difference(B.window(2)),
        "A: (0)@0, B: (0)@1",
    ),
    "window over intersection": (
        A.intersection(B).window(2),
        A.window(2).intersection(B.window(2)),
        "A: (0)@0, B: (0)@1",
    ),
    "a union with itself": (A.union(A), A, "A: (0)@0"),
    "difference associates": (
        A.difference(B).difference(C),
        A.difference(B.difference(C)),
        "A: (0)@0, B:, C: (0)@0",
    ),
    "intersection over union": (
        A.intersection(B.union(C)),
        A.intersection(B).union(A.intersection(C)),
        "A: (0)@0, B: (0)@0, C: (0)@0",
    ),
    "projection over difference": (
        K.difference(L).select("k"),
        K.select("k").difference(L.select("k")),
        "K: (0, 0)@0, L: (0, 1)@0",
    ),
    "a predicate or its negation": (A.filter(LARGE).union(A.filter(~LARGE)), A, "A: (null)@0"),
    "a bound is included": (A.filter(col("x") > 5), A.filter(col("x") >= 5), "A: (5)@0"),
    "semijoin is a join": (
        A.semijoin(B, SAME),
        A.join(Y, col("x") == col("y")).select("x"),
        "A: (0)@0, B: (0)@0 (0)@0",
    ),
    "antijoin is difference": (A.antijoin(B, SAME), A.difference(B), "A: (null)@0, B: (null)@0"),
    "left join is join": (A.left_join(Y, col("x") == col("y")), A.join(Y, col("x") == col("y")), "A: (0)@0, B:"),
    "full join is left join": (
        A.full_join(Y, col("x") == col("y")),
        A.left_join(Y, col("x") == col("y")),
        "A:, B: (0)@0",
    ),
    "filter over count window": (A.rows(1).filter(LARGE), A.filter(LARGE).rows(1), "A: (6)@0 (0)@1"),
    "count window over union": (A.union(B).rows(1), A.rows(1).union(B.rows(1)), "A: (0)@0, B: (0)@0"),
    "ties make no difference": (A.rows(1), A.rows(1, ties=True), "A: (0)@0 (0)@0"),
    "partitions make no difference": (K.rows(1, by="k"), K.rows(1), "K: (0, 0)@0 (1, 0)@0"),
    "a slide makes no difference": (A.window(2, 2), A.window(2), "A: (0)@1"),
    "rows slide one by one": (A.rows(2, 2), A.rows(2), "A: (0)@0"),
    "a landmark forgets nothing": (A.landmark(1), A.window(FOREVER), "A: (0)@0"),
    "arrivals of a window": (A.window(2).istream(), A, "A: (0)@0 (0)@2"),
    "departures do not wait": (A.window(2).dstream(), A.dstream(), "A: (0)@0"),
    "the aggregation gap": (A.aggregate(n=count()), A.aggregate(on_empty=True, n=count()), "A:"),
    "NULL counts": (A.aggregate(n=count()), A.aggregate(n=count("x")), "A: (null)@0"),
    "duplicates do not count": (A.aggregate(s=sum_("x")), A.distinct().aggregate(s=sum_("x")), "A: (1)@0 (1)@0"),
    "groups before a window": (
        K.window(2).group_by("k").aggregate(n=count()),
        K.group_by("k").aggregate(n=count()).window(2),
        "K: (0, 0)@0 (0, 0)@1",
    ),
}

TRUE: dict[str, tuple[Query, Query]] = {
    "filter over union": (A.union(B).filter(LARGE), A.filter(LARGE).union(B.filter(LARGE))),
    "filter over difference": (A.difference(B).filter(LARGE), A.filter(LARGE).difference(B.filter(LARGE))),
    "filter over window": (A.window(2).filter(LARGE), A.filter(LARGE).window(2)),
    "window over union": (A.union(B).window(2), A.window(2).union(B.window(2))),
    "windows commute": (A.window(2).window(3), A.window(3).window(2)),
    "windows add up under distinct": (A.window(2).window(2).distinct(), A.window(3).distinct()),
    "intersection by difference": (A.intersection(B), A.difference(A.difference(B))),
    "union is undone by difference": (A.union(B).difference(B), A),
    "distinct twice": (A.distinct().distinct(), A.distinct()),
    "distinct over union, twice": (A.union(B).distinct(), A.distinct().union(B.distinct()).distinct()),
    "three truth values": (A.filter(LARGE).union(A.filter(~LARGE)).union(A.filter(LARGE.is_null())), A),
    "join commutes": (A.join(Y, col("x") == col("y")), Y.join(A, col("x") == col("y")).select("x", "y")),
    "join distributes": (A.union(C).product(Y), A.product(Y).union(C.product(Y))),
    "left join": (
        A.left_join(Y, col("x") < col("y")),
        A.join(Y, col("x") < col("y")).union(A.antijoin(Y, col("x") < col("y")).select("x", y=null(int))),
    ),
    "semijoin or antijoin": (A.semijoin(B, SAME).union(A.antijoin(B, SAME)), A),
    "map over ties": (K.rows(2, ties=True).select("k"), K.select("k").rows(2, ties=True)),
    "key filter over partitions": (
        K.rows(2, by="k").filter(col("k") > 0),
        K.filter(col("k") > 0).rows(2, by="k"),
    ),
    "arrivals of everything": (A.window(FOREVER).istream(), A),
    "a landmark at 0": (A.landmark(0), A.window(FOREVER)),
    "filter over groups": (
        K.group_by("k").aggregate(n=count()).filter(col("k") > 0),
        K.filter(col("k") > 0).group_by("k").aggregate(n=count()),
    ),
    "least of all groups": (
        K.group_by("k").aggregate(m=min_("v")).aggregate(m=min_("m")),
        K.aggregate(m=min_("v")),
    ),
}


def streams(verdict: Verdict) -> str:
    """The streams of a counterexample, without their columns."""
    assert isinstance(verdict.counterexample, Counterexample)
    texts = {name: show(stream).partition(":")[2] for name, stream in verdict.counterexample.streams.items()}
    return ", ".join(f"{name}:{text}" for name, text in sorted(texts.items()))


@pytest.mark.parametrize("name", FALSE)
def test_a_wrong_equality_is_refuted_by_the_smallest_streams(name: str) -> None:
    one, other, expected = FALSE[name]
    verdict = exhaust(one, other, limit=100_000)
    assert (verdict.kind, streams(verdict)) == ("refuted", expected)


@pytest.mark.parametrize("name", TRUE)
def test_a_right_equality_agrees(name: str) -> None:
    verdict = exhaust(*TRUE[name], limit=100_000)
    assert verdict.kind == "agreed"
    assert verdict.evidence["cases"] == cases_within(verdict)


def cases_within(verdict: Verdict) -> int:
    """How many cases the stated bounds have."""
    bounds, few = verdict.evidence["bound"], verdict.evidence["few elements"]
    assert isinstance(bounds, Mapping)
    assert isinstance(few, list)
    small = np.prod([(b["multiplicity"] + 1) ** (len(b["tuples"]) * b["instants"]) for b in bounds.values()])
    cells = [sum(b["rows"].values()) * len(b["instants"]) * len(b["copies"]) for b in few]
    return int(small) + sum(comb(n + b["elements"] - 1, b["elements"]) for n, b in zip(cells, few, strict=True))


def test_agreement_within_a_bound_is_no_proof() -> None:
    """What is left of a stream without two copies of each row has no duplicates: true up to multiplicity 3."""
    rest = A.difference(A.distinct()).difference(A.distinct())
    assert exhaust(rest, rest.distinct(), bound=ScopeBound(2, 3, 3)).kind == "agreed"
    refuted = exhaust(rest, rest.distinct(), bound=ScopeBound(1, 1, 4))
    assert streams(refuted) == "A: (0)*4@0"


# Against plain enumeration on the reference ------------------------------------------------------------------


def all_raw(query: Query, rows: list[Row], instants: int, multiplicity: int) -> list[RawStream]:
    cells = [(row, t) for t in range(instants) for row in rows]
    numbers = product(range(multiplicity + 1), repeat=len(cells))
    return [RawStream(query.schema, [c for c, n in zip(cells, ns, strict=True) for _ in range(n)]) for ns in numbers]


@pytest.mark.parametrize("name", ["difference is undone by union", "window over difference", "antijoin is difference"])
def test_oracle_counterexamples_are_the_smallest(name: str) -> None:
    one, other, _ = FALSE[name]
    verdict = exhaust(one, other, bound=ScopeBound(3, 2, 1))
    spaces = [all_raw(query, [(0,), (1,), (None,)], 2, 1) for query in (A, B)]
    wrong = [
        len(a.elements) + len(b.elements)
        for a, b in product(*spaces)
        if evaluate(one, {"A": a, "B": b}, 3) != evaluate(other, {"A": a, "B": b}, 3)
    ]
    assert isinstance(verdict.counterexample, Counterexample)
    found = verdict.counterexample.streams.values()
    assert sum(len(s.elements) for s in found if isinstance(s, RawStream)) == min(wrong)


def test_oracle_filled_and_overflow_are_counted() -> None:
    large = A.filter(col("x") > INT_MAX - 1)
    plan = large.aggregate(s=sum_("x"))
    verdict = exhaust(plan, plan.distinct(), bound=ScopeBound(2, 2, 2))
    filled = overflow = 0
    for stream in all_raw(A, [(0,), (INT_MAX,)], 2, 2):
        try:
            filled += any(evaluate(plan, {"A": stream}, 2).snapshots)
        except ArithmeticOverflow:
            overflow += 1
    assert (verdict.kind, verdict.evidence["cases"]) == ("agreed", 81 - overflow)
    assert (verdict.evidence["filled"], verdict.evidence["overflow"]) == (filled, overflow)
    assert filled > 0
    assert overflow > 0


# Bounds and conditions ---------------------------------------------------------------------------------------


def test_the_chosen_bound_grows_with_the_limit() -> None:
    limits = (1_000, 100_000)
    few, many = (exhaust(A.window(2), A.window(2), limit=limit).evidence["cases"] for limit in limits)
    assert isinstance(few, int)
    assert isinstance(many, int)
    assert 100 < few <= 1_500 < many <= 150_000


def test_aggregates_are_given_few_snapshots_to_aggregate() -> None:
    cases = exhaust(A.aggregate(n=count()), A.aggregate(n=count())).evidence["cases"]
    assert isinstance(cases, int)
    assert 1_000 < cases <= 20_000


def test_a_landmark_is_reached() -> None:
    assert exhaust(A.landmark(3), A.landmark(3), limit=10_000).holds


def test_bounds_may_differ_by_source() -> None:
    verdict = exhaust(A.union(B), B.union(A), bound={"A": ScopeBound(2, 2, 1), "B": ScopeBound(1, 1, 3)})
    assert verdict.evidence["cases"] == 16 * 4


def test_all_elements_meet_the_side_condition() -> None:
    plans = A.rows(1), A.rows(1, ties=True)
    verdict = exhaust(*plans, bound=ScopeBound(2, 3, 1), admissible=unique_instants("A"))
    assert (verdict.kind, verdict.evidence["cases"], verdict.evidence["inadmissible"]) == ("agreed", 27, 64 - 27)


def test_a_key_makes_duplicates_impossible() -> None:
    latest = K.group_by("k").aggregate(v=min_("v"))
    assert exhaust(latest, K, limit=10_000).kind == "refuted"
    assert exhaust(latest, K, limit=10_000, admissible=key("K", 0)).kind == "agreed"


def test_conditions_can_be_combined() -> None:
    both = all_of(unique_instants("A"), key("B", 0))
    verdict = exhaust(A.union(B), B.union(A), bound=ScopeBound(1, 1, 2), admissible=both)
    assert (verdict.evidence["cases"], verdict.evidence["inadmissible"]) == (4, 5)


# Nothing is not success --------------------------------------------------------------------------------------


def nothing(batch: CaseBatch) -> Mask:
    return np.zeros(batch.shape[1], np.bool_)


def test_no_admissible_case_is_vacuous() -> None:
    verdict = exhaust(A, A, bound=ScopeBound(1, 1, 1), admissible=nothing)
    assert (verdict.kind, verdict.evidence["cases"]) == ("vacuous", 0)


def test_a_result_that_is_always_empty_is_vacuous() -> None:
    never = A.filter(lit(1) > 2)
    verdict = exhaust(never, A.difference(A), bound=ScopeBound(2, 1, 1))
    assert (verdict.kind, verdict.evidence["cases"], verdict.evidence["filled"]) == ("vacuous", 4, 0)


def test_a_limit_that_admits_nothing_is_vacuous() -> None:
    assert exhaust(A, A, limit=1).kind == "vacuous"


# Errors ------------------------------------------------------------------------------------------------------


def test_different_types_are_an_error_that_names_both_schemas() -> None:
    with pytest.raises(SchemaError, match="got x INT and k INT, v INT"):
        exhaust(A, K)


def test_a_source_has_one_schema() -> None:
    with pytest.raises(SchemaError, match="source 'A' must have the same columns everywhere, got x INT and z INT"):
        exhaust(A, source("A", z=int))


@pytest.mark.parametrize("bad", [0, -1, 1.5, True])
def test_a_bound_is_positive(bad: object) -> None:
    with pytest.raises(SnapeqError, match="ScopeBound: instants must be an integer ≥ 1"):
        ScopeBound(1, bad, 1)  # type: ignore[arg-type]  # it is wrong


def test_every_source_has_a_bound() -> None:
    with pytest.raises(SnapeqError, match="got none for B"):
        exhaust(A, A.union(B), bound={"A": ScopeBound(1, 1, 1)})


def test_too_many_streams_are_refused() -> None:
    with pytest.raises(SnapeqError, match="at most 67,108,864 streams per source"):
        exhaust(A.window(2), A, bound=ScopeBound(3, 6, 8))


def test_a_mask_has_one_truth_value_per_case() -> None:
    with pytest.raises(SnapeqError, match="true or false for 2 cases, got int64 of shape"):
        exhaust(A, A, bound=ScopeBound(1, 1, 1), admissible=lambda _: np.zeros(2, np.int64))


def test_a_function_that_fails_is_an_error_where_its_row_occurs() -> None:
    broken = ScalarFunction("broken", (Type.INT,), Type.INT, lambda n: 1 // (n - n))
    with pytest.raises(FunctionError, match="broken: failed"):
        exhaust(A.select(x=call(broken, col("x"))), A, bound=ScopeBound(1, 1, 1))


def test_a_disagreement_with_the_reference_is_never_a_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_operators, "difference", lambda left, _: left)
    with pytest.raises(DenseError, match="the reference says"):
        exhaust(A.difference(A), A.filter(LARGE), bound=ScopeBound(1, 1, 1))
