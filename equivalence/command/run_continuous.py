"""`snapeq run --continuous`: a query over folders into which files come, until somebody stops it."""

import signal
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from equivalence.command.on_spark import Answered, at_work
from equivalence.command.terminal import warn
from semantics import SnapeqError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from physical.engines.spark.continuous.running_query import RunningQuery
    from physical.engines.spark.exchange import Spread
    from physical.engines.spark.frame import Frame

PAUSE: Final = 0.5
"""Seconds between two looks for more."""

Continuous = Annotated[
    bool, typer.Option("--continuous", help="On Spark: run on and on, as files come into the folders of the streams.")
]
Slack = Annotated[int, typer.Option(min=0, metavar="N", help="Continuous: how many units an element may come late.")]
Changelog = Annotated[bool, typer.Option("--changelog", help="Continuous: write changes, and not intervals.")]
Checkpoint = Annotated[
    str | None, typer.Option(metavar="FOLDER", help="Continuous: what it needs to go on; without it inside --out.")
]
Once = Annotated[bool, typer.Option("--once", help="Continuous: treat what is there, and stop for now.")]
Finish = Annotated[
    bool, typer.Option("--finish", help="Continuous: treat what is there, and end the streams, at --horizon if given.")
]
BatchFiles = Annotated[
    int | None, typer.Option(min=1, metavar="N", help="Continuous: at most so many files of a stream in one batch.")
]


@dataclass(frozen=True)
class Ways:
    """How a query runs on and on."""

    slack: int = 0
    changelog: bool = False
    checkpoint: str | None = None
    once: bool = False
    finish: bool = False
    batch_files: int | None = None

    def check_unused(self, continuous: bool) -> None:
        """Nobody who forgot --continuous, or Spark, is to believe that these options mean anything."""
        given = ["--continuous"] if continuous else []
        given += [f"--{name.replace('_', '-')}" for name, value in vars(self).items() if value]
        if given:
            raise SnapeqError(f"{given[0]}: expected --engine spark --continuous")


def run_continuously(asked: Answered, out: str | None, ways: Ways) -> dict[str, Any]:
    """Run until it is stopped, or all that is there is treated; what there is to say at the end."""
    from physical.engines.spark.spark_session import check_installed

    check_installed()
    folder = _checked(asked, out, ways)
    with at_work(asked.place, "running on Spark", None) as (spark, over), _signals() as signals:
        running = _started(spark, asked, folder, ways, over)
        warn("snapeq: running; it can be stopped at any time, and the same command goes on")
        ended = _ended(running, _work(running, asked, ways), signals)
        late = running.late()
    warn("snapeq: late and left out: " + ", ".join(f"{name} {count}" for name, count in late.items()))
    return {"folder": out, "columns": asked.question.plan.schema.names, "late": late, "finished": ended and ways.finish}


def _checked(asked: Answered, out: str | None, ways: Ways) -> str:
    if out is None:
        raise SnapeqError("--continuous: results come on and on; expected --out FOLDER")
    if ways.once and ways.finish:
        raise SnapeqError("--once: not with --finish, which ends the streams for good")
    if asked.horizon is not None and not ways.finish:
        raise SnapeqError("--horizon: a continuous query has one only at its end; expected --finish, too")
    return out


def _started(spark: "SparkSession", asked: Answered, out: str, ways: Ways, over: "Spread") -> "RunningQuery":
    from equivalence.command.continuous_constraints import kept
    from physical.engines.spark.continuous.running_query import start

    return start(
        spark,
        asked.question.plan,
        kept(asked, _sources(spark, asked, ways), over),
        _absolute(out),
        state=None if ways.checkpoint is None else _absolute(ways.checkpoint),
        slack=ways.slack,
        parts=over.partitions,
        changelog=ways.changelog,
        pause=0 if ways.once or ways.finish else PAUSE,
    )


def _absolute(folder: str) -> str:
    """The same folder for all who work for Spark, wherever they were started."""
    return folder if "://" in folder else str(Path(folder).resolve())


def _sources(spark: "SparkSession", asked: Answered, ways: Ways) -> "Mapping[str, Frame]":
    """Folders of streams as they grow; tables and single files as they are."""
    from equivalence.command.query_files.stream_files import layout
    from physical.engines.spark.continuous.arrivals import arriving_at
    from physical.engines.spark.read import frame_at

    found = {}
    for name, address in asked.addresses.items():
        declared = asked.question.declaration(name)
        still = Path(address).is_file() or (declared is not None and declared.is_table)
        place = layout(name, asked.question)
        found[name] = frame_at(spark, address, place) if still else arriving_at(spark, address, place, ways.batch_files)
    return found


def _work(running: "RunningQuery", asked: Answered, ways: Ways) -> Callable[[], object]:
    if ways.finish:
        return running.finish if asked.horizon is None else partial(running.finish, asked.horizon)
    return running.drain if ways.once else running.wait


def _ended(running: "RunningQuery", work: Callable[[], object], signals: list[int]) -> bool:
    """Did the work come to its end before somebody asked to stop? An error that ended it is raised.

    It runs in another thread: a signal must not come between a question to Spark and its answer.
    """
    with ThreadPoolExecutor(1) as pool:
        task = pool.submit(work)
        while not task.done() and not signals:
            wait([task], PAUSE)
        running.stop()
    if not signals:
        task.result()
    return not signals


@contextmanager
def _signals() -> Iterator[list[int]]:
    """The signals that ask to stop while this lasts; nothing else comes of them."""
    asked: list[int] = []
    kinds = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(kind, lambda number, _: asked.append(number)) for kind in kinds]
    try:
        yield asked
    finally:
        for kind, handler in zip(kinds, before, strict=True):
            signal.signal(kind, handler)
