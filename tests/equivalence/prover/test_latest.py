"""Of finitely many there is a last one: of infinitely many there need not be, whatever bounds they set each other."""

from collections.abc import Sequence

import pytest

from equivalence.prover.kernel import latest
from equivalence.prover.terms.linear import bounds
from equivalence.prover.terms.term import SmtSort, Term, Var
from tests.equivalence.prover.count_window_claims import claims


def test_what_is_proved_to_have_a_last_one_has_one() -> None:
    proved = [claim for claim in claims() if claim.proved()]
    assert len(proved) >= 2
    assert all(claim.true() for claim in proved)


def test_not_all_claims_are_true() -> None:
    assert sum(not claim.true() for claim in claims()) >= 4


def bounded_by_each_other(variables: Sequence[Var], guards: Sequence[Term]) -> bool:
    """The mistake that was there once: any bounds will do, even those that mention each other only."""
    found = [bounds(v, [g for g in guards if bounds(v, [g])]) for v in variables if v.sort is SmtSort.INT]
    return all(f is not None and f.lower and f.upper for f in found)


def test_bounds_that_only_mention_each_other_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(latest, "_finite", bounded_by_each_other)
    assert [claim for claim in claims() if claim.proved() and not claim.true()]
