"""Names that a package loads when they are first used: its block for type checkers is the list."""

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from semantics.lazy_names import homes
from tests.paths import ROOT

PACKAGE = """
from typing import TYPE_CHECKING
from semantics.lazy_names import lazy_names
import json.scanner
if TYPE_CHECKING:
    import json.decoder
    from {name} import part as piece
    from json import dumps, loads as read
else:
    __getattr__ = lazy_names(__name__)
"""


@pytest.mark.parametrize("zipped", [False, True])
def test_names_come_from_where_the_block_says(zipped: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"lazy_{'zipped' if zipped else 'folder'}"
    files = {"__init__.py": PACKAGE.format(name=name), "part.py": "raise RuntimeError('loaded')"}
    place = _zipped(tmp_path, name, files) if zipped else _in_folder(tmp_path, name, files)
    monkeypatch.syspath_prepend(str(place))
    package = __import__(name)
    try:
        assert homes(name) == {"piece": (name, "part"), "dumps": ("json", "dumps"), "read": ("json", "loads")}
        assert package.read("[1]") == [1]
        assert "read" in vars(package)
        assert "dumps" not in vars(package)
        with pytest.raises(RuntimeError, match="loaded"):
            package.piece  # noqa: B018  # asking for it loads it
        with pytest.raises(AttributeError, match=f"module '{name}' has no attribute 'loads'"):
            package.loads  # noqa: B018  # it has another name here
    finally:
        del sys.modules[name]


def test_a_module_does_not_hide_the_name_that_the_package_offers() -> None:
    code = "import semantics.evaluate; from semantics import evaluate; print(evaluate.__name__, callable(evaluate))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert ran.stdout.split() == ["evaluate", "True"]


def _in_folder(place: Path, name: str, files: dict[str, str]) -> Path:
    (place / name).mkdir()
    for file, text in files.items():
        (place / name / file).write_text(text, encoding="utf-8")
    return place


def _zipped(place: Path, name: str, files: dict[str, str]) -> Path:
    with ZipFile(place / "packages.zip", "w") as archive:
        for file, text in files.items():
            archive.writestr(f"{name}/{file}", text)
    return place / "packages.zip"
