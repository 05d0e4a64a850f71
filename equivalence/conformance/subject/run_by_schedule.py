"""A session that is driven by a schedule, and what it has given out in the end."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from equivalence.cases.delivery import Delivery
from equivalence.cases.schedules import Heartbeat, Push, Schedule, Step
from equivalence.conformance.subject.state_allowance import Allowance
from equivalence.lists.list_operators import ElementList
from equivalence.verdicts.fault_kind import Fault, FaultKind
from physical.columns.stream import PhysicalStream, joined
from semantics import Plan, Schema


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
    drive(session, schedule, plan.sources())
    for t in range(min(_over(schedule), horizon), horizon + 1):
        session.heartbeat(t)
        _check_state(session, t, allowance)
    return joined(results)


def _over(schedule: Schedule) -> int:
    """The first instant at which nothing starts any more."""
    ends = [step.instant if isinstance(step, Heartbeat) else step.latest + 1 for step in schedule]
    return max(ends, default=0)


def _check_state(session: Any, t: int, allowance: Allowance | None) -> None:
    held = getattr(getattr(session, "state", None), "elements", None)
    allowed = None if allowance is None or held is None else allowance.at(t)
    if held is not None and allowed is not None and held > allowed:
        message = f"after the heartbeat {t} the session holds {held} elements, of which {allowed} at most can matter"
        raise Fault(FaultKind.HOLDS_TOO_MUCH, message)


def drive(session: Any, schedule: Sequence[Step], schemas: Mapping[str, Schema]) -> None:
    """Do what a schedule says, with every batch in columns, as a session takes it."""
    for step in schedule:
        match step:
            case Push(source=source, elements=elements):
                session.push(source, _batch(schemas[source], elements))
            case Heartbeat(instant=instant, source=source):
                session.heartbeat(instant, source)


def _batch(schema: Schema, elements: ElementList) -> PhysicalStream:
    """Elements in columns, in the order in which they arrive, which need not be that of their starts."""
    order = np.argsort([valid.start for _, valid in elements], kind="stable")
    return PhysicalStream.from_elements(schema, [elements[i] for i in order]).take(np.argsort(order))
