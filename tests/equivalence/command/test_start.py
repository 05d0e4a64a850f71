"""Starting the command loads no more than it needs: who runs it in a loop waits for every import."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from physical.files.whole_file import whole_file
from tests.equivalence.command.command import snapeq

HEAVY = {
    *("duckdb", "hypothesis", "networkx", "numba", "numpy", "pandas", "pyarrow", "pyarrow.compute", "pyspark"),
    *("rich", "sqlglot", "z3"),
}
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
    """The heavy packages that are there when the command ends."""
    call = [sys.executable, "-c", PROGRAM, *arguments]
    ran = subprocess.run(call, capture_output=True, encoding="utf-8", check=False)
    assert ran.returncode == 0, ran.stderr
    return HEAVY & {*ran.stderr.rpartition("loaded:")[2].split()}


def test_help_needs_none_of_the_heavy_packages() -> None:
    assert loaded("--help") == set()


@pytest.fixture(name="file")
def _file(tmp_path: Path) -> Path:
    file = tmp_path / "S.csv"
    file.write_text("x,_start,_end\n1,0,2\n1,1,5\n,3,4\n", encoding="utf-8")
    return file


@pytest.mark.parametrize("query", ["SELECT x + 1 AS y FROM S WHERE x < 9", "SELECT x FROM S UNION ALL SELECT x FROM S"])
def test_what_needs_no_state_needs_no_compiled_kernels(query: str, file: Path) -> None:
    out = str(file.with_name("result.csv"))
    assert loaded("run", f"{STREAM} {query}", "--stream", f"S={file}", "--out", out) == {"numpy", "pyarrow", "sqlglot"}


@pytest.mark.parametrize("command", ["run", "diff"])
def test_files_need_no_generators_and_no_peers(command: str, file: Path) -> None:
    query = f"{STREAM} SELECT DISTINCT x FROM S"
    arguments = ["run", query, "--stream", f"S={file}"] if command == "run" else ["diff", str(file), str(file)]
    assert loaded(*arguments) <= {"numba", "numpy", "pyarrow", "pyarrow.compute", "sqlglot"}


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
