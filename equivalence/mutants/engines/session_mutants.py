"""Sessions that are wrong only while data flows: at batches, heartbeats, disorder, and when queries come and go."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Final, Protocol, TypedDict, Unpack

import numpy as np

from equivalence.mutants.mutant import Mutant, MutatedEngine
from physical.columns.stream import PhysicalStream, joined
from physical.engines.interval.engine import IntervalEngine
from physical.engines.interval.session import Session
from physical.runtime.graph_session import GraphSession
from physical.runtime.operator_graph import Subscriber
from physical.runtime.run_whole import AnyStream
from semantics import Plan, Schema
from semantics.evaluate import Planned

_ENGINE: Final = IntervalEngine()


class SessionOptions(TypedDict):
    """The options that a session of the suite has."""

    slack: int
    drop_late: bool
    allow_unbounded: bool


class OpenSession(Protocol):
    """Opens a session: a class of sessions, or something that makes them."""

    def __call__(self, sources: dict[str, Schema], /, **options: Unpack[SessionOptions]) -> GraphSession: ...


class MutatedSessions(MutatedEngine):
    """The interval engine, right on whole streams, with wrong sessions."""

    def __init__(self, name: str, open_session: OpenSession) -> None:
        super().__init__(name)
        self.open_session = open_session

    def run(self, plan: Plan, sources: Mapping[str, AnyStream], horizon: int) -> PhysicalStream:
        return _ENGINE.run(plan, sources, horizon)

    def session(self, sources: Mapping[str, Schema], slack: int = 0) -> GraphSession:
        return self.open_session(dict(sources), slack=slack, allow_unbounded=True, drop_late=True)


class LosesBatches(Session):
    """The last element of every batch of several is lost."""

    def push(self, source: str, elements: AnyStream) -> None:
        batch = PhysicalStream.of(elements)
        super().push(source, batch.take(np.s_[: max(len(batch) - 1, 1)]))


class RepeatsBatches(Session):
    """The first element of a batch of several comes twice."""

    def push(self, source: str, elements: AnyStream) -> None:
        batch = PhysicalStream.of(elements)
        super().push(source, joined([batch.take(np.s_[:1]), batch]) if len(batch) > 1 else batch)


class IgnoresSlack(Session):
    """Elements that are late within the slack are dropped."""

    def __init__(self, sources: dict[str, Schema], **options: Unpack[SessionOptions]) -> None:
        options["slack"] = 0
        super().__init__(sources, **options)


class SlackOneShort(Session):
    """The slack is one instant too short."""

    def __init__(self, sources: dict[str, Schema], **options: Unpack[SessionOptions]) -> None:
        options["slack"] = max(options["slack"] - 1, 0)
        super().__init__(sources, **options)


class LateHeartbeats(Session):
    """After a heartbeat of one source, elements that start at its very instant count as late."""

    def heartbeat(self, t: int, source: str | None = None) -> None:
        super().heartbeat(t if source is None else t + 1, source)


class HeartbeatsForAll(Session):
    """A heartbeat of one source counts as one of all sources."""

    def heartbeat(self, t: int, source: str | None = None) -> None:
        if all(t >= entrance.promised for entrance in self.entrances.values()):
            super().heartbeat(t)


class IgnoresHeartbeats(Session):
    """Heartbeats are ignored: results that wait for one never come out."""

    def heartbeat(self, t: int, source: str | None = None) -> None:
        """Do nothing."""


class WrongResults(Session, ABC):
    """Sessions whose subscribers get wrong batches."""

    def subscribe(self, name: str, subscriber: Subscriber) -> None:
        batches: list[PhysicalStream] = []

        def deliver(batch: PhysicalStream) -> None:
            for wrong in self.wrong(batches, batch):
                subscriber(wrong)

        super().subscribe(name, deliver)

    @abstractmethod
    def wrong(self, batches: list[PhysicalStream], batch: PhysicalStream) -> list[PhysicalStream]:
        """The batches that the subscriber gets instead of this one, given those before it."""


class WithholdsTheLastResult(WrongResults):
    """A result comes out together with the next one, so the last one never does."""

    def wrong(self, batches: list[PhysicalStream], batch: PhysicalStream) -> list[PhysicalStream]:
        batches.append(batch)
        return batches[-2:-1]


class RepeatsResults(WrongResults):
    """Every second batch of results starts with an element of the one before."""

    def wrong(self, batches: list[PhysicalStream], batch: PhysicalStream) -> list[PhysicalStream]:
        batches.append(batch)
        return [batch, batch.take(np.s_[-1:])] if len(batches) % 2 == 0 else [batch]


class OldResultsLast(WrongResults):
    """Batches of results overtake one another."""

    def wrong(self, batches: list[PhysicalStream], batch: PhysicalStream) -> list[PhysicalStream]:
        batches.append(batch)
        return [batch, batches[-2]] if len(batches) % 2 == 0 else []


class ForgetsAtHeartbeats(Session):
    """At a heartbeat all queries lose their state."""

    def __init__(self, sources: dict[str, Schema], **options: Unpack[SessionOptions]) -> None:
        super().__init__(sources, **options)
        self.plans: dict[str, Plan] = {}
        self.subscribers: dict[str, Subscriber] = {}

    def add(self, name: str, query: Planned) -> None:
        super().add(name, query)
        self.plans[name] = query.plan

    def subscribe(self, name: str, subscriber: Subscriber) -> None:
        super().subscribe(name, subscriber)
        self.subscribers[name] = subscriber

    def heartbeat(self, t: int, source: str | None = None) -> None:
        super().heartbeat(t, source)
        for name in list(self.plans) if source is None else []:
            self.remove(name)
            super().add(name, self.plans[name])
            super().subscribe(name, self.subscribers[name])


SESSIONS: Final[tuple[Mutant, ...]] = tuple(
    Mutant(MutatedSessions(name, session), "session")
    for name, session in (
        ("loses the end of a batch", LosesBatches),
        ("repeats the start of a batch", RepeatsBatches),
        ("ignores the slack", IgnoresSlack),
        ("slack one too short", SlackOneShort),
        ("heartbeats one too far", LateHeartbeats),
        ("one heartbeat for all sources", HeartbeatsForAll),
        ("ignores heartbeats", IgnoresHeartbeats),
        ("never gives out the last result", WithholdsTheLastResult),
        ("repeats results", RepeatsResults),
        ("old results come last", OldResultsLast),
        ("heartbeats wipe the state", ForgetsAtHeartbeats),
    )
)
