"""`snapeq check`: is a file a right answer to a query?"""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from equivalence.command.on_spark import INTERVAL, Answered, Master, Partitions, Place, check_on_spark, is_spark
from equivalence.command.run import CatalogFile, Functions, Horizon, Query, Streams
from equivalence.command.show_difference import end_with
from equivalence.command.terminal import AsJson, warn, working

if TYPE_CHECKING:
    from equivalence.command.query_files.answer import Answer
    from equivalence.command.query_files.comparison import Change, Difference


def check_command(
    query: Query,
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
    master: Master = None,
    partitions: Partitions = None,
    as_json: AsJson = False,
) -> None:
    """Is FILE, written by some engine in any language, a right answer? If not, the first wrong instant is printed.

    \b
    Example:
      snapeq check query.sql --stream Bid=bids.csv --output theirs.parquet

    FILE has the query's columns and `_start`, `_end`, `_count` as a result of `snapeq run`; rows may overlap, repeat
    and stand in any order. Exit code 0 if it is right, 1 if not.
    """
    from equivalence.command.query_files.answer import Answer
    from equivalence.command.query_files.query import read_question
    from equivalence.command.query_files.stream_files import named_addresses, named_files, readers
    from semantics import SnapeqError, show

    question = read_question(query, catalog, functions or ())
    if is_spark(engine):
        if engine_unit is not None:
            raise SnapeqError("--engine-unit: not with --engine spark; write the times in the query's unit")
        asked = Answered(question, named_addresses(stream or [], question), horizon, Place(master, partitions))
        end_with(check_on_spark(asked, output), ("the right answer", output), as_json, [show(question.plan)])
    files = readers(named_files(stream or [], question), question)
    unit = None if question.catalogue is None else question.catalogue.unit.value
    with working("checking"):
        change = in_units(engine_unit, unit, Path(output))
        found = _found(Answer(question, files, horizon=horizon), Path(output), change)
    end_with(found, ("the right answer", output), as_json, [show(question.plan)])


def _found(answer: "Answer", output: Path, change: "Change") -> "Difference | None":
    """Compare the file with the right answer, which waits in a file of its own."""
    from equivalence.command.query_files.comparison import ResultFile, compare
    from physical.files.formats import check_readable, format_of
    from physical.files.infer import check_columns
    from physical.files.writer import results_in_file
    from physical.kernels.types import ENDLESS

    check_readable(output)
    format_of(output)
    schema = answer.question.plan.schema
    check_columns(output, schema)
    with TemporaryDirectory(prefix="snapeq-") as folder:
        right = Path(folder) / "right.arrow"
        with results_in_file(right, schema) as results:
            for remark in answer.give(results.take):
                warn(f"snapeq: {remark}")
        horizon = ENDLESS if answer.horizon is None else answer.horizon
        return compare(ResultFile(right), ResultFile(output, change), schema, horizon)


def in_units(name: str | None, unit: int | None, path: Path) -> "Change":
    """What turns times of a file, in units of that name, into the query's."""
    from equivalence.command.query_files.units import Rescaling
    from semantics import SnapeqError
    from semantics.sql.units import TimeUnit, unit_named

    if name is None:
        return lambda elements: elements
    found = unit_named(name)
    if found is None:
        raise SnapeqError(f"--engine-unit {name}: expected one of: {', '.join(TimeUnit.__members__)}")
    return Rescaling(found.value, TimeUnit.SECOND.value if unit is None else unit, path)
