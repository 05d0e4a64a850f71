"""The reference, generators, sampling and explanations start fast and run where only the standard library is."""

import subprocess
import sys

import pytest

from tests.paths import ROOT

HEAVY = ("hypothesis", "networkx", "numba", "numpy", "pandas", "pyarrow", "rich", "sqlglot", "typer")
ROOMS = ("semantics", *(f"equivalence/{room}" for room in "cases lists report rules sampling verdicts".split()))
WITH_PACKAGES = {
    "semantics/graph.py",  # a graph of networkx is what it gives
    "semantics/sql/",  # the grammar is written with sqlglot
    "equivalence/cases/strategies.py",  # for Hypothesis
    "equivalence/report/replay.py",  # runs engines
    "equivalence/sampling/sample_on_engine.py",  # runs engines
}
"""Modules and folders of these rooms that need more than the standard library, each with its reason."""

BLOCKED = f"""
import sys
from importlib.abc import MetaPathFinder

class Blocked(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {HEAVY!r}:
            raise ImportError(f"{{name}} is blocked")

sys.meta_path.insert(0, Blocked())
"""
LOADED = f"""
print(sorted({{name.split(".")[0] for name in sys.modules}} & set({HEAVY!r})))
"""
REFUTATION = """
from equivalence import check_plans, check_rule
from equivalence.report.html import page
from equivalence.report.junit import Judged
from equivalence.report.text import explain, headline
from equivalence.rules.catalogue import CATALOGUE
from semantics import source

bids = source("Bid", item=int)
verdict = check_plans(bids.window(2).distinct(), bids.distinct().window(2), examples=200)
print(verdict.kind)
print(explain(verdict.counterexample))
assert "<svg" in page("check", [Judged("plans", verdict)])
print({check_rule(rule, examples=50).kind for rule in CATALOGUE[:10]})
"""


def run(code: str) -> str:
    """What a fresh Python without the heavy packages prints; raises if it fails."""
    command = [sys.executable, "-c", BLOCKED + code + LOADED]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout


def light_modules() -> list[str]:
    paths = [path.relative_to(ROOT) for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
    light = [path for path in paths if not any(path.as_posix().startswith(place) for place in WITH_PACKAGES)]
    return [".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in light]


def test_every_light_module_loads_without_packages() -> None:
    modules = light_modules()
    assert len(modules) > 60
    assert run("\n".join(f"import {module}" for module in modules)).splitlines() == ["[]"]


def test_plans_and_rules_are_refuted_and_explained_without_packages() -> None:
    lines = run(REFUTATION).splitlines()
    assert lines[0] == "refuted"
    assert "at instant 1 the left holds  {(0)}" in lines
    assert "right (0)*2     ■━━■" in lines
    assert lines[-2:] == ["{'agreed'}", "[]"]


@pytest.mark.parametrize("place", sorted(WITH_PACKAGES))
def test_every_exception_is_one(place: str) -> None:
    """A module that no longer needs a package must leave the list of exceptions."""
    module = place.removesuffix("/").removesuffix(".py").replace("/", ".")
    with pytest.raises(subprocess.CalledProcessError):
        run(f"import {module}")
