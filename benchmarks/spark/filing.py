"""`snapeq run` from Parquet to Parquet: on Spark, on Sail, and by the interval engine on one thread, by turns."""

import os
from collections.abc import Sequence
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.spark.meter import Seconds, best
from benchmarks.spark.works import PLANS, Job
from equivalence.command.main import app
from physical.adapters.environments import ENVIRONMENTS
from physical.engines.spark.frame import Frame
from physical.files.layout import result_layout
from semantics.notation.show import show as written
from semantics.plan import Source

LINE_FORMAT = "{:<11}{:>11}{:>17}{:>17}{:>17}{:>17}{:>17}"
HEADINGS = ("work", "rows", "interval", "spark", "spark/interval", "sail", "sail/interval")


def show(jobs: Sequence[Job], repeat: int) -> None:
    """A line for each job: seconds on the wall/of the processor; the ratio is to the other's time by the cores.

    Spark runs already and has done the same before, as the others have their code loaded; the command starts none of
    them. The best of all turns counts. Sail is left out where it is not installed.
    """
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    print(LINE_FORMAT.format(*HEADINGS))
    for job in jobs:
        with TemporaryDirectory(prefix="snapeq-bench-") as folder:
            here, *others = best(commands(job, Path(folder)), repeat)
        cells = [cell for other in others for cell in (f"{other.wall:.1f}/{other.cpu:.1f}", _ratios(other, here))]
        line = [job.name, job.size, f"{here.wall:.1f}/{here.cpu:.1f}", *cells, *[""] * (4 - len(cells))]
        print(LINE_FORMAT.format(*line), flush=True)


def _ratios(other: Seconds, here: Seconds) -> str:
    return f"{other.wall * (os.cpu_count() or 1) / here.wall:.2f}/{other.cpu / here.cpu:.2f}"


class Command:
    """One call of the command, with its result in a place of its own."""

    def __init__(self, query: str, streams: dict[str, Path], out: Path, engine: str) -> None:
        given = [word for name, path in streams.items() for word in ("--stream", f"{name}={path}")]
        self.out, self.words = out, ["run", query, *given, "--engine", engine, "--out", str(out)]

    def __call__(self) -> None:
        rmtree(self.out) if self.out.is_dir() else self.out.unlink(missing_ok=True)
        app(self.words, standalone_mode=False)


def commands(job: Job, folder: Path) -> list[Command]:
    """The same query over the same files: here, on Spark, and on Sail if it is installed."""
    plan = PLANS[job.name] or Source("A", job.frames()["A"].schema)
    files = {name: folder / f"{name}.parquet" for name in ("AB" if len(job.inputs()) > 1 else "A")}
    for name, path in files.items():
        _write(job.frames()[name], path)
    outs = {"interval": folder / "here.parquet", "spark": folder / "spark", "sail": folder / "sail"}
    engines = [name for name in outs if name not in ENVIRONMENTS or ENVIRONMENTS[name].is_installed]
    return [Command(written(plan), files, outs[engine], engine) for engine in engines]


def _write(frame: Frame, path: Path) -> None:
    """A stream as a file, in the order of its starts, as the interval engine wants it."""
    stream = frame.collected()
    columns = [column.values for column in stream.columns]
    layout = result_layout(stream.schema)
    pq.write_table(pa.table([*columns, stream.start, stream.end], names=list(layout.names)), path)
