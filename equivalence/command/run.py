"""`snapeq run`: the result of a query over files."""

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equivalence.command import late_options, run_continuous
from equivalence.command.dialect_option import Dialect, in_any_order, late_by_dialect
from equivalence.command.engine_names import RUNNING_ENGINES
from equivalence.command.on_sail import SAIL, run_on_sail
from equivalence.command.on_spark import SPARK, Conf, Master, Partitions, SparkQueryRun, SparkTarget, run_on_spark
from equivalence.command.quick_start import load_numpy_alone, read_query_once
from equivalence.command.terminal import HOLDS, AsJson, Command, engine_of, instants, print_json, warn, working
from semantics import SnapeqError

if TYPE_CHECKING:
    from equivalence.query_files.query_over_files import QueryOverFiles
    from equivalence.query_files.query_run import QueryRun
    from physical.files.writer import Results
    from semantics import Schema

    AtOnce = Callable[[SparkQueryRun, str | None, Callable[[], AbstractContextManager[Results]]], Results | None]

QueryText = Annotated[str, typer.Argument(metavar="QUERY", help="A .sql file, or the text of the query.")]
Streams = Annotated[
    list[str] | None, typer.Option("--stream", metavar="NAME=FILE", help="The file of a stream or table; repeat it.")
]
CatalogFile = Annotated[Path | None, typer.Option("--catalog", metavar="FILE", help="CREATE statements.")]
Functions = Annotated[
    list[str] | None, typer.Option("--functions", metavar="MODULE", help="A Python module with functions for queries.")
]
Optimize = Annotated[
    bool, typer.Option("--optimize/--no-optimize", help="Run the cheapest equal plan found, or the query as written.")
]
Horizon = Annotated[
    int | None, typer.Option(min=0, metavar="H", callback=instants, help="Look at the instants 0 … H − 1 only.")
]


def run_command(
    query: QueryText,
    stream: Streams = None,
    catalog: CatalogFile = None,
    dialect: Dialect = None,
    engine: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help=f"{', '.join(RUNNING_ENGINES)}, or package.module:object. [default: interval]"
        ),
    ] = None,
    command: Command = None,
    horizon: Horizon = None,
    out: Annotated[str | None, typer.Option(metavar="FILE", help="Where to; its ending is the format.")] = None,
    functions: Functions = None,
    optimize: Optimize = True,
    master: Master = None,
    partitions: Partitions = None,
    conf: Conf = None,
    continuous: run_continuous.Continuous = False,
    slack: run_continuous.Slack = 0,
    changelog: run_continuous.Changelog = False,
    checkpoint: run_continuous.Checkpoint = None,
    once: run_continuous.Once = False,
    finish: run_continuous.Finish = False,
    batch_files: run_continuous.BatchFiles = None,
    ahead: run_continuous.Ahead = None,
    missing_files: run_continuous.MissingFiles = "error",
    monitor: run_continuous.Monitor = False,
    compact: run_continuous.Compact = False,
    watermark: late_options.Watermarks = None,
    late: late_options.Late = None,
    policy: late_options.PolicyName = None,
    batch: late_options.Batch = None,
    input_as: late_options.InputKinds = None,
    as_json: AsJson = False,
) -> None:
    """Evaluate a query over files, and print or write its result in canonical form.

    \b
    Example:
      snapeq run 'SELECT item FROM Bid WHERE price > 9' \\
        --catalog schema.sql --stream Bid=bids.csv

    CREATE statements may stand in the query's file, too. The result has the query's columns, then `_start`, `_end`
    (empty: for ever) and `_count`. The interval engine, which is the default, needs memory for the windows, not for
    the files. The engine spark also takes folders and tables, and writes a folder of Parquet files; with --continuous
    it goes on as files come, until Ctrl-C, and the same command takes it up again. A file may be a pipe, or - for
    standard input. With --watermark, --late or --policy rows may come in any order: the policy says which ones count.
    """
    load_numpy_alone()
    from equivalence.query_files.stream_files import named_addresses, named_files
    from physical.files.pipes import as_files

    engine = engine_of(engine, command, otherwise="interval")
    skip_missing = run_continuous.is_skip(missing_files)
    options = run_continuous.ContinuousOptions(
        slack, changelog, checkpoint, once, finish, batch_files, ahead, skip_missing, monitor, compact
    )
    if not continuous or engine != SPARK:
        replace(options, slack=slack if engine in (SPARK, SAIL) else 0).check_unused(continuous)
    parsed_query = read_query_once(query, catalog, functions or (), dialect)
    arrival = late_by_dialect(late_options.LateOptions(watermark, late, policy, batch), parsed_query)
    if engine in (SPARK, SAIL):
        if arrival.given() or input_as:
            raise SnapeqError(
                f"--watermark, --late, --policy, --input-as: not with --engine {engine}; expected --engine interval"
            )
        addresses = named_addresses(stream or [], parsed_query)
        run = SparkQueryRun(parsed_query, addresses, horizon, SparkTarget.of(master, partitions, conf), optimize)
        _on_spark(run, out, as_json, options if continuous else None, run_on_sail if engine == SAIL else run_on_spark)
        return
    named, file = named_files(stream or [], parsed_query), _file(out)
    said = {"engine": engine, "horizon": horizon, "optimize": optimize, "slack": slack}
    with as_files(*named.values()) as copies, working("running"):
        files = {name: copies[path] for name, path in named.items()}
        logs = late_options.with_shown_logs(input_as or [], parsed_query, files) if parsed_query.reading else input_as

        def run_and_write(arrival: late_options.LateOptions) -> "tuple[list[str], Results]":
            with (
                _run_over(parsed_query, files, logs or [], **said) as run_here,
                _results(file, parsed_query.plan.schema, as_json) as results,
            ):
                return _remarks(run_here, arrival, results), results

        remarks, results = in_any_order(run_and_write, arrival, parsed_query)
    for remark in remarks:
        warn(f"snapeq: {remark}")
    if as_json:
        print_json(_document(results, file))


def _run_over(
    query: "QueryOverFiles", files: Mapping[str, Path], input_as: Sequence[str], **options: Any
) -> "AbstractContextManager[QueryRun]":
    """A run over files; what reads changelogs is loaded only if one of them is one."""
    if input_as:
        from equivalence.recordings.input_logs import run_over

        return run_over(query, files, input_as, **options)
    return _run_as_they_are(query, files, **options)


@contextmanager
def _run_as_they_are(query: "QueryOverFiles", files: Mapping[str, Path], **options: Any) -> "Iterator[QueryRun]":
    """A selection begins to read before the rest of the engine is loaded; other queries look at their files first."""
    from equivalence.query_files.chosen_plan import is_selection
    from equivalence.query_files.stream_files import readers

    with ExitStack() as reading:
        found = readers(files, query)
        for reader in found.values() if is_selection(query.plan) else ():
            reading.enter_context(reader.begun())
        from equivalence.query_files.query_run import QueryRun

        yield QueryRun(query, found, **options)


def _remarks(run: "QueryRun", arrival: late_options.LateOptions, results: "Results") -> list[str]:
    """Run the query, by a policy for late rows if there is one; returns what could not be checked."""
    from physical.files.reader import UnorderedFile

    lateness = arrival.lateness(run.query, run.slack)
    if lateness is None:
        try:
            return run.run(results.take)
        except UnorderedFile as error:
            if results.rows:  # what is printed cannot be taken back, so this is no time to begin again
                raise SnapeqError(f"{error}; or --late keep") from None
            raise
    from equivalence.recordings.late_plan import late_run

    late, remarks = late_run(run, lateness)
    return [*remarks, *late.run(results.take)]


def _on_spark(
    run: SparkQueryRun,
    out: str | None,
    as_json: bool,
    options: run_continuous.ContinuousOptions | None,
    at_once: "AtOnce",
) -> None:
    """Continuously if there are options for that, or else at once."""
    if options is None:
        document = _at_once(run, out, as_json, at_once)
    else:
        document = run_continuous.run_continuously(run, out, options)
    if as_json:
        print_json(document)


def _at_once(run: SparkQueryRun, out: str | None, as_json: bool, at_once: "AtOnce") -> dict[str, Any]:
    schema = run.query.plan.schema
    results = at_once(run, out, lambda: _results(_file(out), schema, as_json))
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
    """Print bytes as they are if the output takes bytes; the reader of a pipe may stop at any time."""
    out = sys.stdout
    try:
        out.buffer.write(text) if hasattr(out, "buffer") else out.write(text.decode())
        out.flush()
    except BrokenPipeError:
        # Python flushes its output once more when it ends, and would fail again on the broken pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())
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
