"""Golden cases of SQL: what the reference and the default engine make of a query is what people worked out."""

import pytest

from equivalence.reference_checks.golden import GoldenCase, corpus_folder, load_corpus
from equivalence.verification.operators import check_golden
from physical import PhysicalStream, run

CASES = load_corpus(corpus_folder() / "sql")


def test_there_are_some() -> None:
    assert len(CASES) >= 18


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_golden(case: GoldenCase) -> None:
    verdict = check_golden(case)
    assert verdict.holds, str(verdict.counterexample)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_interval_engine_agrees(case: GoldenCase) -> None:
    found = run(case.plan, dict(case.streams), case.expected.horizon)
    assert found.equivalent(PhysicalStream.of(case.expected))
