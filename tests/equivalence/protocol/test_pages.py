"""What the pages about the protocol show is run: conversations with an engine, and commands with what they print."""

import json
import re
import shutil
import subprocess
import sys

import pytest

from tests.equivalence.protocol.pages import consoles, fits, printed_by, write_files
from tests.equivalence.protocol.small_engines import ENGINES, FOLDER, SmallEngine, built_c
from tests.paths import ROOT

DOCS = ROOT / "docs"
CONVERSATION = re.compile(r"^```conversation\n(.*?)^```$", re.M | re.S)


def test_the_conversations_of_the_protocol_are_those_of_the_small_engine() -> None:
    blocks = CONVERSATION.findall((DOCS / "protocol.md").read_text(encoding="utf-8"))
    lines = [line for block in blocks for line in block.splitlines()]
    asked = "".join(line[2:] + "\n" for line in lines if line.startswith("> "))
    ran = subprocess.run(
        [sys.executable, str(FOLDER / "small_engine.py")], input=asked, capture_output=True, text=True, check=True
    )
    expected = [json.loads(line[2:]) for line in lines if line.startswith("< ")]
    assert len(expected) == 7
    assert [json.loads(line) for line in ran.stdout.splitlines()] == expected


@pytest.mark.usefixtures("_in_the_folder")
@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_the_page_of_an_example(engine: SmallEngine) -> None:
    engine.skip_if_missing()
    check_page((DOCS / "how-to" / f"{engine.page}.md").read_text(encoding="utf-8"), commands=3)


@pytest.mark.usefixtures("_in_the_folder")
def test_the_page_on_how_to_verify_an_engine() -> None:
    check_page((DOCS / "how-to" / "verify-an-engine.md").read_text(encoding="utf-8"), commands=4)


def check_page(page: str, commands: int) -> None:
    """Its files are written, its commands run, and they print what it shows."""
    write_files(page)
    shown = list(consoles(page))
    assert len(shown) == commands
    for command, expected in shown:
        printed = printed_by(command)
        assert fits(expected, printed), f"$ {command}\n{printed}"


@pytest.fixture
def _in_the_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with the engines, that of C compiled."""
    folder = tmp_path_factory.mktemp("engines")
    shutil.copytree(FOLDER, folder, dirs_exist_ok=True)
    if shutil.which("gcc") is not None:
        shutil.copy(built_c(), folder / "small_engine")
    monkeypatch.chdir(folder)
