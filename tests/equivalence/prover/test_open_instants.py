"""Times and counts of any size: plans that differ late, or only in large numbers, are refuted, and models replay."""

from collections.abc import Mapping
from random import Random
from typing import Final

import pytest

from equivalence.prover.meaning.expressions import constant
from equivalence.prover.prove import prove
from equivalence.prover.refute.floats import ANY_FACTORS
from equivalence.prover.refute.outcome import SearchOutcome
from equivalence.prover.refute.row_table import CountedRow, Table, times_of
from equivalence.prover.refute.sparse_plans import FewCopies, refute_sparse
from equivalence.prover.refute.sparse_tables import NoSparseTerm, SparseTables
from equivalence.prover.solver.solvers import Z3
from equivalence.prover.terms.build import disj, equal, neg, number
from equivalence.prover.terms.smtlib import problem
from equivalence.prover.terms.term import SmtSort, Var
from equivalence.rules.instances import Instance
from equivalence.verdicts.counterexample import Counterexample
from semantics import (
    FOREVER,
    Multiset,
    Plan,
    Query,
    RawStream,
    Type,
    col,
    count,
    evaluate_sparse,
    left,
    parse_plan,
    right,
    show,
    source,
    sum_,
)
from semantics.constraint import Key, Lasting, Once, broken
from semantics.sparse import first_difference

A, B = source("A", x=int), source("B", y=int)
K = source("K", k=int, v=int)
MONTH: Final = 30 * 86_400_000


def busy(query: Query, more_than: int) -> Query:
    return query.group_by("k").aggregate(n=count()).filter(col("n") > more_than)


def rich(query: Query) -> Query:
    return query.group_by("k").aggregate(s=sum_("v"))


def joined(size: int, other: int) -> Query:
    return A.window(size).join(B.window(other), left("x") == right("y"))


DIFFERENT: Final[dict[str, tuple[Query, Query]]] = {
    "range": (A.window(600), A.window(601)),
    "ten minutes or an hour in milliseconds": (A.window(600_000), A.window(3_600_000)),
    "a month in milliseconds": (A.window(MONTH), A.window(MONTH + 1)),
    "bounded or not": (A.window(2**40), A.window(FOREVER)),
    "slide": (A.window(600, 60), A.window(600, 61)),
    "slide or not": (A.window(600, 60), A.window(600)),
    "size with a slide": (A.window(600, 60), A.window(601, 60)),
    "landmark": (A.landmark(1000), A.landmark(1001)),
    "reset": (A.landmark(0, 86_400), A.landmark(0, 86_401)),
    "reset or not": (A.landmark(5, 86_400), A.landmark(5)),
    "offset of resets": (A.landmark(100, 86_400), A.landmark(101, 86_400)),
    "rows": (A.rows(50), A.rows(51)),
    "slide of rows": (A.rows(50, 7), A.rows(50, 8)),
    "rows with ties": (A.rows(50, ties=True), A.rows(51, ties=True)),
    "rows of each key": (K.rows(20, by="k"), K.rows(21, by="k")),
    "a threshold on a count": (busy(K.window(600), 50), busy(K.window(600), 51)),
    "the window below a threshold": (busy(K.window(600), 50), busy(K.window(601), 50)),
    "a threshold on a sum": (
        rich(K.window(600)).filter(col("s") > 10_000),
        rich(K.window(600)).filter(col("s") >= 10_000),
    ),
    "the slide below a threshold": (
        rich(K.window(600, 60)).filter(col("s") > 10_000),
        rich(K.window(600, 30)).filter(col("s") > 10_000),
    ),
    "a product": (K.filter(col("v") * 3 > 9_999), K.filter(col("v") * 3 >= 9_999)),
    "a product below a window": (
        K.window(600).filter(col("v") * 3 > 9_999),
        K.filter(col("v") * 3 > 9_996).window(600),
    ),
    "a join of windows": (joined(600, 900), joined(600, 901)),
    "a join with sizes exchanged": (joined(600, 900), joined(900, 600)),
    "arrivals": (A.window(600).istream(), A.window(601).istream()),
    "departures": (A.window(600).dstream(), A.window(601).dstream()),
    "a window over arrivals": (
        A.window(600).aggregate(n=count()).istream().window(600),
        A.window(600).aggregate(n=count()).istream().window(601),
    ),
    "a window over departures": (A.window(600, 60).dstream().window(70), A.window(600, 61).dstream().window(70)),
    "a window over a window": (A.window(600).window(300), A.window(600).window(301)),
    "a window below a window": (A.window(600).window(300), A.window(601).window(300)),
    "a window over distinct rows": (A.window(600).distinct().window(900), A.window(600).window(900)),
    "a landmark over a window": (A.window(600).landmark(5, 100), A.window(600).landmark(5, 101)),
    "a window over what is always there": (
        A.window(600).aggregate(on_empty=True, n=count()).window(7),
        A.window(600).aggregate(on_empty=True, n=count()).window(8),
    ),
}

SAME: Final[dict[str, tuple[Query, Query]]] = {
    "filter": (A.window(600).filter(col("x") > 3), A.filter(col("x") > 3).window(600)),
    "a threshold that no integer meets": (K.filter(col("v") * 3 > 10_000), K.filter(col("v") * 3 >= 10_000)),
    "slides": (A.union(A).window(600, 60), A.window(600, 60).union(A.window(600, 60))),
    "a slide of one": (A.window(600, 1).distinct(), A.window(600).distinct()),
    "rows": (K.rows(50, by="k").filter(col("k") > 7), K.filter(col("k") > 7).rows(50, by="k")),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_what_differs_is_refuted_by_a_model_that_replays(name: str) -> None:
    verdict = prove(*DIFFERENT[name])
    assert (verdict.kind, verdict.evidence["how"]) == ("refuted", "model")
    found = verdict.counterexample
    assert isinstance(found, Counterexample)
    sides = [evaluate_sparse(plan, found.streams, found.instant + 1) for plan in found.plans]
    assert first_difference(*sides) == found.instant
    assert [side.at(found.instant) for side in sides] == [found.left, found.right]


@pytest.mark.parametrize("name", DIFFERENT)
def test_open_instants_alone_refute_it_too(name: str) -> None:
    one, other = DIFFERENT[name]
    assert refute_sparse(Instance(one.plan, other.plan)).counterexample is not None


@pytest.mark.parametrize("name", SAME)
def test_what_is_the_same_is_not_refuted(name: str) -> None:
    one, other = SAME[name]
    assert refute_sparse(Instance(one.plan, other.plan)).counterexample is None
    assert prove(one, other).kind != "refuted"


def test_counterexamples_are_small() -> None:
    found = prove(A.window(600), A.window(601)).counterexample
    assert isinstance(found, Counterexample)
    assert (show(found.streams["A"]), found.instant) == ("raw(x int): (null)@0", 600)


def test_constraints_hold_in_the_model() -> None:
    once = prove(K.rows(20), K.rows(21), constraints=[Once("K", ("k",))])
    assert once.kind == "unknown"
    keyed = prove(K.window(600), K.window(600).distinct(), constraints=[Key("K", ("k",))])
    assert isinstance(keyed.counterexample, Counterexample)
    assert not broken(Key("K", ("k",)), keyed.counterexample.streams)


def test_a_table_is_there_at_every_instant() -> None:
    table = [Lasting("B")]
    plans = (A.window(size).join(B, left("x") == right("y")) for size in (600, 601))
    assert prove(*plans, constraints=table).kind == "refuted"
    grown = (B.landmark(at) for at in (600, 601))
    assert prove(*grown, constraints=table).kind == "refuted"


@pytest.mark.parametrize(
    ("query", "reason"),
    [(A.window(600).rows(5), "TimeWindow"), (A.window(600).window(60).window(6), "TimeWindow")],
    ids=["rows over what lasts", "three windows"],
)
def test_what_is_not_searched_is_named(query: Query, reason: str) -> None:
    other = query.distinct()
    assert refute_sparse(Instance(query.plan, other.plan)) == SearchOutcome(
        outside=f"a window over {reason}, which may hold something for long"
    )


# What the search computes is what the reference does ---------------------------------------------------------

MEANT: Final = (
    "A(x int) | window(range 5)",
    "A(x int) | window(range 5 slide 3)",
    "A(x int) | window(range 2 slide 7)",
    "A(x int) | window(landmark 4)",
    "A(x int) | window(landmark 4 reset 5)",
    "A(x int) | window(rows 3)",
    "A(x int) | window(rows 3 slide 2)",
    "A(x int) | window(rows 2 with ties)",
    "A(x int) | window(partition by x rows 2)",
    "A(x int) | window(range 4) | istream",
    "A(x int) | window(range 4 slide 3) | dstream",
    "A(x int) | total(count(*) as n) | istream",
    "A(x int) | window(range 4) | dstream | window(range 3)",
    "A(x int) | window(range 4) | aggregate(count(*) as n) | istream | window(rows 2)",
    "A(x int) | window(range 4 slide 3) | istream | window(range 5)",
    "A(x int) | window(landmark 2 reset 4) | dstream | window(range 5)",
    "A(x int) | window(range 4) | window(range 3)",
    "A(x int) | window(range 4) | distinct | window(range 3 slide 2)",
    "A(x int) | window(range 4) | window(landmark 3 reset 5)",
    "A(x int) | window(rows 2) | window(range 3)",
    "A(x int) | total(count(*) as n) | window(range 3)",
    "difference(A(x int) | window(range 4), A(x int) | window(range 2))",
    "union(A(x int), A(x int) | window(range 3) | dstream) | window(range 3)",
)


@pytest.mark.parametrize("text", MEANT)
def test_oracle_snapshots_at_any_instant(text: str) -> None:
    plan, random = parse_plan(text), Random(text)
    for _ in range(3):
        stream = some_stream(random)
        expected = evaluate_sparse(plan, {"A": stream}, 25)
        for t in range(0, 25, 3):
            assert differs(plan, stream, t, expected.at(t)) == "unsat"
        assert differs(plan, stream, 24, Multiset({**dict(expected.at(24).items()), (77,): 1})) == "sat"


def some_stream(random: Random) -> RawStream:
    instants = sorted(random.sample(range(12), 2))
    return RawStream(
        A.schema, [((random.choice((None, 0, 1)),), t) for t in instants for _ in range(random.randint(1, 3))]
    )


def differs(plan: Plan, stream: RawStream, t: int, expected: Multiset) -> str:
    """Does a solver see a difference between the table of a plan at an instant and these rows?"""
    numbers, instants = FewCopies(), sorted({u for _, u in stream.elements})
    history = [table(Multiset.sum((row, 1) for row, u in stream.elements if u == at)) for at in instants]
    tables = SparseTables(numbers, {"A": history}, [number(u) for u in instants])
    here, there = tables.at(plan, number(t)), table(expected)
    apart = disj(*(neg(equal(times_of(e.row, here), times_of(e.row, there))) for e in (*here, *there)))
    return Z3().model(problem([*numbers.assertions, neg(ANY_FACTORS), apart]), 2_000_000)[0]


def table(rows: Multiset | Mapping[tuple[int], int]) -> Table:
    return [CountedRow(tuple(constant(v, Type.INT) for v in row), number(n)) for row, n in rows.items()]


def test_too_many_instants_are_not_looked_at() -> None:
    plan = A.window(2).istream().window(3).istream().window(4).istream().window(5).plan
    tables = SparseTables(FewCopies(), {"A": [[], []]}, [Var("one", SmtSort.INT), Var("two", SmtSort.INT)])
    with pytest.raises(NoSparseTerm, match="of which at most 12 are tried"):
        tables.at(plan, number(9))
