"""A fault of an engine on the smallest streams that show it: the same fault of the same operator."""

from dataclasses import replace

from equivalence.cases.delivery import WHOLE
from equivalence.cases.random_cases import Case
from equivalence.cases.reduce_case import reduced
from equivalence.conformance.judge import Attempt, judge
from equivalence.conformance.subject.in_process import Subject
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.finding import Finding


def is_same_fault(outcome: object, finding: Finding) -> bool:
    """Has it the same name, and is the same operator to blame?"""
    return isinstance(outcome, Finding) and (outcome.name, outcome.operator) == (finding.name, finding.operator)


def on_smallest_streams(subject: Subject, finding: Finding) -> Finding:
    """The same plan on the smallest streams, if these are handed over as a whole."""
    found = finding.counterexample
    if not isinstance(found, Counterexample) or (found.delivery or WHOLE).schedule is not None:
        return finding
    attempt = Attempt(found.plans[0], found.streams, found.instant + 1, found.delivery or WHOLE)

    def same(case: Case) -> Finding | None:
        outcome = judge(subject, replace(attempt, case=case))
        return outcome if isinstance(outcome, Finding) and is_same_fault(outcome, finding) else None

    return reduced(same, found.streams, finding)
