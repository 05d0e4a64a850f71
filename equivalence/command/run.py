"""`snapeq run`: the result of a query over files."""

import os
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equivalence.command import run_continuous as on_and_on
from equivalence.command.on_spark import SPARK, Answered, Master, Partitions, Place, run_on_spark
from equivalence.command.terminal import HOLDS, AsJson, Unsupported, print_json, warn, working
from semantics import SnapeqError

if TYPE_CHECKING:
    from physical.files.writer import Results
    from semantics import Schema

Query = Annotated[str, typer.Argument(metavar="QUERY", help="A .sql file, or the text of the query.")]
Streams = Annotated[
    list[str] | None, typer.Option("--stream", metavar="NAME=FILE", help="The file of a stream or table; repeat it.")
]
CatalogFile = Annotated[Path | None, typer.Option("--catalog", metavar="FILE", help="CREATE statements.")]
Functions = Annotated[
    list[str] | None, typer.Option("--functions", metavar="MODULE", help="A Python module with functions for queries.")
]
Horizon = Annotated[int | None, typer.Option(min=0, metavar="H", help="Look at the instants 0 … H − 1 only.")]


def run_command(
    query: Query,
    stream: Streams = None,
    catalog: CatalogFile = None,
    engine: Annotated[
        str, typer.Option(metavar="NAME", help="interval, reference, spark, or package.module:object.")
    ] = "interval",
    horizon: Horizon = None,
    out: Annotated[str | None, typer.Option(metavar="FILE", help="Where to; its ending is the format.")] = None,
    functions: Functions = None,
    master: Master = None,
    partitions: Partitions = None,
    continuous: on_and_on.Continuous = False,
    slack: on_and_on.Slack = 0,
    changelog: on_and_on.Changelog = False,
    checkpoint: on_and_on.Checkpoint = None,
    once: on_and_on.Once = False,
    finish: on_and_on.Finish = False,
    batch_files: on_and_on.BatchFiles = None,
    as_json: AsJson = False,
) -> None:
    """Evaluate a query over files, and print or write its result in canonical form.

    \b
    Example:
      snapeq run 'SELECT item FROM Bid WHERE price > 9' --catalog schema.sql --stream Bid=bids.csv

    CREATE statements may stand in the query's file, too. The result has the query's columns, then `_start`, `_end`
    (empty: for ever) and `_count`. The interval engine, which is the default, needs memory for the windows, not for
    the files. The engine spark also takes folders and tables, and writes a folder of Parquet files; with --continuous
    it goes on as files come, until Ctrl-C, and the same command takes it up again.
    """
    from equivalence.command.query_files.answer import Answer, NotSupported
    from equivalence.command.query_files.query import read_question
    from equivalence.command.query_files.stream_files import named_addresses, named_files, readers

    ways = on_and_on.Ways(slack, changelog, checkpoint, once, finish, batch_files)
    if not continuous or engine != SPARK:
        ways.check_unused(continuous)
    question = read_question(query, catalog, functions or ())
    if engine == SPARK:
        asked = Answered(question, named_addresses(stream or [], question), horizon, Place(master, partitions))
        _on_spark(asked, out, as_json, ways if continuous else None)
        return
    files = readers(named_files(stream or [], question), question)
    file = _file(out)
    try:
        with working("running"), _results(file, question.plan.schema, as_json) as results:
            remarks = Answer(question, files, engine, horizon).give(results.take)
    except NotSupported as error:
        raise Unsupported(str(error)) from None
    for remark in remarks:
        warn(f"snapeq: {remark}")
    if as_json:
        print_json(_document(results, file))


def _on_spark(asked: Answered, out: str | None, as_json: bool, ways: "on_and_on.Ways | None") -> None:
    document = _at_once(asked, out, as_json) if ways is None else on_and_on.run_continuously(asked, out, ways)
    if as_json:
        print_json(document)


def _at_once(asked: Answered, out: str | None, as_json: bool) -> dict[str, Any]:
    schema = asked.question.plan.schema
    results = run_on_spark(asked, out, lambda: _results(_file(out), schema, as_json))
    return {"folder": out, "columns": schema.names} if results is None else _document(results, _file(out))


def _file(out: str | None) -> Path | None:
    """A file of this machine."""
    if out is not None and "://" in out:
        raise SnapeqError(f"--out {out}: expected a file of this machine, or a folder there with --engine spark")
    return None if out is None else Path(out)


def _results(out: Path | None, schema: "Schema", as_json: bool) -> "AbstractContextManager[Results]":
    from physical.files.writer import results_as_csv, results_in_file, results_in_memory

    if out is not None:
        return results_in_file(out, schema)
    return results_in_memory(schema) if as_json else results_as_csv(_print, schema)


def _print(text: bytes) -> None:
    """Print bytes as they are where that can be done; who reads on the other side may stop when he likes."""
    out = sys.stdout
    try:
        out.buffer.write(text) if hasattr(out, "buffer") else out.write(text.decode())
        out.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())  # nothing is left to flush when Python ends
        raise typer.Exit(HOLDS) from None


def _document(results: "Results", out: Path | None) -> dict[str, Any]:
    if out is not None:
        return {"file": str(out), "columns": results.schema.names, "count": results.rows}
    from physical.files.writer import ResultsInMemory
    from semantics.notation.json_values import json_value

    rows = (
        [[json_value(value) for value in row] for row in results.listed()]
        if isinstance(results, ResultsInMemory)
        else []
    )
    return {"columns": results.schema.names, "rows": rows}
