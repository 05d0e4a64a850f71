"""`snapeq conform --job`: does a PySpark job compute what a query says?"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import typer

from equivalence.command.show_verdict import exit_code, show_verdict
from equivalence.command.terminal import working
from semantics import SnapeqError

if TYPE_CHECKING:
    from equivalence.dataframes.job_arrival import LatePolicy
    from equivalence.programs.program_output import ProgramOutput

KINDS: "Final[dict[str, ProgramOutput]]" = {"intervals": "intervals", "panes": "panes", "events": "events"}


@dataclass(frozen=True)
class JobCheck:
    """What was asked for about a job."""

    job: str
    streaming: bool
    slack: int
    late: str | None
    output: str | None
    time: str | None
    cases: int | None
    seed: int
    master: str | None


def conform_job(query: str | None, asked: JobCheck, as_json: bool) -> None:
    """Check the job against the query, print the verdict, and end the command."""
    from equivalence.conformance.subject.load import load_function
    from equivalence.dataframes.check_job import CASES, check_job
    from physical.engines.spark.spark_session import session

    if query is None:
        raise SnapeqError(f"--job {asked.job}: expected a query that it is to compute, or a file that holds one")
    job = load_function(asked.job)
    with working(f"checking {asked.job}", in_a_pipe=True):
        verdict = check_job(
            job,
            query,
            spark=session(asked.master),
            streaming=asked.streaming,
            slack=asked.slack,
            late=late_policy(asked.late),
            output=output_kind(asked.output),
            time=asked.time,
            examples=CASES if asked.cases is None else asked.cases,
            seed=asked.seed,
        )
    show_verdict(verdict, as_json)
    raise typer.Exit(exit_code(verdict))


def late_policy(text: str | None) -> "LatePolicy | None":
    """What is said to become of late rows."""
    from equivalence.dataframes.job_arrival import POLICIES

    if text is not None and text not in POLICIES:
        raise SnapeqError(f"--late {text}: expected one of: {', '.join(POLICIES)}")
    return None if text is None else POLICIES[text]


def output_kind(text: str | None) -> "ProgramOutput | None":
    """What an output is declared to be."""
    if text is not None and text not in KINDS:
        raise SnapeqError(f"--as {text}: expected one of: {', '.join(KINDS)}")
    return None if text is None else KINDS[text]
