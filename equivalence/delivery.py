"""How a case reaches an engine: as whole streams, as whole streams in columns, or step by step into a session."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from equivalence.counterexample import json_element
from equivalence.fault import Fault, Name
from equivalence.generate.schedules import Heartbeat, Push, Schedule, Step
from equivalence.holding import Allowance
from physical.column import rows
from physical.stream import ENDLESS, PhysicalStream, joined
from semantics import FOREVER, Interval, Plan


@dataclass(frozen=True)
class Way:
    """One of the three ways; a schedule is for a session, whose inputs may be late by the slack."""

    columns: bool = False
    schedule: Schedule | None = None
    slack: int = 0

    def __str__(self) -> str:
        if self.schedule is not None:
            return f"pushed in {len(self.schedule)} steps" + (f" with slack {self.slack}" if self.slack else "")
        return "handed over in columns" if self.columns else "handed over as whole streams"

    def only(self, names: Collection[str]) -> "Way":
        """The same without the steps of other sources."""
        if self.schedule is None:
            return self
        kept = tuple(step for step in self.schedule if step.source is None or step.source in names)
        return replace(self, schedule=kept)

    def to_json(self) -> dict[str, object]:
        if self.schedule is not None:
            return {"schedule": [_step(step) for step in self.schedule], "slack": self.slack}
        return {"columns": True} if self.columns else {}


WHOLE: Final = Way()


def played(engine: Any, plan: Plan, way: Way, horizon: int, allowance: Allowance | None = None) -> PhysicalStream:
    """The results of a session that is driven by a schedule; at the end time goes on, step by step, to the horizon.

    A session that says what it holds may then hold nothing that cannot matter any more.
    """
    schedule = way.only(plan.sources()).schedule or ()
    session = engine.session(plan.sources(), slack=way.slack)
    results = [PhysicalStream.empty(plan.schema)]
    session.add("query", plan)
    session.subscribe("query", results.append)
    perform(session, schedule)
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


def perform(session: Any, schedule: Sequence[Step]) -> None:
    """Do what a schedule says."""
    for step in schedule:
        match step:
            case Push(source=source, elements=batch):
                session.push(source, batch)
            case Heartbeat(instant=instant, source=source):
                session.heartbeat(instant, source)


def _step(step: Step) -> dict[str, object]:
    if isinstance(step, Heartbeat):
        return {"heartbeat": step.instant, **({} if step.source is None else {"source": step.source})}
    return {"push": _elements(step.elements), "source": step.source}


def _elements(batch: PhysicalStream) -> list[list[object]]:
    """The elements in the order in which they come, which need not be that of their starts."""
    ends = [FOREVER if end == ENDLESS else end for end in batch.end.tolist()]
    spans = map(Interval, batch.start.tolist(), ends)
    return [json_element(row, span) for row, span in zip(rows(batch.columns), spans, strict=True)]
