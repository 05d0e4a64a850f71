"""Every example of the how-to pages: its files are written, its commands run, and they print what the page says."""

import re
import shlex
from pathlib import Path

import pytest

from tests.equivalence.command.command import snapeq
from tests.paths import ROOT

HOW_TO = ROOT / "docs" / "how-to"
PAGES = [*sorted(HOW_TO.glob("check-*.md")), HOW_TO / "bring-your-query.md"]
BLOCK = re.compile(r"^```(?P<kind>\w+)(?: file=(?P<file>\S+))?\n(?P<text>.*?)^```$", re.M | re.S)


def printed(command: str) -> str:
    """What a command prints: remarks first, then its answer."""
    program, *arguments = shlex.split(command)
    assert program == "snapeq"
    ran = snapeq(*arguments)
    return ran.err + ran.out


def replayed(text: str) -> str:
    """The text of a block of commands, with what they print now."""
    commands = [line[2:] for line in text.splitlines() if line.startswith("$ ")]
    return "".join(f"$ {command}\n{printed(command)}" for command in commands)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_examples_of_a_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    commands = 0
    for block in BLOCK.finditer(page.read_text(encoding="utf-8")):
        if block["file"] is not None:
            Path(block["file"]).parent.mkdir(parents=True, exist_ok=True)
            Path(block["file"]).write_text(block["text"], encoding="utf-8")
        elif block["kind"] == "console":
            commands += 1
            assert replayed(block["text"]) == block["text"]
    assert commands > 2
