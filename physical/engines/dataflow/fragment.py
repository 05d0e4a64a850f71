"""Plans in fragments: what one factory computes, and which baskets it reads."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from physical.columns.stream import PhysicalStream, joined
from physical.engines.dataflow.basket import Content
from physical.engines.dataflow.used_columns import ColumnSet, used
from physical.engines.interval.algebra import INTERVAL_ALGEBRA
from physical.planning.planner import PhysicalNode
from physical.runtime.operator_graph import Algebra, OperatorGraph
from semantics import Expression
from semantics import plan as op

Split = Literal["query", "reader", "operator"]
"""A factory computes a whole query; or the stateless part above a source, and others the rest; or one operator."""
STATELESS = op.Filter | op.Map | op.Rstream | op.TimeWindow | op.LandmarkWindow


@dataclass(frozen=True)
class Fragment:
    """A part of a plan; its sources have the names of the baskets that it reads."""

    root: PhysicalNode
    gives: str

    @property
    def reads(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(_leaves(self.root)))

    @property
    def predicate(self) -> Expression | None:
        """Elements of its only input that do not satisfy it do not matter; None if all may matter."""
        return _predicate(self.root) if len(_leaves(self.root)) == 1 and self.root.kind != "source" else None

    @property
    def columns(self) -> ColumnSet | None:
        """The columns of its only input that it uses; None if there are several inputs."""
        return used(self.root) if len(_leaves(self.root)) == 1 else None


class Cutter:
    """Cuts plans into fragments; unless fragments are whole queries, equal ones are made once."""

    def __init__(self, split: Split) -> None:
        self.split = split
        self._made = 0
        """How many fragments there ever were: each has a name of its own, even after others are forgotten."""
        self._new: list[Fragment] = []
        self._known: dict[PhysicalNode, PhysicalNode] = {}

    def add(self, root: PhysicalNode) -> str:
        """Cut one plan; gives the name of the basket for its result."""
        return _name(self._cut(root) if root.kind != "source" else root)

    def take_new(self) -> list[Fragment]:
        """The fragments made since the last call, each after those whose baskets it reads."""
        new, self._new = self._new, []
        return new

    def keep(self, names: Collection[str]) -> None:
        """Forget all fragments but these: a later plan with an equal part gets a new one."""
        self._known = {node: basket for node, basket in self._known.items() if _name(basket) in names}

    def _cut(self, node: PhysicalNode) -> PhysicalNode:
        """Make a fragment of the node; gives the basket of its result as a source."""
        if node in self._known and self.split != "query":
            return self._known[node]
        inputs = tuple(self._below(node, child) for child in node.inputs)
        what = node.kind.title() if node.kind in ("split", "stage") else node.logical.operator
        self._made += 1
        name = f"{what}.{self._made}"
        basket = PhysicalNode("source", op.Source(name, node.logical.schema))
        self._new.append(Fragment(replace(node, inputs=inputs), name))
        self._known[node] = basket
        return basket

    def _below(self, parent: PhysicalNode, node: PhysicalNode) -> PhysicalNode:
        if node.kind == "source":
            return node
        reader = self.split == "reader" and _stateless(node) and not _stateless(parent)
        if self.split == "operator" or reader:
            return self._cut(node)
        return replace(node, inputs=tuple(self._below(node, child) for child in node.inputs))


class Program:
    """A running fragment: operators of an algebra with their state."""

    def __init__(self, root: PhysicalNode, horizon: int, algebra: Algebra = INTERVAL_ALGEBRA) -> None:
        self.root = root
        self.graph = OperatorGraph(algebra, horizon)
        self.last = self.graph.add(root)
        self.results: list[PhysicalStream] = []
        self.last.subscribers.append(self.results.append)

    def step(self, contents: Mapping[str, Content]) -> Content:
        """Let the operators treat the contents of the baskets; gives the output and how far it is complete."""
        for name, content in contents.items():
            for node in self.graph.sources[name]:
                if len(content.batch):
                    node.push(content.batch, 0)
        for name, content in contents.items():
            for node in self.graph.sources[name]:
                node.heartbeat(content.promised, 0, content.urgent)
        output = joined(self.results) if self.results else PhysicalStream.empty(self.last.schema)
        self.results.clear()
        return Content(output, self.last.progress, any(content.urgent for content in contents.values()))


def _stateless(node: PhysicalNode) -> bool:
    """Does it, with all nodes below it, treat one element of one source at a time?"""
    if node.kind == "source":
        return True
    alone = node.kind == "operator" and isinstance(node.logical, STATELESS)
    return alone and all(_stateless(child) for child in node.inputs)


def _leaves(node: PhysicalNode) -> list[str]:
    if node.kind == "source":
        return [_name(node)]
    return [name for child in node.inputs for name in _leaves(child)]


def _name(node: PhysicalNode) -> str:
    assert isinstance(node.logical, op.Source)
    return node.logical.name


def _predicate(node: PhysicalNode) -> Expression | None:
    """The condition of the filter directly above the only leaf, if rows fulfil it at all times or never."""
    (child,) = node.inputs
    if child.kind != "source":
        return _predicate(child)
    plan = node.logical
    return plan.predicate if isinstance(plan, op.Filter) and node.kind == "operator" and plan.reducible else None
