"""snapeq in pytest: fixtures that fail a test with the counterexample, `--snapeq-cases`, `--snapeq-seed`.

pytest loads this in every project that has snapeq installed: nothing of snapeq is imported before a fixture is used.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from equivalence.verdicts.verdict import Verdict

CASES, SEED = "--snapeq-cases", "--snapeq-seed"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("snapeq", "checks of continuous queries")
    group.addoption(CASES, type=_positive, metavar="N", help="cases that snapeq's fixtures try, unless a test says")
    group.addoption(SEED, type=int, default=0, metavar="S", help="seed of snapeq's cases (default: 0)")


def _positive(text: str) -> int:
    if int(text) < 1:
        raise ValueError("at least one case is needed")
    return int(text)


@pytest.fixture
def snapeq_check_plans(request: pytest.FixtureRequest) -> "Callable[..., Verdict]":
    """Takes two plans, as `equivalence.check_plans` does, and fails the test unless they agree."""

    def check(left: Any, right: Any, **options: Any) -> "Verdict":
        from equivalence.sampling.sample import check_plans

        return _held(check_plans(left, right, **{**_given(request, "examples"), **options}))

    return check


@pytest.fixture
def snapeq_check_rule(request: pytest.FixtureRequest) -> "Callable[..., Verdict]":
    """Takes a rule, as `equivalence.check_rule` does, and fails the test unless it holds."""

    def check(rule: Any, **options: Any) -> "Verdict":
        from equivalence.sampling.sample import check_rule

        return _held(check_rule(rule, **{**_given(request, "examples"), **options}))

    return check


@pytest.fixture
def snapeq_conform(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Takes an engine or its name, as `snapeq conform` does, and fails the test unless it is right."""

    def check(engine: Any, **options: Any) -> Any:
        from equivalence.conformance.suite import conform
        from equivalence.report.findings import text_of

        result = conform(engine, **{**_given(request, "cases"), **options})
        if not result.holds:
            said = [f"{result.engine} falls short", *map(text_of, result.findings)]
            pytest.fail("\n\n".join(said), pytrace=False)
        return result

    return check


def _given(request: pytest.FixtureRequest, cases: str) -> dict[str, int]:
    """What the command line says; the number of cases only if it was given."""
    number = request.config.getoption(CASES)
    return {"seed": request.config.getoption(SEED), **({} if number is None else {cases: number})}


def _held(verdict: "Verdict") -> "Verdict":
    from equivalence.report.text import explained, headline

    if not verdict.holds:
        pytest.fail(f"{headline(verdict)}\n{explained(verdict)}", pytrace=False)
    return verdict
