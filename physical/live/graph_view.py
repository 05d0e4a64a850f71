"""The graph of running queries as people look at it: operators, who feeds whom, and which queries share them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from physical.engines.dataflow.factory import Emitter, Factory
from physical.engines.dataflow.net_picture import picture
from physical.engines.dataflow.query_net import QueryNet
from physical.kernels.types import ENDLESS
from physical.planning.planner import PhysicalNode
from physical.runtime.graph_session import Graph, GraphSession, RunningPlan
from physical.runtime.operator_graph import GraphNode
from semantics.notation.show import show_step
from semantics.plan import Source


@dataclass
class ViewNode:
    """An operator that runs, where its output goes, and the queries that use it."""

    id: str
    label: str
    kind: str
    parts: list[GraphNode]
    """The operator, or all operators inside a factory, the last one last."""
    targets: list[str] = field(default_factory=list)
    queries: set[str] = field(default_factory=set)


def graph_document(session: GraphSession) -> dict[str, Any]:
    """Nodes and edges, sources first; a query is a node behind the operator that gives its results."""
    nodes = view(session)
    document = [{"id": n.id, "label": n.label, "kind": n.kind, "queries": sorted(n.queries)} for n in nodes]
    queries = [{"id": f"query {name}", "label": name, "kind": "query", "queries": [name]} for name in session.queries]
    edges = [[node.id, target] for node in nodes for target in node.targets]
    return {"nodes": document + queries, "edges": edges}


def operators_of(session: GraphSession) -> list[dict[str, Any]]:
    """The figures of every operator, by the id that it has in the graph."""
    return [_figures(node) for node in view(session)]


def queries_of(session: GraphSession, part: GraphNode) -> set[str]:
    """The queries whose results depend on an operator."""
    return {query for node in view(session) if part in node.parts for query in node.queries}


def progress(session: GraphSession) -> dict[str, int]:
    """For each query the instant before which no later result starts, whichever plan it comes from during a switch."""
    nodes = {node.id: node for node in view(session)}
    return {
        name: min(_progress(nodes[_root_id(plan)], plan, session) for plan in query.plans)
        for name, query in session.queries.items()
    }


def _progress(root: ViewNode, plan: RunningPlan, session: GraphSession) -> int:
    """The basket of a source has no operator: what was promised of the source holds for it, too."""
    if root.parts:
        return root.parts[-1].progress
    return min(session.entrances[name].promised for name in plan.plan.sources())


def net_svg(session: GraphSession) -> str:
    """The Petri net of the dataflow engine as a picture; empty for other engines."""
    graphs = [plan.graph for _, plan in _plans(session)]
    nets = {id(graph): graph.net for graph in graphs if isinstance(graph, QueryNet) and graph.sources}
    return "\n".join(picture(net, tokens=True) for net in nets.values())


def view(session: GraphSession) -> list[ViewNode]:
    """All operators of all queries, inputs first; a query that changes its plan has the operators of both."""
    nodes: dict[str, ViewNode] = {}
    for name, plan in _plans(session):
        graph = plan.graph
        found = list(_net_nodes(graph)) if isinstance(graph, QueryNet) else list(_operator_nodes(graph))
        nodes |= {node.id: node for node in found if node.id not in nodes}
        root = nodes[_root_id(plan)]
        root.targets.append(f"query {name}")
        _mark(nodes, root.id, name)
    return list(nodes.values())


def _plans(session: GraphSession) -> list[tuple[str, RunningPlan]]:
    return [(name, plan) for name, query in session.queries.items() for plan in query.plans]


def _operator_nodes(graph: Graph) -> Iterator[ViewNode]:
    for node in graph.nodes:
        assert node.part is not None
        targets = [str(id(target)) for target, _ in node.targets]
        yield ViewNode(str(id(node)), _label(node.part), _kind(node.part), [node], targets)


def _net_nodes(graph: QueryNet) -> Iterator[ViewNode]:
    """Baskets of sources and factories; the baskets between factories are their edges."""
    readers = [t for t in graph.net.transitions if isinstance(t, Factory)]
    for source in graph.sources:
        targets = [_factory_id(reader) for reader in readers if source in reader.reads]
        yield ViewNode(f"basket {id(graph)} {source}", source.partition(" for ")[0], "source", [], targets)
    for reader in readers:
        targets = [_factory_id(other) for other in readers if reader.name in other.reads]
        nodes = reader.program.graph.nodes
        yield ViewNode(_factory_id(reader), _label(reader.program.root), "operator", nodes, targets)


def _factory_id(factory: Factory) -> str:
    return str(id(factory))


def _root_id(plan: RunningPlan) -> str:
    if not isinstance(plan.graph, QueryNet):
        return str(id(plan.root))
    assert isinstance(plan.root, Emitter)
    (read,) = plan.root.reads
    factories = [t for t in plan.graph.net.transitions if isinstance(t, Factory) and t.name == read]
    return _factory_id(factories[0]) if factories else f"basket {id(plan.graph)} {read}"


def _mark(nodes: dict[str, ViewNode], root: str, query: str) -> None:
    """Note for the root and everything below it that the query uses it."""
    nodes[root].queries.add(query)
    for node in nodes.values():
        if root in node.targets and query not in node.queries:
            _mark(nodes, node.id, query)


def _label(part: PhysicalNode) -> str:
    if part.kind == "split":
        return "split into instants"
    if isinstance(part.logical, Source):
        return part.logical.name.partition(" for ")[0]
    text = show_step(part.logical)
    return f"stage: {text}" if part.kind == "stage" else text


def _kind(part: PhysicalNode) -> str:
    return "source" if part.kind == "source" else "operator"


def _figures(node: ViewNode) -> dict[str, Any]:
    figures: dict[str, Any] = {"id": node.id, "state": sum(part.size for part in node.parts)}
    if node.parts:
        heartbeat = min(part.watermark for part in node.parts)
        figures |= {"taken": node.parts[0].arrived, "given": node.parts[-1].emitted}
        figures["heartbeat"] = None if heartbeat == ENDLESS else heartbeat
    return figures
