"""One engine on one plan and one case: what it gives, and what is wrong with that."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from equivalence.accept import elements, snapshots
from equivalence.finding import Fault, Name
from equivalence.generate.cases import sources
from equivalence.generate.schedules import Heartbeat, Push, Schedule, Step
from equivalence.guard import Failed, Guard, TimeUp
from equivalence.inputs import Inputs, check_unchanged, columns, copied
from equivalence.tolerance import close
from physical.stream import PhysicalStream, joined
from semantics import Multiset, Plan, SnapeqError, Stream
from semantics.evaluate import Snapshots

TIME_LIMIT: Final = 60.0
"""Seconds for one case: a kernel may have to be compiled first."""


class AnyEngine(Protocol):
    """What the checkers take for an engine: less than `physical.engine.Engine` promises, for results are looked at."""

    @property
    def name(self) -> str: ...

    @property
    def supports(self) -> Callable[[Plan], bool]: ...

    @property
    def run(self) -> Callable[..., object]:
        """Takes a plan and streams by name, and perhaps a horizon."""


class NotAnEngine(SnapeqError):
    """The object lacks something that every engine has."""


@dataclass(frozen=True)
class Way:
    """How a case reaches the engine: as whole streams, as whole streams in columns, or by a schedule."""

    columns: bool = False
    schedule: Schedule | None = None
    slack: int = 0

    def __str__(self) -> str:
        if self.schedule is not None:
            return f"pushed in {len(self.schedule)} steps" + (f" with slack {self.slack}" if self.slack else "")
        return "handed over in columns" if self.columns else "handed over as whole streams"


WHOLE: Final = Way()


class Unsupported(Exception):
    """The engine says that it cannot run a plan."""


class Subject:
    """An engine under test: what it gives, as snapshots, or the Fault that it committed."""

    def __init__(self, engine: AnyEngine, *, tolerance: float | None = None, time_limit: float = TIME_LIMIT) -> None:
        for attribute in ("name", "supports", "run"):
            if not hasattr(engine, attribute):
                raise NotAnEngine(f"conform: an engine has name, supports and run; {engine!r} has no {attribute}")
        self.engine: Any = engine
        self.name = str(engine.name)
        self.tolerance = getattr(engine, "tolerance", None) if tolerance is None else tolerance
        self.guard = Guard(max(time_limit, float(getattr(engine, "time_limit", 0.0))))
        self.lifts = bool(getattr(engine, "lifts", False))
        """Is a run so dear that many cases are to be run as one?"""
        self.sessions = callable(getattr(engine, "session", None))
        self.limited = "horizon" in _parameters(engine.run)
        """Can the engine be told where the time ends that matters?"""

    def run(self, plan: Plan, case: Mapping[str, Stream], horizon: int, way: Way = WHOLE) -> Snapshots:
        """The snapshots of the result, up to the horizon; raises Unsupported if the engine says so."""
        if way.schedule is not None:
            schedule, slack = way.schedule, way.slack
            return self.guarded(lambda: self._played(plan, schedule, slack, horizon))
        inputs = {name: columns(stream) if way.columns else stream for name, stream in case.items()}
        given = copied(inputs)
        found = self.guarded(lambda: self._whole(plan, given, horizon))
        check_unchanged(inputs, given)
        return found

    def _whole(self, plan: Plan, inputs: Inputs, horizon: int) -> Snapshots:
        self._check_support(plan)
        options = {"horizon": horizon} if self.limited else {}
        return snapshots(elements(self.engine.run(plan, inputs, **options), plan.schema), horizon)

    def _played(self, plan: Plan, schedule: Schedule, slack: int, horizon: int) -> Snapshots:
        self._check_support(plan)
        return snapshots(elements(played(self.engine, plan, schedule, slack, horizon), plan.schema), horizon)

    def _check_support(self, plan: Plan) -> None:
        if not self.engine.supports(plan):
            raise Unsupported

    def guarded(self, work: Callable[[], Snapshots]) -> Snapshots:
        """The result of work, or the Fault that it committed: it raised, or took too long."""
        try:
            return self.guard.call(work)
        except TimeUp as slow:
            raise Fault(Name.HANGS, str(slow)) from slow
        except Failed as failed:
            if isinstance(failed.__cause__, Fault | Unsupported):
                raise failed.__cause__ from None
            raise Fault(Name.RAISES, str(failed)) from failed

    def differs(self, expected: Multiset, found: Multiset) -> bool:
        return not close(expected, found, self.tolerance) if self.tolerance else expected != found


def played(engine: Any, plan: Plan, schedule: Schedule, slack: int, horizon: int) -> PhysicalStream:
    """The results of a session that is driven by a schedule; at the end it is told that the horizon is reached."""
    session = engine.session(sources(plan), slack=slack)
    results = [PhysicalStream.empty(plan.schema)]
    session.add("query", plan)
    session.subscribe("query", results.append)
    perform(session, [step for step in schedule if step.source is None or step.source in sources(plan)])
    session.heartbeat(horizon)
    return joined(results)


def perform(session: Any, schedule: Sequence[Step]) -> None:
    """Do what a schedule says."""
    for step in schedule:
        match step:
            case Push(source=source, elements=batch):
                session.push(source, batch)
            case Heartbeat(instant=instant, source=source):
                session.heartbeat(instant, source)


def _parameters(function: Any) -> Mapping[str, object]:
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):
        return {}
