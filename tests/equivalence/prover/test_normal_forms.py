"""Terms of all small plans mean what the plans mean, and a mistake in their steps would be noticed."""

from dataclasses import replace
from functools import cache

import pytest

from equivalence.prover.meaning.over import OverTerms
from equivalence.prover.terms.term import Term
from equivalence.verification.effort import QUICK
from equivalence.verification.prover_probe import normal_forms
from equivalence.verification.prover_probe.normal_forms import TermReport, judged, observed
from equivalence.verification.prover_probe.small_plans import A, B, edges, queries
from semantics import Plan, avg
from semantics.over import Frame
from tests.equivalence.prover.mutated_steps import PLANTED_IN_TERMS

EVERY_NTH_PLAN = 41
"""Of the plans with two operators every n-th is tried; `snapeq verify` tries all."""


@cache
def plans() -> list[Plan]:
    """Those of one operator, then some of two, and the edges of frames."""
    return [q.plan for q in (*queries(1), *queries(2)[::EVERY_NTH_PLAN], *edges())]


@cache
def found() -> TermReport:
    return judged(plans())


def test_terms_mean_what_plans_mean() -> None:
    assert not found().wrong
    assert found().says_enough


def test_silence_is_no_agreement(monkeypatch: pytest.MonkeyPatch) -> None:
    silent = judged([A.aggregate(x=avg("x")).plan])
    assert (silent.unknown, silent.says_enough) == (1, False)
    monkeypatch.setattr(normal_forms, "judged", lambda _plans: silent)
    (outcome,) = normal_forms.verify_terms(QUICK)
    assert (outcome.holds, outcome.verdict) == (False, "vacuous")


def test_rows_that_are_there_are_asked_about() -> None:
    times = observed(A.window(2).union(B).plan).times
    assert (times > 0).sum() > 12
    assert times.max() > 1
    assert (times == 0).sum() > 5


@pytest.mark.parametrize("name", PLANTED_IN_TERMS)
def test_a_wrong_step_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where, what, wrong = PLANTED_IN_TERMS[name]
    monkeypatch.setattr(where, what, wrong)
    windows = [A.window(2).window(2), A.rows(2).rows(1), A.distinct().rows(2, ties=True), A.window(1, 2)]
    assert judged([query.plan for query in (*windows, A.distinct(), A.difference(B))]).wrong


def test_a_wrong_edge_of_a_frame_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """FIRST_VALUE of one row more."""
    right = OverTerms._edge

    def one_more(self: OverTerms, edge: str, frame: Frame, i: Term) -> Term:
        wider = replace(frame, preceding=frame.preceding + 1)
        return right(self, edge, wider, i)

    monkeypatch.setattr(OverTerms, "_edge", one_more)
    assert judged([query.plan for query in edges()]).wrong
