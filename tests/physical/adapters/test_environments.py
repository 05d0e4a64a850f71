"""Environments of engines: made once and completely, or not at all, with one line that says why."""

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from physical.adapters.environments import ENVIRONMENTS, EngineUnavailable, Environment

METADATA = "Metadata-Version: 2.1\nName: hello\nVersion: 1.0\n"
WHEEL = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SNAPEQ_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "snapeq" / "engines"


def wheel(folder: Path) -> Path:
    """The wheel of a package with one line."""
    file = folder / "hello-1.0-py3-none-any.whl"
    with ZipFile(file, "w") as archive:
        archive.writestr("hello.py", "WORD = 'hello'\n")
        for name, text in {"METADATA": METADATA, "WHEEL": WHEEL, "RECORD": ""}.items():
            archive.writestr(f"hello-1.0.dist-info/{name}", text)
    return file


def test_an_environment_is_made_once(cache: Path, tmp_path: Path) -> None:
    made, said = Environment("hello", (str(wheel(tmp_path)),), 1), list[str]()
    with pytest.raises(
        EngineUnavailable, match="the engine hello: needs hello, which is not installed: snapeq engines install hello"
    ):
        made.check_installed()
    made.install(said.append)
    made.check_installed()
    command = [str(made.python), "-c", "import hello; print(hello.WORD)"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "hello\n"
    assert [line.partition(" ")[0] for line in said] == ["hello:"] * 2  # a file that is here is not downloaded
    assert "about 1 MB" in said[0]
    assert [*cache.iterdir()] == [made.folder]
    said.clear()
    made.install(said.append)
    assert said == []
    assert made.remove()
    assert not made.is_installed
    assert not made.remove()


def test_what_cannot_be_installed_leaves_nothing_behind(cache: Path, tmp_path: Path) -> None:
    missing = Environment("none", (str(tmp_path / "nothing-1.0-py3-none-any.whl"),), 1)
    with pytest.raises(EngineUnavailable, match=r"^the engine none cannot be installed: .*nothing-1.0") as error:
        missing.install(lambda _: None)
    assert "\n" not in str(error.value)
    assert [*cache.iterdir()] == []
    assert not missing.is_installed


def test_other_versions_are_elsewhere(cache: Path) -> None:
    versions = [Environment("one", ("package==1",), 1), Environment("one", ("package==2",), 1)]
    assert len({version.folder for version in versions}) == 2
    assert all(version.folder.parent == cache for version in versions)


@pytest.mark.parametrize("environment", ENVIRONMENTS.values(), ids=ENVIRONMENTS.keys())
def test_versions_are_pinned(environment: Environment) -> None:
    mark = "@" if environment.kind == "node" else "=="
    assert all(mark in requirement[1:] for requirement in environment.requirements)
    assert environment.engine_version[0].isdigit()


@pytest.mark.usefixtures("cache")
def test_what_can_be_imported_here_needs_no_environment() -> None:
    here = Environment("pytest", ("pytest==1",), 1, "pytest")
    here.check_installed()
    assert str(here.python) == sys.executable
