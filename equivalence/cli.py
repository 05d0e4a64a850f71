"""The command `snapeq`."""

import json
from collections import Counter
from enum import StrEnum
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from equivalence.cli_bench import bench
from equivalence.verify import Finding, steps, verify
from semantics import SnapeqError

HOLDS, FALLS_SHORT, BAD_INPUT, UNSUPPORTED = 0, 1, 2, 3

app = typer.Typer(
    name="snapeq",
    help="Ground truth for continuous queries over data streams, and the checks of everything else against it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


app.command("bench")(bench)


class Part(StrEnum):
    """What `snapeq verify --only` can be limited to."""

    OPERATORS = "operators"
    RULES = "rules"
    ENGINES = "engines"
    OPTIMIZER = "optimizer"
    PROOFS = "proofs"


@app.callback()
def about() -> None:
    """Ground truth for continuous queries over data streams, and the checks of everything else against it."""


@app.command("verify")
def verify_command(
    quick: Annotated[bool, typer.Option("--quick", help="Fewer samples per operator.")] = False,
    only: Annotated[Part | None, typer.Option(help="Limit the work to one part.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the samples; the same seed gives the same result.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document instead of tables.")] = False,
) -> None:
    """Verify what snapeq claims of itself.

    Every golden case of the corpus is evaluated and compared. Every snapshot-reducible operator is checked
    against SQLite on generated plans, snapshot by snapshot; every other operator has to show a case in which the
    past matters. Exit code 0 if all of it holds, 1 if anything falls short.
    """
    if only not in (None, Part.OPERATORS):
        Console(stderr=True).print(f"snapeq verify: {only.value} cannot be verified by this version yet")
        raise typer.Exit(UNSUPPORTED)
    findings = _findings(quick, seed)
    if as_json:
        typer.echo(json.dumps(_document(findings), indent=2, ensure_ascii=False))
    else:
        _print(findings)
    raise typer.Exit(HOLDS if all(finding.verdict.holds for finding in findings) else FALLS_SHORT)


def _findings(quick: bool, seed: int) -> list[Finding]:
    console = Console(stderr=True)
    found = []
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("verifying", total=steps())
        for finding in verify(quick=quick, seed=seed):
            progress.update(task, advance=1, description=finding.name)
            found.append(finding)
    return found


def _document(findings: list[Finding]) -> dict[str, object]:
    """The promised document; parts that do not exist yet are empty."""
    parts: dict[str, dict[str, object]] = {
        part: {f.name: {"claim": f.claim, **f.verdict.to_json()} for f in findings if f.part == part}
        for part in ("corpus", "operators", "rules", "engines", "optimizer", "proofs")
    }
    return {
        **parts,
        "mutants": {"total": 0, "killed": 0, "median_cases": None},
        "rule_firings": {},
        "holds": all(finding.verdict.holds for finding in findings),
    }


def _print(findings: list[Finding]) -> None:
    console = Console()
    console.print(_operator_table([f for f in findings if f.part == "operators"]))
    counts = Counter(finding.verdict.kind for finding in findings if finding.part == "corpus")
    console.print("golden corpus: " + ", ".join(f"{n} {kind}" for kind, n in sorted(counts.items())))
    for finding in findings:
        if not finding.verdict.holds:
            console.print(f"\n{finding.part} {finding.name} ({finding.claim}): {finding.verdict.kind}", markup=False)
            details = finding.verdict.counterexample or finding.verdict.evidence.get("error", "")
            console.print(str(details), markup=False)
    holds = all(finding.verdict.holds for finding in findings)
    console.print("everything holds" if holds else "something falls short")


def _operator_table(findings: list[Finding]) -> Table:
    table = Table("operator", "claim", "verdict", "cases", "snapshots", "filled")
    for finding in findings:
        evidence = [str(finding.verdict.evidence[key]) for key in ("cases", "snapshots", "filled")]
        table.add_row(finding.name, finding.claim, finding.verdict.kind, *evidence)
    return table


def main() -> None:
    """Run the command; bad input ends with one line on stderr, never with a traceback."""
    try:
        app()
    except (SnapeqError, OSError) as error:
        Console(stderr=True).print(f"snapeq: {error}", markup=False)
        raise SystemExit(BAD_INPUT) from None
