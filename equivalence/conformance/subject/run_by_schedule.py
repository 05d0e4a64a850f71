"""A session that is driven by a schedule, and what it has given out in the end."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from equivalence.cases.delivery import Delivery
from equivalence.cases.schedules import Heartbeat, Push, Schedule, Step
from equivalence.conformance.subject.history import MOST_SNAPSHOTS
from equivalence.conformance.subject.state_allowance import Allowance
from equivalence.lists.list_operators import ElementList
from equivalence.verdicts.fault_kind import Fault, FaultKind
from physical.columns.stream import PhysicalStream, in_order, joined
from semantics import FOREVER, Plan, Schema
from semantics.lookahead import known_until
from semantics.plan import Over


def run_by_schedule(
    engine: Any, plan: Plan, delivery: Delivery, horizon: int, allowance: Allowance | None = None
) -> PhysicalStream:
    """The results of a session that is driven by a schedule; at the end time goes on, in steps, to the horizon,
    unless the schedule is unfinished.

    A session that says what it holds may then hold nothing that cannot matter any more.
    """
    delivery = delivery.only(plan.sources())
    schedule = delivery.schedule or ()
    session = engine.session(plan.sources(), slack=delivery.slack)
    results = [PhysicalStream.empty(plan.schema)]
    for done in range(len(schedule) + 1):
        _come_and_go(session, plan, delivery, done)
        if done == delivery.added:
            session.add("query", plan)
            session.subscribe("query", results.append)
        drive(session, schedule[done : done + 1], plan.sources())
    if delivery.unfinished:
        _ask(session)
        return in_order(joined(results))  # what came too late may be told too late
    until = known_until(plan, horizon, lambda name: _last_change(schedule, name))
    for t in [*_to_the_end(min(_over(schedule), horizon), horizon), *([until] if until > horizon else [])]:
        session.heartbeat(t)
        _check_state(session, t, allowance)
    if any(isinstance(node, Over) and node.looks_ahead for node in plan.walk()):
        session.close()  # whether a row follows is known only then
    return joined(results)


def _ask(session: Any) -> None:
    """Let a session that tells nothing by itself tell what it would."""
    ask = getattr(session, "ask", None)
    if ask is not None:
        ask()


def _last_change(schedule: Schedule, name: str) -> int:
    """The last instant at which a source of the schedule changes."""
    pushed = [
        valid for step in schedule if isinstance(step, Push) and step.source == name for _, valid in step.elements
    ]
    return max((int(bound) for v in pushed for bound in (v.start, v.end) if bound != FOREVER), default=0)


def _come_and_go(session: Any, plan: Plan, delivery: Delivery, done: int) -> None:
    """Add and remove other queries whose time has come: the same plan, or its first input."""
    for number, (start, end) in enumerate(delivery.others):
        if start == done:
            session.add(f"other {number}", plan if number % 2 or not plan.inputs else plan.inputs[0])
        if end == done:
            session.remove(f"other {number}")


def _to_the_end(over: int, horizon: int) -> Iterator[int]:
    """Every instant up to the horizon or, if there are many, steps that grow."""
    if horizon - over <= MOST_SNAPSHOTS:
        yield from range(over, horizon + 1)
        return
    yield from (over + 2**k for k in range((horizon - over).bit_length()) if over + 2**k < horizon)
    yield horizon


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
