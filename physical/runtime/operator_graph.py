"""A running graph of operators: elements come in at sources and results go out to subscribers.

An output is handed to all targets before the heartbeat that goes with it, so no operator sees an element late.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from physical.columns.batch import Batch
from physical.columns.row_batch import RowBatch
from physical.columns.stream import PhysicalStream
from physical.kernels.types import ENDLESS
from physical.planning.planner import PhysicalNode
from physical.runtime.operator import AnyOperator, StateSize
from physical.runtime.row_operator import ELEMENTS_PER_MOVE, RowOperator, is_small
from semantics import Plan, Schema, SnapeqError
from semantics.plan import Aggregation, CountWindow, PartitionedWindow, Source

Subscriber = Callable[[PhysicalStream], None]
CountWindows = CountWindow | PartitionedWindow


def no_twin(_: AnyOperator) -> None:
    """Every batch goes to the operator itself."""


@dataclass(frozen=True)
class Algebra:
    """How plans become physical plans, and physical nodes become operators."""

    plan: Callable[[Plan, frozenset[str]], PhysicalNode]
    operator: Callable[[PhysicalNode, int], AnyOperator]
    twin: Callable[[AnyOperator], RowOperator[Any] | None] = no_twin
    """The operator that treats small batches in place of another, a row at a time."""
    windows_in_pieces: bool = False
    """Is what a count window gives out at once never longer than to the watermark, so that one can begin to listen?"""


@dataclass(frozen=True)
class Newcomer:
    """What a query that is added to a running graph may see, and so what it may share."""

    since: int = 0
    """The number of the push from which on it sees elements."""
    unseen: frozenset[str] = frozenset()
    """Sources of which elements are on their way that it must not see."""
    promised: Mapping[str, int] = field(default_factory=dict)
    """No later element of a source starts before this instant."""
    joinable: "Mapping[Plan, GraphNode]" = field(default_factory=dict)
    """Count windows that it takes over whatever they hold, because it has no use for results before now."""


FIRST: Final = Newcomer()
"""A query that is there before anything comes."""


class GraphNode:
    """An operator in the graph, and where its output goes; while batches are small, its twin works in its place."""

    def __init__(
        self,
        operator: AnyOperator,
        targets: Iterable[tuple["GraphNode", int]] = (),
        subscribers: Iterable[Callable[..., None]] = (),
        twin: RowOperator[Any] | None = None,
        part: PhysicalNode | None = None,
        inputs: Sequence["GraphNode"] = (),
        since: int = 0,
    ) -> None:
        self._operator = operator
        self.part = part
        """The part of a plan that it computes."""
        self.inputs = list(inputs)
        self.since = since
        """A source takes elements from the push with this number on."""
        self.arrived, self.emitted = 0, 0
        """How many elements came in and went out."""
        self.targets = list(targets)
        self.subscribers = list(subscribers)
        self._twin = twin
        self._by_rows = False
        """Does the twin have the state?"""
        self._small_batches = 0
        """How many came since the operator has the state."""
        self.on_error: Callable[[GraphNode, SnapeqError], None] | None = None
        """Called if the operator fails, which then does nothing more; without it the error goes on to the caller."""
        self._failed = False

    def serve_by(self, twin: RowOperator[Any] | None) -> None:
        """Let a twin of the operator, which has the state now, treat small batches."""
        self._twin = twin

    def __getstate__(self) -> dict[str, Any]:
        """The operator with all of its state, without the twin."""
        if self._by_rows:
            self._settle()
        return {**self.__dict__, "_twin": None}

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

    @property
    def watermark(self) -> int:
        """No later input starts before this instant."""
        return self._operator.watermark

    @property
    def size(self) -> int:
        """How many elements it holds; looking does not move the state, as looking at the operator does."""
        return self._twin.size if self._by_rows and self._twin is not None else self._operator.state.elements

    def push(self, batch: Batch, port: int) -> None:
        self.arrived += len(batch)
        try:
            output = self._processed(batch, port)
        except SnapeqError as error:
            self._fail(error)
        else:
            self._emit(output, force=False)

    def _processed(self, batch: Batch, port: int) -> Batch:
        if self._failed:
            return PhysicalStream.empty(self.schema)
        if self._twin is not None and isinstance(batch, PhysicalStream) and self._takes_rows(len(batch)):
            return RowBatch(self._operator.schema, self._twin.process(batch.to_elements(), port))
        output: Batch = self._operator.process(batch, port)
        return output

    def heartbeat(self, t: int, port: int, force: bool) -> None:
        known = self._operator.port_watermarks[port]
        if t <= known and not force:
            return
        try:
            output = self._after_heartbeat(max(t, known), port, force)
        except SnapeqError as error:
            self._fail(error)
        else:
            self._emit(output, force)

    def _after_heartbeat(self, t: int, port: int, force: bool) -> Batch:
        if self._failed:
            return PhysicalStream.empty(self.schema)
        if self._by_rows and self._twin is not None:
            return RowBatch(self._operator.schema, self._twin.heartbeat(t, port))
        output: Batch = self._operator.heartbeat(t, port, force)
        return output

    def _fail(self, error: SnapeqError) -> None:
        if self.on_error is None:
            raise error
        self._failed = True
        self.on_error(self, error)

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

    def _emit(self, output: Batch, force: bool) -> None:
        progress = self._operator.progress
        if len(output):
            self.emitted += len(output)
            for subscriber in self.subscribers:
                subscriber(output)
            for node, port in self.targets:
                node.push(output, port)
        for node, port in self.targets:
            node.heartbeat(progress, port, force)


class OperatorGraph:
    """All nodes of one or several plans; equal subplans are one node.

    A plan that is added while the graph runs shares a node if that holds nothing: then it works like a new one.
    """

    grows = True
    """May queries be added while it runs?"""

    def __init__(self, algebra: Algebra, horizon: int = ENDLESS, patience: int = 0, threads: int = 1) -> None:
        self.algebra = algebra
        self.horizon = horizon
        self.patience = patience
        self.threads = threads
        self.nodes: list[GraphNode] = []
        """Each comes after the nodes whose output it takes."""
        self.sources: dict[str, list[GraphNode]] = {}
        self._latest: dict[PhysicalNode, GraphNode] = {}
        """The node that was made last for each part of a plan."""

    def query(self, plan: Plan, chronon_sources: frozenset[str], newcomer: Newcomer = FIRST) -> GraphNode:
        """The node that gives out the result of a plan; its operators are added if they are missing."""
        return self.add(self.algebra.plan(plan, chronon_sources), newcomer)

    def add(self, part: PhysicalNode, newcomer: Newcomer = FIRST) -> GraphNode:
        """The node that computes this part of a plan; it and nodes below it are made if there are none to share."""
        return self._node(part, newcomer, {})

    def _node(self, part: PhysicalNode, newcomer: Newcomer, found: dict[PhysicalNode, GraphNode]) -> GraphNode:
        if part.logical in newcomer.joinable:
            return newcomer.joinable[part.logical]
        if part not in found:
            inputs = [self._node(child, newcomer, found) for child in part.inputs]
            known = self._latest.get(part)
            shared = known is not None and known.inputs == inputs and self._can_share(part, known, newcomer)
            found[part] = known if known is not None and shared else self._made(part, inputs, newcomer)
        return found[part]

    def _can_share(self, part: PhysicalNode, node: GraphNode, newcomer: Newcomer) -> bool:
        """Would a new node give out the same from now on?"""
        if isinstance(part.logical, Source) and part.logical.name in newcomer.unseen:
            return node.since == newcomer.since
        speaks_first = any(isinstance(below, Aggregation) and below.on_empty for below in part.logical.walk())
        has_spoken = node.progress > 0 or node.emitted > 0
        return node.operator.state.elements == 0 and not (speaks_first and has_spoken)

    def _made(self, part: PhysicalNode, inputs: list[GraphNode], newcomer: Newcomer) -> GraphNode:
        operator = self.algebra.operator(part, self.horizon)
        operator.patience = max(self.patience, operator.patience)
        operator.threads = self.threads
        twin = self._twin(operator)
        node = self._latest[part] = GraphNode(operator, twin=twin, part=part, inputs=inputs, since=newcomer.since)
        self.nodes.append(node)
        for port, child in enumerate(inputs):
            child.targets.append((node, port))
            operator.port_watermarks[port] = child.progress
        if isinstance(part.logical, Source) and part.kind == "source":
            self.sources.setdefault(part.logical.name, []).append(node)
            operator.port_watermarks[0] = operator.progress = newcomer.promised.get(part.logical.name, 0)
        return node

    def _twin(self, operator: AnyOperator) -> RowOperator[Any] | None:
        return self.algebra.twin(operator) if operator.patience == 0 else None  # a twin never waits

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Twins are made of functions, which cannot be pickled: they are made again."""
        self.__dict__.update(state)
        for node in self.nodes:
            node.serve_by(self._twin(node.operator))

    def count_windows(self, root: GraphNode) -> dict[Plan, GraphNode]:
        """The count windows below a node to which a query can begin to listen, whatever they hold."""
        if not self.algebra.windows_in_pieces:
            return {}
        below, found = [root], dict[Plan, GraphNode]()
        for node in below:
            below += node.inputs
            if node.part is not None and node.part.kind == "operator" and isinstance(node.part.logical, CountWindows):
                found[node.part.logical] = node
        return found

    @property
    def operators(self) -> list[AnyOperator]:
        """All operators, each after the operators whose output it takes."""
        return [node.operator for node in self.nodes]

    @property
    def state(self) -> StateSize:
        """How much all operators hold."""
        states = [operator.state for operator in self.operators]
        return StateSize(sum(state.elements for state in states), sum(state.bytes for state in states))

    def keep(self, roots: Sequence[object]) -> None:
        """Drop every node from which none of these roots can be reached."""
        useful = {id(root) for root in roots}
        for node in reversed(self.nodes):
            node.targets = [target for target in node.targets if id(target[0]) in useful]
            if node.targets:
                useful.add(id(node))
        self.nodes = [node for node in self.nodes if id(node) in useful]
        self._latest = {part: node for part, node in self._latest.items() if id(node) in useful}
        for name, found in self.sources.items():
            self.sources[name] = [node for node in found if id(node) in useful]
