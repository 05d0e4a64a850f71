"""Users may have a package `semantics`, `physical`, `equivalence` or `snapeq` of their own.

What needs none of ours then works. What does need ours says in one sentence what hides what, and what to do.
"""

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.snapeq.installed import Installed

OURS = ("semantics", "physical", "equivalence")
UNRELATED = "def test_unrelated():\n    import {name}\n    assert {name}.mine == 3\n"
USES_FIXTURE = """
def test_with_fixture(snapeq_check_plans):
    snapeq_check_plans("S(x int)", "S(x int)")
"""


def sentence(name: str, found: Path) -> str:
    return (
        f"snapeq needs its own package {name!r}, but found {found}: "
        "rename that one, or start Python where it does not come first on the path"
    )


def write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def run_pytest(installed: Installed, folder: Path, *arguments: str) -> tuple[int, list[str]]:
    """The exit code and the lines; `python -m` puts the folder first on the path."""
    ran = installed.run("python", "-m", "pytest", "-p", "no:cacheprovider", *arguments, cwd=folder)
    return ran.returncode, (ran.stdout + ran.stderr).splitlines()


@pytest.mark.parametrize("name", [*OURS, "snapeq"])
def test_pytest_goes_on(name: str, installed: Installed, tmp_path: Path) -> None:
    own = {f"{name}/__init__.py": "mine = 3\n"}
    tests = {"test_unrelated.py": UNRELATED.format(name=name), "test_with_fixture.py": USES_FIXTURE}
    write(tmp_path, {**own, **tests})
    code, lines = run_pytest(installed, tmp_path, "-q")
    found = tmp_path / name if name in OURS else tmp_path / name / "__init__.py"
    assert code == 1
    assert sentence(name, found) in lines
    assert lines[-1].startswith("1 failed, 1 passed")
    assert not [line for line in lines if "Traceback" in line or "Error" in line]


def test_a_single_file_is_named_too(installed: Installed, tmp_path: Path) -> None:
    write(tmp_path, {"semantics.py": "mine = 3\n", "test_with_fixture.py": USES_FIXTURE})
    code, lines = run_pytest(installed, tmp_path)
    assert (code, sentence("semantics", tmp_path / "semantics.py") in lines) == (1, True)


@pytest.mark.parametrize("name", [*OURS, "snapeq"])
def test_a_package_that_comes_onto_the_path_later_is_not_hidden_by_ours(
    name: str, installed: Installed, tmp_path: Path
) -> None:
    """pytest loads plugins before it reads where a project's own packages lie."""
    write(tmp_path, {f"src/{name}/__init__.py": "mine = 3\n", "tests/test_own.py": UNRELATED.format(name=name)})
    code, lines = run_pytest(installed, tmp_path, "-o", "pythonpath=src", "tests")
    assert (code, "1 passed" in lines[-1]) == (0, True)


def test_folders_that_are_no_packages_hide_nothing(installed: Installed, tmp_path: Path) -> None:
    data = {f"{name}/data.txt": "" for name in (*OURS, "snapeq")}
    uses = {"test_with_fixture.py": USES_FIXTURE.replace('"S(x int)"', 'parse_plan("S(x int)")')}
    write(tmp_path, {**data, **{name: f"from snapeq import parse_plan\n{text}" for name, text in uses.items()}})
    code, lines = run_pytest(installed, tmp_path)
    assert (code, "1 passed" in lines[-1]) == (0, True)


@pytest.mark.parametrize("name", OURS)
def test_the_command_says_so(name: str, installed: Installed, tmp_path: Path) -> None:
    write(tmp_path, {f"{name}/__init__.py": "mine = 3\n"})
    ran = installed.run("python", "-m", "snapeq", "rules", cwd=tmp_path)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == f"snapeq: {sentence(name, tmp_path / name)}\n"
    script = installed.run("snapeq", "--version", cwd=tmp_path)
    assert (script.returncode, script.stderr) == (0, "")


@pytest.mark.parametrize("name", OURS)
def test_a_name_of_snapeq_says_so(name: str, installed: Installed, tmp_path: Path) -> None:
    write(tmp_path, {f"{name}/__init__.py": "mine = 3\n"})
    code = "import snapeq; print(snapeq.__version__); from snapeq import parse"
    ran = installed.run("python", "-c", code, cwd=tmp_path)
    assert (ran.returncode, ran.stdout) == (1, "0.1.0\n")
    assert ran.stderr.splitlines()[-1] == f"ImportError: {sentence(name, tmp_path / name)}"
