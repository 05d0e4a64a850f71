"""The reference, generators, sampling and explanations start fast and run where only the standard library is."""

import subprocess
import sys

import pytest

from tests.light import HEAVY, WITH_PACKAGES, light_modules
from tests.paths import ROOT

BLOCKED = f"""
import sys
from importlib.abc import MetaPathFinder

class Blocked(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {set(HEAVY)!r}:
            raise ImportError(f"{{name}} is blocked")

sys.meta_path.insert(0, Blocked())
"""
LOADED = f"""
print(sorted({{name.split(".")[0] for name in sys.modules}} & {set(HEAVY)!r}))
"""
REFUTATION = """
from equivalence import check_plans, check_rule
from equivalence.report.html import page
from equivalence.report.junit import ReportedVerdict
from equivalence.report.text import explain
from equivalence.rules.catalogue import CATALOGUE
from semantics import source

bids = source("Bid", item=int)
verdict = check_plans(bids.window(2).distinct(), bids.distinct().window(2), examples=200)
print(verdict.kind)
print(explain(verdict.counterexample))
assert "<svg" in page("check", [ReportedVerdict("plans", verdict)])
print({check_rule(rule, examples=50).kind for rule in CATALOGUE[:10]})
"""


def run(code: str) -> list[str]:
    """The lines that a fresh Python without the heavy packages prints; raises if it fails."""
    command = [sys.executable, "-c", BLOCKED + code + LOADED]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout.splitlines()


def test_every_light_module_loads_without_packages() -> None:
    modules = list(light_modules())
    assert len(modules) > 60
    assert run("\n".join(f"import {module}" for module in modules)) == ["[]"]


def test_plans_and_rules_are_judged_and_explained_without_packages() -> None:
    lines = run(REFUTATION)
    assert lines[0] == "refuted"
    assert "at instant 1 the left holds  {(0)}" in lines
    assert "right (0)*2     ■━━■" in lines
    assert lines[-2:] == ["{'agreed'}", "[]"]


def test_the_same_can_be_tried_on_any_python() -> None:
    """Examples and golden cases run by themselves, without pytest."""
    assert run("from tests.light import main; assert main() == 0")[-1] == "[]"


@pytest.mark.parametrize("place", WITH_PACKAGES)
def test_every_exception_needs_a_package(place: str) -> None:
    """A module that no longer needs one must leave the list of exceptions."""
    module = place.removesuffix("/").removesuffix(".py").replace("/", ".")
    with pytest.raises(subprocess.CalledProcessError):
        run(f"from {module} import *")  # the names of a package may be lazy
