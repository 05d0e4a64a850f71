"""Inputs as files: raw streams as CSV, interval streams as Parquet, in a temporary folder."""

import os
import subprocess
import sys
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from weakref import finalize

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from benchmarks.harness.table import Answer, Inputs, Table

RAW_TIME = "ts"


class Files:
    """One file per stream."""

    def __init__(self, inputs: Inputs, ending: str) -> None:
        pa.set_cpu_count(1)
        self.names = list(inputs)
        self.ending = ending
        self.folder = Path(mkdtemp(prefix="snapeq-bench-"))
        finalize(self, rmtree, self.folder)
        for name, table in inputs.items():
            _write(table, self.path(name))

    def path(self, name: str) -> Path:
        return self.folder / f"{name}.{self.ending}"


def written(result: Path, call: list[str]) -> Path:
    """The result that a command of Python writes, which has its byte code as it has when it is installed."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([sys.executable, *call], check=True, env=environment, stdout=subprocess.DEVNULL)
    return result


def _write(table: Table, path: Path) -> None:
    if path.suffix == ".csv":
        pa.csv.write_csv(pa.table({**table.columns, RAW_TIME: table.start}), path)
    else:
        pa.parquet.write_table(pa.table(table.to_arrays()), path)


def read_csv(path: Path) -> Answer:
    """A result that was written as CSV."""
    table = pa.csv.read_csv(path)
    return Table.from_arrays({name: table.column(name).to_numpy() for name in table.column_names})
