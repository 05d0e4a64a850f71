"""Generated plans that an engine says it can run, each on many cases in one job, judged by the reference."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, islice

from equivalence.cases.case_column import lift
from equivalence.cases.choices import SeededChoices
from equivalence.cases.search import CaseOutcome
from equivalence.cases.situation import Situation
from equivalence.cases.situations import SITUATIONS
from equivalence.conformance.judge import Attempt
from equivalence.conformance.judge_many import attempts_together, judge_together
from equivalence.conformance.subject.in_process import CASES_PER_RUN, AnyEngine, InProcess
from equivalence.verdicts.finding import Finding
from semantics import Plan

WHOLE = [situation for situation in SITUATIONS.values() if situation.delivery == "whole"]
TRIED = 40
"""Seeds of a cell that are tried for a plan that the engine can run."""


@dataclass
class Outcome:
    """What was seen: how many cases of each kind, by operator, and what is wrong."""

    seen: dict[str, Counter[CaseOutcome]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    @property
    def cases(self) -> int:
        return sum(sum(tally.values()) for tally in self.seen.values())


def judged(
    engine: AnyEngine, operators: Sequence[type[Plan]], *, plans: int, seed: int = 0, tolerance: float | None = None
) -> Outcome:
    """Judge this many plans with each operator on top, over all situations in turn."""
    subject, outcome = InProcess(engine, tolerance=tolerance), Outcome()
    for operator in operators:
        tally = outcome.seen.setdefault(operator.__name__, Counter())
        for attempts in islice(_supported(engine, operator, seed), plans):
            found = judge_together(subject, attempts)
            tally.update(one for one in found if isinstance(one, CaseOutcome))
            outcome.findings += [one for one in found if isinstance(one, Finding)][:1]
    subject.close()
    return outcome


def _supported(engine: AnyEngine, operator: type[Plan], seed: int) -> Iterator[list[Attempt]]:
    for number in count():
        situation = WHOLE[number % len(WHOLE)]
        if situation.operators is None or operator in situation.operators:
            yield from islice(_in_situation(engine, operator, situation, f"{seed}/{number}"), 1)


def _in_situation(engine: AnyEngine, operator: type[Plan], situation: Situation, seed: str) -> Iterator[list[Attempt]]:
    for number in range(TRIED):
        drawn: list[tuple[Attempt, SeededChoices]] = attempts_together(
            f"{seed}/{number}", operator, situation, CASES_PER_RUN
        )
        if engine.supports(lift(drawn[0][0].plan)):
            yield [attempt for attempt, _ in drawn]
