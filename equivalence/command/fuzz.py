"""`snapeq fuzz`: is an optimizer right, rule by rule?"""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from equivalence.command.terminal import (
    FALLS_SHORT,
    HOLDS,
    UNSUPPORTED,
    AsJson,
    HtmlFile,
    JUnitFile,
    Seed,
    check_writable,
    print_columns,
    print_json,
    working,
    write_file,
)

if TYPE_CHECKING:
    from equivalence.fuzzing.campaign import Campaign, Observers, Subject

QUERIES = 1000


def fuzz_command(
    optimizer: Annotated[
        str | None,
        typer.Argument(
            metavar="OPTIMIZER",
            help="sqlglot, snapeq, module:function, or an engine: "
            "duckdb, datafusion, polars, postgres, sqlite, spark, sail, flink.",
        ),
    ] = None,
    command: Annotated[
        str | None, typer.Option(metavar="COMMAND", help="Reads a query on stdin, and writes one on stdout.")
    ] = None,
    minutes: Annotated[
        float | None, typer.Option(metavar="MINUTES", min=0.01, help="How long to go on, instead of --queries.")
    ] = None,
    queries: Annotated[int, typer.Option(metavar="N", min=1, help="How many queries to try.")] = QUERIES,
    rule: Annotated[str | None, typer.Option(metavar="NAME", help="Only this rule.")] = None,
    known: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Findings to go past: a document that --json printed.")
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Go on where a run stopped that wrote this file; write it again."),
    ] = None,
    jobs: Annotated[
        int,
        typer.Option(metavar="N", min=0, help="How many processes; 0 is one for each core. The findings are the same."),
    ] = 0,
    proofs: Annotated[bool, typer.Option(help="Look for a short proof of each rewrite.")] = True,
    seed: Seed = 0,
    junit: JUnitFile = None,
    html: HtmlFile = None,
    as_json: AsJson = False,
) -> None:
    """Is an optimizer right, rule by rule? One finding for every cause, on the smallest query and data.

    \b
    Examples:
      snapeq fuzz sqlglot --minutes 5
      snapeq fuzz sqlglot --rule merge_subqueries --json > findings.json
      snapeq fuzz sqlglot --known findings.json --junit report.xml
      snapeq fuzz mypackage.rules:simplify
      snapeq fuzz --command 'node my_optimizer.js'

    Queries are random SQL over small tables. What a rule makes of each is read again, compared with the query by the
    reference on small databases, and proved equal if a short proof is found. What differs is a finding only if SQLite
    or DuckDB, running both texts, show the same difference. A rule that fired fewer than 50 times is unknown.

    Exit code 0 if nothing is wrong, 1 if something is, 3 if no rule fired often enough to say so.
    """
    if (optimizer is None) == (command is None):
        raise typer.BadParameter("expected an optimizer or --command")
    from equivalence.fuzzing.campaign import Campaign
    from equivalence.fuzzing.observing_processes import observers
    from equivalence.fuzzing.resumption import read_known, resumed, saved
    from equivalence.fuzzing.targets import subject_named, subject_of_command

    check_writable(junit, html, resume)
    subject = (
        subject_of_command(command or "", proofs=proofs)
        if optimizer is None
        else subject_named(optimizer, rule, proofs=proofs)
    )
    campaign = Campaign(subject, seed, read_known(known))
    if resume is not None and resume.exists() and resume.stat().st_size:
        resumed(campaign, resume.read_text(encoding="utf-8"))
    with (
        _collecting_seldom(),
        observers(subject, _processes(subject, jobs)) as tried_by,
        working(f"fuzzing {subject.name}"),
    ):
        _run(campaign, _until(campaign, minutes, queries), tried_by)
    if resume is not None:
        write_file(resume, saved(campaign))
    _show(campaign, as_json)
    _write(campaign, junit, html)
    raise typer.Exit(_exit_code(campaign))


@contextmanager
def _collecting_seldom() -> Iterator[None]:
    """Trees of SQL are many, and go together when a query was tried: looking for garbage more often is in vain."""
    usual = gc.get_threshold()
    gc.set_threshold(100_000, 50, 100)
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def _until(campaign: "Campaign", minutes: float | None, queries: int) -> Callable[[int], bool]:
    if minutes is None:
        last = campaign.number + queries
        return lambda number: number < last
    end = monotonic() + 60 * minutes
    return lambda _: monotonic() < end


def _processes(subject: "Subject", jobs: int) -> int:
    """An engine has a process of its own already, and only one."""
    from equivalence.fuzzing.observing_processes import usual_processes
    from equivalence.fuzzing.rewrites_under_test import RewritesUnderTest

    return (jobs or usual_processes()) if isinstance(subject, RewritesUnderTest) else 1


def _run(campaign: "Campaign", goes_on: Callable[[int], bool], tried_by: "Observers") -> None:
    """Ctrl-C ends the search, not the report."""
    try:
        campaign.run(goes_on, tried_by)
    except KeyboardInterrupt:
        typer.echo("interrupted: what was found until now follows", err=True)
        campaign.report_awaited()


def _show(campaign: "Campaign", as_json: bool) -> None:
    from equivalence.fuzzing.fuzz_text import remarks, table

    if as_json:
        print_json(campaign.to_json())
        return
    print_columns(table(campaign))
    for text in remarks(campaign):
        typer.echo(text)


def _write(campaign: "Campaign", junit: Path | None, html: Path | None) -> None:
    from equivalence.fuzzing.fuzz_text import judged, plots
    from equivalence.report.html import page
    from equivalence.report.junit import junit as as_junit

    title = f"fuzz {campaign.subject.name}"
    if junit is not None:
        write_file(junit, as_junit(title, judged(campaign)))
    if html is not None:
        write_file(html, page(f"snapeq {title}", judged(campaign), plots(campaign)))


def _exit_code(campaign: "Campaign") -> int:
    if campaign.findings:
        return FALLS_SHORT
    return HOLDS if len(campaign.unknown) < len(campaign.tally) else UNSUPPORTED
