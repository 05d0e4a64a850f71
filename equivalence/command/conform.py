"""`snapeq conform`: is an engine right?"""

import json
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from equivalence.command.conform_job import JobCheck, conform_job
from equivalence.command.on_spark import Conf, Master, Partitions, SparkTarget, engine_at
from equivalence.command.terminal import (
    FALLS_SHORT,
    HOLDS,
    AsJson,
    Command,
    HtmlFile,
    InProcess,
    JUnitFile,
    Seed,
    check_writable,
    engine_of,
    instants,
    print_columns,
    print_json,
    warn,
    working,
    write_file,
)
from semantics.how_many import how_many

if TYPE_CHECKING:
    from equivalence.conformance.matrix import Conformance


def conform_command(
    engine: Annotated[
        str | None, typer.Argument(metavar="ENGINE", help="A name, or package.module:object; with --job, the query.")
    ] = None,
    command: Command = None,
    cases: Annotated[int | None, typer.Option(metavar="N", min=1, help="How many cases, over all operators.")] = None,
    seed: Seed = 0,
    gaps: Annotated[Path | None, typer.Option(metavar="FILE", help="Known gaps of the engine, your file.")] = None,
    junit: JUnitFile = None,
    html: HtmlFile = None,
    save: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Write what is wrong for `replay`.")] = None,
    time_limit: Annotated[float | None, typer.Option(metavar="SECONDS", min=0.01, help="Seconds for one case.")] = None,
    coverage: Annotated[
        bool, typer.Option("--coverage", help="Cover all pairs of dimensions, and print the table.")
    ] = False,
    in_process: InProcess = False,
    job: Annotated[
        str | None, typer.Option(metavar="FUNCTION", help="A PySpark job, package.module:function, not an engine.")
    ] = None,
    streaming: Annotated[bool, typer.Option("--streaming", help="Give the job streaming DataFrames.")] = False,
    slack: Annotated[
        int,
        typer.Option(
            min=0, metavar="UNITS", callback=instants, help="How far rows of a streaming job may come after later ones."
        ),
    ] = 0,
    late: Annotated[
        str | None, typer.Option(metavar="POLICY", help="Send the job late rows, which are: dropped or counted.")
    ] = None,
    output: Annotated[
        str | None, typer.Option("--as", metavar="KIND", help="What the job gives: intervals, panes or events.")
    ] = None,
    time: Annotated[str | None, typer.Option(metavar="COLUMN", help="The time column of events.")] = None,
    master: Master = None,
    partitions: Partitions = None,
    conf: Conf = None,
    as_json: AsJson = False,
) -> None:
    """Is an engine right? The conformance suite: a matrix operator × verdict, and the smallest case of each fault.

    \b
    Examples:
      snapeq conform interval
      snapeq conform mypackage.engine:Engine --cases 500 --junit report.xml
      snapeq conform --command 'node my_engine.js'
      snapeq conform --job mypackage.jobs:bids_per_item query.sql

    An engine is any object with name, supports(plan) and run(plan, sources); of a class, one is made. It runs in a
    process of its own, so that a crash of it is a finding like any other. Exit code 0 if it is right wherever it was
    tried, 1 if not.

    With --command it may be written in any language: it reads requests and writes answers, a line of JSON each.
    docs/protocol.md says what they are, and `snapeq protocol-check` what is wrong with them. What the engine does not
    list is not tried.

    First come cases that cover, for every operator, every pair of values of all dimensions (magnitudes, key columns,
    windows, instants, deliveries, …), unless fewer --cases are asked for than by default. --coverage prints the table.

    With --job, a function from DataFrames to a DataFrame is checked against a query, which declares its inputs with
    CREATE statements, on cases that fit the query. Its output has `_start` and `_end`, or a `window`, or a time column.
    """
    if job is not None:
        conform_job(engine, JobCheck(job, streaming, slack, late, output, time, cases, seed, master), as_json)
    if engine is None and command is None:
        raise typer.BadParameter("Missing argument 'ENGINE': expected an engine, --command, or --job and a query")
    engine = engine_of(engine, command, otherwise="")
    if streaming or slack or late or output is not None or time is not None:
        raise typer.BadParameter("--streaming, --slack, --late, --as and --time are only for --job")
    from equivalence.conformance.suite import conform
    from physical.files.whole_file import writable_folder

    check_writable(junit, html)
    if save is not None:
        writable_folder(save)
    subject = engine_at(engine, SparkTarget.of(master, partitions, conf))
    with working(f"checking {engine}", in_a_pipe=True):
        result = conform(
            subject,
            cases=cases,
            seed=seed,
            coverage=True if coverage else None,
            gaps=gaps,
            time_limit=time_limit,
            isolated=not in_process,
        )
    if as_json:
        print_json(result.to_json())
    else:
        _print(result)
        if coverage:
            _print_coverage(result)
    _write(result, junit, html)
    _save(result, engine, save)
    raise typer.Exit(HOLDS if result.holds else FALLS_SHORT)


def _print(result: "Conformance") -> None:
    from equivalence.report.findings import text_of

    print_columns(result.lines)
    for finding in result.findings:
        typer.echo(f"\n{text_of(finding)}")
    if result.given_up:
        typer.echo(f"\n{result.given_up}")
    if set(result.verdicts.values()) == {"unsupported"}:
        typer.echo(f"\nengine {result.engine} supports none of the plans, so there is nothing to judge")
    unshown = [operator for operator, verdict in result.verdicts.items() if verdict in ("unseen", "vacuous")]
    if unshown and not result.failures:
        typer.echo(f"\nNothing is wrong, but no case says anything about {', '.join(unshown)}: give more --cases.")
    fate = "it conforms" if result.holds else "it falls short"
    typer.echo(f"\nengine {result.engine}: {how_many(result.cases, 'case')}; {fate}")


def _print_coverage(result: "Conformance") -> None:
    """How many pairs of dimension values were examined with each operator, and which were not."""
    assert result.coverage is not None
    typer.echo("")
    print_columns(result.coverage.lines())
    empty = sum(map(len, result.coverage.empty_cells.values()))
    typer.echo(f"\n{result.coverage.rows} rows cover the pairs of all dimensions; {how_many(empty, 'empty cell')}")


def _write(result: "Conformance", junit: Path | None, html: Path | None) -> None:
    from equivalence.report.findings import judged, plots
    from equivalence.report.html import page
    from equivalence.report.junit import junit as as_junit

    if junit is not None:
        write_file(junit, as_junit(f"conform {result.engine}", judged(result)))
    if html is not None:
        write_file(html, page(f"snapeq conform {result.engine}", judged(result), plots(result)))


def _save(result: "Conformance", engine: str, folder: Path | None) -> None:
    """One file for each finding that can be run again."""
    from equivalence.verdicts.json.document import to_json
    from equivalence.verdicts.verdict import Verdict

    findings = [finding for finding in result.findings if finding.counterexample is not None]
    for number, finding in enumerate(findings if folder is not None else [], 1):
        path = Path(folder or ".") / f"{number}-{finding.name}-{finding.operator}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        verdict = Verdict("refuted", {"finding": str(finding.name)}, finding.counterexample)
        write_file(path, json.dumps(to_json(verdict, engine=engine), indent=2, ensure_ascii=False) + "\n")
        warn(f"saved; to run it again: snapeq replay {path} --engine {quote(engine)}")
