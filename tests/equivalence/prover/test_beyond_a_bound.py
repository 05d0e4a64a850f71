"""Wrong equalities that hold for all multiplicities up to three: agreement within a bound is less than a proof.

They are all there are among plans of up to three of σ, δ, ω_2, ∪, − and ∩ over two streams, each plan beside the
first that is the same up to three.
"""

from collections import Counter
from collections.abc import Iterator

import pytest

from equivalence.exhaustive.dense.space import ScopeBound
from equivalence.exhaustive.exhaust import exhaust
from equivalence.prover.prove import prove
from equivalence.verdicts.counterexample import Counterexample
from semantics import Query, RawStream, show, source
from semantics.plan import Plan

A, B = source("A", x=int), source("B", x=int)
Pair = tuple[Query, Query]


def by_two(a: Query, b: Query) -> Iterator[Pair]:
    """Of three copies of a row nothing is left by two and two, and nothing by two and one."""
    taken = a.difference(b.union(b))
    yield taken, a.difference(b.union(b.distinct()))
    yield taken, a.difference(b.distinct().union(b))
    yield taken, a.difference(b).difference(b.distinct())
    yield taken, a.difference(b.distinct()).difference(b)
    common = a.intersection(b.union(b))
    yield common, a.intersection(b.union(b.distinct()))
    yield common, a.intersection(b.distinct().union(b))
    yield common, b.union(b.distinct()).intersection(a)
    yield common, b.distinct().union(b).intersection(a)


def of_what_is_more(a: Query, b: Query) -> Iterator[Pair]:
    """Up to three, b has at most one more of a row of which a has two."""
    more = b.difference(a)
    yield a.difference(more), a.difference(more.distinct())
    yield a.intersection(more), a.intersection(more).distinct()
    yield a.intersection(more), more.intersection(a).distinct()
    yield a.intersection(more), a.intersection(more.distinct())
    yield a.intersection(more), a.distinct().intersection(more)
    yield a.intersection(more), more.intersection(a.distinct())
    yield a.intersection(more), more.distinct().intersection(a)


WRONG = [pair for a, b in [(A, B), (B, A)] for pairs in (by_two, of_what_is_more) for pair in pairs(a, b)]


def stated(pair: Pair) -> str:
    return " is ".join(show(query.plan) for query in pair)


@pytest.mark.parametrize("pair", WRONG, ids=stated)
def test_agreement_within_a_bound_is_no_proof(pair: Pair) -> None:
    within = exhaust(*pair, bound=ScopeBound(tuples=2, instants=1, multiplicity=3))
    beyond = prove(*pair)
    assert (within.kind, beyond.kind) == ("agreed", "refuted")
    assert most_often(beyond.counterexample) > 3


def most_often(found: object) -> int:
    """How often the most frequent element of a counterexample is there."""
    assert isinstance(found, Counterexample)
    return max(max(Counter(s.elements).values(), default=0) for s in found.streams.values() if isinstance(s, RawStream))


def test_all_of_them_are_here() -> None:
    plans: list[Plan] = [pair[1].plan for pair in WRONG]
    assert len(set(plans)) == len(WRONG) == 30


def test_a_proof_is_more_than_agreement_within_a_bound() -> None:
    right = A.difference(B.union(B)), A.difference(B).difference(B)
    assert prove(*right).strength > exhaust(*right, bound=ScopeBound(2, 1, 3)).strength
