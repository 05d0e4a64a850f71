"""Files end to end, against DuckDB on the same files: `snapeq run` of a selection and of a join, `snapeq diff`.

DuckDB gets less to do: its selection and its join are neither put into canonical form nor sorted, and its comparison
relies on what the data promise, as in the work `equivalence`. The start of a process counts in the works `command`,
there for both, and both take as many threads as they do by themselves.
"""

from benchmarks.harness.data import cut_in_two, uniform
from benchmarks.harness.table import Inputs
from benchmarks.harness.work import DiffFiles, RunFiles, Work
from benchmarks.peers.duck_files import DuckFiles
from benchmarks.works import equijoin, equivalence

NO_RATIO = 0
"""No ratio is the goal of a command, but rows per second: a million, and for a join half of that."""
READ = "read_csv('{{{name}}}', header = true, columns = {columns})"
SELECTION = """
CREATE STREAM A(k BIGINT, x BIGINT, ts BIGINT) ORDERED BY ts;
SELECT k, x FROM A WHERE x < 100000
"""
JOIN = """
CREATE STREAM A(k BIGINT, x BIGINT, ts BIGINT) ORDERED BY ts;
CREATE STREAM B(l BIGINT, y BIGINT, ts BIGINT) ORDERED BY ts;
SELECT k, x, l, y FROM A WINDOW(RANGE {length}), B WINDOW(RANGE {length}) WHERE k = l
"""


def _read(name: str, *columns: str) -> str:
    listed = ", ".join(f"'{column}': 'BIGINT'" for column in (*columns, "ts"))
    return READ.format(name=name, columns=f"{{{{{listed}}}}}")


def selection(keys: int = 10**4, values: int = 10**6, *, as_command: bool = False) -> Work:
    """One row in ten."""

    def inputs(size: int) -> Inputs:
        return {"A": uniform(size, 1, length=1, k=keys, x=values)}

    rows = f"SELECT k, x, ts AS _start, ts + 1 AS _end FROM {_read('A', 'k', 'x')} WHERE x < 100000"
    peer = DuckFiles(f"COPY ({rows}) TO '{{result}}' (HEADER)", "csv", as_command)
    name, goal = ("command/selection", NO_RATIO) if as_command else ("run/selection", 1)
    return Work(name, RunFiles(SELECTION, as_command), inputs, (peer,), goal, sizes=(10**6,))


def join(keys: int = 10**4, length: int = 1000, values: int = 10**6, *, as_command: bool = False) -> Work:
    """Two streams of the same size with the same keys, both with a window."""

    def inputs(size: int) -> Inputs:
        return {
            "A": uniform(size, 1, length=1, k=keys, x=values),
            "B": uniform(size, 2, length=1, l=keys, y=values),
        }

    given = f"A AS (SELECT k, x, ts AS _start FROM {_read('A', 'k', 'x')})"
    given += f", B AS (SELECT l, y, ts AS _start FROM {_read('B', 'l', 'y')})"
    body = equijoin.packed(keys, length).replace("WITH probe AS", f"WITH {given}, probe AS")
    peer = DuckFiles(f"COPY ({body}) TO '{{result}}' (HEADER)", "csv", as_command)
    name, goal = ("command/join", NO_RATIO) if as_command else ("run/join", 0.5)
    return Work(name, RunFiles(JOIN.format(length=length), as_command), inputs, (peer,), goal, sizes=(10**6,))


def diff(name: str, *, cut: bool, rows: int = 1000, length: int = 1000) -> Work:
    """A stream and itself, in the same pieces or with half of them cut in two."""

    def inputs(size: int) -> Inputs:
        whole = uniform(size, 1, length=length, k=rows)
        return {"A": whole, "B": cut_in_two(whole, 2) if cut else whole}

    files = equivalence.SQL.replace("FROM A", "FROM read_parquet('{A}')").replace("FROM B", "FROM read_parquet('{B}')")
    return Work(f"diff/{name}", DiffFiles(), inputs, (DuckFiles(files, "parquet"),), goal=1, sizes=(10**6, 10**7))


def works() -> list[Work]:
    """All of them."""
    commands = [selection(as_command=True), join(as_command=True)]
    return [selection(), join(), *commands, diff("alike", cut=False), diff("pieces", cut=True)]
