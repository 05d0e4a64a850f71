"""Terminals of 80 columns, pipes, and long work."""

import os
import re
import subprocess
import sys
from threading import Event

import pytest
from typer.testing import CliRunner

from equivalence.command.commands import COMMANDS
from equivalence.command.main import app
from equivalence.command.signs_of_life import ticking
from equivalence.command.terminal import columns
from tests.paths import ROOT

ALL_HELP = """
import sys
from typer.testing import CliRunner
from equivalence.command.main import app
for name in sys.argv[1:]:
    print(CliRunner().invoke(app, [name, "--help"]).output)
"""


def names() -> list[str]:
    return [command.name or "" for command in app.registered_commands]


def test_help_fits_into_80_columns_and_has_no_colours_in_a_pipe() -> None:
    environment = {**os.environ, "COLUMNS": "80"}
    command = [sys.executable, "-c", ALL_HELP, *names()]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment, check=True)
    assert ran.stdout.count("Usage: ") == len(names()) > 10
    assert [line for line in ran.stdout.splitlines() if len(line) > 80] == []
    assert "\x1b" not in ran.stdout
    assert not re.search(r"<(int|float|str)( range)?>", ran.stdout)  # what an option takes has a name for people


def test_the_list_of_commands_is_cut_nowhere() -> None:
    shown = CliRunner().invoke(app, ["--help"], env={"COLUMNS": "80"}).output
    listed = " ".join(shown.partition("Commands:")[2].split())
    assert listed == " ".join(f"{name} {about}" for name, about in COMMANDS.items())
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize("width", [40, 80])
def test_a_table_on_a_terminal_loses_no_word(width: int) -> None:
    rows = [
        ("name", "what it is"),
        ("filter", "a selection keeps the rows for which its condition holds, and no others"),
    ]
    lines = list(columns(rows, width))
    assert max(map(len, lines)) <= width
    assert " ".join(" ".join(lines).split()) == " ".join(word for row in rows for word in " ".join(row).split())
    assert list(columns(rows)) == ["name    what it is", "filter  " + rows[1][1]]


def test_long_work_speaks_in_a_pipe_and_short_work_does_not() -> None:
    said: list[str] = []
    heard = Event()

    def say(line: str) -> None:
        said.append(line)
        heard.set()

    with ticking("checking", say, silence=0.001):
        assert heard.wait(60)
    assert said[0].startswith("snapeq: checking: 0 s so far")
    heard.clear()
    with ticking("checking", say, silence=60):
        pass
    assert not heard.is_set()
