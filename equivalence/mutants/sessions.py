"""Sessions that are wrong only while data flows: at batches, heartbeats, disorder, and when queries come and go."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from equivalence.mutants.mutant import Mutant
from physical.columns.stream import PhysicalStream, joined
from physical.engines.interval.engine import IntervalEngine
from physical.engines.interval.session import Session
from semantics import Plan, Schema
from semantics.evaluate import Planned


class Sloppy(IntervalEngine):
    """The interval engine, right on whole streams, with sessions of another kind."""

    def __init__(self, name: str, kind: type[Session]) -> None:
        self.name = name
        self.kind = kind

    def session(self, sources: Mapping[str, Schema], slack: int = 0) -> Session:
        return self.kind(dict(sources), slack=slack, allow_unbounded=True, drop_late=True)


class LosesBatches(Session):
    """Of every batch the last element is lost if there are several."""

    def push(self, source: str, elements: Any) -> None:
        super().push(source, PhysicalStream.of(elements).take(np.s_[: max(len(elements) - 1, 1)]))


class RepeatsBatches(Session):
    """The first element of a batch of several comes twice."""

    def push(self, source: str, elements: Any) -> None:
        batch = PhysicalStream.of(elements)
        super().push(source, joined([batch.take(np.s_[:1]), batch]) if len(batch) > 1 else batch)


class KnowsNoSlack(Session):
    """Disorder within the slack is too late already."""

    def __init__(self, sources: dict[str, Schema], **options: Any) -> None:
        super().__init__(sources, **{**options, "slack": 0})


class SlackOneShort(Session):
    """The slack is one instant too short."""

    def __init__(self, sources: dict[str, Schema], **options: Any) -> None:
        super().__init__(sources, **{**options, "slack": max(options["slack"] - 1, 0)})


class LateHeartbeats(Session):
    """After a heartbeat elements that start at its very instant are taken for late."""

    def heartbeat(self, t: int, source: str | None = None) -> None:
        super().heartbeat(t if source is None else t + 1, source)


class HeartbeatsForAll(Session):
    """A heartbeat of one source is taken for one of all."""

    def heartbeat(self, t: int, source: str | None = None) -> None:
        if all(t >= entrance.promised for entrance in self.entrances.values()):
            super().heartbeat(t)


class NoHeartbeats(Session):
    """Heartbeats are not listened to: what waits for them never comes out."""

    def heartbeat(self, t: int, source: str | None = None) -> None:
        """Nothing."""


class Subscribing(Session, ABC):
    """Sessions that spoil what subscribers get."""

    def subscribe(self, name: str, subscriber: Callable[[PhysicalStream], None]) -> None:
        batches: list[PhysicalStream] = []

        def deliver(batch: PhysicalStream) -> None:
            for spoilt in self.spoil(batches, batch):
                subscriber(spoilt)

        super().subscribe(name, deliver)

    @abstractmethod
    def spoil(self, batches: list[PhysicalStream], batch: PhysicalStream) -> list[PhysicalStream]:
        """What the subscriber gets in place of a batch, given those before it."""


class LosesTheLastResult(Subscribing):
    """A result comes out when the next one does, so the last one never does."""

    def spoil(self, batches: list[PhysicalStream], batch: PhysicalStream) -> list[PhysicalStream]:
        batches.append(batch)
        return batches[-2:-1]


class RepeatsResults(Subscribing):
    """Every second batch of results starts with an element of the one before."""

    def spoil(self, batches: list[PhysicalStream], batch: PhysicalStream) -> list[PhysicalStream]:
        batches.append(batch)
        return [batch, batch.take(np.s_[-1:])] if len(batches) % 2 == 0 else [batch]


class OldResultsLast(Subscribing):
    """Batches of results overtake one another."""

    def spoil(self, batches: list[PhysicalStream], batch: PhysicalStream) -> list[PhysicalStream]:
        batches.append(batch)
        return [batch, batches[-2]] if len(batches) % 2 == 0 else []


class ForgetsAtHeartbeats(Session):
    """A heartbeat makes queries forget what they hold."""

    def __init__(self, sources: dict[str, Schema], **options: Any) -> None:
        super().__init__(sources, **options)
        self.plans: dict[str, Plan] = {}
        self.subscribers: dict[str, Any] = {}

    def add(self, name: str, query: Planned) -> None:
        super().add(name, query)
        self.plans[name] = query.plan

    def subscribe(self, name: str, subscriber: Any) -> None:
        super().subscribe(name, subscriber)
        self.subscribers[name] = subscriber

    def heartbeat(self, t: int, source: str | None = None) -> None:
        super().heartbeat(t, source)
        for name in list(self.plans) if source is None else []:
            self.remove(name)
            super().add(name, self.plans[name])
            super().subscribe(name, self.subscribers[name])


SESSIONS: Final[tuple[Mutant, ...]] = tuple(
    Mutant(name, "session", Sloppy(name, kind))
    for name, kind in (
        ("loses the end of a batch", LosesBatches),
        ("repeats the start of a batch", RepeatsBatches),
        ("knows no slack", KnowsNoSlack),
        ("slack one too short", SlackOneShort),
        ("heartbeats one too far", LateHeartbeats),
        ("one heartbeat for all sources", HeartbeatsForAll),
        ("listens to no heartbeat", NoHeartbeats),
        ("keeps the last result", LosesTheLastResult),
        ("repeats results", RepeatsResults),
        ("old results come last", OldResultsLast),
        ("heartbeats wipe the state", ForgetsAtHeartbeats),
    )
)
