"""A session that is driven by a schedule, and what it has given out in the end."""

from collections.abc import Sequence
from typing import Any

from equivalence.cases.delivery import Delivery
from equivalence.cases.schedules import Heartbeat, Push, Schedule, Step
from equivalence.conformance.subject.state_allowance import Allowance
from equivalence.verdicts.fault_kind import Fault, Name
from physical.columns.stream import PhysicalStream, joined
from semantics import Plan


def run_by_schedule(
    engine: Any, plan: Plan, delivery: Delivery, horizon: int, allowance: Allowance | None = None
) -> PhysicalStream:
    """The results of a session that is driven by a schedule; at the end time goes on, step by step, to the horizon.

    A session that says what it holds may then hold nothing that cannot matter any more.
    """
    schedule = delivery.only(plan.sources()).schedule or ()
    session = engine.session(plan.sources(), slack=delivery.slack)
    results = [PhysicalStream.empty(plan.schema)]
    session.add("query", plan)
    session.subscribe("query", results.append)
    drive(session, schedule)
    for t in range(min(_over(schedule), horizon), horizon + 1):
        session.heartbeat(t)
        _check_state(session, t, allowance)
    return joined(results)


def _over(schedule: Schedule) -> int:
    """The first instant at which nothing starts any more."""
    ends = [step.instant if isinstance(step, Heartbeat) else int(step.elements.start.max()) + 1 for step in schedule]
    return max(ends, default=0)


def _check_state(session: Any, t: int, allowance: Allowance | None) -> None:
    held = getattr(getattr(session, "state", None), "elements", None)
    allowed = None if allowance is None or held is None else allowance.at(t)
    if held is not None and allowed is not None and held > allowed:
        message = f"after the heartbeat {t} the session holds {held} elements, of which {allowed} at most can matter"
        raise Fault(Name.HOLDS_TOO_MUCH, message)


def drive(session: Any, schedule: Sequence[Step]) -> None:
    """Do what a schedule says."""
    for step in schedule:
        match step:
            case Push(source=source, elements=batch):
                session.push(source, batch)
            case Heartbeat(instant=instant, source=source):
                session.heartbeat(instant, source)
