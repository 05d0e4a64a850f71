"""DuckDB: one SQL query over in-memory tables, with as many threads as we have.

A stream is a table of its columns with `_start` and `_end`; the result has these too, and `_count` where one row
stands for several elements. Loading is not timed. The result is materialised as an Arrow table, the fastest way
out, in whatever order it comes. Queries may rely on ranges that the data promise: keys below 2²⁰, times and running
sums below 2⁴⁰, no NULL. A query that relies on more, such as one validity for all elements, says so.
"""

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pyarrow as pa

from benchmarks.harness.table import Answer, Inputs, Table
from benchmarks.harness.threads import threads
from benchmarks.harness.work import Contestant
from semantics.missing_package import missing_package


@dataclass(frozen=True)
class DuckDB:
    """A query in SQL; a canonical form names its columns start, end, count; a verdict is one boolean."""

    query: str
    name: str = "DuckDB"
    special: str = ""
    largest: int | None = None
    once: bool = False

    def obstacle(self) -> str | None:
        command = "pip install 'snapeq[engines]'"
        return None if find_spec("duckdb") else missing_package("the peer DuckDB", "duckdb", command=command)

    def show(self) -> str:
        return self.query.strip()

    def prepare(self, inputs: Inputs) -> Contestant:
        connection = import_module("duckdb").connect(config={"threads": threads(), "preserve_insertion_order": False})
        for name, table in inputs.items():
            connection.register("given", pa.table(dict(table.to_arrays())))
            connection.execute(f"CREATE TABLE {name} AS SELECT * FROM given")
            connection.unregister("given")
        return Contestant(lambda: connection.sql(self.query).to_arrow_table(), read)


def read(result: Any) -> Answer:
    """An Arrow table as an answer."""
    return read_arrays({name: result.column(name).to_numpy() for name in result.column_names})


def read_arrays(arrays: dict[str, Any]) -> Answer:
    """Columns by name as an answer: a verdict, an interval stream, or plain facts."""
    if list(arrays) == ["equivalent"]:
        return bool(arrays["equivalent"][0])
    return Table.from_arrays(arrays) if "_start" in arrays else Table.facts(arrays)
