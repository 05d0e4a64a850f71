"""Wrong provers: each mistake planted in the kernel changes what is proved."""

from typing import Any, Final

import pytest

from equivalence.prover.attempt import Statement, attempted
from equivalence.prover.kernel.kernel import ProofKernel
from equivalence.prover.meaning import expressions
from equivalence.prover.meaning.expressions import Truth
from equivalence.prover.meaning.open_numbers import integer
from equivalence.prover.meaning.plan import RowTerms, Translation
from equivalence.prover.terms.build import at_most, conj, indicator, mul, neg, sub
from equivalence.prover.terms.term import SmtSort, SumTerm, Term
from equivalence.rules.instances import Instance
from semantics import Query, col, source
from semantics.plan import TimeWindow

A, B = source("A", x=int), source("B", x=int)


def proved(left: Query, right: Query) -> bool:
    return attempted(Statement(Instance(left.plan, right.plan)), thorough=False).found


def window_too_long(self: Translation, plan: TimeWindow, row: RowTerms, time: Term) -> Term:
    """Off by one: size + 1 instants."""
    u = self._fresh.var("u", SmtSort.INT)
    inside = conj(at_most(sub(time, integer(plan.size)), u), at_most(u, time))
    return SumTerm((u,), mul(indicator(inside), self.times(plan.input, row, u)))


COMPARED: Final = expressions.compared


def null_is_smaller(symbol: str, left: Term, right: Term) -> Truth:
    """NULL forgotten: a comparison with it is FALSE and not NULL."""
    truth = COMPARED(symbol, left, right)
    return Truth(truth.true, neg(truth.true))


def everything_follows(*_: object) -> bool:
    return True


MUTANTS: dict[str, tuple[Any, str, Any, Query, Query]] = {
    "a window that is too long": (Translation, "_time_window", window_too_long, A.window(1).union(B), A.union(B)),
    "NULL forgotten": (
        expressions,
        "compared",
        null_is_smaller,
        A.filter(~(col("x") > 0)),
        A.filter((col("x") <= 0) | col("x").is_null()),
    ),
    "leaves that are not asked": (ProofKernel, "_asked", everything_follows, A.union(B), A.difference(B)),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_planted_mistake_changes_what_is_proved(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the tests of the prover could not notice it."""
    where, what, wrong, left, right = MUTANTS[name]
    before = proved(left, right)
    monkeypatch.setattr(where, what, wrong)
    assert proved(left, right) is not before
