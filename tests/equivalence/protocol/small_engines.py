"""The engines of `examples/engines`, ready to be started, where there is what they need."""

import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest

from tests.paths import ROOT

FOLDER = ROOT / "examples" / "engines"


@dataclass(frozen=True)
class SmallEngine:
    """A file, what it needs to run, and the operator that is wrong with `--bug`."""

    name: str
    file: str
    needs: str
    bug_in: str
    kind: str
    runner: str = ""

    @property
    def page(self) -> str:
        return f"engine-in-{self.name}"

    def command(self) -> str:
        """The command that starts it from anywhere."""
        self.skip_if_missing()
        return str(built_c()) if self.name == "c" else f"{self.runner} {FOLDER / self.file}"

    def skip_if_missing(self) -> None:
        if shutil.which(self.needs) is None:
            pytest.skip(f"{self.needs} is not installed")


ENGINES = (
    SmallEngine("python", "small_engine.py", "python3", "Filter", "intervals", "python3"),
    SmallEngine("node", "small_engine.js", "node", "TimeWindow", "retract", "node"),
    SmallEngine("java", "SmallEngine.java", "java", "Grouping", "panes", "java"),
    SmallEngine("c", "small_engine.c", "gcc", "Grouping", "snapshots"),
)


@cache
def built_c() -> Path:
    """The engine in C, compiled once."""
    built = Path(mkdtemp(prefix="snapeq-small-engine-")) / "small_engine"
    subprocess.run(["gcc", "-O2", "-o", str(built), str(FOLDER / "small_engine.c")], check=True)
    return built
