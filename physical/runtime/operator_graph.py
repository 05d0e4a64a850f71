"""A running graph of operators: elements come in at sources and results go out to subscribers.

An output is handed to all targets before the heartbeat that goes with it, so no operator sees an element late.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from physical.columns.batch import Batch
from physical.columns.stream import PhysicalStream
from physical.kernels.types import ENDLESS
from physical.planning.planner import PhysicalNode
from physical.runtime.operator import AnyOperator, StateSize
from semantics import Plan
from semantics.plan import Source

Subscriber = Callable[[PhysicalStream], None]


@dataclass(frozen=True)
class Algebra:
    """How plans become physical plans, and physical nodes become operators."""

    plan: Callable[[Plan, frozenset[str]], PhysicalNode]
    operator: Callable[[PhysicalNode, int], AnyOperator]


@dataclass(eq=False)
class GraphNode:
    """An operator in the graph, and where its output goes."""

    operator: AnyOperator
    targets: list[tuple["GraphNode", int]] = field(default_factory=list)
    subscribers: list[Callable[..., None]] = field(default_factory=list)

    def push(self, batch: Batch, port: int) -> None:
        self._emit(self.operator.process(batch, port), force=False)

    def heartbeat(self, t: int, port: int, force: bool) -> None:
        if t > self.operator.port_watermarks[port] or force:
            self._emit(self.operator.heartbeat(max(t, self.operator.port_watermarks[port]), port, force), force)

    def _emit(self, output: Batch, force: bool) -> None:
        progress = self.operator.progress
        if len(output):
            for subscriber in self.subscribers:
                subscriber(output)
            for node, port in self.targets:
                node.push(output, port)
        for node, port in self.targets:
            node.heartbeat(progress, port, force)


class OperatorGraph:
    """All nodes of one or several plans; equal subplans are one node."""

    def __init__(self, algebra: Algebra, horizon: int = ENDLESS, patience: int = 0) -> None:
        self.algebra = algebra
        self.horizon = horizon
        self.patience = patience
        self.nodes: dict[PhysicalNode, GraphNode] = {}
        self.sources: dict[str, list[GraphNode]] = {}

    def query(self, plan: Plan, chronon_sources: frozenset[str]) -> GraphNode:
        """The node that gives out the result of a plan; its operators are added if they are missing."""
        return self.add(self.algebra.plan(plan, chronon_sources))

    def add(self, part: PhysicalNode) -> GraphNode:
        """The node that computes this part of a plan; it and all nodes below it are made if they are missing."""
        if part in self.nodes:
            return self.nodes[part]
        children = [self.add(child) for child in part.inputs]
        node = self.nodes[part] = GraphNode(self.algebra.operator(part, self.horizon))
        node.operator.patience = max(self.patience, node.operator.patience)
        for port, child in enumerate(children):
            child.targets.append((node, port))
        if isinstance(part.logical, Source) and part.kind == "source":
            self.sources.setdefault(part.logical.name, []).append(node)
        return node

    @property
    def operators(self) -> list[AnyOperator]:
        """All operators, each after the operators whose output it takes."""
        return [node.operator for node in self.nodes.values()]

    @property
    def state(self) -> StateSize:
        """How much all operators hold."""
        states = [operator.state for operator in self.operators]
        return StateSize(sum(state.elements for state in states), sum(state.bytes for state in states))

    def keep(self, roots: Sequence[object]) -> None:
        """Drop every node from which none of these roots can be reached."""
        useful = {id(root) for root in roots}
        for node in reversed(list(self.nodes.values())):
            node.targets = [target for target in node.targets if id(target[0]) in useful]
            if node.targets:
                useful.add(id(node))
        self.nodes = {part: node for part, node in self.nodes.items() if id(node) in useful}
        for name, found in self.sources.items():
            self.sources[name] = [node for node in found if id(node) in useful]
