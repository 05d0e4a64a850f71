"""The page about the papers names tests, modules and commands: they are there."""

import re

import pytest

from equivalence.command.main import app
from tests.paths import ROOT

PAGE = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
QUOTED = sorted(set(re.findall(r"`([^`]+)`", PAGE)))
PATHS = [text for text in QUOTED if "/" in text and re.fullmatch(r"[\w./*-]+", text)]
TESTS = [text for text in QUOTED if re.fullmatch(r"test_\w+\.py", text)]
COMMANDS = [text.split()[1] for text in QUOTED if text.startswith("snapeq ")]
TABLES = re.findall(r"^\| in the (?:paper|chapter) \| here \| seen \|\n\|---\|---\|---\|\n((?:\|.*\n)+)", PAGE, re.M)
ROWS = [line for table in TABLES for line in table.splitlines()]


@pytest.mark.parametrize("path", PATHS)
def test_what_a_row_names_is_there(path: str) -> None:
    assert list(ROOT.glob(path))


@pytest.mark.parametrize("name", TESTS)
def test_a_test_without_its_folder_is_somewhere(name: str) -> None:
    assert list((ROOT / "tests").rglob(name))


def test_commands_are_there() -> None:
    assert set(COMMANDS) - {command.name for command in app.registered_commands} == set()


def test_every_row_has_three_columns_and_a_word_on_how_it_stands() -> None:
    stands = ("works", "differs", "not there", "16 of 20")
    assert [line for line in ROWS if line.count("|") != 4] == []
    assert [line for line in ROWS if not line.split("|")[2].strip().startswith(stands)] == []
    assert len(ROWS) > 100
