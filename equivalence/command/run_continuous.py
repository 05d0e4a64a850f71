"""`snapeq run --continuous`: a query over folders into which files come, until somebody stops it.

It may be stopped at any time: the same command goes on where it was, and no result is lost or written twice.
"""

import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from equivalence.command.on_spark import SparkQueryRun, working_on_spark
from equivalence.command.terminal import instants, warn
from semantics import SnapeqError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from physical.engines.spark.continuous.running_query import RunningQuery
    from physical.engines.spark.exchange import Spread
    from physical.engines.spark.frame import Frame

PAUSE_SECONDS: Final = 0.5
"""Between two looks for new files, and between two looks for a signal."""

Continuous = Annotated[
    bool, typer.Option("--continuous", help="On Spark: run on and on, as files come into the folders of the streams.")
]
Slack = Annotated[
    int, typer.Option(min=0, metavar="N", callback=instants, help="How many units a row may come after a later one.")
]
Changelog = Annotated[bool, typer.Option("--changelog", help="Continuous: write changes, and not intervals.")]
Checkpoint = Annotated[
    str | None, typer.Option(metavar="FOLDER", help="Continuous: what it needs to go on; without it inside --out.")
]
Once = Annotated[bool, typer.Option("--once", help="Continuous: treat what is there, and stop for now.")]
Finish = Annotated[
    bool, typer.Option("--finish", help="Continuous: treat what is there, and end the streams, at --horizon if given.")
]
BatchFiles = Annotated[
    int | None, typer.Option(min=1, metavar="N", help="Continuous: at most N files of a stream in one batch.")
]

Ahead = Annotated[
    int | None,
    typer.Option(
        min=0,
        metavar="N",
        callback=instants,
        help="Continuous: how many units an element may be in the future (docs: a day).",
    ),
]
MissingFiles = Annotated[
    str, typer.Option(metavar="error|skip", help="Continuous: files that are gone or empty when their turn comes.")
]
Monitor = Annotated[bool, typer.Option("--monitor", help="Continuous: a line on stderr about every batch.")]
Compact = Annotated[
    bool, typer.Option("--compact", help="Continuous: first merge the results of earlier batches into few files.")
]
MISSING_FILES: Final = ("error", "skip")
OPTION_NAMES: Final = {"skip_missing": "--missing-files"}
"""Options whose field has another name."""


@dataclass(frozen=True)
class ContinuousOptions:
    """The options that mean something only for a query that runs until it is stopped."""

    slack: int = 0
    changelog: bool = False
    checkpoint: str | None = None
    once: bool = False
    finish: bool = False
    batch_files: int | None = None
    ahead: int | None = None
    skip_missing: bool = False
    monitor: bool = False
    compact: bool = False

    def check_unused(self, continuous: bool) -> None:
        """An error if one is given without --continuous or without Spark: it would silently do nothing."""
        given = ["--continuous"] if continuous else []
        given += [OPTION_NAMES.get(name, f"--{name.replace('_', '-')}") for name, value in vars(self).items() if value]
        if given:
            raise SnapeqError(f"{given[0]}: expected --engine spark --continuous")


def run_continuously(run: SparkQueryRun, out: str | None, options: ContinuousOptions) -> dict[str, Any]:
    """Run until somebody stops it, or until everything there is has been treated; returns the document to print."""
    from physical.engines.spark.spark_session import check_installed

    check_installed()
    folder = _checked_folder(run, out, options)
    with working_on_spark(run.target, "running on Spark", None) as (spark, spread), _stop_signals() as signals:
        running = _start(spark, run, folder, options, spread)
        warn("snapeq: running; it can be stopped at any time, and the same command goes on")
        watch = _Monitor(running).show if options.monitor else lambda: None
        ended = _ends_by_itself(running, _work(running, run, options), signals, watch)
        late = running.late()
        skipped = running.skipped() if options.skip_missing else {}
    if skipped:
        warn("snapeq: files that were gone or empty, and left out: " + _listed(skipped))
    warn("snapeq: late and left out: " + _listed(late))
    names = run.query.plan.schema.names
    document = {"folder": out, "columns": names, "late": late, "finished": ended and options.finish}
    return {**document, "skipped": skipped} if options.skip_missing else document


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items())


def is_skip(missing_files: str) -> bool:
    """Are files that are gone or empty left out, and no error?"""
    if missing_files not in MISSING_FILES:
        raise SnapeqError(f"--missing-files {missing_files}: expected {' or '.join(MISSING_FILES)}")
    return missing_files == "skip"


def _checked_folder(run: SparkQueryRun, out: str | None, options: ContinuousOptions) -> str:
    if out is None:
        raise SnapeqError("--continuous: results come on and on; expected --out FOLDER")
    if options.once and options.finish:
        raise SnapeqError("--once: not with --finish, which ends the streams for good")
    if run.horizon is not None and not options.finish:
        raise SnapeqError("--horizon: a continuous query has one only at its end; expected --finish, too")
    return out


def _start(
    spark: "SparkSession", run: SparkQueryRun, out: str, options: ContinuousOptions, spread: "Spread"
) -> "RunningQuery":
    from equivalence.command.continuous_constraints import with_constraints_checked
    from physical.engines.spark.continuous.running_query import start

    return start(
        spark,
        run.query.plan,
        with_constraints_checked(run, _sources(spark, run, options), spread),
        _absolute(out),
        state=None if options.checkpoint is None else _absolute(options.checkpoint),
        slack=options.slack,
        parts=spread.partitions,
        changelog=options.changelog,
        pause=0 if options.once or options.finish else PAUSE_SECONDS,
        ahead=options.ahead,
        skip_missing=options.skip_missing,
        compacts=options.compact,
    )


def _absolute(folder: str) -> str:
    """The same folder for all processes of Spark, whatever folder they were started in."""
    return folder if "://" in folder else str(Path(folder).resolve())


def _sources(spark: "SparkSession", run: SparkQueryRun, options: ContinuousOptions) -> "Mapping[str, Frame]":
    """Folders of streams as they grow; tables and single files as they are."""
    from equivalence.query_files.stream_files import layout
    from physical.engines.spark.continuous.arrivals import arriving_at
    from physical.engines.spark.read import frame_at

    frames = {}
    for name, address in run.addresses.items():
        declared = run.query.declaration(name)
        still = Path(address).is_file() or (declared is not None and declared.is_table)
        columns = layout(name, run.query)
        frames[name] = (
            frame_at(spark, address, columns) if still else arriving_at(spark, address, columns, options.batch_files)
        )
    return frames


def _work(running: "RunningQuery", run: SparkQueryRun, options: ContinuousOptions) -> Callable[[], object]:
    if options.finish:
        return running.finish if run.horizon is None else partial(running.finish, run.horizon)
    return running.drain if options.once else running.wait


@dataclass
class _Monitor:
    """Shows every batch once."""

    running: "RunningQuery"
    last: int = -1

    def show(self) -> None:
        for batch in self.running.progress():
            if batch.batch > self.last:
                warn(f"snapeq: {batch}")
                self.last = batch.batch


def _ends_by_itself(
    running: "RunningQuery", work: Callable[[], object], signals: list[int], watch: Callable[[], None]
) -> bool:
    """Do the work until it ends or a signal comes: did it end first? An error that ended it is raised."""
    # In a thread of its own: a signal handled between a request to Spark's Java process and its reply would leave the
    # connection between the two in an unknown state.
    from concurrent.futures import ThreadPoolExecutor, wait

    with ThreadPoolExecutor(1) as pool:
        task = pool.submit(work)
        while not task.done() and not signals:
            wait([task], PAUSE_SECONDS)
            watch()
        running.stop()
    watch()
    if not signals:
        task.result()
    return not signals


@contextmanager
def _stop_signals() -> Iterator[list[int]]:
    """The signals that ask to stop while this lasts; they are only collected, and interrupt nothing."""
    received: list[int] = []
    kinds = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(kind, lambda number, _: received.append(number)) for kind in kinds]
    try:
        yield received
    finally:
        for kind, handler in zip(kinds, before, strict=True):
            signal.signal(kind, handler)
