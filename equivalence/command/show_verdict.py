"""How a command ends that comes to a verdict: what it prints, what it writes, its exit code."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from equivalence.command.terminal import FALLS_SHORT, HOLDS, UNSUPPORTED, print_json, warn, write_file

if TYPE_CHECKING:
    from equivalence.verdicts.verdict import Verdict


def exit_code(verdict: "Verdict") -> int:
    if verdict.kind == "unknown":
        return UNSUPPORTED
    return HOLDS if verdict.holds else FALLS_SHORT


def show_verdict(verdict: "Verdict", as_json: bool) -> None:
    """Print the verdict as its promised document, or as text with the timeline of its counterexample."""
    from equivalence.report.text import exhausted, explained, headline, hints, reason

    if as_json:
        print_json(verdict.to_json())
        return
    typer.echo(headline(verdict))
    if verdict.counterexample is not None or reason(verdict) is not None:
        typer.echo(explained(verdict))
    for line in hints(verdict):
        typer.echo(line)
    for line in exhausted(verdict) if verdict.counterexample is None else ():
        typer.echo(f"  {line}")


def write_page(path: Path, title: str, verdict: "Verdict", text: str = "") -> None:
    """The verdict as a page, with more text about it, and the timeline of its counterexample."""
    from equivalence.report.html import page
    from equivalence.report.junit import ReportedVerdict

    write_file(path, page(title, [ReportedVerdict(title, verdict, text)]))


def save_counterexample(verdict: "Verdict", case: Path | None, test: Path | None, engine: str | None = None) -> None:
    """Write the counterexample, if there is one: as a case for `snapeq replay`, as a test."""
    from equivalence.report.regression import as_test
    from equivalence.verdicts.counterexample import Counterexample
    from equivalence.verdicts.engine_fault import EngineFault
    from equivalence.verdicts.json.document import to_json

    found = verdict.counterexample
    if not isinstance(found, Counterexample | EngineFault):
        return
    if case is not None:
        write_file(case, json.dumps(to_json(verdict, engine=engine), indent=2, ensure_ascii=False) + "\n")
        warn(f"saved; to run it again: snapeq replay {case}")
    if test is not None:
        write_file(test, as_test(found, engine=engine))
