"""Long-running execution: data and heartbeats come in, results go out to subscribers, queries come and go.

A query sees what is pushed after it was added. Queries that are added together share equal subplans. A query that is
added after the first element gets operators of its own: shared ones would hold elements that it must not see.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

import numpy as np

from physical.columns.row_batch import RowBatch, rows_of
from physical.columns.stream import PhysicalStream, in_order, joined
from physical.kernels.sort import stable_order
from physical.kernels.types import ENDLESS, Ints
from physical.planning.planner import unbounded_state
from physical.runtime.operator import AnyOperator, StateSize
from physical.runtime.operator_graph import Subscriber
from physical.runtime.row_operator import FEW_ELEMENTS
from physical.runtime.run_whole import AnyStream
from semantics import IntervalStream, Plan, RawStream, Schema, SchemaError, StreamError, WindowError
from semantics.evaluate import Planned
from semantics.notation.show import show_step
from semantics.plan import Source


class Entrance:
    """One source of a session: it puts elements in order within the slack, and counts those that come too late."""

    def __init__(self, schema: Schema, slack: int) -> None:
        self.schema = schema
        self.slack = slack
        self.waiting = PhysicalStream.empty(schema)
        self.pushes = np.empty(0, np.int64)
        """The number of the push with which each waiting element came."""
        self.latest = 0
        self.promised = 0
        self.late = 0

    def passes(self, stream: RawStream | IntervalStream) -> bool:
        """Can the elements go on as they came? If they are few, none is late, and none has to wait for others."""
        few = 0 < len(stream.elements) <= FEW_ELEMENTS and self.slack == 0 and not len(self.waiting)
        return few and _first_start(stream) >= self.promised

    def went_on(self, t: int) -> None:
        """Elements up to t have gone on."""
        self.latest = self.promised = t

    def take(self, batch: PhysicalStream, push: int, drop_late: bool) -> None:
        """Accept a batch in any order; late elements are dropped and counted, or the whole batch is refused."""
        late = batch.start < self.promised
        if late.any():
            if not drop_late:
                first = int(batch.start[int(np.argmax(late))])
                raise StreamError(f"push: elements must start at {self.promised} or later, got {first}")
            self.late += int(late.sum())
            batch = batch.take(~late)
        if len(batch):
            self.latest = max(self.latest, int(batch.start.max()))
            whole = joined([self.waiting, batch])
            order = stable_order(whole.start)
            self.waiting = whole.take(order)
            self.pushes = np.concatenate([self.pushes, np.full(len(batch), push)])[order]

    def release(self, t: int) -> tuple[PhysicalStream, Ints]:
        """The elements that start at t or before, and the push of each; from now on no earlier ones may come."""
        self.promised = max(self.promised, t)
        due = int(np.searchsorted(self.waiting.start, self.promised, side="right"))
        output, self.waiting = self.waiting.take(np.s_[:due]), self.waiting.take(np.s_[due:])
        pushes, self.pushes = self.pushes[:due], self.pushes[due:]
        return output, pushes


def _first_start(stream: RawStream | IntervalStream) -> int:
    if isinstance(stream, RawStream):
        return stream.elements[0][1]
    return stream.elements[0][1].start


class Inlet(Protocol):
    """Where the elements of a source go into a graph."""

    def push(self, batch: PhysicalStream, port: int) -> None: ...

    def heartbeat(self, t: int, port: int, force: bool) -> None: ...


class Outlet(Protocol):
    """Where the results of a query come out of a graph."""

    subscribers: list[Subscriber]


class Graph(Protocol):
    """What a session needs of the operators that were added together."""

    @property
    def sources(self) -> Mapping[str, Sequence[Inlet]]: ...

    @property
    def operators(self) -> Sequence[AnyOperator]: ...

    @property
    def state(self) -> StateSize: ...

    def query(self, plan: Plan, chronon_sources: frozenset[str]) -> Outlet: ...

    def keep(self, roots: Sequence[Outlet]) -> None: ...


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
        self._born: dict[int, int] = {}
        """The number of the push from which on each graph takes elements, by the identity of the graph."""
        self._graphs: dict[str, Graph] = {}
        self._roots: dict[str, Outlet] = {}
        self._subscribed: dict[str, list[Subscriber]] = {}
        """The subscribers of each query: equal queries have one root, and removing one must not end the other."""
        self._new_graph = graph
        self._untouched = graph()
        self._running: list[Graph] = []
        """The graphs of all queries."""

    def add(self, name: str, query: Planned) -> None:
        """Start a query under a name; it sees elements that are pushed from now on."""
        self._check_open("add")
        if name in self._roots:
            raise SchemaError(f"add: there is a query {name!r} already")
        self._check_sources(query.plan)
        grows = unbounded_state(query.plan)
        if grows is not None and not self.allow_unbounded:
            raise WindowError(f"add: {show_step(grows)} is above an unbounded window, its state would grow for ever")
        self._roots[name] = self._untouched.query(query.plan, self.raw)
        self._graphs[name] = self._untouched
        self._born[id(self._untouched)] = self._pushes
        self._running = self._distinct_graphs()

    def remove(self, name: str) -> None:
        """Stop a query; operators that no other query needs are dropped."""
        root = self._root("remove", name)
        graph = self._graphs.pop(name)
        del self._roots[name]
        for subscriber in self._subscribed.pop(name, []):
            root.subscribers.remove(subscriber)
        graph.keep([node for query, node in self._roots.items() if self._graphs[query] is graph])
        self._running = self._distinct_graphs()

    def subscribe(self, name: str, subscriber: Subscriber) -> None:
        """Call a function with every batch of a query's results."""
        self._root("subscribe", name).subscribers.append(subscriber)
        self._subscribed.setdefault(name, []).append(subscriber)

    def push(self, source: str, elements: AnyStream) -> None:
        """Take elements of a source; they may be out of order within the slack."""
        entrance = self._entrance("push", source)
        if elements.schema is not entrance.schema and elements.schema != entrance.schema:
            raise StreamError(f"push: source {source!r} must have columns {entrance.schema}, got {elements.schema}")
        if isinstance(elements, RawStream | IntervalStream) and entrance.passes(elements):
            self._push_rows(source, RowBatch(entrance.schema, rows_of(elements)))
            return
        batch = PhysicalStream.of(elements)
        in_order(batch).checked("push")
        entrance.take(batch, self._pushes, self.drop_late)
        self._touch()
        self._pass_on(source, *entrance.release(entrance.latest - self.slack), entrance.promised, force=False)

    def _push_rows(self, source: str, batch: RowBatch) -> None:
        """Hand on elements that were checked when their stream was made, and for which nothing has to wait."""
        self.entrances[source].went_on(batch.elements[-1][1])
        self._touch()
        for graph in self._running:
            for node in graph.sources.get(source, ()):
                node.push(batch, 0)

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

    def __getstate__(self) -> dict[str, object]:
        """Graphs are known by their identity, which is another one after unpickling: queries stand for them."""
        return {**self.__dict__, "_born": {name: self._born[id(graph)] for name, graph in self._graphs.items()}}

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)
        born: dict[str, int] = state["_born"]  # type: ignore[assignment]  # as __getstate__ wrote it
        self._born = {id(self._graphs[name]): push for name, push in born.items()}

    def _pass_on(self, source: str, batch: PhysicalStream, pushes: Ints, promised: int, force: bool) -> None:
        """Hand elements on to each graph, but only those that were pushed after the graph began."""
        for graph in self._running:
            own = batch.take(pushes >= self._born[id(graph)])
            for node in graph.sources.get(source, []):
                if len(own):
                    node.push(own, 0)
                node.heartbeat(promised, 0, force)

    def _distinct_graphs(self) -> list[Graph]:
        return list({id(graph): graph for graph in self._graphs.values()}.values())

    def _touch(self) -> None:
        """After the first element, queries that are added get operators of their own."""
        self._pushes += 1
        if self._untouched in self._running:
            self._untouched = self._new_graph()

    def _check_open(self, action: str) -> None:
        if self.closed:
            raise StreamError(f"{action}: the session is closed")

    def _check_sources(self, plan: Plan) -> None:
        for node in plan.walk():
            if isinstance(node, Source) and self._entrance("add", node.name).schema != node.schema:
                schema = self.entrances[node.name].schema
                raise SchemaError(f"add: source {node.name!r} has columns {schema}, the query wants {node.schema}")

    def _entrance(self, action: str, source: str) -> Entrance:
        self._check_open(action)
        if source not in self.entrances:
            raise SchemaError(f"{action}: unknown source {source!r}; sources: {', '.join(sorted(self.entrances))}")
        return self.entrances[source]

    def _root(self, action: str, name: str) -> Outlet:
        if name not in self._roots:
            raise SchemaError(f"{action}: unknown query {name!r}; queries: {', '.join(sorted(self._roots)) or 'none'}")
        return self._roots[name]
