"""Starting the command loads no more than it needs: who runs it in a loop waits for every import."""

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("hypothesis", "numba", "numpy", "pyarrow", "networkx", "sqlglot", "z3", "pyspark", "duckdb", "pandas")
PROGRAM = """
import sys
from equivalence.cli import main
sys.argv = ["snapeq", *sys.argv[1:]]
try:
    main()
finally:
    print("loaded:", *(name for name in sys.modules if "." not in name), file=sys.stderr)
"""


def loaded(*arguments: str) -> set[str]:
    """The heavy packages that are there when the command ends."""
    call = [sys.executable, "-c", PROGRAM, *arguments]
    ran = subprocess.run(call, capture_output=True, encoding="utf-8", check=False)
    assert ran.returncode == 0, ran.stderr
    return {*HEAVY} & {*ran.stderr.rpartition("loaded:")[2].split()}


def test_help_needs_none_of_the_heavy_packages() -> None:
    assert loaded("--help") == set()


@pytest.mark.parametrize("command", ["run", "diff"])
def test_files_need_no_generators_and_no_peers(command: str, tmp_path: Path) -> None:
    file = tmp_path / "S.csv"
    file.write_text("x,_start,_end\n1,0,2\n", encoding="utf-8")
    query = "CREATE STREAM S(x INT, _start INT, _end INT) VALID (_start, _end); SELECT x FROM S"
    arguments = ["run", query, "--stream", f"S={file}"] if command == "run" else ["diff", str(file), str(file)]
    by_pyarrow = {"pandas"}  # it loads pandas wherever it finds it
    assert loaded(*arguments) - by_pyarrow <= {"numba", "numpy", "pyarrow", "sqlglot"}
