"""snapeq as users have it: the wheel, installed in an environment of its own, and called from another folder."""

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.paths import ROOT

BUILD = "import sys; from hatchling.build import build_wheel; build_wheel(sys.argv[1])"


@dataclass(frozen=True)
class Installed:
    """An environment that has the wheel; what snapeq depends on it finds in the environment of the tests."""

    environment: Path
    wheel: Path

    @property
    def python(self) -> str:
        return str(self.environment / "bin" / "python")

    @property
    def packages(self) -> Path:
        """Where the wheel was unpacked."""
        (found,) = self.environment.glob("lib/*/site-packages")
        return found

    def run(self, *command: str, cwd: Path, variables: Mapping[str, str] = {}) -> "subprocess.CompletedProcess[str]":
        """What `snapeq …`, `python …` or `pytest …` of this environment gives in a folder."""
        path = os.pathsep.join([str(self.environment / "bin"), os.environ["PATH"]])
        outside = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        return subprocess.run(
            [str(self.environment / "bin" / command[0]), *command[1:]],
            cwd=cwd,
            env={**outside, "PATH": path, **variables},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )


def install_wheel(folder: Path) -> Installed:
    """Build the wheel and install it, without any network."""
    environment = folder / "environment"
    _call(sys.executable, "-m", "venv", "--without-pip", str(environment))
    _call(sys.executable, "-c", BUILD, str(folder))
    (wheel,) = folder.glob("*.whl")
    installed = Installed(environment, wheel)
    outside = [path for path in sys.path if Path(path).name == "site-packages"]
    (installed.packages / "dependencies.pth").write_text("\n".join(outside), encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--python", installed.python]
    _call(*pip, "install", "--no-deps", "--no-index", "--no-compile", str(wheel))
    return installed


def _call(*command: str) -> None:
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
