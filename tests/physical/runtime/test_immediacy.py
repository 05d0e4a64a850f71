"""What is out after every push is what the reference says is final, on every engine with sessions.

The watermark of a query is the smallest progress of its sources: for each, the latest start pushed less the slack, or
its last heartbeat if that is later. Before the watermark, what is out must equal the reference at once. From it on, an
engine may be ahead, but what it has given out must be part of the result whatever comes.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
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
from semantics import LogicalStream, Multiset, RawStream, Row, Schema, avg, col, count, evaluate, max_, source, sum_
from semantics.builder.query import Query

A, B = source("A", x=int, v=float), source("B", y=int, s=str)
SOURCES: Final = {"A": A.schema, "B": B.schema}
ONLY_X = A.select("x")
ONLY_Y = B.select(x=col("y"))
QUERIES: Final[tuple[Query, ...]] = (
    A,
    A.filter(col("x") > 0),
    A.window(3).select(z=col("x") + 1, v=col("v")),
    A.window(4, slide=3),
    A.window(3).aggregate(n=count()),
    A.window(3).aggregate(on_empty=True, total=sum_("v")),
    A.window(4).filter(col("x") > 1).group_by("x").aggregate(n=count(), most=max_("v"), mean=avg("v")),
    B.window(3).group_by("s").aggregate(n=count()),
    ONLY_X.window(3).distinct(),
    ONLY_X.window(4).difference(ONLY_Y.window(2)),
    ONLY_X.window(2).union(ONLY_Y.window(3)),
    A.window(4).join(B.window(2), col("x") == col("y")),
    A.window(2).join(B.window(3), col("x") < col("y")),
    A.window(3).left_join(B.window(2), col("x") == col("y")),
    A.window(3).antijoin(B.window(2), col("x") == col("y")),
    A.rows(2),
    A.rows(2, by=("x",)).group_by("x").aggregate(n=count()),
    A.window(3).istream().window(2),
    A.landmark(1, reset=3).group_by("x").aggregate(n=count()),
)
HORIZON: Final = 60

Open = Callable[[Mapping[str, Schema], int], GraphSession]
Step = tuple[str, list[tuple[int, int]]]
"""A batch of a source, each element with a value and how much later it starts; or a heartbeat."""
SPLITS: Final[tuple[Split, ...]] = ("query", "reader", "operator")
SESSIONS: Final[dict[str, Open]] = {
    **{name: engine.session for name, engine in ENGINES.items() if hasattr(engine, "session")},
    **{
        f"dataflow {strategy.name}, {split}": NetEngine(Setting(strategy, split)).session
        for strategy in STRATEGIES
        for split in SPLITS
    },
}
STEPS: Final = st.lists(
    st.tuples(
        st.sampled_from(("A", "B", "A", "B", "heartbeat A", "heartbeat")),
        st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=3),
    ),
    max_size=10,
)


@dataclass
class Watched:
    """A session with one query: what came, how far each source is, and what is out after every step."""

    session: GraphSession
    query: Query
    slack: int
    came: dict[str, list[tuple[Row, int]]] = field(default_factory=lambda: {"A": [], "B": []})
    progress: dict[str, int] = field(default_factory=lambda: {"A": 0, "B": 0})
    given: list[PhysicalStream] = field(default_factory=list)
    ahead: list[LogicalStream] = field(default_factory=list)

    def take(self, step: Step) -> None:
        what, elements = step
        if what.startswith("heartbeat"):
            self._heartbeat(what.removeprefix("heartbeat").strip() or None, sum(later for _, later in elements))
        else:
            self._push(what, elements)
        self._check()

    def close(self) -> None:
        self.session.close()
        found, whole = self._out(), self._reference()
        assert found == whole
        for early in self.ahead:
            assert all(len(early.at(t) - whole.at(t)) == 0 for t in range(HORIZON))

    def _push(self, name: str, elements: list[tuple[int, int]]) -> None:
        t, batch = self.progress[name], list[tuple[Row, int]]()
        for value, later in elements:
            t += later
            batch.append(((value, value / 2), t) if name == "A" else ((value, "abc"[value]), t))
        self.session.push(name, RawStream(SOURCES[name], batch))
        self.came[name] += batch
        self.progress[name] = max(self.progress[name], t - self.slack)

    def _heartbeat(self, name: str | None, later: int) -> None:
        names = list(SOURCES) if name is None else [name]
        t = max(self.progress[name] for name in names) + later
        self.session.heartbeat(t, name)
        self.progress |= dict.fromkeys(names, t)

    def _check(self) -> None:
        watermark = min(self.progress[name] for name in self.query.plan.sources())
        found, expected = self._out(), self._reference()
        for t in range(watermark):
            assert found.at(t) == expected.at(t), f"at {t}, before the watermark {watermark}"
        self.ahead.append(found)

    def _out(self) -> LogicalStream:
        return joined([PhysicalStream.empty(self.query.schema), *self.given]).to_logical(HORIZON)

    def _reference(self) -> LogicalStream:
        streams = {
            name: RawStream(SOURCES[name], sorted(came, key=lambda element: element[1]))
            for name, came in self.came.items()
        }
        return evaluate(self.query, streams, HORIZON)


@pytest.mark.parametrize("engine", SESSIONS)
def test_what_is_out_after_every_push_is_what_is_final(engine: str) -> None:
    @settings(max_examples=150, suppress_health_check=(HealthCheck.too_slow,))
    @given(st.sampled_from(QUERIES), st.integers(0, 2), STEPS)
    @example(QUERIES[4], 0, [("A", [(1, 0)]), ("A", [(1, 1)])])
    @example(QUERIES[6], 0, [("A", [(2, 0)]), ("A", [(0, 1)])])
    @example(QUERIES[9], 0, [("A", [(1, 0)]), ("B", [(1, 1)]), ("A", [(1, 2)]), ("heartbeat A", [(0, 2)])])
    def holds(query: Query, slack: int, steps: list[Step]) -> None:
        watched = Watched(SESSIONS[engine](SOURCES, slack), query, slack)
        watched.session.add("q", query)
        watched.session.subscribe("q", watched.given.append)
        for step in steps:
            watched.take(step)
        watched.close()

    holds()


def test_with_patience_elements_wait_for_a_heartbeat() -> None:
    session = ENGINES["interval"].session(SOURCES, 0, 5)  # type: ignore[attr-defined]  # it has sessions
    given: list[PhysicalStream] = []
    session.add("q", A.window(3).aggregate(n=count()))
    session.subscribe("q", given.append)
    for t in range(4):
        session.push("A", RawStream(A.schema, [((1, 0.5), t)]))
    assert given == []
    session.heartbeat(4)
    assert joined(given).to_logical(4).at(3) == Multiset({(3,): 1})
