"""Is an engine right about one plan and one case? If not, what is wrong, and which node is to blame?

The blamed node is the lowest whose output does not follow from the engine's own inputs to it. So a fault is reported
where it arises, and not in each operator above.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from equivalence.cases.delivery import WHOLE, Delivery
from equivalence.cases.random_cases import Case
from equivalence.cases.search import CaseOutcome
from equivalence.conformance.pairs_by_index import by_index
from equivalence.conformance.subject import history
from equivalence.conformance.subject.history import History, applied, right_history, snapshot_at
from equivalence.conformance.subject.in_process import Subject
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.engine_fault import EngineFault
from equivalence.verdicts.fault_kind import Fault, FaultKind
from equivalence.verdicts.finding import Finding
from semantics import FOREVER, ArithmeticOverflow, IntervalStream, Plan, TooManyChanges, Unsupported
from semantics.plan import (
    Aggregation,
    CountWindow,
    LandmarkWindow,
    Over,
    PartitionedWindow,
    SessionWindow,
    Source,
    TimeWindow,
)


@dataclass(frozen=True)
class Attempt:
    """A plan and a case to try an engine on, and how the case is delivered."""

    plan: Plan
    case: Case
    horizon: int
    delivery: Delivery = WHOLE
    twice: bool = False
    """Run it a second time, to see whether the result is the same?"""

    @cached_property
    def seen(self) -> Case:
        """What the query sees of the case, which is less than all if it is added late."""
        return self.delivery.seen(self.case)

    @cached_property
    def expected(self) -> History | None:
        """What is right; None if integers overflow, TooManyChanges if it cannot be listed."""
        try:
            return right_history(self.plan, self.seen, self.horizon)
        except ArithmeticOverflow:
            return None


def judge(
    subject: Subject, attempt: Attempt, *, blaming: bool = True, meanwhile: Callable[[], None] = lambda: None
) -> Finding | CaseOutcome:
    """What is wrong, with the lowest node to blame, or the root if nobody asks; or what the attempt was worth.

    What is to be done meanwhile, is done while an engine with a process of its own works.
    """
    try:
        return _judged(subject, attempt, blaming, meanwhile)
    except Unsupported:
        return CaseOutcome.UNSUPPORTED
    except TooManyChanges:
        return CaseOutcome.UNMET
    except Fault as fault:
        return _faulty(fault, attempt, blame(subject, attempt) if blaming else attempt.plan)


def _judged(subject: Subject, attempt: Attempt, blaming: bool, meanwhile: Callable[[], None]) -> Finding | CaseOutcome:
    if not subject.limited and never_settles(attempt.plan, attempt.case):
        # Asked first: an operator that the engine does not support is no operator about which too little was seen.
        subject.check_support(attempt.plan)
        return CaseOutcome.UNMET
    if attempt.delivery.schedule is not None and _never_final(attempt):
        return CaseOutcome.UNMET
    expected = attempt.expected
    if expected is None:
        return _overflowing(subject, attempt, blaming)
    running = subject.started(attempt.plan, attempt.case, attempt.horizon, attempt.delivery)
    meanwhile()
    return _compared(subject, attempt, expected, running(), blaming)


def _never_final(attempt: Attempt) -> bool:
    """Does an operator look ahead at rows that never end, so that a session must wait for ever?"""
    ahead = attempt.plan.has_lookahead
    return ahead and never_settles(attempt.plan, attempt.case)


def first_difference(subject: Subject, expected: History, found: History) -> int | None:
    """The first instant at which the result is not what it should be."""
    return history.first_difference(subject.differs, expected, found, exact=not subject.tolerance)


def _run(subject: Subject, attempt: Attempt) -> History:
    return subject.history(attempt.plan, attempt.case, attempt.horizon, attempt.delivery)


def _overflowing(subject: Subject, attempt: Attempt, blaming: bool) -> Finding | CaseOutcome:
    """An error is right. So is a result, if whoever finds partners by an index never meets the pair that overflows."""
    try:
        found = _run(subject, attempt)
    except Fault as fault:
        if fault.name is FaultKind.RAISES:
            return CaseOutcome.OVERFLOW
        raise
    try:
        indexed = right_history(by_index(attempt.plan), attempt.seen, attempt.horizon)
    except ArithmeticOverflow:
        message = "an integer leaves 64 bits, which is an error, but there is a result"
        raise Fault(FaultKind.MISSED_OVERFLOW, message) from None
    return _compared(subject, attempt, indexed, found, blaming)


def _compared(
    subject: Subject, attempt: Attempt, expected: History, found: History, blaming: bool
) -> Finding | CaseOutcome:
    wrong = first_difference(subject, expected, found)
    if wrong is not None or attempt.twice:
        _check_again(subject, attempt, found)
    if wrong is not None:
        return _wrong_result(attempt, expected, found, wrong, blame(subject, attempt) if blaming else attempt.plan)
    return CaseOutcome.FIRED if history.holds_a_row(expected) else CaseOutcome.EMPTY


def _check_again(subject: Subject, attempt: Attempt, found: History) -> None:
    again = _run(subject, attempt)
    t = first_difference(subject, found, again)
    if t is not None:
        raise Fault(FaultKind.NONDETERMINISTIC, f"two runs on the same input differ at instant {t}")


def _wrong_result(attempt: Attempt, expected: History, found: History, t: int, blamed: Plan) -> Finding:
    sides = snapshot_at(expected, t), snapshot_at(found, t)
    example = Counterexample((attempt.plan,), attempt.case, t, *sides, blamed, attempt.delivery)
    message = f"at instant {t} the engine's snapshot (right) is not the reference's (left); {attempt.delivery}"
    return Finding(FaultKind.WRONG_RESULT, message, blamed.operator, counterexample=example)


def _faulty(fault: Fault, attempt: Attempt, blamed: Plan) -> Finding:
    message = f"{fault.message}; {attempt.delivery}"
    example = EngineFault(
        attempt.plan, attempt.case, attempt.horizon, str(fault.name), message, blamed, attempt.delivery
    )
    return Finding(fault.name, message, blamed.operator, counterexample=example)


def blame(subject: Subject, attempt: Attempt) -> Plan:
    """The lowest node at which the engine's output is not the operator applied to the engine's own inputs to it.

    Something is known to be wrong with the whole, so that the root is to blame if no other node is.
    """
    outputs: dict[Plan, History] = {}
    for node in list(attempt.plan.walk(inputs_first=True))[:-1]:
        part = replace(attempt, plan=node)
        try:
            right = _applied(part, outputs)
            outputs[node] = right if isinstance(node, Source) else _run(subject, part)
        except Unsupported:
            outputs[node] = right
        except (Fault, ArithmeticOverflow):
            return node
        except TooManyChanges:  # of what a faulty node gave: this node was given what no operator could work with
            return attempt.plan
        if first_difference(subject, right, outputs[node]) is not None:
            return node
    return attempt.plan


def _applied(part: Attempt, outputs: dict[Plan, History]) -> History:
    # Outputs are cut at the horizon, and what looks ahead has to know more. All that is below it is right so far.
    if isinstance(part.plan, Source) or part.plan.has_lookahead:
        return right_history(part.plan, part.seen, part.horizon)
    return applied(part.plan, tuple(outputs[child] for child in part.plan.inputs), part.horizon)


def never_settles(plan: Plan, case: Case) -> bool:
    """Can the result change for ever, so that without a horizon it is infinite?"""
    return any(_grows(node) and any(_lasts(child, case) for child in node.inputs) for node in plan.walk())


def _grows(plan: Plan) -> bool:
    windows = LandmarkWindow | CountWindow | PartitionedWindow | SessionWindow | Over
    return isinstance(plan, windows) or (isinstance(plan, TimeWindow) and plan.size == FOREVER)


def _lasts(plan: Plan, case: Case) -> bool:
    """Can an output be valid for ever?"""
    match plan:
        case Source(name=name):
            stream = case[name]
            return isinstance(stream, IntervalStream) and any(i.end == FOREVER for _, i in stream.elements)
        case Aggregation(on_empty=True) | LandmarkWindow(reset=None) | CountWindow() | PartitionedWindow():
            return True
        case TimeWindow(size=size) if size == FOREVER:
            return True
        case _:
            return any(_lasts(child, case) for child in plan.inputs)
