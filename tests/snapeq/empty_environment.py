"""`python -m tests.snapeq.empty_environment FILE …`: install each wheel or source archive where nothing is, and use it.

Unlike the tests beside it, this takes everything that snapeq depends on from the package index.
"""

import subprocess
import sys
import venv
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.paths import ROOT

PLAN: Final = "S(x int) | window(range 2) | distinct"
QUERY: Final = "CREATE STREAM S(x INT, t INT) ORDERED BY t; SELECT DISTINCT x FROM S WINDOW(RANGE 2)"
COMMANDS: Final = (
    (["snapeq", "--version"], "snapeq "),
    (["snapeq", "equiv", PLAN, PLAN], "AGREED"),
    (["snapeq", "run", QUERY, "--stream", "S=s.csv"], "x,_start,_end,_count\n1,0,3,1\n2,4,6,1\n"),
    (["snapeq", "verify", "--only", "operators", "--quick"], "everything holds"),
)
"""What is tried, and what must be printed."""


def try_out(artefact: Path, folder: Path) -> None:
    """Install a wheel or a source archive in a new environment, and run the commands far from the checkout."""
    venv.create(folder / "environment", with_pip=True)
    programs = folder / "environment" / "bin"
    pip = [str(programs / "pip"), "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "-c", str(ROOT / "constraints.txt"), str(artefact.resolve())], check=True)
    (folder / "s.csv").write_text("x,t\n1,0\n1,1\n2,4\n", encoding="utf-8")
    for command, expected in COMMANDS:
        call = [str(programs / command[0]), *command[1:]]
        ran = subprocess.run(call, cwd=folder, capture_output=True, text=True, check=False)
        if ran.returncode or expected not in ran.stdout:
            sys.exit(f"{artefact.name}: {' '.join(command)} printed\n{ran.stdout}{ran.stderr}")
        print(f"{artefact.name}: {command[0]} {command[1]} works")


def main() -> None:
    artefacts = [Path(name) for name in sys.argv[1:]]
    if not artefacts:
        sys.exit("expected the files to try")
    for artefact in artefacts:
        with TemporaryDirectory() as folder:
            try_out(artefact, Path(folder))


if __name__ == "__main__":
    main()
