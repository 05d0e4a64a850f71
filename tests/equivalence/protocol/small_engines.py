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
    """A file, and the program that it needs to run."""

    name: str
    file: str
    needs: str

    @property
    def page(self) -> str:
        return f"engine-in-{self.name}"

    def skip_if_missing(self) -> None:
        if shutil.which(self.needs) is None:
            pytest.skip(f"{self.needs} is not installed")


ENGINES = (
    SmallEngine("python", "small_engine.py", "python3"),
    SmallEngine("node", "small_engine.js", "node"),
    SmallEngine("java", "SmallEngine.java", "java"),
    SmallEngine("c", "small_engine.c", "gcc"),
)


@cache
def built_c() -> Path:
    """The engine in C, compiled once."""
    built = Path(mkdtemp(prefix="snapeq-small-engine-")) / "small_engine"
    subprocess.run(["gcc", "-O2", "-o", str(built), str(FOLDER / "small_engine.c")], check=True)
    return built
