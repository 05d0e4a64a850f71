"""`snapeq verify`: does everything hold that snapeq claims of itself?"""

import os
from collections import Counter
from enum import StrEnum
from importlib.util import find_spec
from statistics import median
from typing import TYPE_CHECKING, Annotated, Final

import typer

from equivalence.command.extras import SOLVERS
from equivalence.command.terminal import (
    FALLS_SHORT,
    HOLDS,
    AsJson,
    Seed,
    print_columns,
    print_json,
    progress_bar,
    warn,
)
from semantics import Unsupported

if TYPE_CHECKING:
    from equivalence.verification import Outcome


class VerifyPart(StrEnum):
    """What `snapeq verify --only` can be limited to."""

    OPERATORS = "operators"
    RULES = "rules"
    ENGINES = "engines"
    OPTIMIZER = "optimizer"
    PROOFS = "proofs"


JOBS_IN: Final[dict[VerifyPart, tuple[str, ...]]] = {
    VerifyPart.OPERATORS: ("corpus", "operators"),
    VerifyPart.RULES: ("rules",),
    VerifyPart.ENGINES: ("engines", "relations", "stores", "mutants", "machine mutants"),
    VerifyPart.OPTIMIZER: ("optimizer",),
    VerifyPart.PROOFS: ("proofs",),
}
"""The kinds of jobs that a part consists of; the mutants show how well engines are checked."""


def verify_command(
    quick: Annotated[bool, typer.Option("--quick", help="A little of everything, in about a minute.")] = False,
    only: Annotated[VerifyPart | None, typer.Option(help="Limit the work to one part.")] = None,
    seed: Seed = 0,
    processes: Annotated[int, typer.Option(min=0, help="How many at a time; 0 means as many as there are cores.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Verify what snapeq claims of itself.

    Operators: every golden case is compared, every snapshot-reducible operator is checked against SQLite on generated
    plans, every other one has to show a case in which the past matters. Rules: every true rule of the catalogue agrees
    and fires often enough, every false one is refuted, and so is every true one without one of its side conditions.
    Engines: every built-in engine passes the conformance suite, every metamorphic relation holds of it, every
    configuration of a store agrees with a plain model, every mutant is caught, and so are most of a sample of mutants
    that a machine makes from the source. Optimizer: it keeps what plans mean, and so does each of its rewrites. Proofs:
    every true rule is proved for all streams, or outside the fragment for a stated reason, every false one is refuted,
    operators are right by proof, and the prover is sound on all small plans. --quick proves a sample of the rules and
    tries every second mutant. Exit code 0 if all of it holds, 1 if anything falls short.

        snapeq verify --quick

        snapeq verify --only rules --json
    """
    parts = [part for jobs in ([JOBS_IN[only]] if only else JOBS_IN.values()) for part in jobs]
    if "proofs" in parts and not all(map(find_spec, ("z3", "cvc5"))):
        if only is VerifyPart.PROOFS:
            raise Unsupported(f"proofs need the solvers: {SOLVERS}")
        warn(f"no proofs are verified without the solvers: {SOLVERS}")
        parts.remove("proofs")
    outcomes = _outcomes(parts, quick, seed, processes or os.cpu_count() or 1)
    if as_json:
        print_json(_document(outcomes))
    else:
        _print(outcomes)
    raise typer.Exit(HOLDS if all(outcome.holds for outcome in outcomes) else FALLS_SHORT)


def _outcomes(parts: list[str], quick: bool, seed: int, processes: int) -> "list[Outcome]":
    from equivalence.verification import FULL, QUICK, jobs, run_jobs

    work = jobs(parts, QUICK if quick else FULL, seed)
    outcomes: list[Outcome] = []
    with progress_bar() as progress:
        task = progress.add_task("verifying", total=len(work))
        for job, found in run_jobs(work, min(processes, len(work))):
            progress.update(task, advance=1, description=f"{job.part}: {job.name}")
            outcomes += found
    return outcomes


def _document(outcomes: "list[Outcome]") -> dict[str, object]:
    """The promised document; parts that were not verified are empty."""
    parts: dict[str, object] = {
        part: {outcome.name: outcome.to_json() for outcome in outcomes if outcome.part == part}
        for part in ("corpus", "operators", "rules", "engines", "optimizer", "proofs")
    }
    firings = {o.name: o.evidence["fired"] for o in outcomes if o.part == "rules" and o.claim == "true"}
    holds = all(outcome.holds for outcome in outcomes)
    machine = next((o.evidence for o in outcomes if o.part == "machine mutants"), {})
    return {**parts, "mutants": bite(outcomes), "machine_mutants": machine, "rule_firings": firings, "holds": holds}


def bite(outcomes: "list[Outcome]") -> dict[str, object]:
    """How many wrong things there were, false rules among them, how many were caught, and how soon."""
    wrong = [outcome for outcome in outcomes if outcome.part == "mutants" or outcome.claim == "false"]
    cases = [n for outcome in wrong if isinstance(n := outcome.evidence["cases"], int)]
    return {
        "total": len(wrong),
        "killed": sum(outcome.holds for outcome in wrong),
        "median_cases": median(cases) if cases else None,
        "kinds": dict(sorted(Counter(o.claim if o.part == "mutants" else "rule" for o in wrong).items())),
        "survivors": [outcome.name for outcome in wrong if not outcome.holds],
    }


def _print(outcomes: "list[Outcome]") -> None:
    rows = [("part", "claim", "verified", "hold", "cases")]
    for part, claim in dict.fromkeys((outcome.part, outcome.claim) for outcome in outcomes if outcome.part != "corpus"):
        group = [outcome for outcome in outcomes if (outcome.part, outcome.claim) == (part, claim)]
        rows.append((part, claim, str(len(group)), str(sum(o.holds for o in group)), str(_cases(group))))
    golden = [outcome for outcome in outcomes if outcome.part == "corpus"]
    if golden:
        rows.append(("corpus", "golden cases", str(len(golden)), str(sum(o.holds for o in golden)), str(len(golden))))
    print_columns(rows)
    for outcome in outcomes:
        if not outcome.holds:
            fired = f", fired {outcome.evidence['fired']} times" if "fired" in outcome.evidence else ""
            typer.echo(f"\n{outcome.part} {outcome.name} ({outcome.claim}): {outcome.verdict}{fired}\n{outcome.text}")
    summary = bite(outcomes)
    if summary["total"]:
        median_cases = f"median {summary['median_cases']:g} cases"
        typer.echo(f"wrong things caught: {summary['killed']} of {summary['total']}, {median_cases}")
    for outcome in outcomes:
        if outcome.part == "machine mutants":
            typer.echo(f"machine-made mutants: {outcome.verdict}")
    typer.echo("everything holds" if all(outcome.holds for outcome in outcomes) else "something falls short")


def _cases(group: "list[Outcome]") -> int:
    return sum(n for outcome in group if isinstance(n := outcome.evidence.get("cases"), int))
