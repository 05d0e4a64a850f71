"""What is exhausted reaches what the plans ask for, NULL, constants, long windows, many rows; else it is unknown."""

from typing import Final

import pytest

from equivalence.exhaustive.dense import ScopeBound
from equivalence.exhaustive.dense.few_elements import copies_that_matter, few_elements
from equivalence.exhaustive.dense.moments import TooLong, moments
from equivalence.exhaustive.dense.small_scope import candidates
from equivalence.exhaustive.dense.timing import instants_that_matter, timing_of
from equivalence.exhaustive.exhaust import exhaust
from equivalence.verdicts.counterexample import Counterexample
from semantics import FOREVER, Query, RawStream, col, count, evaluate_sparse, left, lit, parse_plan, right, source, sum_
from semantics.constraint import Lasting, NotNull
from semantics.evaluate import Planned
from semantics.graph import graph
from semantics.sql import parse_query, read_script

A, B = source("A", x=int), source("B", y=int)
K = source("K", k=int, v=int)
MONTH: Final = 30 * 86_400_000
CATALOGUE: Final = read_script("""
    CREATE STREAM S(e INT, f INT, ts BIGINT) ORDERED BY ts;
    CREATE STREAM T(e INT, ts BIGINT) ORDERED BY ts
""")


def busy(query: Query, more_than: int) -> Query:
    return query.group_by("k").aggregate(n=count()).filter(col("n") > more_than)


def joined(size: int, other: int) -> Query:
    return A.window(size).join(B.window(other), left("x") == right("y"))


DIFFERENT: Final[dict[str, tuple[Planned, Planned]]] = {
    "range": (A.window(600), A.window(601)),
    "a month in milliseconds": (A.window(MONTH), A.window(MONTH + 1)),
    "bounded or not": (A.window(2**40), A.window(FOREVER)),
    "slide": (A.window(600, 60), A.window(600, 61)),
    "slide or not": (A.window(600, 60), A.window(600)),
    "landmark": (A.landmark(1000), A.landmark(1001)),
    "reset": (A.landmark(0, 86_400), A.landmark(0, 86_401)),
    "rows": (A.rows(50), A.rows(51)),
    "rows of each key": (K.rows(20, by="k"), K.rows(21, by="k")),
    "a threshold on a count": (busy(K.window(600), 50), busy(K.window(600), 51)),
    "the window below a threshold": (busy(K.window(600), 50), busy(K.window(601), 50)),
    "a threshold on a sum": (
        K.window(600).aggregate(s=sum_("v")).filter(col("s") > 10_000),
        K.window(600).aggregate(s=sum_("v")).filter(col("s") >= 10_000),
    ),
    "a constant": (K.filter(col("k") > 50), K.filter(col("k") > 500)),
    "a constant below a window": (K.window(60).filter(col("k") > 50), K.window(60).filter(col("k") > 500)),
    "all but one value": (K, K.filter((col("v") != 29) | col("v").is_null())),
    "a product": (K.filter(col("v") * 3 > 9_999), K.filter(col("v") * 3 >= 9_999)),
    "a join of windows": (joined(600, 900), joined(600, 901)),
    "arrivals": (A.window(600).istream(), A.window(601).istream()),
    "NULL counts": (K.window(2).aggregate(n=count()), K.window(2).aggregate(n=count("v"))),
    "NULL counts in groups": (
        K.window(10, 2).group_by("k").aggregate(n=count()),
        K.window(10, 2).group_by("k").aggregate(n=count("v")),
    ),
    "NOT IN": (
        parse_query("SELECT f FROM S WHERE e NOT IN (SELECT e FROM T)", CATALOGUE),
        parse_query("SELECT f FROM S WHERE NOT EXISTS (SELECT * FROM T WHERE T.e = S.e)", CATALOGUE),
    ),
}

SAME: Final[dict[str, tuple[Query, Query]]] = {
    "filter over a long window": (A.window(600).filter(col("x") > 3), A.filter(col("x") > 3).window(600)),
    "filter over slides": (A.window(600, 60).filter(col("x") > 3), A.filter(col("x") > 3).window(600, 60)),
    "filter over landmarks": (A.landmark(1000, 60).filter(col("x") > 3), A.filter(col("x") > 3).landmark(1000, 60)),
    "filter over a join": (
        joined(600, 900).filter(col("x") > 7),
        A.filter(col("x") > 7).window(600).join(B.window(900), left("x") == right("y")),
    ),
    "filter over groups": (
        busy(K.window(600), 50).filter(col("k") > 2),
        busy(K.filter(col("k") > 2).window(600), 50),
    ),
    "rows of each key": (K.rows(50, by="k").filter(col("k") > 7), K.filter(col("k") > 7).rows(50, by="k")),
}

UNREACHED: Final[dict[str, tuple[Query, Query, str]]] = {
    "a window over a window": (
        A.window(600).window(300),
        A.window(600).window(301),
        "the windows do not fit: they remember 899 instants, 12 were followed; "
        "a window over TimeWindow, which may hold something for long",
    ),
    "more rows than copies": (
        A.rows(50_000),
        A.rows(50_001),
        "no case fills a window of 50,000 rows: at most 36 come into it",
    ),
    "rows without copies": (
        A.distinct().rows(500),
        A.distinct().rows(501),
        "no case fills a window of 500 rows: at most 9 come into it",
    ),
    "more copies than fit": (
        busy(K, 50_000).union(busy(K, 0)),
        busy(K, 60_000).union(busy(K, 0)),
        "no case meets n > 50000",
    ),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_what_differs_is_refuted(name: str) -> None:
    verdict = exhaust(*DIFFERENT[name], limit=200_000)
    found = verdict.counterexample
    assert verdict.kind == "refuted"
    assert isinstance(found, Counterexample)
    assert [evaluate_sparse(plan, found.streams).at(found.instant) for plan in found.plans] == [found.left, found.right]


@pytest.mark.parametrize("name", SAME)
def test_what_is_the_same_agrees(name: str) -> None:
    assert exhaust(*SAME[name], limit=50_000).kind == "agreed"


@pytest.mark.parametrize("name", UNREACHED)
def test_what_is_not_reached_is_unknown_and_named(name: str) -> None:
    one, other, reason = UNREACHED[name]
    verdict = exhaust(one, other, limit=2_000_000 if name == "more rows than copies" else 50_000)
    assert (verdict.kind, verdict.evidence["reason"]) == ("unknown", reason)


def test_a_difference_counts_even_where_windows_do_not_fit() -> None:
    assert exhaust(A.window(600).window(300), A.window(600).window(300).distinct(), limit=10_000).kind == "refuted"


def test_the_evidence_says_what_was_exhausted() -> None:
    verdict = exhaust(K.window(600).filter(col("k") > 50), K.filter(col("k") > 50).window(600), limit=10_000)
    assert verdict.evidence["exhausted"] == [
        "4,096 cases: K: up to 3 of each of (0, 0), (51, 0), (null, 0) at instants 0, 600",
        "384 cases: one element at instants 0, 1, 599, 600, 601, 1200; "
        "K: 64 rows, k in {0, 51, null, 1, 2, -1, 50, 49}, v in {0, 1, null, 2, -1, 50, 51, 49}",
        "1,176 cases: 2 elements at instants 0, 1, 599, 600, 601, 1200; "
        "K: 8 rows, k in {0, 51, null, 1, 2}, v in {0, 1, null, 2}",
        "816 cases: 3 elements at instants 0, 1, 599, 600; K: 4 rows, k in {0, 51, null}, v in {0, 1}",
        "495 cases: 4 elements at instants 0, 1, 600; K: 3 rows, k in {0, 51, null}, v in {0}",
    ]


def test_every_value_of_every_column_is_among_the_rows() -> None:
    nodes, rows = candidates(K.filter(col("k") > 50).plan, K.filter(col("v") > 500).plan)
    one, *_ = few_elements(nodes, rows, 100_000, frozenset())
    assert one.elements == 1
    for place in (0, 1):
        values = {row[place] for row in one.rows["K"]}
        assert {None, 49, 50, 51, 499, 500, 501} <= values


def test_copies_are_those_that_fill_windows_and_meet_thresholds() -> None:
    assert copies_that_matter(list(graph(A.rows(50).plan))) == (1, 51, 50)
    assert copies_that_matter(list(graph(busy(K, 7).plan))) == (1, 8, 7)
    assert copies_that_matter(list(graph(K.filter(col("k") > 7).plan))) == (1,)
    assert copies_that_matter(list(graph(A.rows(10**6).plan))) == (1,)


def test_a_table_is_always_there() -> None:
    joins = [A.window(size).join(B, left("x") == right("y")) for size in (600, 601)]
    verdict = exhaust(joins[0], joins[1], constraints=[Lasting("B")], limit=10_000)
    assert verdict.kind == "refuted"
    assert exhaust(joins[0], joins[0].filter(lit(True)), constraints=[Lasting("B")], limit=10_000).kind == "agreed"


def test_constraints_leave_cases_out() -> None:
    sides = K.window(600).aggregate(n=count()), K.window(600).aggregate(n=count("v"))
    assert exhaust(*sides, limit=10_000).kind == "refuted"
    assert exhaust(*sides, limit=10_000, constraints=[NotNull("K", ("v",))]).kind == "agreed"


def test_a_bound_that_is_given_is_all_that_is_exhausted() -> None:
    verdict = exhaust(A.window(600), A.window(600).filter(lit(True)), bound=ScopeBound(2, 2, 1))
    assert (verdict.evidence["cases"], verdict.evidence["few elements"]) == (16, [])
    assert verdict.evidence["instants"] == [0, 600]


# Moments: nothing changes between them ------------------------------------------------------------------------

CHANGING: Final = (
    "A(x int) | window(range 600)",
    "A(x int) | window(range 600 slide 7)",
    "A(x int) | window(range 5 slide 70)",
    "A(x int) | window(landmark 9)",
    "A(x int) | window(landmark 9 reset 70)",
    "A(x int) | window(rows 2)",
    "A(x int) | window(range 600 slide 7) | dstream | window(range 50)",
    "A(x int) | window(landmark 3 reset 70) | istream | window(range 50)",
    "A(x int) | total(count(*) as n)",
    "A(x int) | window(range 60) | total(count(*) as n) | istream | window(range 60)",
    "union(A(x int), A(x int) | window(range 30) | dstream) | window(range 600)",
    "join(A(x int), A(x int) | window(range 30) | map(x as y); x = y) | window(range 60)",
    "leftjoin(A(x int), A(x int) | window(range 30) | map(x as y); x = y) | window(range 60)",
)


@pytest.mark.parametrize("text", CHANGING)
def test_oracle_nothing_changes_between_moments(text: str) -> None:
    plan, instants = parse_plan(text), (0, 8, 9, 71)
    found = moments(list(graph(plan)), {"A": instants}, ())
    stream = RawStream(A.schema, [((t % 2,), t) for t in instants])
    assert {t for t, _ in evaluate_sparse(plan, {"A": stream}).changes()} <= {*found}


def test_windows_over_what_lasts_have_no_few_moments() -> None:
    for query in (A.window(600).window(2), A.window(600).rows(2)):
        with pytest.raises(TooLong, match="a window over TimeWindow, which may hold something for long"):
            moments(list(graph(query.plan)), {"A": (0,)}, ())


def test_short_windows_are_followed_instant_by_instant() -> None:
    timing = timing_of(list(graph(A.window(3).plan)), frozenset(), 4)
    assert (timing.instants, timing.moments, timing.cut) == ((0, 1, 2, 3), (0, 1, 2, 3, 4, 5), None)


def test_instants_around_landmarks_come_first() -> None:
    assert instants_that_matter(list(graph(A.landmark(1000).plan)))[:4] == [0, 1000, 999, 1001]
