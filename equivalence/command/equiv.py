"""`snapeq equiv`: are two plans equivalent?"""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, assert_never

import typer

from equivalence.command.extras import needing_solvers
from equivalence.command.on_spark import Master, Partitions, SparkTarget, engine_at
from equivalence.command.show_verdict import exit_code, save_counterexample, show_verdict
from equivalence.command.terminal import AsJson, Seed, TestFile, working
from semantics import Plan, SnapeqError

if TYPE_CHECKING:
    from equivalence.command.query_files.query_over_files import QueryOverFiles
    from equivalence.verdicts.verdict import Verdict
    from physical.engine import Engine
    from semantics.constraint import Constraint

REFERENCE: Final = "reference"


class By(StrEnum):
    """How to find out."""

    PROVE = "prove"
    EXHAUST = "exhaust"
    SAMPLE = "sample"


def equiv_command(
    q1: Annotated[str, typer.Argument(metavar="Q1", help="A query in SQL, a plan, or a file that holds one.")],
    q2: Annotated[str, typer.Argument(metavar="Q2", help="Another.")],
    catalog: Annotated[Path | None, typer.Option(metavar="FILE", help="Streams and tables that SQL may use.")] = None,
    by: Annotated[By, typer.Option(help="Prove it, try all small cases, or try samples.")] = By.SAMPLE,
    examples: Annotated[int, typer.Option(min=1, help="How many samples.")] = 1000,
    seed: Seed = 0,
    engine: Annotated[str, typer.Option(metavar="NAME", help="Who computes samples: reference, spark, …")] = REFERENCE,
    master: Master = None,
    partitions: Partitions = None,
    as_json: AsJson = False,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a counterexample for `replay`.")] = None,
    test: TestFile = None,
) -> None:
    """Are two plans equivalent? PROVED, AGREED on the cases tried, or REFUTED with the smallest example.

    \b
    Example:
      snapeq equiv 'S(x int) | window(range 2) | distinct' 'S(x int) | distinct | window(range 2)'

    Exit code 0 if they agree, 1 if not or if nothing was at stake, 3 if it is unknown.
    """
    from equivalence.command.query_files.assumptions import assumptions

    left, right = _query(q1, "Q1", catalog), _query(q2, "Q2", catalog)
    if engine != REFERENCE and by is not By.SAMPLE:
        raise SnapeqError(f"--engine {engine}: only samples can be computed by an engine; expected --by sample")
    chosen = engine_at(engine, SparkTarget(master, partitions))
    with working("comparing"):
        if chosen == REFERENCE:
            verdict = _verdict(left.plan, right.plan, by, examples, seed, assumptions(left, right))
        else:
            verdict = _sampled_on(chosen, left, right, examples, seed)
    show_verdict(verdict, as_json)
    save_counterexample(verdict, save, test)
    raise typer.Exit(exit_code(verdict))


def _sampled_on(
    engine: "str | Engine", left: "QueryOverFiles", right: "QueryOverFiles", examples: int, seed: int
) -> "Verdict":
    """By samples that an engine computes, many in one run."""
    from equivalence.command.query_files.assumptions import assumptions
    from equivalence.conformance.subject.load import load_engine
    from equivalence.sampling.sample_on_engine import check_plans_on

    loaded = load_engine(engine) if isinstance(engine, str) else engine
    constraints = assumptions(left, right)
    return check_plans_on(loaded, left.plan, right.plan, constraints=constraints, examples=examples, seed=seed)


def _query(text: str, where: str, catalog: Path | None) -> "QueryOverFiles":
    from equivalence.command.query_files.query_over_files import read_query

    try:
        return read_query(text, catalog)
    except SnapeqError as error:
        raise SnapeqError(f"{where}: {error}") from None


def _verdict(
    left: Plan, right: Plan, by: By, examples: int, seed: int, constraints: "tuple[Constraint, ...]"
) -> "Verdict":
    """The verdict of the chosen check; only that one is imported, for each takes its time."""
    match by:
        case By.PROVE:
            with needing_solvers("prover"):
                from equivalence.prover.prove import prove

            return prove(left, right, constraints=constraints)
        case By.EXHAUST:
            from equivalence.exhaustive.exhaust import exhaust

            return exhaust(left, right, constraints=constraints)
        case By.SAMPLE:
            from equivalence.sampling.sample import check_plans

            return check_plans(left, right, constraints=constraints, examples=examples, seed=seed)
        case _:
            assert_never(by)
