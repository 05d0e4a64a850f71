"""Many cases of one plan in one run, for an engine whose runs cost much more than its work.

A column that numbers the cases keeps them apart; see `equivalence.cases.case_column`. Whatever is wrong with a common
run is looked for in each case alone, so that a finding is as small as one of any other engine.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from equivalence.cases.case_column import lift, lift_cases, unlift
from equivalence.cases.choices import SeededChoices
from equivalence.cases.delivery import Delivery
from equivalence.cases.search import CaseOutcome
from equivalence.cases.situation import Situation, choose_case_in
from equivalence.conformance.attempts import plan_in
from equivalence.conformance.judge import Attempt, first_difference, judge
from equivalence.conformance.subject.history import History, holds_a_row
from equivalence.conformance.subject.in_process import Subject
from equivalence.verdicts.engine_fault import EngineFault
from equivalence.verdicts.fault_kind import Fault, FaultKind
from equivalence.verdicts.finding import Finding
from semantics import LogicalStream, Plan, TooManyChanges, Unsupported
from semantics.evaluate import Snapshots

OVERFLOWING_CASES_PER_RUN: Final = 1
"""A case that overflows would fail the whole run, so it needs a run of its own; most of them are skipped."""


def attempts_together(
    seed: object, operator: type[Plan], situation: Situation, cases: int, subject: Subject | None = None
) -> list[tuple[Attempt, SeededChoices]]:
    """So many cases for one plan with this operator, and for each the choices that make the plan and this case."""
    first = SeededChoices(seed)
    situation, plan = plan_in(first, operator, situation, subject)
    delivery = Delivery(columns=first.chance(1, 4))
    made = first.made[:-1]
    return [_attempt(SeededChoices(f"{seed}/{i}"), plan, situation, delivery, made) for i in range(cases)]


def _attempt(
    choices: SeededChoices, plan: Plan, situation: Situation, delivery: Delivery, before: list[int]
) -> tuple[Attempt, SeededChoices]:
    case = choose_case_in(choices, situation, plan.sources())
    choices.made[:0] = before
    return Attempt(plan, case, situation.horizon, delivery), choices


def judge_together(subject: Subject, attempts: Sequence[Attempt]) -> list[Finding | CaseOutcome]:
    """The outcome of each attempt; those that do not agree in the common run are judged alone."""
    listable = [i for i, attempt in enumerate(attempts) if _can_be_listed(attempt)]
    found: dict[int, Finding | CaseOutcome] = {i: CaseOutcome.UNMET for i in range(len(attempts)) if i not in listable}
    whole = [i for i in listable if attempts[i].expected is not None]
    try:
        results = _run(subject, [attempts[i] for i in whole])
        for i, result in zip(whole, results, strict=True):
            found[i] = _outcome(subject, attempts[i], attempts[i].expected or (), result)
    except (Unsupported, TooManyChanges):  # of all together: an engine may know Aggregation, and not Grouping
        found |= {i: judge(subject, attempts[i]) for i in whole}
    except Fault as fault:
        found |= _blamed(subject, attempts, whole, fault)
    overflowing = [i for i in listable if i not in whole][:OVERFLOWING_CASES_PER_RUN]
    found |= {i: judge(subject, attempts[i]) for i in overflowing}
    return [found[i] for i in sorted(found)]


def _can_be_listed(attempt: Attempt) -> bool:
    try:
        _ = attempt.expected
    except TooManyChanges:
        return False
    return True


def _run(subject: Subject, attempts: Sequence[Attempt]) -> list[Snapshots]:
    if not attempts:
        return []
    plan, horizon = attempts[0].plan, attempts[0].horizon
    lifted = lift(plan)
    snapshots = subject.run(lifted, lift_cases(plan, [a.case for a in attempts]), horizon, attempts[0].delivery)
    apart = unlift(LogicalStream(lifted.schema, snapshots), plan.schema, len(attempts))
    return [stream.snapshots for stream in apart]


def _outcome(subject: Subject, attempt: Attempt, expected: History, found: Snapshots) -> Finding | CaseOutcome:
    wrong = first_difference(subject, expected, found)
    if wrong is None:
        return CaseOutcome.FIRED if holds_a_row(expected) else CaseOutcome.EMPTY
    alone = judge(subject, attempt)
    if isinstance(alone, Finding):
        return alone
    return _only_together(attempt, FaultKind.WRONG_RESULT, f"another result at instant {wrong}")


def _blamed(
    subject: Subject, attempts: Sequence[Attempt], which: list[int], fault: Fault
) -> dict[int, Finding | CaseOutcome]:
    """The whole run failed: blame the first case that also fails alone, or else all together if they fail again."""
    found: dict[int, Finding | CaseOutcome] = {}
    for i in which:
        found[i] = judge(subject, attempts[i])
        if isinstance(found[i], Finding):
            return found
    if fault.name is FaultKind.ENDLESS_OUTPUT:  # too much for one case may be right for many
        return found
    if not _fails_again(subject, [attempts[i] for i in which]):
        return found
    first = attempts[which[0]]
    plan, cases = lift(first.plan), lift_cases(first.plan, [attempts[i].case for i in which])
    read = {name: cases[name] for name in plan.sources()}
    found[which[0]] = _only_together(replace(first, plan=plan, case=read), fault.name, fault.message)
    return found


def _fails_again(subject: Subject, attempts: Sequence[Attempt]) -> bool:
    try:
        _run(subject, attempts)
    except Fault:
        return True
    return False


def _only_together(attempt: Attempt, name: FaultKind, message: str) -> Finding:
    text = f"{message}; only if many cases are run together, told apart by a column"
    plan = attempt.plan
    example = EngineFault(plan, attempt.case, attempt.horizon, str(name), text, plan, attempt.delivery)
    return Finding(name, text, plan.operator, counterexample=example)
