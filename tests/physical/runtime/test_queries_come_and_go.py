"""Queries are added and removed at any time, on every engine with sessions: each sees what comes during its life."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Final

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from physical.columns.stream import PhysicalStream, joined
from physical.engine import ENGINES
from physical.engines.dataflow.engine import NetEngine
from physical.engines.dataflow.fragment import Split
from physical.engines.dataflow.query_net import Setting
from physical.engines.dataflow.sharing import STRATEGIES
from physical.runtime.graph_session import GraphSession
from semantics import RawStream, Row, Schema, col, count, evaluate, source
from semantics.builder.query import Query

A, B = source("A", x=int), source("B", y=int)
SOURCES: Final = {"A": A.schema, "B": B.schema}
QUERIES: Final[tuple[Query, ...]] = (
    A,
    A.window(3),
    A.window(3).distinct(),
    A.window(3).filter(col("x") > 0),
    A.window(3).union(A.window(2)),
    A.window(4).join(B.window(2), col("x") == col("y")),
    A.rows(2).aggregate(n=count()),
    B.window(3).group_by("y").aggregate(n=count()),
)
HORIZON: Final = 60

Open = Callable[[Mapping[str, Schema]], GraphSession]
Step = tuple[str, int, int]
"""What happens: a query comes or goes under a name, an element comes, or time passes."""
SPLITS: Final[tuple[Split, ...]] = ("query", "reader", "operator")
ENGINES_WITH_SESSIONS: Final[dict[str, Open]] = {
    **{name: engine.session for name, engine in ENGINES.items() if hasattr(engine, "session")},
    **{
        f"dataflow {strategy.name}, {split}": NetEngine(Setting(strategy, split, batch=2)).session
        for strategy in STRATEGIES
        for split in SPLITS
    },
}
STEPS: Final = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.integers(0, 2), st.integers(0, len(QUERIES) - 1)),
        st.tuples(st.just("remove"), st.integers(0, 2), st.just(0)),
        st.tuples(st.sampled_from(("A", "B")), st.integers(0, 2), st.integers(0, 2)),
        st.tuples(st.just("heartbeat"), st.just(0), st.integers(0, 3)),
    ),
    max_size=14,
)


@dataclass
class Life:
    """A query from its addition on: what came meanwhile, and what it gave."""

    query: Query
    came: dict[str, list[tuple[Row, int]]] = field(default_factory=lambda: {"A": [], "B": []})
    given: list[PhysicalStream] = field(default_factory=list)
    complete: int = 0
    """All results before this instant must have been given."""

    def check(self) -> None:
        streams = {name: RawStream(SOURCES[name], sorted(came, key=itemgetter(1))) for name, came in self.came.items()}
        expected = evaluate(self.query, streams, HORIZON)
        found = joined([PhysicalStream.empty(self.query.schema), *self.given]).to_logical(HORIZON)
        for t in range(self.complete):
            assert found.at(t) == expected.at(t), f"{self.query.plan} at {t}"


class Story:
    """A session, and the life of every query in it."""

    def __init__(self, session: GraphSession) -> None:
        self.session = session
        self.now = 0
        self.promised = 0
        self.lives: dict[str, Life] = {}
        self.ended: list[Life] = []

    def take(self, step: Step) -> None:
        match step:
            case ("add", name, query):
                self._add(f"q{name}", QUERIES[query])
            case ("remove", name, _):
                self._remove(f"q{name}")
            case ("heartbeat", _, later):
                self._heartbeat(self.now + later)
            case (source_name, value, later):
                self._push(source_name, value, self.now + later)

    def close(self) -> None:
        self.session.close()
        for life in self.lives.values():
            life.complete = HORIZON

    def _add(self, name: str, query: Query) -> None:
        if name not in self.lives:
            self.session.add(name, query)
            self.lives[name] = Life(query)
            self.session.subscribe(name, self.lives[name].given.append)

    def _remove(self, name: str) -> None:
        if name in self.lives:
            self.session.remove(name)
            self.ended.append(self.lives.pop(name))

    def _push(self, name: str, value: int, t: int) -> None:
        """With slack, an element of a larger value comes later than it should."""
        self.now = t
        t = max(self.promised, t - min(value, self.session.slack))
        self.session.push(name, RawStream(SOURCES[name], [((value,), t)]))
        for life in self.lives.values():
            life.came[name].append(((value,), t))

    def _heartbeat(self, t: int) -> None:
        self.now = self.promised = t
        self.session.heartbeat(t)
        for life in self.lives.values():
            life.complete = t


def with_slack(engine: str) -> GraphSession:
    open_session: Callable[..., GraphSession] = ENGINES_WITH_SESSIONS[engine]
    return open_session(SOURCES, slack=2)


@pytest.mark.parametrize(
    ("engine", "slack"),
    [
        *((engine, 0) for engine in ENGINES_WITH_SESSIONS),
        ("interval", 2),
        ("dataflow", 2),
        ("dataflow separate, reader", 2),
    ],
)
def test_every_query_sees_what_comes_during_its_life(engine: str, slack: int) -> None:
    @settings(max_examples=60, suppress_health_check=(HealthCheck.too_slow,))
    @given(STEPS)
    @example([("add", 0, 1), ("add", 1, 2), ("remove", 0, 0), ("add", 2, 3), ("A", 1, 0)])
    @example([("add", 0, 2), ("remove", 0, 0), ("add", 1, 2), ("add", 2, 4), ("A", 1, 0)])
    def holds(steps: list[Step]) -> None:
        story = Story(with_slack(engine) if slack else ENGINES_WITH_SESSIONS[engine](SOURCES))
        for step in steps:
            story.take(step)
        story.close()
        for life in [*story.lives.values(), *story.ended]:
            life.check()

    holds()
