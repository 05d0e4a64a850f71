"""The pytest plugin: fixtures that fail with the counterexample, options, and that it costs others nothing."""

import subprocess
import sys
from importlib.metadata import entry_points

import pytest

from tests.paths import ROOT

pytest_plugins = ["pytester"]


@pytest.fixture(autouse=True)
def this_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    """The inner pytest runs in a process and a folder of its own, but with this code."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


TESTS = """
from semantics import source
from equivalence.rules.statement import rule

a, b = source("A", x=int), source("B", x=int)

@rule("A ∪ B ≐ B ∪ A", source="folklore")
def commutes(free):
    left = free.stream("A")
    right = free.stream("B", like=left)
    return left.union(right), right.union(left)

def test_right(snapeq_check_plans):
    verdict = snapeq_check_plans(a.union(b), b.union(a))
    assert (verdict.evidence["cases"], verdict.evidence["seed"]) == (25, 4)

def test_own_number(snapeq_check_plans):
    assert snapeq_check_plans(a, a, examples=7).evidence["cases"] == 7

def test_wrong(snapeq_check_plans):
    snapeq_check_plans(a.union(b).distinct(), a.distinct().union(b.distinct()))

def test_rule(snapeq_check_rule):
    assert snapeq_check_rule(commutes).kind == "agreed"

def test_engine(snapeq_conform):
    class Lazy:
        name = "lazy"
        def supports(self, plan):
            return True
        def run(self, plan, sources):
            raise NotImplementedError("tomorrow")
    snapeq_conform(Lazy())
"""


def plugin() -> tuple[str, ...]:
    """An installed snapeq brings its plugin; a checkout that is not installed has to name it."""
    installed = any(entry.name == "snapeq" for entry in entry_points(group="pytest11"))
    return () if installed else ("-p", "pytest_snapeq")


def test_fixtures_fail_with_the_counterexample(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(TESTS)
    result = pytester.runpytest_subprocess(*plugin(), "--snapeq-cases", "25", "--snapeq-seed", "4")
    result.assert_outcomes(passed=3, failed=2)
    result.stdout.fnmatch_lines(
        [
            "REFUTED (by samples; cases *seed 4)",
            "plan union(A(x int), B(x int)) | distinct",
            "at instant 0 the left holds  {(0)}",
            "wrong        ▼",
            "lazy falls short",
            "*NotImplementedError: tomorrow*",
        ]
    )
    assert "pytest_snapeq.py" not in result.stdout.str()


def test_bad_options_are_refused(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_subprocess(*plugin(), "--snapeq-cases", "0")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*argument --snapeq-cases: invalid*"])


def test_loading_the_plugin_loads_nothing_else() -> None:
    others = "{'snapeq', 'equivalence', 'semantics', 'physical', 'hypothesis', 'numpy', 'typer'}"
    loaded = "{module.split('.')[0] for module in sys.modules}"
    code = f"import sys, pytest_snapeq; print(sorted({loaded} & {others}))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
