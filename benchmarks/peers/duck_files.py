"""DuckDB over files: one SQL query that reads them; one thread, or as a command as many as it takes by itself."""

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec

from benchmarks.harness.table import Inputs
from benchmarks.harness.threads import threads
from benchmarks.harness.work import Contestant
from benchmarks.peers.duck import read
from benchmarks.studies.files import Files, read_csv, written
from semantics.missing_package import missing_package


@dataclass(frozen=True)
class DuckFiles:
    """A query in which {A}, {B} and {result} are the names of files; with a result it is one that writes it."""

    query: str
    ending: str
    as_command: bool = False
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
        files = Files(inputs, self.ending)
        result = files.path("result")
        query = self.query.format(result=result, **{name: files.path(name) for name in files.names})
        if self.as_command:
            call = ["-c", "import sys, duckdb; duckdb.execute(sys.argv[1])", query]
            return Contestant(lambda: (written(result, call), files)[0], read_csv)
        connection = import_module("duckdb").connect(config={"threads": threads(), "preserve_insertion_order": False})
        if "{result}" not in self.query:
            return Contestant(lambda: (connection.sql(query).to_arrow_table(), files)[0], read)
        return Contestant(lambda: (connection.execute(query), files, result)[-1], read_csv)
