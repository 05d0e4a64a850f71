"""`snapeq verify`: the main job."""

from collections import Counter
from enum import StrEnum
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from equivalence.commands.terminal import FALLS_SHORT, HOLDS, AsJson, Seed, Unsupported, print_json
from equivalence.verify import Finding, steps, verify


class Part(StrEnum):
    """What `snapeq verify --only` can be limited to."""

    OPERATORS = "operators"
    RULES = "rules"
    ENGINES = "engines"
    OPTIMIZER = "optimizer"
    PROOFS = "proofs"


def verify_command(
    quick: Annotated[bool, typer.Option("--quick", help="Fewer samples per operator.")] = False,
    only: Annotated[Part | None, typer.Option(help="Limit the work to one part.")] = None,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Verify what snapeq claims of itself.

    Every golden case of the corpus is evaluated and compared. Every snapshot-reducible operator is checked
    against SQLite on generated plans, snapshot by snapshot; every other operator has to show a case in which the
    past matters. Exit code 0 if all of it holds, 1 if anything falls short.
    """
    if only not in (None, Part.OPERATORS):
        raise Unsupported(f"{only.value} cannot be verified by this version yet")
    findings = _findings(quick, seed)
    if as_json:
        print_json(_document(findings))
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
