"""The pages on which people begin: their files are written, their commands run, and they print what the page says."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.equivalence.command.command import snapeq
from tests.equivalence.protocol.pages import BLOCK, fits
from tests.paths import ROOT

DOCS = ROOT / "docs"
PAGES = {
    "start.md": 6,
    "install.md": 2,
    "how-to/find-out-an-engines-dialect.md": 5,
    "how-to/prove-two-queries-equal.md": 3,
    "how-to/read-a-counterexample.md": 3,
    "how-to/use-it-in-ci.md": 2,
}
"""Each page, and how many commands it shows."""


def printed_by(command: str) -> str:
    """What a line of a shell prints; `snapeq` runs in this process, which saves its start."""
    if command.startswith("snapeq "):
        ran = snapeq(*shlex.split(command)[1:])
        return ran.err + ran.out
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)}
    shell = subprocess.run(command, shell=True, env=environment, capture_output=True, text=True, check=True)
    return shell.stdout


def commands(block: str) -> list[tuple[str, str]]:
    """The commands of a block, each with what is shown below it."""
    parts = [part.partition("\n") for part in ("\n" + block).split("\n$ ")[1:]]
    return [(command, shown if shown.endswith("\n") or not shown else shown + "\n") for command, _, shown in parts]


@pytest.mark.parametrize("page", PAGES)
def test_a_page_shows_what_happens(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    seen = 0
    for block in BLOCK.finditer((DOCS / page).read_text(encoding="utf-8")):
        if block["file"] is not None:
            Path(block["file"]).parent.mkdir(parents=True, exist_ok=True)
            Path(block["file"]).write_text(block["text"], encoding="utf-8")
        elif block["kind"] == "console":
            for command, shown in commands(block["text"]):
                seen += 1
                printed = printed_by(command)
                assert fits(shown, printed), f"$ {command}\n{printed}"
    assert seen == PAGES[page]
