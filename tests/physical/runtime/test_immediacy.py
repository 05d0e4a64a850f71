"""What is out after every push is what the reference says is final, on every engine with sessions.

The watermark of a query is the smallest progress of its sources: for each, the latest start pushed less the slack, or
its last heartbeat if that is later. Before the watermark, what is out must equal the reference at once. From it on, an
engine may be ahead, but what it has given out must be part of the result whatever comes.

Where an operator looks ahead, snapshots before the watermark are final only up to the first one that some rows to come
would change; `TO_COME` has rows enough to change each that is not final.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from physical.columns.stream import PhysicalStream, joined
from physical.engine import ENGINES
from physical.engines.dataflow.engine import NetEngine
from physical.engines.dataflow.fragment import Split
from physical.engines.dataflow.query_net import Setting
from physical.engines.dataflow.sharing import STRATEGIES
from physical.runtime.graph_session import GraphSession
from semantics import (
    LogicalStream,
    Multiset,
    RawStream,
    Row,
    Schema,
    avg,
    col,
    count,
    count_distinct,
    evaluate,
    lag,
    lead,
    max_,
    median,
    now,
    parse_plan,
    rank,
    source,
    sum_,
)
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
    Query(parse_plan("A(x int, v float) | window(landmark 1 reset 6) | window(range 1 slide 2) | distinct")),
    Query(parse_plan("A(x int, v float) | window(range 3) | unnest(array(x, x + 1) as e numbered i)")),
    A.window(4).limit(2, "v desc"),
    A.window(4).limit(1, "v desc", by="x", offset=1).limit(1, "x", ranking="rank"),
    A.window(3).istream().window(4).distinct(),
    A.rows(2).dstream().window(2),
    A.window(5, slide=2).select("x", t=now()),
    A.window(6).filter(now() >= col("x")),
    A.window(3).select(z=col("x") + now()).group_by("z").aggregate(n=count()),
    A.window(4, slide=2).full_join(B.window(4, slide=3), col("x") == col("y")),
    A.window(3).right_join(B.window(2), col("x") < col("y")),
    A.window(3).semijoin(B.window(2), col("x") == col("y")),
    ONLY_X.window(3).intersection(ONLY_Y.window(2)),
    A.window(4).aggregate(mid=median("v"), kinds=count_distinct("x")),
    A.over(by="x", total=sum_("v").over(rows=2), before=lag("v")),
    A.over(order="v desc", place=rank(), total=sum_("v").over(range_=2)).window(3).aggregate(most=max_("total")),
)
# Each of their rows matters: above a join an open session may be of no account, and holds back all the same.
LOOKING_AHEAD: Final[tuple[Query, ...]] = (
    A.session(3, by="x"),
    A.session(2).window(3),
    A.session(3, by="x").group_by("x", "session_start").aggregate(n=count()),
    A.session(2, by="x", touching=True),
    A.over(by="x", following=lead("v")),
    A.over(second=lead("v", 2)).window(3).aggregate(n=count(), most=max_("second")),
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
TO_COME: Final[tuple[list[tuple[Row, int]], ...]] = tuple(
    [((x, v), delay) for delay in delays]
    for x in (-9, 0, 1, 2)
    for v in (-9.0, 9.0)
    for delays in ((0, 0, 0), (0, 1, 2))
)
"""Rows of A, each with how much later it comes than what is known; some go before all others of their instant."""
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
        found, expected = self._out(), self._reference()
        final = self._final(expected)
        for t in range(final):
            assert found.at(t) == expected.at(t), f"at {t}, although all is final before {final}"
        self.ahead.append(found)

    def _final(self, now: LogicalStream) -> int:
        """All snapshots before this instant stay as they are, whatever comes."""
        final = min(self.progress[name] for name in self.query.plan.sources())
        if self.query.plan.has_lookahead:
            for rows in TO_COME:
                later = self._reference({"A": [(row, self.progress["A"] + delay) for row, delay in rows]})
                final = next((t for t in range(final) if later.at(t) != now.at(t)), final)
        return final

    def _out(self) -> LogicalStream:
        return joined([PhysicalStream.empty(self.query.schema), *self.given]).to_logical(HORIZON)

    def _reference(self, to_come: Mapping[str, list[tuple[Row, int]]] = {}) -> LogicalStream:
        streams = {
            name: RawStream(SOURCES[name], sorted([*came, *to_come.get(name, [])], key=lambda element: element[1]))
            for name, came in self.came.items()
        }
        return evaluate(self.query, streams, HORIZON)


def watch(engine: str, query: Query, slack: int, steps: list[Step]) -> None:
    """A session with one query, looked at after every step."""
    watched = Watched(SESSIONS[engine](SOURCES, slack), query, slack)
    watched.session.add("q", query)
    watched.session.subscribe("q", watched.given.append)
    for step in steps:
        watched.take(step)
    watched.close()


@pytest.mark.parametrize("engine", SESSIONS)
def test_what_is_out_after_every_push_is_what_is_final(engine: str) -> None:
    @settings(max_examples=150, suppress_health_check=(HealthCheck.too_slow,))
    @given(st.sampled_from(QUERIES), st.integers(0, 2), STEPS)
    @example(QUERIES[4], 0, [("A", [(1, 0)]), ("A", [(1, 1)])])
    @example(QUERIES[6], 0, [("A", [(2, 0)]), ("A", [(0, 1)])])
    @example(QUERIES[9], 0, [("A", [(1, 0)]), ("B", [(1, 1)]), ("A", [(1, 2)]), ("heartbeat A", [(0, 2)])])
    def holds(query: Query, slack: int, steps: list[Step]) -> None:
        assume(engine != "delta" or ENGINES["delta"].supports(query.plan))
        watch(engine, query, slack, steps)

    holds()


@pytest.mark.parametrize("engine", [engine for engine in SESSIONS if engine != "delta"])
def test_of_operators_that_look_ahead_all_is_out_that_nothing_to_come_can_change(engine: str) -> None:
    @settings(max_examples=25, suppress_health_check=(HealthCheck.too_slow,))
    @given(st.sampled_from(LOOKING_AHEAD), st.integers(0, 2), STEPS)
    def holds(query: Query, slack: int, steps: list[Step]) -> None:
        watch(engine, query, slack, steps)

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


@pytest.mark.parametrize("engine", SESSIONS)
def test_a_later_query_knows_how_far_sources_are_that_are_silent(engine: str) -> None:
    session, total, both = SESSIONS[engine](SOURCES, 0), list[PhysicalStream](), list[PhysicalStream]()
    session.push("B", RawStream(B.schema, [((1, "a"), 5)]))
    session.add("total", B.window(3).aggregate(on_empty=True, n=count()))
    session.subscribe("total", total.append)
    assert [joined(total).to_logical(6).at(t) for t in (0, 4)] == [Multiset({(0,): 1})] * 2
    session.add("both", ONLY_X.window(2).union(ONLY_Y.window(3)))
    session.subscribe("both", both.append)
    session.push("A", RawStream(A.schema, [((7, 0.5), 2), ((8, 0.5), 4), ((8, 0.5), 5)]))
    assert [joined(both).to_logical(5).at(t) for t in (2, 3)] == [Multiset({(7,): 1})] * 2
