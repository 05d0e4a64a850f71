"""Puts the playground into the built site: its page, Pyodide, and the Python that runs in the browser.

`python -m docs.generate.playground site/play` does all of it; `--pyodide FOLDER` takes an unpacked package that is
there already, instead of fetching it from the npm registry.
"""

import argparse
import io
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "docs" / "play"
PYODIDE: Final = "314.0.7"
"""The version of Pyodide, as npm knows it."""
NEEDED: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip")
"""The files of that package that the page loads."""
ROOMS: Final = (
    *("semantics", "docs/play"),
    *(f"equivalence/{room}" for room in ("cases", "comparison", "lists", "neighbours", "optimizer", "prover")),
    *(f"equivalence/{room}" for room in ("query_files", "report", "rules", "sampling", "verdicts")),
)
"""The rooms of ours that the page runs; what needs numba, numpy or solvers is not reached by it."""
DOORS: Final = ("equivalence/__init__.py", "equivalence/former_names.py", "physical/__init__.py", "docs/__init__.py")
ARCHIVE: Final = "python.zip"
_LONG_AGO: Final = (1980, 1, 1, 0, 0, 0)


def put(target: Path, pyodide: Path | None = None) -> None:
    """The whole playground."""
    shutil.copytree(PAGE, target, ignore=shutil.ignore_patterns("*.py", "__pycache__"), dirs_exist_ok=True)
    (target / ARCHIVE).write_bytes(archive())
    (target / "pyodide").mkdir(exist_ok=True)
    if pyodide is not None:
        copy_pyodide(pyodide, target / "pyodide")
    elif not all((target / "pyodide" / name).is_file() for name in NEEDED):
        with tempfile.TemporaryDirectory() as folder:
            copy_pyodide(fetched(Path(folder)), target / "pyodide")


def copy_pyodide(package: Path, target: Path) -> None:
    for name in NEEDED:
        shutil.copy(package / name, target / name)


def fetched(folder: Path) -> Path:
    """Pyodide from the npm registry, unpacked into a folder."""
    npm = shutil.which("npm")
    if npm is None:
        sys.exit("the playground needs npm, to fetch Pyodide; on Debian: apt-get install npm")
    subprocess.run([npm, "pack", "--silent", f"pyodide@{PYODIDE}"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    with tarfile.open(folder / f"pyodide-{PYODIDE}.tgz") as packed:
        packed.extractall(folder, filter="data")
    return folder / "package"


def archive() -> bytes:
    """Our rooms and sqlglot as one zip file; the same sources give the same bytes."""
    packed = io.BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as target:
        for name, path in sorted(modules()):
            target.writestr(ZipInfo(name, _LONG_AGO), path.read_bytes(), ZIP_DEFLATED)
    return packed.getvalue()


def modules() -> Iterator[tuple[str, Path]]:
    """Every module by its place in the archive."""
    for door in DOORS:
        yield door, ROOT / door
    for room in ROOMS:
        yield from _below(ROOT / room, ROOT)
    found = find_spec("sqlglot")
    assert found is not None
    assert found.origin is not None
    yield from _below(Path(found.origin).parent, Path(found.origin).parents[1])


def _below(folder: Path, root: Path) -> Iterator[tuple[str, Path]]:
    return ((path.relative_to(root).as_posix(), path) for path in folder.rglob("*.py"))


def main() -> None:
    parser = argparse.ArgumentParser(description="Put the playground into a folder of the site.")
    parser.add_argument("target", type=Path)
    parser.add_argument("--pyodide", type=Path, help="an unpacked npm package, instead of fetching it")
    given = parser.parse_args()
    put(given.target, given.pyodide)


if __name__ == "__main__":
    main()
