"""`python -m benchmarks.studies.figure_nine [--most ROWS]`: Figure 9 of DataCell, from CSV files to all results.

Query 2 over 100 slides of windows of 64 basic windows. Both DataCell engines get a basic window at a time. The
specialised engine of the paper is not to be had; in its place stands the interval engine with one tuple at a time,
which is how such engines work. Loading is the time to read and parse the files.
"""

from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Final

import numpy as np
import pyarrow as pa
from pyarrow import csv
from rich.table import Table

from benchmarks.harness.report import seconds, wide
from physical.columns.column import ColumnVector
from physical.columns.stream import PhysicalStream, joined
from physical.engines.incremental.engine import IncrementalEngine, ReevaluationEngine
from physical.engines.interval.engine import IntervalEngine
from physical.runtime.graph_session import GraphSession
from semantics import Schema, Type, parse_plan

BASIC_WINDOWS: Final = 64
SLIDES: Final = 100
VALUES: Final = 1000
SCHEMAS: Final = {"A": Schema.of(a1=int, a2=int), "B": Schema.of(b1=int, b2=int)}
PLAN: Final = (
    f"join(A(a1 int, a2 int) | window(range {BASIC_WINDOWS}), "
    f"B(b1 int, b2 int) | window(range {BASIC_WINDOWS}); a2 = b2) | aggregate(max(a1) as most, avg(b1) as mean)"
)
Open = Callable[[dict[str, Schema]], GraphSession]
ENGINES: Final[dict[str, tuple[Open, bool]]] = {
    "incremental": (IncrementalEngine().session, False),
    "re-evaluation": (ReevaluationEngine().session, False),
    "tuple at a time": (IntervalEngine().session, True),
}
"""How to open a session, and whether it gets one tuple at a time."""


@dataclass(frozen=True)
class Total:
    """Seconds for everything, and how many of them went into reading and parsing files."""

    whole: float
    loading: float
    result: PhysicalStream


def write(folder: Path, step: int) -> None:
    """One file for each stream: the number of the basic window, and two columns."""
    rows = (BASIC_WINDOWS + SLIDES) * step
    for seed, name in enumerate(SCHEMAS):
        random = np.random.default_rng(seed)
        columns = [np.arange(rows) // step, random.integers(0, VALUES, rows), random.integers(0, VALUES, rows)]
        csv.write_csv(pa.table(columns, names=["t", *SCHEMAS[name].names]), folder / f"{name}.csv")


def loaded(path: Path, schema: Schema, step: int) -> Iterator[PhysicalStream]:
    """The basic windows of a file, parsed one after the other."""
    with path.open("rb") as file:
        header = file.readline()
        while lines := b"".join(line for _, line in zip(range(step), file, strict=False)):
            table = csv.read_csv(pa.BufferReader(header + lines))
            start = table["t"].to_numpy()
            columns = tuple(ColumnVector(Type.INT, table[name].to_numpy()) for name in schema.names)
            yield PhysicalStream(schema, columns, start, start + 1)


def total(name: str, folder: Path, step: int) -> Total:
    """Consume both files with one engine."""
    open_session, singly = ENGINES[name]
    begin, loading, plan = process_time(), 0.0, parse_plan(PLAN)
    session, results = open_session(SCHEMAS), [PhysicalStream.empty(plan.schema)]
    session.add("Q2", plan)
    session.subscribe("Q2", results.append)
    files = {source: loaded(folder / f"{source}.csv", schema, step) for source, schema in SCHEMAS.items()}
    for _ in range(BASIC_WINDOWS + SLIDES):
        reading = process_time()
        parts = {source: next(file) for source, file in files.items()}
        loading += process_time() - reading
        for source, part in parts.items():
            for batch in (part.take(np.s_[i : i + 1]) for i in range(len(part))) if singly else [part]:
                session.push(source, batch)
    session.close()
    return Total(process_time() - begin, loading, joined(results))


def measured(most: int) -> dict[int, dict[str, Total]]:
    """All engines on windows of 64 rows, once before and once after kernels are compiled, and up to this many."""
    found = {}
    for rows in [64, *(64 * 4**i for i in range(6) if 64 * 4**i <= most)]:
        with TemporaryDirectory() as folder:
            write(Path(folder), rows // BASIC_WINDOWS)
            found[rows] = {name: total(name, Path(folder), rows // BASIC_WINDOWS) for name in ENGINES}
    return found


def main() -> None:
    parser = ArgumentParser(prog="python -m benchmarks.studies.figure_nine")
    parser.add_argument("--most", type=int, default=4096, help="rows of the largest window (the paper: 100,000)")
    table = Table("rows of a window", *ENGINES, "loading (incremental)", title="Figure 9: 100 slides, from CSV files")
    for rows, totals in measured(parser.parse_args().most).items():
        whole = [seconds(found.whole) for found in totals.values()]
        table.add_row(f"{rows:,}", *whole, seconds(totals["incremental"].loading))
    wide().print(table)


if __name__ == "__main__":
    main()
