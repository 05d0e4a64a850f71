"""Long-running execution: data and heartbeats come in, results go out to subscribers, queries come and go.

A query sees what is pushed after it was added. All queries are one graph: a query that is added later shares running
operators that hold nothing which it must not see, and gets operators of its own for the rest. While a query runs, its
plan can be exchanged for another one that means the same.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from physical.columns.row_batch import RowBatch
from physical.columns.stream import PhysicalStream, in_order
from physical.kernels.types import ENDLESS, Ints
from physical.planning.planner import unbounded_state
from physical.runtime.entrance import Entrance
from physical.runtime.migration import PlanSwitch, Subscriber, complete_from
from physical.runtime.operator import AnyOperator, StateSize
from physical.runtime.operator_graph import GraphNode, Newcomer
from physical.runtime.run_whole import AnyStream
from physical.runtime.statistics import OperatorStatistics, statistics_of
from semantics import Plan, Schema, SchemaError, StreamError, WindowError
from semantics.evaluate import Planned
from semantics.notation.show import show_step
from semantics.plan import Source


class Inlet(Protocol):
    """Where the elements of a source go into a graph."""

    @property
    def since(self) -> int:
        """It takes elements from the push with this number on."""

    def push(self, batch: PhysicalStream, port: int) -> None: ...

    def heartbeat(self, t: int, port: int, force: bool) -> None: ...


class Outlet(Protocol):
    """Where the results of a query come out of a graph."""

    subscribers: list[Subscriber]


class Graph(Protocol):
    """What a session needs of the operators that run together."""

    grows: bool
    """May queries be added while it runs?"""

    @property
    def sources(self) -> Mapping[str, Sequence[Inlet]]: ...

    @property
    def nodes(self) -> Sequence[GraphNode]:
        """The nodes that do the work, each after those whose output it takes."""

    @property
    def operators(self) -> Sequence[AnyOperator]: ...

    @property
    def state(self) -> StateSize: ...

    def query(self, plan: Plan, chronon_sources: frozenset[str], newcomer: Newcomer) -> Outlet: ...

    def count_windows(self, root: Any) -> Mapping[Plan, GraphNode]:
        """The count windows of a plan with this outlet to which a query can begin to listen, whatever they hold."""

    def keep(self, roots: Sequence[Outlet]) -> None: ...


@dataclass
class RunningPlan:
    """A plan, the graph that it runs in, and where its results come out."""

    plan: Plan
    graph: Graph
    root: Outlet


@dataclass
class RunningQuery:
    """A query with its subscribers: equal queries have one root, and removing one must not end the other."""

    running: RunningPlan
    subscribers: list[Subscriber] = field(default_factory=list)
    successor: RunningPlan | None = None
    """The plan that is about to take over, at the instant of the switch."""
    switch: PlanSwitch | None = None

    @property
    def plans(self) -> list[RunningPlan]:
        return [self.running] if self.successor is None else [self.running, self.successor]

    def subscribe(self, subscriber: Subscriber) -> None:
        self.subscribers.append(subscriber)
        if self.switch is None:
            self.running.root.subscribers.append(subscriber)

    def end(self) -> None:
        """Nobody listens any more."""
        for subscriber in self.subscribers if self.switch is None else [self.switch.old]:
            self.running.root.subscribers.remove(subscriber)
        if self.successor is not None and self.switch is not None:
            self.successor.root.subscribers.remove(self.switch.new)

    def begin_switch(self, successor: RunningPlan, instant: int) -> None:
        """Results go through a switch from now on."""
        self.end()
        self.successor, self.switch = successor, PlanSwitch(instant, self.subscribers)
        self.running.root.subscribers.append(self.switch.old)
        successor.root.subscribers.append(self.switch.new)

    def finish_switch(self) -> None:
        """The successor goes on alone."""
        assert self.successor is not None
        assert self.switch is not None
        self.switch.finish()
        self.end()
        self.running, self.successor, self.switch = self.successor, None, None
        self.running.root.subscribers += self.subscribers


class GraphSession:
    """A running graph of queries over named sources; `graph` makes the graphs whose operators do the work."""

    def __init__(
        self,
        sources: dict[str, Schema],
        graph: "Callable[[], Graph]",
        *,
        slack: int = 0,
        drop_late: bool = False,
        raw: Iterable[str] = (),
        allow_unbounded: bool = False,
    ) -> None:
        self.entrances = {name: Entrance(schema, slack) for name, schema in sources.items()}
        self.slack = slack
        self.raw = frozenset(raw)
        self.drop_late = drop_late
        self.allow_unbounded = allow_unbounded
        self.closed = False
        self._pushes = 0
        self.queries: dict[str, RunningQuery] = {}
        self._switching: list[RunningQuery] = []
        """Queries whose plan is being exchanged."""
        self._new_graph = graph
        self._open_graph = graph()
        """The graph that takes new queries."""
        self._running: list[Graph] = []
        """The graphs of all queries."""

    def add(self, name: str, query: Planned) -> None:
        """Start a query under a name; it sees elements that are pushed from now on."""
        self._check_open("add")
        if name in self.queries:
            raise SchemaError(f"add: there is a query {name!r} already")
        self._check_plan("add", query.plan)
        self.queries[name] = RunningQuery(self._started(query.plan))
        self._running = self._distinct_graphs()

    def remove(self, name: str) -> None:
        """Stop a query; operators that no other query needs are dropped."""
        query = self._query("remove", name)
        query.end()
        del self.queries[name]
        self._switching = [other for other in self._switching if other is not query]
        self._drop_unused(query.plans)

    def subscribe(self, name: str, subscriber: Subscriber) -> None:
        """Call a function with every batch of a query's results; the first one hears what is final already."""
        query = self._query("subscribe", name)
        query.subscribe(subscriber)
        if len(query.subscribers) == 1:
            self._force(query.running)  # the sources may be silent from now on

    def migrate(self, name: str, query: Planned) -> int:
        """Exchange the plan of a running query for one that means the same; results go on as if nothing happened.

        Both plans run until the new one has seen all that matters. Gives the instant at which it takes over.
        """
        self._check_open("migrate")
        running = self._query("migrate", name)
        if running.switch is not None:
            raise StreamError(f"migrate: {name!r} changes its plan already, at {running.switch.instant}")
        if query.plan.schema != running.running.plan.schema:
            raise SchemaError(
                f"migrate: query {name!r} has columns {running.running.plan.schema}, the plan has {query.plan.schema}"
            )
        self._check_plan("migrate", query.plan)
        shared = self._joinable(running.running, query.plan)
        instant = self._instant_of_switch(query.plan, shared)
        successor = self._started(query.plan, shared)
        running.begin_switch(successor, instant)
        self._switching.append(running)
        self._running = self._distinct_graphs()
        self._force(successor)  # the sources may be silent from now on
        self._finish_switches()
        return instant

    def plan_of(self, name: str) -> Plan:
        """The plan by which a query runs; the new one, if it is about to change."""
        return self._query("plan_of", name).plans[-1].plan

    def push(self, source: str, elements: AnyStream) -> None:
        """Take elements of a source; they may be out of order within the slack."""
        entrance = self._entrance("push", source)
        if elements.schema is not entrance.schema and elements.schema != entrance.schema:
            raise StreamError(f"push: source {source!r} must have columns {entrance.schema}, got {elements.schema}")
        few = entrance.at_once(elements)
        if few is not None:
            self._push_rows(source, few)
            return
        batch = PhysicalStream.of(elements)
        in_order(batch).checked("push")
        entrance.take(batch, self._pushes, self.drop_late)
        self._touch()
        self._pass_on(source, *entrance.release(entrance.latest - self.slack), entrance.promised, force=False)

    def _push_rows(self, source: str, batch: RowBatch) -> None:
        """Hand on elements for which nothing has to wait."""
        self.entrances[source].went_on(batch)
        self._touch()
        for graph in self._running:
            for node in graph.sources.get(source, ()):
                node.push(batch, 0)
        if self._switching:
            self._finish_switches()

    def heartbeat(self, t: int, source: str | None = None) -> None:
        """Promise that no later element of a source, or of any, starts before t; all results before t come out."""
        names = list(self.entrances) if source is None else [source]
        for name in names:
            entrance = self._entrance("heartbeat", name)
            if t < entrance.promised:
                raise StreamError(f"heartbeat: {name} must not go back before {entrance.promised}, got {t}")
        self._touch()
        for name in names:
            self._pass_on(name, *self.entrances[name].release(t), t, force=True)

    def close(self) -> None:
        """Nothing more will come: give out all results."""
        self.heartbeat(ENDLESS)
        self.closed = True

    @property
    def late(self) -> dict[str, int]:
        """How many elements of each source came too late and were dropped."""
        return {name: entrance.late for name, entrance in self.entrances.items()}

    def statistics(self) -> list[OperatorStatistics]:
        """What each operator has done so far; each comes after the operators whose output it takes."""
        nodes = [node for graph in self._running for node in graph.nodes]
        roots = [(name, plan.root) for name, query in self.queries.items() for plan in query.plans]
        return statistics_of(nodes, roots)

    @property
    def operators(self) -> list[AnyOperator]:
        """All operators; each comes after the operators whose output it takes."""
        return [operator for graph in self._running for operator in graph.operators]

    @property
    def state(self) -> StateSize:
        """How much all operators and entrances hold."""
        states = [graph.state for graph in self._running]
        waiting = sum(len(entrance.waiting) for entrance in self.entrances.values())
        return StateSize(sum(s.elements for s in states) + waiting, sum(s.bytes for s in states))

    def _started(self, plan: Plan, joinable: Mapping[Plan, GraphNode] = {}) -> RunningPlan:
        """The plan, running in the graph that takes new queries."""
        unseen = frozenset(name for name, entrance in self.entrances.items() if len(entrance.waiting))
        promised = {name: entrance.promised for name, entrance in self.entrances.items()}
        newcomer = Newcomer(self._pushes, unseen, promised, joinable)
        return RunningPlan(plan, self._open_graph, self._open_graph.query(plan, self.raw, newcomer))

    def _joinable(self, running: RunningPlan, plan: Plan) -> dict[Plan, GraphNode]:
        """The count windows of the running plan that the new one has, too, if it can begin to listen to them."""
        if self._open_graph is not running.graph or any(len(self.entrances[name].waiting) for name in plan.sources()):
            return {}
        wanted = set(plan.walk())
        return {window: node for window, node in running.graph.count_windows(running.root).items() if window in wanted}

    def _instant_of_switch(self, plan: Plan, joined: Mapping[Plan, GraphNode]) -> int:
        promised = [self.entrances[name].promised for name in plan.sources()]
        now = max(promised + [node.progress for node in joined.values()])
        reached = {name: entrance.reached for name, entrance in self.entrances.items()}
        instant = max(now, complete_from(plan, reached, joined.keys(), now))
        if instant == ENDLESS:
            raise WindowError(
                "migrate: what came so far may matter for ever in the new plan, so that it cannot take over; expected"
                " windows over time, or ROWS windows that both plans have"
            )
        return instant

    def _finish_switches(self) -> None:
        """Let new plans go on alone where the old ones have said all before the switch."""
        for query in self._switching[:]:
            assert query.switch is not None
            if all(self.entrances[name].promised >= query.switch.instant for name in query.running.plan.sources()):
                self._switching.remove(query)
                old = query.running
                for running in query.plans:
                    self._force(running)
                query.finish_switch()
                self._drop_unused([old])

    def _force(self, running: RunningPlan) -> None:
        """Let a plan give out all that is due; one that is new has perhaps not heard yet how far time is."""
        for name in running.plan.sources():
            for inlet in running.graph.sources.get(name, ()):
                inlet.heartbeat(self.entrances[name].promised, 0, force=True)

    def _drop_unused(self, plans: Iterable[RunningPlan]) -> None:
        """Drop operators of these plans that no query needs."""
        needed = list(self._plans())
        for graph in {id(plan.graph): plan.graph for plan in plans}.values():
            graph.keep([plan.root for plan in needed if plan.graph is graph])
        self._running = self._distinct_graphs()

    def _plans(self) -> Iterator[RunningPlan]:
        return (plan for query in self.queries.values() for plan in query.plans)

    def _pass_on(self, source: str, batch: PhysicalStream, pushes: Ints, promised: int, force: bool) -> None:
        """Hand elements on to each graph, but only those that were pushed after the inlet was made."""
        for graph in self._running:
            for node in graph.sources.get(source, []):
                own = batch.take(pushes >= node.since) if len(batch) else batch
                if len(own):
                    node.push(own, 0)
                node.heartbeat(promised, 0, force)
        if self._switching:
            self._finish_switches()

    def _distinct_graphs(self) -> list[Graph]:
        return list({id(plan.graph): plan.graph for plan in self._plans()}.values())

    def _touch(self) -> None:
        """After the first element, queries that are added to a graph that does not grow get one of their own."""
        self._pushes += 1
        if not self._open_graph.grows and self._open_graph in self._running:
            self._open_graph = self._new_graph()

    def _check_open(self, action: str) -> None:
        if self.closed:
            raise StreamError(f"{action}: the session is closed")

    def _check_plan(self, action: str, plan: Plan) -> None:
        for node in plan.walk():
            if isinstance(node, Source) and self._entrance(action, node.name).schema != node.schema:
                schema = self.entrances[node.name].schema
                raise SchemaError(f"{action}: source {node.name!r} has columns {schema}, the query wants {node.schema}")
        grows = unbounded_state(plan)
        if grows is not None and not self.allow_unbounded:
            raise WindowError(
                f"{action}: {show_step(grows)} is above an unbounded window, its state would grow for ever"
            )

    def _entrance(self, action: str, source: str) -> Entrance:
        self._check_open(action)
        if source not in self.entrances:
            raise SchemaError(f"{action}: unknown source {source!r}; sources: {', '.join(sorted(self.entrances))}")
        return self.entrances[source]

    def _query(self, action: str, name: str) -> RunningQuery:
        if name not in self.queries:
            known = ", ".join(sorted(self.queries)) or "none"
            raise SchemaError(f"{action}: unknown query {name!r}; queries: {known}")
        return self.queries[name]
