"""Columns that a query does not ask for cost a proof nothing: the ways to match variables are not all written out."""

from itertools import islice, permutations

import pytest

from equivalence.prover.confirmation import proved
from equivalence.prover.terms.normal_form import GuardedProduct
from equivalence.prover.terms.shape import alignments, ordered
from equivalence.prover.terms.term import SmtSort, Var
from semantics import Query, col, source

COLUMNS = 40
INTS = {f"c{i}": int for i in range(COLUMNS)}
TEXTS = {f"t{i}": str for i in range(COLUMNS)}
W = source("W", **INTS, **TEXTS)
V = source("V", d0=int, d1=int)
X, Y, Z = (col(name) > 1 for name in ("c0", "c1", "c2"))
JOINED = col("c0") == col("d0")
WIDE: dict[str, tuple[Query, Query]] = {
    "a condition with a factor": (W.filter((X & Y) | (X & Z)).select("c0"), W.filter(X & (Y | Z)).select("c0")),
    "a filter below a join": (W.join(V, JOINED & Y).select("c3"), W.filter(Y).join(V, JOINED).select("c3")),
    "a union": (W.union(W).filter(X).select("c1"), W.filter(X).select("c1").union(W.filter(X).select("c1"))),
}


@pytest.mark.parametrize("what", WIDE)
def test_what_is_not_asked_for_is_no_obstacle(what: str) -> None:
    left, right = WIDE[what]
    assert proved(left.plan, right.plan)


def test_wide_plans_that_differ_are_not_proved() -> None:
    assert not proved(W.filter(X & Y).select("c0").plan, W.filter(X & Z).select("c0").plan)


def product_of(*sorts: SmtSort) -> GuardedProduct:
    return GuardedProduct(1, tuple(Var(f"v{i}", sort) for i, sort in enumerate(sorts)))


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ((), ()),
        ((SmtSort.INT,), (SmtSort.BOOL,)),
        ((SmtSort.INT, SmtSort.BOOL, SmtSort.INT), (SmtSort.BOOL, SmtSort.INT, SmtSort.INT)),
        ((SmtSort.REAL, SmtSort.INT, SmtSort.REAL, SmtSort.INT, SmtSort.BOOL),) * 2,
    ],
)
def test_every_matching_of_equal_sorts_comes_once_and_in_order(
    ours: tuple[SmtSort, ...], theirs: tuple[SmtSort, ...]
) -> None:
    one, other = product_of(*ours), product_of(*theirs)
    mine, all_others = ordered(one).variables, permutations(ordered(other).variables)
    fitting = [c for c in all_others if [v.sort for v in c] == [v.sort for v in mine]]
    assert list(alignments(one, other)) == [dict(zip(mine, chosen, strict=True)) for chosen in fitting]


def test_the_first_matchings_of_many_variables_are_there_at_once() -> None:
    wide = product_of(*[SmtSort.INT] * COLUMNS, *[SmtSort.REAL] * COLUMNS)
    assert len(list(islice(alignments(wide, wide), 6))) == 6
