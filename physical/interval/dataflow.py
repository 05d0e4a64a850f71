"""A running graph of operators: what comes in at a source flows through to the subscribers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from physical.interval.build import operator
from physical.kernels.types import ENDLESS
from physical.planner import PhysicalNode, physical_plan
from physical.processing import AnyOperator, Batch, State
from physical.stream import PhysicalStream
from semantics import Plan
from semantics.plan import Source

Subscriber = Callable[[PhysicalStream], None]


@dataclass(frozen=True)
class Algebra:
    """How plans become physical plans, and these operators."""

    plan: Callable[[Plan, frozenset[str]], PhysicalNode]
    operator: Callable[[PhysicalNode, int], AnyOperator]


INTERVAL = Algebra(physical_plan, operator)


@dataclass(eq=False)
class Station:
    """An operator in the graph, and where its output goes."""

    operator: AnyOperator
    targets: list[tuple["Station", int]] = field(default_factory=list)
    subscribers: list[Callable[..., None]] = field(default_factory=list)

    def push(self, batch: Batch, port: int) -> None:
        self._emit(self.operator.process(batch, port), force=False)

    def heartbeat(self, t: int, port: int, force: bool) -> None:
        if t > self.operator.seen[port] or force:
            self._emit(self.operator.heartbeat(max(t, self.operator.seen[port]), port, force), force)

    def _emit(self, output: Batch, force: bool) -> None:
        progress = self.operator.progress
        if len(output):
            for subscriber in self.subscribers:
                subscriber(output)
            for station, port in self.targets:
                station.push(output, port)
        for station, port in self.targets:
            station.heartbeat(progress, port, force)


class Dataflow:
    """All stations of one or several plans; equal subplans are one station."""

    def __init__(self, horizon: int = ENDLESS, patience: int = 0, algebra: Algebra = INTERVAL) -> None:
        self.algebra = algebra
        self.horizon = horizon
        self.patience = patience
        self.stations: dict[PhysicalNode, Station] = {}
        self.sources: dict[str, list[Station]] = {}

    def query(self, plan: Plan, chronon_sources: frozenset[str]) -> Station:
        """The station that gives out the result of a plan."""
        return self.add(self.algebra.plan(plan, chronon_sources))

    def add(self, node: PhysicalNode) -> Station:
        """The station of this node, made with all below it if it is not there yet."""
        if node in self.stations:
            return self.stations[node]
        children = [self.add(child) for child in node.inputs]
        station = self.stations[node] = Station(self.algebra.operator(node, self.horizon))
        station.operator.patience = max(self.patience, station.operator.patience)
        for port, child in enumerate(children):
            child.targets.append((station, port))
        if isinstance(node.logical, Source) and node.kind == "source":
            self.sources.setdefault(node.logical.name, []).append(station)
        return station

    @property
    def operators(self) -> list[AnyOperator]:
        """All operators, each after those whose output it takes."""
        return [station.operator for station in self.stations.values()]

    @property
    def state(self) -> State:
        """What all operators hold."""
        states = [operator.state for operator in self.operators]
        return State(sum(state.elements for state in states), sum(state.bytes for state in states))

    def keep(self, roots: Sequence[object]) -> None:
        """Drop every station from which none of these can be reached."""
        useful = {id(root) for root in roots}
        for station in reversed(list(self.stations.values())):
            station.targets = [target for target in station.targets if id(target[0]) in useful]
            if station.targets:
                useful.add(id(station))
        self.stations = {node: station for node, station in self.stations.items() if id(station) in useful}
        for name, found in self.sources.items():
            self.sources[name] = [station for station in found if id(station) in useful]
