"""Starting the command loads no more than it needs: who runs it in a loop waits for every import."""

import os
import signal
import subprocess
import sys
from inspect import cleandoc
from pathlib import Path

import pytest

from equivalence.command.commands import COMMANDS, command_function
from physical.files.whole_file import whole_file
from tests.equivalence.command.command import snapeq

HEAVY = {
    *("duckdb", "hypothesis", "networkx", "numba", "numpy", "pandas", "pyarrow", "pyarrow.compute", "pyspark"),
    *("pydantic", "rich", "sqlglot", "z3"),
}
PARTS = {
    *("equivalence.optimizer.optimize", "equivalence.rules", "physical.adapters.environments", "physical.aggregation"),
    *("physical.engines.interval.row_operators", "physical.join_index", "semantics.builder.query", "semantics.plan"),
    *("semantics.sparse", "semantics.sql", "semantics.sql.to_text", "semantics.notation.parse"),
    *("equivalence.recordings", "equivalence.query_files.constraint_checks"),
}
"""Rooms of our own that take their time."""
STREAM = "CREATE STREAM S(x INT, _start INT, _end INT) VALID (_start, _end);"
PROGRAM = """
import sys
from equivalence.command.main import main
sys.argv = ["snapeq", *sys.argv[1:]]
try:
    main()
finally:
    print("loaded:", *sys.modules, file=sys.stderr)
"""


def loaded(*arguments: str) -> set[str]:
    """The heavy packages and parts of our own that are there when the command ends."""
    call = [sys.executable, "-c", PROGRAM, *arguments]
    ran = subprocess.run(call, capture_output=True, encoding="utf-8", check=False)
    assert ran.returncode == 0, ran.stderr
    return (HEAVY | PARTS) & {*ran.stderr.rpartition("loaded:")[2].split()}


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["run", "--help"], ["conform", "--help"]])
def test_help_needs_none_of_the_heavy_packages(arguments: list[str]) -> None:
    assert loaded(*arguments) == set()


def test_the_list_of_commands_says_what_each_says_of_itself() -> None:
    """The list is written down, so that help loads none of them."""
    first = {name: cleandoc(command_function(name).__doc__ or "").split("\n\n")[0] for name in COMMANDS}
    assert {name: " ".join(text.split()) for name, text in first.items()} == COMMANDS


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_found_by_its_name(name: str) -> None:
    about = snapeq(name, "--help").out
    assert f"snapeq {name} " in about
    assert "".join(COMMANDS[name].split()) in "".join(about.split())


@pytest.fixture(name="file")
def _file(tmp_path: Path) -> Path:
    file = tmp_path / "S.csv"
    file.write_text("x,_start,_end\n1,0,2\n1,1,5\n,3,4\n", encoding="utf-8")
    return file


def run_into_a_file(query: str, file: Path) -> set[str]:
    """What is loaded to run a query."""
    return loaded("run", f"{STREAM} {query}", "--stream", f"S={file}", "--out", str(file.with_name("result.csv")))


@pytest.mark.parametrize("query", ["SELECT x + 1 AS y FROM S WHERE x < 9", "SELECT x FROM S UNION ALL SELECT x FROM S"])
def test_what_needs_no_state_needs_no_compiled_kernels(query: str, file: Path) -> None:
    there = run_into_a_file(query, file)
    assert there & HEAVY == {"numpy", "pyarrow", "sqlglot"}
    assert "physical.aggregation" not in there


def test_a_selection_needs_no_optimizer_and_no_other_operators(file: Path) -> None:
    there = run_into_a_file("SELECT x FROM S WHERE x < 9", file)
    assert there == {"numpy", "pyarrow", "sqlglot", "semantics.plan", "semantics.sql"}


def test_a_choice_of_plans_needs_the_optimizer(file: Path) -> None:
    assert "equivalence.optimizer.optimize" in run_into_a_file("SELECT DISTINCT x FROM S WHERE x < 9", file)


@pytest.mark.parametrize("command", ["run", "diff"])
def test_files_need_no_generators_and_no_peers(command: str, file: Path) -> None:
    query = f"{STREAM} SELECT DISTINCT x FROM S"
    arguments = ["run", query, "--stream", f"S={file}"] if command == "run" else ["diff", str(file), str(file)]
    assert loaded(*arguments) & HEAVY <= {"numba", "numpy", "pyarrow", "pyarrow.compute", "sqlglot"}


def test_sigterm_ends_the_command_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is half written is taken away, and the next SIGTERM does what it did before."""

    def killed() -> None:
        with whole_file(tmp_path / "out.csv"):
            os.kill(os.getpid(), signal.SIGTERM)

    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr("equivalence.command.main.app", killed)
    assert snapeq("run").code == 128 + signal.SIGTERM
    assert list(tmp_path.iterdir()) == []
    assert signal.getsignal(signal.SIGTERM) == before
