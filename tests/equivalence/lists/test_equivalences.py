"""The six equivalences form a lattice: which implies which, and that nothing else does."""

from itertools import product
from typing import get_args

import pytest

from equivalence.cases.choices import SeededChoices
from equivalence.cases.random_lists import choose_list
from equivalence.lists.equivalences import Equivalence, first_difference, implied, same, stronger
from equivalence.lists.list_operators import ElementList, at, coalesce, rdup, rdup_t, split
from semantics import Schema

SIX: tuple[Equivalence, ...] = get_args(Equivalence)
A, B = ("a",), ("b",)

WITNESSES: dict[str, tuple[ElementList, ElementList, set[Equivalence]]] = {
    "moved, and never there together": (
        (at(A, 0, 1), at(B, 1, 2)),
        (at(B, 1, 2), at(A, 0, 1)),
        {"multiset", "set", "snapshot-list", "snapshot-multiset", "snapshot-set"},
    ),
    "moved": (
        (at(A, 0, 1), at(B, 0, 1)),
        (at(B, 0, 1), at(A, 0, 1)),
        {"multiset", "set", "snapshot-multiset", "snapshot-set"},
    ),
    "cut": (
        (at(A, 0, 2),),
        (at(A, 0, 1), at(A, 1, 2)),
        {"snapshot-list", "snapshot-multiset", "snapshot-set"},
    ),
    "cut and moved": (
        (at(A, 0, 2), at(B, 0, 1)),
        (at(B, 0, 1), at(A, 0, 1), at(A, 1, 2)),
        {"snapshot-multiset", "snapshot-set"},
    ),
    "repeated": ((at(A, 0, 1),), (at(A, 0, 1), at(A, 0, 1)), {"set", "snapshot-set"}),
    "covered": ((at(A, 0, 2),), (at(A, 0, 2), at(A, 0, 1)), {"snapshot-set"}),
    "gone": ((at(A, 0, 1),), (), set()),
}


@pytest.mark.parametrize("witness", WITNESSES.values(), ids=WITNESSES.keys())
def test_what_holds_of_two_lists(witness: tuple[ElementList, ElementList, set[Equivalence]]) -> None:
    left, right, holding = witness
    assert {equivalence for equivalence in SIX if same(left, right, equivalence)} == holding


@pytest.mark.parametrize("seed", range(60))
def test_the_stronger_implies_the_weaker(seed: int) -> None:
    elements = choose_list(SeededChoices(seed), Schema.of(x=int))
    changed = [elements[::-1], rdup(elements), rdup_t(elements), split(1, elements), coalesce(9, elements), elements]
    for left, right in product(changed, changed):
        holding = {equivalence for equivalence in SIX if same(left, right, equivalence)}
        assert all(implied(equivalence) <= holding for equivalence in holding)


def test_no_other_implication_holds() -> None:
    holdings = [holding for _, _, holding in WITNESSES.values()]
    for one, other in product(SIX, SIX):
        if other not in implied(one):
            assert any(one in holding and other not in holding for holding in holdings), (one, other)


def test_the_next_stronger_ones() -> None:
    assert stronger("list") == ()
    assert stronger("snapshot-multiset") == ("multiset", "snapshot-list")
    assert implied("set") == {"set", "snapshot-set"}


def test_the_first_instant_that_differs() -> None:
    left, right = (at(A, 0, 5), at(B, 3, 5)), (at(A, 0, 5), at(B, 2, 5))
    assert first_difference(left, right, "snapshot-set") == 2
