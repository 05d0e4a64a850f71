"""What is proved of operators, and that wrong ones are not."""

from collections.abc import Callable

import pytest

from equivalence.prover import operator_theorems
from equivalence.prover.meaning import list_elements
from equivalence.prover.meaning.list_elements import Element
from equivalence.prover.operator_theorems import proof_of, squares
from equivalence.prover.solver.solvers import cvc5_answer
from equivalence.prover.terms.build import add, at_most, conj, indicator, mul
from equivalence.prover.terms.term import SumTerm, Term, Var

ALL = {name: (square, holds) for name, square, holds in squares()}


@pytest.mark.parametrize("name", ALL)
def test_every_claim_about_an_operator(name: str) -> None:
    square, holds = ALL[name]
    proof = proof_of(square)
    assert proof.found is holds
    assert not holds or {cvc5_answer(leaf) for leaf in proof.leaves} <= {"unsat"}


def closed(times: Term, interval: tuple[Var, Var], t: Term) -> Term:
    """As if the end of an interval belonged to it."""
    start, end = interval
    return SumTerm((start, end), mul(indicator(conj(at_most(start, t), at_most(t, end))), times))


@pytest.mark.parametrize("name", ["product", "split into chronons", "coalesce, each merge", "window"])
def test_with_closed_intervals_operators_are_wrong(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operator_theorems, "at_instant", closed)
    assert not proof_of(operator_theorems.interval_operators()[name]).found


def test_a_list_that_holds_everything_twice_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    held: Callable[[str, Element], Term] = list_elements.held
    monkeypatch.setattr(list_elements, "held", lambda name, element: add(held(name, element), held(name, element)))
    assert not proof_of(operator_theorems.interval_operators()["product"]).found
