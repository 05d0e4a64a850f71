"""One query takes over from another in a running session."""

from equivalence.cases.random_cases import Case
from equivalence.conformance.subject.in_process import InProcess
from equivalence.conformance.subject.results import elements, snapshots
from physical.columns.stream import PhysicalStream, joined
from semantics import Plan
from semantics.evaluate import Snapshots


def switched(subject: InProcess, plans: tuple[Plan, Plan], case: Case, times: tuple[int, int, int]) -> Snapshots:
    """The first plan's results until the second, which was added before, takes over; until the horizon."""
    added, over, horizon = times
    inputs = {name: PhysicalStream.of(stream) for name, stream in case.items()}

    def work() -> Snapshots:
        session = subject.engine.session(plans[0].sources(), slack=0)
        results: list[list[PhysicalStream]] = [[PhysicalStream.empty(plan.schema)] for plan in plans]
        for name, plan, found, start, end in (
            ("old", plans[0], results[0], 0, added),
            ("new", plans[1], results[1], added, over),
        ):
            session.add(name, plan)
            session.subscribe(name, found.append)
            _push(session, inputs, start, end)
        session.remove("old")
        _push(session, inputs, over, horizon)
        old, new = (snapshots(elements(joined(found), plans[0].schema), horizon) for found in results)
        return old[:over] + new[over:]

    return subject.guarded(work)


def _push(session: object, inputs: dict[str, PhysicalStream], start: int, end: int) -> None:
    """All elements that start in this time, and then word that it is over."""
    for name, stream in inputs.items():
        due = stream.take((stream.start >= start) & (stream.start < end))
        if len(due):
            session.push(name, due)  # type: ignore[attr-defined]  # what the engine calls a session
    session.heartbeat(end)  # type: ignore[attr-defined]
