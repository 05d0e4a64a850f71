"""A running graph of operators: elements come in at sources and results go out to subscribers.

An output is handed to all targets before the heartbeat that goes with it, so no operator sees an element late.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from physical.columns.batch import Batch
from physical.columns.row_batch import RowBatch
from physical.columns.stream import Element, PhysicalStream
from physical.kernels.types import ENDLESS
from physical.planning.planner import PhysicalNode
from physical.runtime.operator import AnyOperator, StateSize
from physical.runtime.row_operator import ELEMENTS_PER_MOVE, RowOperator, is_small
from semantics import Plan, Schema
from semantics.plan import Source

Subscriber = Callable[[PhysicalStream], None]


@dataclass(frozen=True)
class Algebra:
    """How plans become physical plans, and physical nodes become operators."""

    plan: Callable[[Plan, frozenset[str]], PhysicalNode]
    operator: Callable[[PhysicalNode, int], AnyOperator]
    twin: Callable[[AnyOperator], RowOperator[Any] | None] = lambda _: None
    """The operator that treats small batches in place of another, a row at a time."""


class GraphNode:
    """An operator in the graph, and where its output goes; while batches are small, its twin works in its place."""

    def __init__(
        self,
        operator: AnyOperator,
        targets: Iterable[tuple["GraphNode", int]] = (),
        subscribers: Iterable[Callable[..., None]] = (),
        twin: RowOperator[Any] | None = None,
    ) -> None:
        self._operator = operator
        self.targets = list(targets)
        self.subscribers = list(subscribers)
        self._twin = twin
        self._by_rows = False
        """Does the twin have the state?"""
        self._small_batches = 0
        """How many came since the operator has the state."""

    @property
    def operator(self) -> AnyOperator:
        """The operator, with all of its state."""
        if self._by_rows:
            self._settle()
        return self._operator

    @property
    def schema(self) -> Schema:
        """The columns of its output."""
        return self._operator.schema

    @property
    def progress(self) -> int:
        """No later output starts before this instant."""
        return self._operator.progress

    def push(self, batch: Batch, port: int) -> None:
        if self._twin is not None and isinstance(batch, PhysicalStream) and self._takes_rows(len(batch)):
            self._emit_rows(self._twin.process(batch.to_elements(), port), force=False)
        else:
            self._emit(self._operator.process(batch, port), force=False)

    def heartbeat(self, t: int, port: int, force: bool) -> None:
        known = self._operator.port_watermarks[port]
        if t <= known and not force:
            return
        if self._by_rows and self._twin is not None:
            self._emit_rows(self._twin.heartbeat(max(t, known), port), force)
        else:
            self._emit(self._operator.heartbeat(max(t, known), port, force), force)

    def _takes_rows(self, count: int) -> bool:
        """Is the batch for the twin? The state goes where it is needed, but not to and fro."""
        assert self._twin is not None
        if self._by_rows:
            if not is_small(count, self._twin.size, by_rows=True):
                self._settle()
            return self._by_rows
        held = sum(map(len, self._operator.held()))
        self._small_batches = self._small_batches + 1 if is_small(count, held, by_rows=False) else 0
        if self._small_batches * ELEMENTS_PER_MOVE > held:
            self._twin.load()
            self._by_rows = True
        return self._by_rows

    def _settle(self) -> None:
        assert self._twin is not None
        self._twin.unload()
        self._by_rows, self._small_batches = False, 0

    def _emit_rows(self, output: list[Element], force: bool) -> None:
        self._emit(RowBatch(self._operator.schema, output), force)

    def _emit(self, output: Batch, force: bool) -> None:
        progress = self._operator.progress
        if len(output):
            for subscriber in self.subscribers:
                subscriber(output)
            for node, port in self.targets:
                node.push(output, port)
        for node, port in self.targets:
            node.heartbeat(progress, port, force)


class OperatorGraph:
    """All nodes of one or several plans; equal subplans are one node."""

    def __init__(self, algebra: Algebra, horizon: int = ENDLESS, patience: int = 0, threads: int = 1) -> None:
        self.algebra = algebra
        self.horizon = horizon
        self.patience = patience
        self.threads = threads
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
        operator = self.algebra.operator(part, self.horizon)
        operator.patience = max(self.patience, operator.patience)
        operator.threads = self.threads
        twin = self.algebra.twin(operator) if operator.patience == 0 else None  # a twin never waits
        node = self.nodes[part] = GraphNode(operator, twin=twin)
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
