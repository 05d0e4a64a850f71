"""The commands over files, on Spark: only what is printed comes to this machine."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from equivalence.command.terminal import progress_bar, warn
from semantics import SnapeqError
from semantics.dataclass_on_use import dataclass

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from equivalence.query_files.compare_files import ResultDifference
    from equivalence.query_files.constraint_queries import ConstraintQuery
    from equivalence.query_files.query_over_files import QueryOverFiles
    from physical.engines.spark.canonical_jobs import Result, SnapshotDifference
    from physical.engines.spark.compile import Compiler
    from physical.engines.spark.engine import SparkEngine
    from physical.engines.spark.exchange import Spread
    from physical.engines.spark.frame import Frame
    from physical.files.writer import Results
    from semantics import Plan, Schema

SPARK: Final = "spark"
INTERVAL: Final = "interval"

Master = Annotated[
    str | None,
    typer.Option(metavar="URL", help="Where Spark runs: local[2], spark://HOST:PORT, sc://HOST:PORT, …"),
]
Partitions = Annotated[int | None, typer.Option(min=1, metavar="N", help="Into how many parts Spark takes the data.")]

Conf = Annotated[
    list[str] | None,
    typer.Option(metavar="KEY=VALUE", help="A setting that Spark is started with; may be given several times."),
]
SETTINGS_OF_MEANING: Final = ("spark.sql.ansi.enabled", "spark.sql.caseSensitive", "spark.sql.session.timeZone")


def is_spark(engine: str) -> bool:
    """Is a command over files to run on Spark, and not here?"""
    if engine not in (SPARK, INTERVAL):
        raise SnapeqError(f"--engine {engine}: expected {INTERVAL} or {SPARK}")
    return engine == SPARK


@dataclass(frozen=True)
class SparkTarget:
    """Where Spark runs, and into how many partitions it takes data; None lets the size of the data decide."""

    master: str | None = None
    partitions: int | None = None
    conf: tuple[tuple[str, str], ...] = ()
    """Settings that Spark is started with."""

    @classmethod
    def of(cls, master: str | None, partitions: int | None, conf: Sequence[str] | None) -> "SparkTarget":
        """A target from the options of a command."""
        return cls(master, partitions, tuple(map(setting, conf or ())))

    @property
    def first_option(self) -> str:
        """An option that was given."""
        given = {"--master": self.master, "--partitions": self.partitions, "--conf": self.conf}
        return next(name for name, value in given.items() if value not in (None, ()))


def setting(text: str) -> tuple[str, str]:
    """A setting of Spark, from KEY=VALUE."""
    key, equals, value = text.partition("=")
    if not equals or not key.startswith("spark."):
        raise SnapeqError(f"--conf {text}: expected spark.KEY=VALUE")
    if key in SETTINGS_OF_MEANING:
        raise SnapeqError(f"--conf {key}: expected another setting; the meaning of results depends on this one")
    return key, value


def engine_at(name: str, target: SparkTarget) -> "str | SparkEngine":
    """The engine of this name. Spark is started at once, and others must be installed: the error says why."""
    if name != SPARK:
        if target != SparkTarget():
            raise SnapeqError(f"{target.first_option}: only for the engine {SPARK}, got {name}")
        from physical.adapters.environments import ENVIRONMENTS, environment_of

        if name.partition("@")[0] in ENVIRONMENTS:
            environment_of(name).check_installed()
        return name
    from physical.engines.spark.engine import SparkEngine
    from physical.engines.spark.spark_session import session

    session(target.master, settings=dict(target.conf))
    from physical.engines.spark.exchange import Spread

    spread = None if target.partitions is None else Spread(target.partitions, heaviest=None)
    return SparkEngine(target.master, spread)


@contextmanager
def working_on_spark(
    target: SparkTarget, describe: str, addresses: Collection[str] | None
) -> "Iterator[tuple[SparkSession, Spread]]":
    """A session and how it spreads the data at these addresses, or data of unknown size.

    There is a progress bar on a terminal and none in a pipe.
    """
    from physical.engines.spark.progress import watched
    from physical.engines.spark.sizing import bytes_at, is_worth_a_slow_start, rows_at, spread_for
    from physical.engines.spark.spark_session import SHUFFLE_PARTITIONS, session, set_for_now

    size, rows = (None, 0) if addresses is None else (bytes_at(addresses), rows_at(addresses))
    with progress_bar() as progress:
        bar = progress.add_task(describe, total=None)
        spark = session(target.master, long=is_worth_a_slow_start(size), settings=dict(target.conf))
        usual = int(spark.conf.get(SHUFFLE_PARTITIONS) or 1)
        spread = spread_for(size, usual=usual, partitions=target.partitions, rows=rows)
        settings = {SHUFFLE_PARTITIONS: str(spread.partitions)}
        watching = watched(spark, lambda done, all_: progress.update(bar, completed=done, total=all_ or None))
        with set_for_now(spark, settings), watching:
            yield spark, spread


@dataclass(frozen=True)
class SparkQueryRun:
    """A query, the addresses of its streams, and where on Spark it runs."""

    query: "QueryOverFiles"
    addresses: Mapping[str, str]
    horizon: int | None
    target: SparkTarget
    optimize: bool = True

    @cached_property
    def plan(self) -> "Plan":
        """The plan that runs: the cheapest equal one, or the query as it is written."""
        from equivalence.query_files.chosen_plan import plan_to_run

        return plan_to_run(self.query) if self.optimize else self.query.plan

    def frames(self, spark: "SparkSession") -> "dict[str, Frame]":
        """The streams by their names."""
        from equivalence.query_files.stream_files import layout
        from physical.engines.spark.read import frame_at

        return {n: frame_at(spark, a, layout(n, self.query)) for n, a in self.addresses.items()}

    def result(self, frames: "Mapping[str, Frame]", spread: "Spread") -> "Result":
        """The result in canonical form; before it is computed, the streams are checked against CREATE statements."""
        self.check_constraints(frames, spread)
        return self.unchecked_result(frames, spread)

    def unchecked_result(self, frames: "Mapping[str, Frame]", spread: "Spread") -> "Result":
        """The same over streams that have been checked."""
        from physical.engines.spark.canonical_jobs import canonical_result
        from physical.engines.spark.compile import Compiler
        from physical.engines.spark.supported import check_supported

        check_supported(self.plan)
        return canonical_result(self.plan, Compiler(frames, spread, self.horizon))

    def of_plan(self, plan: "Plan", horizon: int | None) -> "SparkQueryRun":
        """Another plan over the same streams."""
        from equivalence.query_files.query_over_files import QueryOverFiles

        return replace(self, query=QueryOverFiles(plan, self.query.catalogue), horizon=horizon)

    def check_constraints(self, frames: "Mapping[str, Frame]", spread: "Spread") -> None:
        """Check the streams against CREATE statements."""
        from physical.engines.spark.compile import Compiler

        self._check_constraints(Compiler(frames, spread, self.horizon))

    def _check_constraints(self, compiler: "Compiler") -> None:
        """Check each constraint by a job of its own, and warn of those that cannot be checked."""
        from equivalence.query_files.constraint_queries import constraint_queries

        queries, remarks = constraint_queries(self.query, self.addresses)
        check_constraints(queries, compiler, self.addresses)
        for remark in remarks:
            warn(f"snapeq: {remark}")


def check_constraints(queries: "Sequence[ConstraintQuery]", compiler: "Compiler", addresses: Mapping[str, str]) -> None:
    """Look for a row that violates a constraint, by a job for each of them; the first one found is an error."""
    for query in queries:
        first = compiler.frame(query.violations).first()
        if first is not None:
            raise query.error(addresses[query.source], *first)


def run_on_spark(
    run: SparkQueryRun, out: str | None, results: "Callable[[], AbstractContextManager[Results]]"
) -> "Results | None":
    """Write the result as a folder of Parquet files, or hand it to what prints it or writes one file."""
    from physical.engines.spark.spark_session import check_installed

    check_installed()
    from physical.engines.spark.exchange import slices_of
    from physical.engines.spark.write import write_parquet
    from physical.files.canonical_runs import by_row

    with working_on_spark(run.target, "running on Spark", run.addresses.values()) as (spark, spread):
        frames = run.frames(spark)
        result = run.result(frames, spread)
        if out is not None and is_folder(out):
            write_parquet(result.runs, out, slices_of([*frames.values()], spread, result.survey))
            return None
        with results() as taking:
            taking.take(by_row(result.runs.collected()))
            return taking


def is_folder(out: str) -> bool:
    """Does this name a folder of Parquet files, as Spark writes it, here or on another file system?"""
    return Path(out).suffix.lower() in ("", ".parquet")


def check_on_spark(run: SparkQueryRun, output: str) -> "ResultDifference | None":
    """The first instant at which a file, a folder or a table is not the right result; None if there is none."""
    from physical.engines.spark.spark_session import check_installed

    check_installed()
    from physical.engines.spark.canonical_jobs import first_difference
    from physical.engines.spark.frame import clipped
    from physical.engines.spark.read import frame_at
    from physical.files.layout import result_layout

    with working_on_spark(run.target, "checking on Spark", [*run.addresses.values(), output]) as (spark, spread):
        right = run.result(run.frames(spark), spread).runs
        theirs = frame_at(spark, output, result_layout(run.query.plan.schema))
        difference = first_difference(right.of(right.data.persist()), clipped(theirs, run.horizon), spread)
        return as_printed(difference)


def diff_on_spark(a: str, b: str, target: SparkTarget) -> "ResultDifference | None":
    """The first instant at which two files, folders or tables differ; None if there is none."""
    from physical.engines.spark.spark_session import check_installed

    check_installed()
    from physical.engines.spark.canonical_jobs import first_difference
    from physical.engines.spark.read import frame_at
    from physical.files.layout import result_layout

    with working_on_spark(target, "comparing on Spark", [a, b]) as (spark, spread):
        layout = result_layout(_common_schema(spark, a, b))
        left, right = (frame_at(spark, address, layout) for address in (a, b))
        return as_printed(first_difference(left, right, spread))


def _common_schema(spark: "SparkSession", a: str, b: str) -> "Schema":
    from physical.engines.spark.read import inferred_at
    from physical.files.infer import common_schema

    return common_schema(inferred_at(spark, a), inferred_at(spark, b), (Path(a), Path(b)))


def as_printed(difference: "SnapshotDifference | None") -> "ResultDifference | None":
    """The difference that Spark found, as commands print it."""
    from equivalence.query_files.compare_files import ResultDifference

    if difference is None:
        return None
    return ResultDifference(difference.instant, difference.left, difference.right, difference.sizes)
