"""Every mutant must be caught: by the golden corpus, by the commuting square, by the conformance suite."""

from typing import Any, cast

import pytest

from equivalence.mutants import (
    AGGREGATES,
    DATAFLOW,
    DELTA,
    ENGINES,
    EXPRESSIONS,
    FUNCTIONS,
    INCREMENTAL,
    MUTANTS,
    OPERATORS,
    PARTS,
    PURGING,
    SESSIONS,
    STORED_STATE,
    WINDOWS,
    Mutant,
    WrongReference,
    kill_all,
)
from equivalence.reference_checks import reducibility
from equivalence.reference_checks.reducibility import check_irreducible, check_reducible
from equivalence.verdicts.counterexample import Counterexample
from semantics import SnapeqError, algebra
from semantics import plan as op
from tests.golden_corpus import golden_corpus

CORPUS = golden_corpus()
NOT_GOLDEN = {"integers wrap around", "SUM wraps around", "user-defined aggregates see one value"}
"""A golden case has a result and calls no functions of its own, so that none can notice these; the suite does."""
STRANGE = ("NaN", "SUM")
"""Mutants that only rare values show; the square is sampled with common ones."""


def golden(mutants: tuple[Mutant, ...]) -> list[Any]:
    return [pytest.param(mutant, id=mutant.name) for mutant in mutants if mutant.name not in NOT_GOLDEN]


def reference(mutant: Mutant) -> WrongReference:
    return cast(WrongReference, mutant.engine)


@pytest.mark.parametrize("mutant", golden((*OPERATORS, *WINDOWS, *EXPRESSIONS, *AGGREGATES, *FUNCTIONS, *PARTS)))
def test_a_golden_case_notices_a_mutant(mutant: Mutant) -> None:
    def notices(case: Any) -> bool:
        try:
            result = reference(mutant).evaluate(case.plan, case.streams, case.expected.horizon)
        except SnapeqError:
            return True
        return bool(result != case.expected)

    assert any(notices(case) for case in CORPUS)


@pytest.mark.parametrize(
    "mutant",
    [pytest.param(m, id=m.name) for m in OPERATORS[::4] if not any(word in m.name for word in STRANGE)],
)
def test_the_square_refutes_a_wrong_operator(monkeypatch: pytest.MonkeyPatch, mutant: Mutant) -> None:
    (operator,) = reference(mutant).wrong
    monkeypatch.setattr(reducibility, "apply", reference(mutant).apply)
    verdict = check_reducible(operator, examples=400, sampling_seed=1)
    assert verdict.kind == "refuted"
    assert isinstance(verdict.counterexample, Counterexample)
    assert verdict.counterexample.left != verdict.counterexample.right


def test_there_are_many_mutants_of_every_family() -> None:
    assert len(MUTANTS) >= 200
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)
    assert {mutant.family for mutant in MUTANTS} == {
        "operator", "window", "expression", "aggregate", "engine", "session"
    }  # fmt: skip
    assert {mutant.name for mutant in MUTANTS} >= NOT_GOLDEN


PART = {
    "operators": OPERATORS[::10],
    "windows": WINDOWS[::5],
    "expressions": EXPRESSIONS[:3],
    "aggregates": AGGREGATES[::8],
    "functions": FUNCTIONS[::9],
    "engines": ENGINES[::3],
    "sessions": SESSIONS[::3],
    "purging": PURGING[::2],
    "delta": DELTA[::3],
    "incremental": INCREMENTAL[::4],
    "dataflow": DATAFLOW[::2],
    "stored state": STORED_STATE[::2],
}


@pytest.mark.parametrize("mutants", PART.values(), ids=PART)
def test_the_conformance_suite_kills_mutants(mutants: tuple[Mutant, ...]) -> None:
    """A part of them: `snapeq verify` kills them all."""
    summary = kill_all(mutants, seed=0)
    assert summary.survivors == ()
    assert summary.rate == 1
    assert (summary.median_cases or 0) <= 300  # a tenth of what conform tries by default
    assert not [r.mutant.name for r in summary.results if "Unsupported" in str(r.finding)]  # it did not even run


def test_a_right_engine_survives() -> None:
    right = Mutant(WrongReference("nothing is wrong"), "operator")
    summary = kill_all([right], cases=50)
    assert summary.survivors == (right,)
    assert summary.to_json() == {"total": 1, "killed": 0, "median_cases": 50, "survivors": ["nothing is wrong"]}


def test_an_operator_that_forgets_the_past_is_not_called_irreducible(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(algebra, "time_window", lambda size, slide, history: history[-1])
    assert check_irreducible(op.TimeWindow, examples=50, sampling_seed=1).kind == "vacuous"
