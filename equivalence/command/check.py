"""`snapeq check`: is a file a right answer to a query?"""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from equivalence.command.on_spark import (
    INTERVAL,
    Conf,
    Master,
    Partitions,
    SparkQueryRun,
    SparkTarget,
    check_on_spark,
    is_spark,
)
from equivalence.command.run import CatalogFile, Functions, Horizon, Optimize, QueryText, Streams
from equivalence.command.run_continuous import Slack
from equivalence.command.show_difference import end_with_difference
from equivalence.command.terminal import AsJson, warn, working

if TYPE_CHECKING:
    from equivalence.query_files.compare_files import Change, ResultDifference
    from equivalence.query_files.query_run import QueryRun


def check_command(
    query: QueryText,
    output: Annotated[str, typer.Option(metavar="FILE", help="What the engine wrote: an interval file.")],
    stream: Streams = None,
    catalog: CatalogFile = None,
    horizon: Horizon = None,
    engine_unit: Annotated[
        str | None, typer.Option(metavar="UNIT", help="The time unit of FILE, if it is not the query's.")
    ] = None,
    functions: Functions = None,
    engine: Annotated[
        str, typer.Option(metavar="NAME", help="Who finds the right answer: interval or spark.")
    ] = INTERVAL,
    optimize: Optimize = True,
    slack: Slack = 0,
    master: Master = None,
    partitions: Partitions = None,
    conf: Conf = None,
    as_json: AsJson = False,
) -> None:
    """Is FILE, written by some engine in any language, a right answer? If not, the first wrong instant is printed.

    \b
    Example:
      snapeq check query.sql --stream Bid=bids.csv --output theirs.parquet

    FILE has the query's columns and `_start`, `_end`, `_count` as a result of `snapeq run`; rows may overlap, repeat
    and stand in any order. Exit code 0 if it is right, 1 if not.
    """
    from equivalence.query_files.query_over_files import read_query
    from equivalence.query_files.query_run import QueryRun
    from equivalence.query_files.stream_files import named_addresses, named_files, readers
    from semantics import SnapeqError, show

    parsed_query = read_query(query, catalog, functions or ())
    if is_spark(engine):
        if slack:
            raise SnapeqError("--slack: not with --engine spark, which takes rows in any order")
        if engine_unit is not None:
            raise SnapeqError("--engine-unit: not with --engine spark; write the times in the query's unit")
        addresses = named_addresses(stream or [], parsed_query)
        run = SparkQueryRun(parsed_query, addresses, horizon, SparkTarget.of(master, partitions, conf), optimize)
        difference = check_on_spark(run, output)
        end_with_difference(difference, ("the right answer", output), as_json, [show(parsed_query.plan)])
    files = readers(named_files(stream or [], parsed_query), parsed_query)
    unit = None if parsed_query.catalogue is None else parsed_query.catalogue.unit.value
    with working("checking"):
        change = time_change(engine_unit, unit, Path(output))
        difference = _difference(
            QueryRun(parsed_query, files, horizon=horizon, optimize=optimize, slack=slack), Path(output), change
        )
    end_with_difference(difference, ("the right answer", output), as_json, [show(parsed_query.plan)])


def _difference(run: "QueryRun", output: Path, change: "Change") -> "ResultDifference | None":
    """Compare the file with the right result, which is written to a temporary file first."""
    from equivalence.query_files.compare_files import ResultFile, compare
    from physical.files.formats import check_readable, format_of
    from physical.files.infer import check_columns
    from physical.files.writer import results_in_file
    from physical.kernels.types import ENDLESS

    check_readable(output)
    format_of(output)
    schema = run.query.plan.schema
    check_columns(output, schema)
    with TemporaryDirectory(prefix="snapeq-") as folder:
        right = Path(folder) / "right.arrow"
        with results_in_file(right, schema) as results:
            for remark in run.run(results.take):
                warn(f"snapeq: {remark}")
        horizon = ENDLESS if run.horizon is None else run.horizon
        return compare(ResultFile(right), ResultFile(output, change), schema, horizon)


def time_change(name: str | None, unit: int | None, path: Path) -> "Change":
    """What turns the times of a file, in units of this name, into times of the query."""
    from equivalence.query_files.rescale_times import Rescaling
    from semantics import SnapeqError
    from semantics.sql.units import TimeUnit, unit_named

    if name is None:
        return lambda elements: elements
    named = unit_named(name)
    if named is None:
        raise SnapeqError(f"--engine-unit {name}: expected one of: {', '.join(TimeUnit.__members__)}")
    return Rescaling(named.value, TimeUnit.SECOND.value if unit is None else unit, path)
