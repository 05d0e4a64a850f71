"""What flows along every edge of a running plan, and what its windows hold meanwhile."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from physical.columns.stream import PhysicalStream
from physical.kernels.types import ENDLESS
from physical.planning.planner import PhysicalNode
from physical.runtime.operator_graph import GraphNode, OperatorGraph
from semantics import Plan
from semantics.plan import CountWindow, LandmarkWindow, PartitionedWindow, TimeWindow

WINDOWS = TimeWindow | LandmarkWindow | CountWindow | PartitionedWindow
STEPS = 50
"""How often the contents of windows are measured."""


@dataclass(frozen=True)
class Observed:
    """How many elements left each operator, inputs before consumers; and the most that windows ever held."""

    edges: tuple[int, ...]
    windows: tuple[int, ...]
    """Those of the edges that leave a window."""
    held: int


def observed(make_graph: Callable[..., OperatorGraph], plan: Plan, sources: Mapping[str, PhysicalStream]) -> Observed:
    """A plan run once as a whole, to count what leaves its operators, and once in steps, to see what its windows hold.

    In steps intervals would be cut between them, and be more.
    """
    graph = make_graph()
    graph.query(plan, frozenset(sources))
    _advance(graph, sources, 0, ENDLESS)
    edges = tuple(node.emitted for node in graph.nodes)
    windows = tuple(node.emitted for node in _windows(graph))
    return Observed(edges, windows, _held(make_graph(), plan, sources))


def _held(graph: OperatorGraph, plan: Plan, sources: Mapping[str, PhysicalStream]) -> int:
    """The most that all windows together hold after any step."""
    graph.query(plan, frozenset(sources))
    last = max(int(stream.start[-1]) for stream in sources.values())
    held, since = 0, 0
    for t in np.linspace(0, last, STEPS, dtype=np.int64)[1:].tolist():
        _advance(graph, sources, since, t)
        held, since = max(held, sum(node.operator.state.elements for node in _windows(graph))), t
    return held


def _windows(graph: OperatorGraph) -> list[GraphNode]:
    return [node for node in graph.nodes if node.part and _is_window(node.part)]


def _is_window(part: PhysicalNode) -> bool:
    return isinstance(part.logical, WINDOWS) and part.kind == "operator"


def _advance(graph: OperatorGraph, sources: Mapping[str, PhysicalStream], since: int, until: int) -> None:
    """Push the elements that start between these instants, then a heartbeat for the later one."""
    nodes: list[tuple[str, GraphNode]] = [(name, node) for name, s in graph.sources.items() for node in s]
    for name, node in nodes:
        stream = sources[name]
        first, last = np.searchsorted(stream.start, [since, until])
        if last > first:
            node.push(stream.take(np.s_[first:last]), 0)
    for _, node in nodes:
        node.heartbeat(until, 0, force=True)
