"""`snapeq verify`: does everything hold that snapeq claims of itself?"""

import os
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Final

import typer

from equivalence.command.terminal import (
    FALLS_SHORT,
    HOLDS,
    AsJson,
    HtmlFile,
    Seed,
    check_writable,
    print_json,
    progress_bar,
    warn,
    write_file,
)
from equivalence.command.verification_progress import PartsProgress
from equivalence.command.verification_table import bite, print_outcomes
from equivalence.comparison.solvers import solvers_missing
from semantics import Unsupported

if TYPE_CHECKING:
    from equivalence.verification import Effort, Outcome, VerificationJob


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
    full: Annotated[bool, typer.Option("--full", help="Everything in depth, in about an hour.")] = False,
    only: Annotated[VerifyPart | None, typer.Option(help="Limit the work to one part.")] = None,
    seed: Seed = 0,
    processes: Annotated[
        int, typer.Option(metavar="N", min=0, help="How many at a time; 0 means as many as there are cores.")
    ] = 0,
    html: HtmlFile = None,
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
    operators are right by proof, and the prover is sound on small plans. The usual run takes about four minutes on
    two cores, proves one rule of twelve and tries every fourth mutant; --full proves all of them and tries several
    times as many cases; --quick proves a sample and tries every second mutant. A line on stderr tells of every part
    that is finished. Exit code 0 if all of it holds, 1 if anything falls short.

        snapeq verify

        snapeq verify --only rules --json
    """
    check_writable(html)
    if quick and full:
        raise typer.BadParameter("--quick and --full exclude each other")
    parts = [part for jobs in ([JOBS_IN[only]] if only else JOBS_IN.values()) for part in jobs]
    missing = solvers_missing()
    if "proofs" in parts and missing is not None:
        if only is VerifyPart.PROOFS:
            raise Unsupported(missing)
        warn(f"no proofs are verified; {missing}")
        parts.remove("proofs")
    outcomes = _outcomes(parts, _effort(quick, full), seed, processes or os.cpu_count() or 1)
    if html is not None:
        from equivalence.verification.verification_page import verification_page

        write_file(html, verification_page(outcomes))
    if as_json:
        print_json(_document(outcomes))
    else:
        print_outcomes(outcomes)
    raise typer.Exit(HOLDS if all(outcome.holds for outcome in outcomes) else FALLS_SHORT)


def _effort(quick: bool, full: bool) -> "Effort":
    from equivalence.verification import FULL, QUICK, USUAL

    if quick:
        return QUICK
    return FULL if full else USUAL


def _outcomes(parts: list[str], effort: "Effort", seed: int, processes: int) -> "list[Outcome]":
    """What all jobs found, in the order of the jobs, however many of them ran at a time."""
    from equivalence.verification import jobs, run_jobs

    work = jobs(parts, effort, seed)
    found: dict[VerificationJob, list[Outcome]] = {}
    with progress_bar() as bar:
        progress = PartsProgress(work, bar)
        for job, outcomes in run_jobs(work, min(processes, len(work))):
            found[job] = outcomes
            progress.note(job, outcomes)
    return [outcome for job in work for outcome in found[job]]


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
