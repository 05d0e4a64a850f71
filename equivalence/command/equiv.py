"""`snapeq equiv`: are two plans equivalent?"""

from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, assert_never

import typer

from equivalence.command.extras import needing_solvers
from equivalence.command.on_spark import Conf, Master, Partitions, SparkTarget, engine_at
from equivalence.command.show_verdict import exit_code, save_counterexample, show_verdict, write_page
from equivalence.command.terminal import AsJson, HtmlFile, Seed, TestFile, check_writable, working
from equivalence.comparison.time_limit import OutOfTime, time_limit
from semantics import Plan, SnapeqError
from semantics.value import brief

if TYPE_CHECKING:
    from equivalence.foreign_plans.pair import PairOfPlans
    from equivalence.query_files.query_over_files import QueryOverFiles
    from equivalence.verdicts.verdict import Verdict
    from physical.engine import Engine
    from semantics.constraint import Constraint

REFERENCE: Final = "reference"
SECONDS_FOR_PROOF: Final = 10
"""How long a proof is looked for if nobody asked for one."""
SAMPLES_BEFORE_PROOF: Final = 200
"""Most of what differs does so on these, and what is proved needs no more."""
SECONDS_FOR_ASSUMPTIONS: Final = 5
"""How long assumptions are looked for that would make a proof."""
SECONDS_FOR_ONE_OF_MANY: Final = 30.0
"""How long one of many pairs may take if nobody says."""


class By(StrEnum):
    """How to find out."""

    PROVE = "prove"
    EXHAUST = "exhaust"
    SAMPLE = "sample"


def equiv_command(
    q1: Annotated[
        str | None, typer.Argument(metavar="Q1", help="A query in SQL, a plan, or a file that holds one.")
    ] = None,
    q2: Annotated[str | None, typer.Argument(metavar="Q2", help="Another.")] = None,
    catalog: Annotated[Path | None, typer.Option(metavar="FILE", help="Streams and tables that SQL may use.")] = None,
    dialect: Annotated[
        str | None, typer.Option(metavar="NAME", help="Whose SQL the queries are; for each its own as flink,spark.")
    ] = None,
    by: Annotated[
        By | None, typer.Option(help="Only prove it, try all small cases, or try samples; else the strongest answer.")
    ] = None,
    examples: Annotated[int, typer.Option(metavar="N", min=1, help="How many samples.")] = 1000,
    seed: Seed = 0,
    engine: Annotated[str, typer.Option(metavar="NAME", help="Who computes samples: reference, spark, …")] = REFERENCE,
    master: Master = None,
    partitions: Partitions = None,
    conf: Conf = None,
    as_json: AsJson = False,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a counterexample for `replay`.")] = None,
    test: TestFile = None,
    html: HtmlFile = None,
    certificate: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a proof for `check-certificate`; with --by prove.")
    ] = None,
    pairs: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help='Many pairs, one a line: {"q1": "…", "q2": "…"}; or a folder of QED\'s.'),
    ] = None,
    jobs: Annotated[int, typer.Option(metavar="N", min=1, help="How many pairs are compared at a time.")] = 1,
    seconds: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", min=0.1, help="How long one pair may take; 30 where there are many."),
    ] = None,
    results: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write answers as they come; what is there is not asked again.")
    ] = None,
) -> None:
    """Are two plans equivalent? PROVED, AGREED on the cases tried, or REFUTED with the smallest example.

    \b
    Example:
      snapeq equiv 'S(x int) | window(range 2) | distinct' \\
        'S(x int) | distinct | window(range 2)'

    Without --by, samples are tried first, then a proof. Columns are compared by name where both queries have the same
    names, else by position. Exit code 0 if they agree, 1 if not or if nothing was at stake, 3 if it is unknown. Of many
    pairs one that does not agree makes it 1, else one that is unknown or cannot be read 3.
    """
    check_writable(save, test, html, results, certificate)
    if certificate is not None and by is not By.PROVE:
        raise SnapeqError("--certificate: only proofs have one; expected --by prove")
    effort = Effort(by, examples, seed, seconds)
    if pairs is not None:
        _check_pairs_alone(q1, engine, save or test or html or certificate)
        raise typer.Exit(_many(pairs, catalog, dialect or "", effort, jobs, results, as_json=as_json))
    if q1 is None or q2 is None:
        raise SnapeqError(f"Missing argument 'Q{1 if q1 is None else 2}': expected two queries, or --pairs FILE")
    if engine != REFERENCE and by not in (None, By.SAMPLE):
        raise SnapeqError(f"--engine {engine}: only samples can be computed by an engine; expected --by sample")
    question = read_question(q1, q2, catalog, dialect or "", effort)
    chosen = engine_at(engine, SparkTarget.of(master, partitions, conf))
    with working("comparing"):
        verdict = answer_within(question, effort) if chosen == REFERENCE else _sampled_on(chosen, question)
    show_verdict(verdict, as_json)
    save_counterexample(verdict, save, test)
    if html is not None:
        write_page(html, "snapeq equiv", verdict)
    if certificate is not None and verdict.kind == "proved":
        _write_certificate(question, certificate)
    raise typer.Exit(exit_code(verdict))


def _write_certificate(question: "Question", file: Path) -> None:
    """Write the proof down; a SnapeqError says why there is none that the checker accepts."""
    import json

    from equivalence.certificates.write import certificate

    with working("writing"):
        written = certificate(question.left, question.right, question.constraints)
    file.write_text(json.dumps(written, separators=(",", ":")) + "\n")


def _check_pairs_alone(q1: str | None, engine: str, written: Path | None) -> None:
    """Raise a SnapeqError if there is something beside many pairs that is about one."""
    if q1 is not None:
        raise SnapeqError(f"--pairs: the queries are in the file; expected no Q1, got {brief(q1)}")
    if engine != REFERENCE or written is not None:
        raise SnapeqError(
            "--pairs: goes together with --by, --jobs, --seconds and --results, not with what is about one pair"
        )


def _many(
    pairs: Path, catalog: Path | None, dialect: str, effort: "Effort", jobs: int, results: Path | None, *, as_json: bool
) -> int:
    from equivalence.command.equiv_pairs import equiv_pairs, read_pairs

    limited = replace(effort, seconds=effort.seconds or SECONDS_FOR_ONE_OF_MANY)
    return equiv_pairs(read_pairs(pairs, catalog, dialect, limited), jobs, results, as_json=as_json)


@dataclass(frozen=True)
class Effort:
    """How to find out, and how much to try."""

    by: By | None
    examples: int
    seed: int
    seconds: float | None
    """How long it may take; None is as long as it takes."""


@dataclass(frozen=True)
class Question:
    """Two plans, what is known of their sources, and how much to try."""

    left: Plan
    right: Plan
    constraints: "tuple[Constraint, ...]"
    examples: int
    seed: int


def read_question(q1: str, q2: str, catalog: Path | None, dialect: str, effort: Effort) -> Question:
    """Two texts as a question, with columns matched by name where both have the same names."""
    from equivalence.query_files.assumptions import assumptions
    from equivalence.query_files.comparable_queries import check_same_declarations, matched_by_name

    mine, _, other = dialect.partition(",")
    left, right = _query(q1, "Q1", catalog, mine), _query(q2, "Q2", catalog, other or mine)
    check_same_declarations(left, right)
    matched = matched_by_name(left.plan, right.plan)
    return Question(left.plan, matched, assumptions(left, right), effort.examples, effort.seed)


def question_of_plans(plans: "PairOfPlans", effort: Effort) -> Question:
    """Plans of others as a question; their columns are matched by place."""
    from equivalence.query_files.assumptions import assumptions
    from equivalence.query_files.query_over_files import QueryOverFiles
    from semantics.sql import Catalogue, parse_script, read_script

    known = read_script(plans.catalog, Catalogue.of({}, plans.functions))
    read = [parse_script(text, known.copy()) for text in (plans.q1, plans.q2)]
    left, right = (QueryOverFiles(script.plan, script.catalogue) for script in read)
    return Question(left.plan, right.plan, assumptions(left, right), effort.examples, effort.seed)


def answer_within(question: Question, effort: Effort) -> "Verdict":
    """The verdict; unknown if it is not found in time."""
    from equivalence.verdicts.verdict import Verdict

    if effort.seconds is None:
        return _explained(question, effort.by)
    try:
        with time_limit(effort.seconds):
            return _explained(question, effort.by)
    except OutOfTime:
        return Verdict("unknown", {"how": effort.by or "all", "reason": f"none was found in {effort.seconds:g} s"})


def _explained(question: Question, by: By | None) -> "Verdict":
    """The verdict with a remark on its columns and, where there is no proof, with what would have to be assumed."""
    verdict = _with_remark(_verdict(question, by), question)
    if verdict.kind in ("proved", "vacuous") or by in (By.EXHAUST, By.SAMPLE):
        return verdict
    return _with_assumptions(verdict, question)


def _with_assumptions(verdict: "Verdict", question: Question) -> "Verdict":
    """The verdict, with assumptions from which the prover proves the plans equivalent, if it finds some in time."""
    from equivalence.comparison.solvers import solvers_missing
    from equivalence.verdicts.counterexample import Counterexample

    if solvers_missing() is not None:
        return verdict
    from equivalence.prover.missing_assumptions import missing_assumptions

    case = verdict.counterexample if isinstance(verdict.counterexample, Counterexample) else None
    try:
        with time_limit(SECONDS_FOR_ASSUMPTIONS):
            found = missing_assumptions(question.left, question.right, question.constraints, case)
    except OutOfTime:
        return verdict
    proved_if = [[str(one) for one in several] for several in found]
    return replace(verdict, evidence={**verdict.evidence, "proved_if": proved_if}) if proved_if else verdict


def _with_remark(verdict: "Verdict", question: Question) -> "Verdict":
    """The verdict; it says so if columns were compared by position, because their names differ."""
    from equivalence.query_files.comparable_queries import have_other_names

    if not have_other_names(question.left, question.right):
        return verdict
    return replace(verdict, evidence={**verdict.evidence, "columns": "by position"})


def _sampled_on(engine: "str | Engine", question: Question) -> "Verdict":
    """By samples that an engine computes, many in one run."""
    from equivalence.conformance.subject.load import load_engine
    from equivalence.sampling.sample_on_engine import check_plans_on

    loaded = load_engine(engine) if isinstance(engine, str) else engine
    return check_plans_on(
        loaded,
        question.left,
        question.right,
        constraints=question.constraints,
        examples=question.examples,
        seed=question.seed,
    )


def _query(text: str, where: str, catalog: Path | None, dialect: str) -> "QueryOverFiles":
    from equivalence.query_files.query_over_files import read_query

    try:
        return read_query(text, catalog, dialect=dialect or None)
    except SnapeqError as error:
        raise SnapeqError(f"{where}: {error}") from None


def _verdict(question: Question, by: By | None) -> "Verdict":
    """The verdict of the chosen check; only that one is imported, for each takes its time."""
    left, right, constraints = question.left, question.right, question.constraints
    match by:
        case None:
            return _strongest(question)
        case By.PROVE:
            with needing_solvers("prover"):
                from equivalence.prover.prove import prove

            return prove(left, right, constraints=constraints)
        case By.EXHAUST:
            from equivalence.exhaustive.exhaust import exhaust

            return exhaust(left, right, constraints=constraints)
        case By.SAMPLE:
            from equivalence.comparison.check_plans import check_plans

            return check_plans(left, right, constraints=constraints, examples=question.examples, seed=question.seed)
        case _:
            assert_never(by)


def _strongest(question: Question) -> "Verdict":
    """Refuted by a case, else proved, else what the cases and the neighbours say, with the reason for no proof."""
    from equivalence.comparison.comparison import PlanComparison
    from equivalence.rules.instances import Instance
    from semantics.comparable_plans import check_comparable

    check_comparable(question.left, question.right)
    instance = Instance(question.left, question.right, question.constraints)
    comparison = PlanComparison(instance, question.seed)
    comparison.search(min(question.examples, SAMPLES_BEFORE_PROOF))
    if comparison.refuted or comparison.always_empty:
        return comparison.verdict()
    proof = _proof(question)
    if proof.kind in ("proved", "refuted"):
        return proof
    comparison.search(question.examples)
    comparison.settle()
    verdict = comparison.verdict()
    if comparison.refuted:
        return verdict
    return replace(verdict, evidence={**verdict.evidence, "no_proof": proof.evidence["reason"]})


def _proof(question: Question) -> "Verdict":
    """What the prover says within the time limit; unknown, with the reason, if there is no prover."""
    from equivalence.comparison.solvers import solvers_missing
    from equivalence.verdicts.verdict import Verdict

    missing = solvers_missing()
    if missing is not None:
        return Verdict("unknown", {"reason": missing})
    from equivalence.prover.prove import prove

    try:
        with time_limit(SECONDS_FOR_PROOF):
            proof = prove(question.left, question.right, constraints=question.constraints)
    except OutOfTime:
        return Verdict("unknown", {"reason": f"none was found in {SECONDS_FOR_PROOF} s"})
    known = {} if proof.kind in ("proved", "refuted") else {"reason": "none was found"}
    return replace(proof, evidence={**known, **proof.evidence})
