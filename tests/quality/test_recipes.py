"""The recipes of CONTRIBUTING.md cost what they say; those for a rule and a golden case are doctests there."""

import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from equivalence import conform
from examples.toy_engine import ToyEngine
from semantics import Plan
from semantics.expression import evaluate
from semantics.plan import Difference, Filter
from tests.paths import ROOT

PACKAGES = ("semantics", "physical", "equivalence")
OPERATOR = '''
from dataclasses import dataclass
from semantics.plan.node import Unary

@dataclass(frozen=True)
class Novel(Unary):
    """An operator that nothing knows yet."""


Plan = (
    Novel
    | Source
'''


def recipe(title: str) -> str:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return text.partition(f"## {title}\n")[2].partition("\n## ")[0]


def copy_with_operator(folder: Path) -> None:
    """The packages, with one more operator in the union of all."""
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    plans = folder / "semantics" / "plan" / "union.py"
    text = plans.read_text(encoding="utf-8")
    assert text.count("\nPlan = (\n    Source\n") == 1
    plans.write_text(text.replace("\nPlan = (\n    Source\n", OPERATOR), encoding="utf-8")


def test_mypy_names_every_place_that_lacks_an_operator(tmp_path: Path) -> None:
    copy_with_operator(tmp_path)
    call = [sys.executable, "-m", "mypy", "--no-incremental"]
    checked = [part for package in PACKAGES for part in ("-p", package)]
    ran = subprocess.run([*call, *checked], cwd=tmp_path, capture_output=True, text=True, check=False)
    outside = "benchmarks."  # they are not copied
    errors = [line for line in ran.stdout.splitlines() if ": error:" in line and outside not in line]
    assert all("Novel" in line for line in errors), ran.stdout
    step = recipe("An operator").partition("3. ")[2].partition("\n4. ")[0]
    assert {line.partition(":")[0] for line in errors} == set(re.findall(r"`(\w+/[\w/]+\.py)`", step))


class MendedEngine(ToyEngine):
    """The engine of the examples without the two bugs that are planted in it."""

    def rows(self, plan: Plan, sources: Mapping[str, Any], horizon: int) -> list[tuple[Any, int]]:
        match plan:
            case Filter(input=below, predicate=predicate):
                return [found for found in self.rows(below, sources, horizon) if evaluate(predicate, found[0]) is True]
            case Difference(left=left, right=right):
                kept, gone = (Counter(self.rows(side, sources, horizon)) for side in (left, right))
                return list((kept - gone).elements())
        return super().rows(plan, sources, horizon)


def test_an_engine_is_one_object() -> None:
    result = conform(MendedEngine(), cases=1200)
    assert result.holds
    agreed = {operator for operator, verdict in result.verdicts.items() if verdict == "agreed"}
    assert agreed == {"Filter", "Map", "Distinct", "Difference", "TimeWindow"}
    broken = conform(ToyEngine(), cases=1200)
    assert {finding.operator for finding in broken.findings} == {"Filter", "Difference"}
