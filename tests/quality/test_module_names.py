"""A module may be named in a string only where no import statement can stand; and each module so named exists.

An import statement is followed by the type checker, by editors and by whoever moves a module. A string is followed by
nobody, so every string that names one of our modules is listed here with its reason.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from tests.paths import ROOT

OURS = ("semantics", "physical", "equivalence", "snapeq", "benchmarks")
PACKAGES = [ROOT / name for name in OURS if name != "benchmarks" and (ROOT / name).is_dir()]
MODULE = re.compile(rf"(?:{'|'.join(OURS)})(?:\.[A-Za-z_]\w*)+")
REASONS = {
    "physical/adapters/sail/engine.py": "a process in another environment runs it",
    "physical/adapters/flink/batch_engine.py": "a process in another environment runs it",
    "physical/adapters/workers/start.py": "it imports workers by their files, so that nothing else of ours is imported",
    "equivalence/query_files/kept_queries.py": "pickles of queries name them; to import them is what is to be avoided",
    "equivalence/conformance/subject/isolated/isolated_subject.py": "another Python process runs it with -m",
    "equivalence/mutants/machine/live_code.py": "mutated code is looked for in all modules below it",
    "physical/engines/spark/spark_session.py": "Spark starts it in the processes of its workers",
    "pyproject.toml": "the installed script and pytest import it",
    "equivalence/former_names.py": "tests that users saved earlier import it by its former name",
}
"""The files in which a string may name a module, and who imports it."""


def strings(path: Path) -> Iterator[str]:
    """All string constants of a module without its docstrings, or all strings of a TOML file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".toml":
        yield from _leaves(tomllib.loads(text))
        return
    tree = ast.parse(text)
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value


def _leaves(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _leaves(inner)


def named_modules(path: Path) -> set[str]:
    """The modules of ours that strings of a file name, alone or as `module:object`."""
    found = {text.partition(":")[0] for text in strings(path)}
    return {name for name in found if MODULE.fullmatch(name)}


def named_in_strings() -> list[tuple[str, str]]:
    """The files that name a module of ours in a string, with what they name; to look takes seconds, so once."""
    files = [ROOT / "pyproject.toml", *(path for package in PACKAGES for path in sorted(package.rglob("*.py")))]
    return [(path.relative_to(ROOT).as_posix(), module) for path in files for module in sorted(named_modules(path))]


def test_a_module_that_a_string_names_exists_and_has_a_reason() -> None:
    named = named_in_strings()
    assert {file for file, _ in named} >= {"pyproject.toml", "physical/engines/spark/spark_session.py"}
    assert [(file, module) for file, module in named if find_spec(module) is None] == []
    unexpected = [(file, module) for file, module in named if file not in REASONS]
    assert unexpected == [], "import these modules, or say in REASONS who else does"


def test_the_search_sees_modules_in_strings(tmp_path: Path) -> None:
    file = tmp_path / "example.py"
    file.write_text('"""equivalence.rules"""\nimport_module("equivalence.no.such")\ntext = "semantics.plan and more"\n')
    assert named_modules(file) == {"equivalence.no.such"}
