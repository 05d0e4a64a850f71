"""snapeq in pytest: fixtures that fail a test with the counterexample, `--snapeq-cases`, `--snapeq-seed`.

pytest loads this in every project that has snapeq installed, so it imports nothing of snapeq before a fixture is used.
It is a module by itself, with a name that nobody else has: `import snapeq.…` would hide a folder `snapeq` of a project
that pytest puts on the path only later, and the same goes for `semantics`, `physical` and `equivalence`.
"""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from snapeq import Conformance, Verdict

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
    """Takes two plans, as `snapeq.check_plans` does, and fails the test unless they agree."""

    def check(left: Any, right: Any, **options: Any) -> "Verdict":
        _fail_if_hidden()
        from snapeq import check_plans

        return _held(check_plans(left, right, **{**_given(request, "examples"), **options}))

    return check


@pytest.fixture
def snapeq_check_rule(request: pytest.FixtureRequest) -> "Callable[..., Verdict]":
    """Takes a rule, as `snapeq.check_rule` does, and fails the test unless it holds."""

    def check(rule: Any, **options: Any) -> "Verdict":
        _fail_if_hidden()
        from snapeq import check_rule

        return _held(check_rule(rule, **{**_given(request, "examples"), **options}))

    return check


@pytest.fixture
def snapeq_conform(request: pytest.FixtureRequest) -> "Callable[..., Conformance]":
    """Takes an engine or its name, as `snapeq conform` does, and fails the test unless it is right."""

    def check(engine: Any, **options: Any) -> "Conformance":
        _fail_if_hidden()
        from equivalence.report.findings import text_of
        from snapeq import conform

        result = conform(engine, **{**_given(request, "cases"), **options})
        if not result.holds:
            said = [f"{result.engine} falls short", *map(text_of, result.findings)]
            pytest.fail("\n\n".join(said), pytrace=False)
        return result

    return check


@pytest.fixture
def snapeq_check_job(request: pytest.FixtureRequest) -> "Callable[..., Verdict]":
    """Takes a PySpark job and a query, as `snapeq.check_job` does, and fails the test unless they agree."""

    def check(job: Any, sql: str, **options: Any) -> "Verdict":
        _fail_if_hidden()
        from snapeq import check_job

        return _held(check_job(job, sql, **{**_given(request, "examples"), **options}))

    return check


@pytest.fixture
def snapeq_check_function(request: pytest.FixtureRequest) -> "Callable[..., Verdict]":
    """Takes a function and a query, as `snapeq.check_function` does, and fails the test unless they agree."""

    def check(f: Any, sql: str, **options: Any) -> "Verdict":
        _fail_if_hidden()
        from snapeq import check_function

        return _held(check_function(f, sql, **{**_given(request, "examples"), **options}))

    return check


@pytest.fixture
def snapeq_check_optimizer(request: pytest.FixtureRequest) -> "Callable[..., Verdict]":
    """Takes an optimizer of plans or SQL, as `snapeq.check_optimizer` does, and fails the test unless it is right."""

    def check(optimizer: Any, **options: Any) -> "Verdict":
        _fail_if_hidden()
        from snapeq import check_optimizer

        return _held(check_optimizer(optimizer, **{**_given(request, "examples"), **options}))

    return check


def _fail_if_hidden() -> None:
    """Fail the test, in one sentence, if a package of somebody else's hides one of ours."""
    problem = _hidden()
    if problem is not None:
        pytest.fail(problem, pytrace=False)


def _hidden() -> str | None:
    spec = find_spec("snapeq")
    found = Path(spec.origin).resolve() if spec is not None and spec.origin is not None else None
    if found != Path(__file__).resolve().parent / "snapeq" / "__init__.py":
        return (
            f"snapeq needs its own package 'snapeq', but found {found}: "
            "rename that one, or start Python where it does not come first on the path"
        )
    from snapeq.own_packages import foreign_package

    return foreign_package()


def _given(request: pytest.FixtureRequest, cases: str) -> dict[str, int]:
    """What the command line says; the number of cases only if it was given."""
    number = request.config.getoption(CASES)
    return {"seed": request.config.getoption(SEED), **({} if number is None else {cases: number})}


def _held(verdict: "Verdict") -> "Verdict":
    from equivalence.report.text import explained, headline

    if not verdict.holds:
        pytest.fail(f"{headline(verdict)}\n{explained(verdict)}", pytrace=False)
    return verdict
