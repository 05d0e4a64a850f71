"""Where numbers grow: narrow integers must not wrap around, and only cases that overflow are set apart."""

import pytest

from equivalence.exhaustive.dense import narrowest
from equivalence.exhaustive.exhaust import exhaust
from equivalence.verdicts.counterexample import Counterexample
from semantics import FOREVER, Multiset, Query, RawStream, SnapeqError, col, evaluate, source, sum_
from semantics.value import INT_MAX, NAN
from tests.equivalence.exhaustive.dense.batches import dense

A, B = source("A", x=int), source("B", y=int)
MANY = [
    A.union(A),
    A.union(A).difference(A),
    A.product(B),
    A.join(B, col("x") == col("y")),
    A.left_join(B, col("x") < col("y")),
    A.right_join(B, col("x") < col("y")),
    A.full_join(B, col("x") == col("y")),
    A.window(2),
    A.window(FOREVER),
    A.landmark(0),
    A.rows(150),
    A.rows(10**6, 100),
    A.rows(150, 10**6),
    A.rows(10**6, ties=True),
    A.rows(150, by="x"),
    A.select(x=col("x") * 0),
]


@pytest.mark.parametrize("query", MANY, ids=lambda query: query.plan.operator)
def test_oracle_many_duplicates(query: Query) -> None:
    """Inputs fit into 8 bits, outputs do not."""
    elements = [((x,), t) for t in range(3) for x, n in ((1, 70), (2, 50)) for _ in range(n)]
    case = {"A": RawStream(A.schema, elements), "B": RawStream(B.schema, elements)}
    assert dense(query.plan, [case], 4) == [evaluate(query, case, 4)]


def test_widths_are_as_narrow_as_is_safe() -> None:
    assert [narrowest(n)(0).nbytes for n in (126, 127, 32766, 32767, 2**31 - 1, 2**63 - 2)] == [1, 2, 2, 4, 8, 8]
    with pytest.raises(SnapeqError, match="must fit into 64 bits"):
        narrowest(2**63 - 1)


def test_a_pair_overflows_only_where_both_are_present() -> None:
    """The condition overflows for the pair of INT_MAX and 1."""
    plan = A.join(B, col("x") + col("y") > 0).plan
    streams = [
        {
            "A": RawStream(A.schema, [((INT_MAX,), t) for t in ours]),
            "B": RawStream(B.schema, [((1,), t) for t in theirs]),
        }
        for ours, theirs in [((0,), ()), ((), (0,)), ((0,), (1,)), ((0, 1), (1,))]
    ]
    assert [result == "overflow" for result in dense(plan, streams, 2)] == [False, False, False, True]


def test_every_nan_is_the_same_row() -> None:
    """∞ − ∞ is NaN, each time another object."""
    infinite = source("F", x=float).filter(col("x") >= float("inf"))
    both = infinite.union(infinite.select(x=-col("x")))
    refuted = exhaust(both.aggregate(s=sum_("x")), infinite.aggregate(s=sum_("x"))).counterexample
    assert isinstance(refuted, Counterexample)
    assert (refuted.left, refuted.right) == (Multiset([(NAN,)]), Multiset([(float("inf"),)]))
    assert exhaust(both.aggregate(s=sum_("x")), both.aggregate(s=sum_(col("x") + 0.0))).kind == "agreed"
