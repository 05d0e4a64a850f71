"""The commands over files, on Spark: nothing but what is printed comes to this machine."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from equivalence.command.terminal import progress_bar, warn
from semantics import SnapeqError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from equivalence.command.query_files.comparison import Difference
    from equivalence.command.query_files.constraint_queries import Promise
    from equivalence.command.query_files.query import Question
    from physical.engines.spark.canonical_jobs import Result
    from physical.engines.spark.compile import Compiler
    from physical.engines.spark.engine import SparkEngine
    from physical.engines.spark.exchange import Spread
    from physical.engines.spark.frame import Frame
    from physical.files.writer import Results
    from semantics import Schema

SPARK: Final = "spark"
INTERVAL: Final = "interval"
LARGEST: Final = 64 * 2**20
SMALLEST: Final = 4 * 2**20
"""Bytes of input for one partition: not more than the one, and not less than the other."""
SAMPLE: Final = 2**18
"""So many bytes for each partition say well enough how the input is spread over keys and over time."""
FEW: Final = 0.01
"""This part of it does if its size is not known."""
LARGE: Final = 256 * 2**20
"""From so many bytes of input on, a slower start of Spark pays."""

Master = Annotated[
    str | None,
    typer.Option(metavar="URL", help="Where Spark runs: local[2], spark://HOST:PORT, sc://HOST:PORT, …"),
]
Partitions = Annotated[int | None, typer.Option(min=1, metavar="N", help="Into how many parts Spark takes the data.")]


def is_spark(engine: str) -> bool:
    """Is a command over files to run on Spark, and not here?"""
    if engine not in (SPARK, INTERVAL):
        raise SnapeqError(f"--engine {engine}: expected {INTERVAL} or {SPARK}")
    return engine == SPARK


@dataclass(frozen=True)
class Place:
    """Where Spark runs, and into how many parts data is taken; None lets their size say."""

    master: str | None = None
    partitions: int | None = None


def engine_at(name: str, place: Place) -> "str | SparkEngine":
    """The engine of this name; Spark is started, where somebody says, so that the error says why it does not."""
    if name != SPARK:
        option = "--master" if place.master is not None else "--partitions"
        if place != Place():
            raise SnapeqError(f"{option}: only for the engine {SPARK}, got {name}")
        return name
    from physical.engines.spark.engine import SparkEngine
    from physical.engines.spark.spark_session import session

    session(place.master)
    from physical.engines.spark.exchange import Spread

    return SparkEngine(place.master, None if place.partitions is None else Spread(place.partitions, heaviest=None))


@contextmanager
def at_work(place: Place, describe: str, size: int | None) -> "Iterator[tuple[SparkSession, Spread]]":
    """A session and into how many parts it takes the data, with a progress bar on a terminal and none in a pipe."""
    from physical.engines.spark.progress import watched
    from physical.engines.spark.spark_session import SHUFFLE_PARTITIONS, session, set_for_now

    with progress_bar() as progress:
        bar = progress.add_task(describe, total=None)
        spark = session(place.master, long=size is None or size > LARGE)
        over = spread(int(spark.conf.get(SHUFFLE_PARTITIONS) or 1), place, size)
        parts = {SHUFFLE_PARTITIONS: str(over.partitions)}
        told = watched(spark, lambda done, all_: progress.update(bar, completed=done, total=all_ or None))
        with set_for_now(spark, parts), told:
            yield spark, over


def spread(usual: int, place: Place, size: int | None) -> "Spread":
    """As many partitions as asked for; else by the size of the input, as long as it is known."""
    from physical.engines.spark.exchange import Spread

    if size is None:
        return Spread(place.partitions or usual, sample=FEW)
    parts = place.partitions or _partitions(size, usual)
    return Spread(parts, sample=SAMPLE * parts / max(size, 1))


def _partitions(size: int, usual: int) -> int:
    """No partition too large and none too small; if there are more than usual, no core waits for the last ones.

    >>> [_partitions(size * 2**20, usual=2) for size in (1, 5, 128, 129)]
    [1, 2, 2, 4]
    """
    enough = -(-size // LARGEST)
    return usual * -(-enough // usual) if enough > usual else max(enough, min(usual, -(-size // SMALLEST)), 1)


def size_of(addresses: Mapping[str, str]) -> int | None:
    """Bytes of all files; None if some are not here."""
    from physical.engines.spark.read import files_at, is_here

    if not all(map(is_here, addresses.values())):
        return None
    return sum(file.stat().st_size for address in addresses.values() for file in files_at(Path(address)))


@dataclass(frozen=True)
class Answered:
    """A query and its streams on Spark."""

    question: "Question"
    addresses: Mapping[str, str]
    horizon: int | None
    place: Place

    def frames(self, spark: "SparkSession") -> "dict[str, Frame]":
        """The streams by their names."""
        from equivalence.command.query_files.stream_files import layout
        from physical.engines.spark.read import frame_at

        return {n: frame_at(spark, a, layout(n, self.question)) for n, a in self.addresses.items()}

    def result(self, frames: "Mapping[str, Frame]", over: "Spread") -> "Result":
        """The answer in canonical form, once it is sure that the streams keep what CREATE statements promise."""
        from physical.engines.spark.canonical_jobs import canonical_result
        from physical.engines.spark.compile import Compiler

        compiler = Compiler(frames, over, self.horizon)
        self._check_promises(compiler)
        return canonical_result(self.question.plan, compiler)

    def _check_promises(self, compiler: "Compiler") -> None:
        """A job for each promise; what cannot be checked is said."""
        from equivalence.command.query_files.constraint_queries import promises

        found, remarks = promises(self.question, self.addresses)
        check_promises(found, compiler, self.addresses)
        for remark in remarks:
            warn(f"snapeq: {remark}")


def check_promises(found: "Sequence[Promise]", compiler: "Compiler", addresses: Mapping[str, str]) -> None:
    """Look for what breaks a promise, by a job for each of them."""
    for promise in found:
        first = compiler.frame(promise.broken).first()
        if first is not None:
            raise promise.error(addresses[promise.source], *first)


def run_on_spark(
    answered: Answered, out: str | None, results: "Callable[[], AbstractContextManager[Results]]"
) -> "Results | None":
    """Write the answer as a folder of Parquet files, or hand it to what prints it or writes one file."""
    from physical.engines.spark.spark_session import check_installed

    check_installed()
    from physical.engines.spark.exchange import slices_of
    from physical.engines.spark.write import write_parquet
    from physical.files.canonical_runs import by_row

    size = size_of(answered.addresses)
    with at_work(answered.place, "running on Spark", size) as (spark, over):
        frames = answered.frames(spark)
        result = answered.result(frames, over)
        if out is not None and is_folder(out):
            write_parquet(result.runs, out, slices_of([*frames.values()], over, result.survey))
            return None
        with results() as taking:
            taking.take(by_row(result.runs.collected()))
            return taking


def is_folder(out: str) -> bool:
    """Does this name a folder of Parquet files, as Spark writes it, here or where a file system has its address?"""
    return Path(out).suffix.lower() in ("", ".parquet")


def check_on_spark(answered: Answered, output: str) -> "Difference | None":
    """Where a file, a folder or a table is not the right answer first."""
    from physical.engines.spark.spark_session import check_installed

    check_installed()
    from physical.engines.spark.canonical_jobs import first_difference
    from physical.engines.spark.read import frame_at
    from physical.files.layout import result_layout

    size = size_of({**answered.addresses, "": output})
    with at_work(answered.place, "checking on Spark", size) as (spark, over):
        right = answered.result(answered.frames(spark), over).runs
        theirs = frame_at(spark, output, result_layout(answered.question.plan.schema))
        return _told(first_difference(right.of(right.data.persist()), _clipped(theirs, answered.horizon), over))


def diff_on_spark(a: str, b: str, place: Place) -> "Difference | None":
    """Where two files, folders or tables differ first."""
    from physical.engines.spark.spark_session import check_installed

    check_installed()
    from physical.engines.spark.canonical_jobs import first_difference
    from physical.engines.spark.read import frame_at
    from physical.files.layout import result_layout

    size = size_of({"a": a, "b": b})
    with at_work(place, "comparing on Spark", size) as (spark, over):
        layout = result_layout(_common_schema(spark, a, b))
        left, right = (frame_at(spark, address, layout) for address in (a, b))
        return _told(first_difference(left, right, over))


def _common_schema(spark: "SparkSession", a: str, b: str) -> "Schema":
    from physical.engines.spark.read import inferred_at
    from physical.files.infer import common_schema

    return common_schema(inferred_at(spark, a), inferred_at(spark, b), (Path(a), Path(b)))


def _clipped(frame: "Frame", horizon: int | None) -> "Frame":
    from physical.engines.spark.frame import clipped

    return clipped(frame, horizon)


def _told(found: Any) -> "Difference | None":
    """The difference as commands print it."""
    from equivalence.command.query_files.comparison import Difference

    return None if found is None else Difference(found.instant, found.left, found.right, found.sizes)
