"""Plans as one graph: equal subplans are one node, edges run from an input to its consumer.

This is the one module of `semantics` that needs networkx; nothing else in the package imports it.
"""

from collections.abc import Iterable

import networkx as nx

from semantics.evaluate import Planned
from semantics.notation.show import show_step
from semantics.plan import Plan, Source

PlanGraph = nx.MultiDiGraph


def graph(*queries: Planned) -> "PlanGraph[Plan]":
    """One acyclic graph of all these plans.

    Nodes are numbered plans, in the order in which they can be computed; each has the attributes `id` and
    `root` (True if it is one of the queries), each edge the `port` at which it arrives.

    >>> from semantics import source
    >>> bids = source("Bid", price=int).window(10)
    >>> shared = graph(bids.distinct(), bids.union(bids))
    >>> [node.operator for node in shared]
    ['Source', 'TimeWindow', 'Distinct', 'Union']
    """
    result: PlanGraph[Plan] = nx.MultiDiGraph()
    for query in queries:
        _add(result, query.plan)
        result.nodes[query.plan]["root"] = True
    return result


def _add(result: "PlanGraph[Plan]", node: Plan) -> None:
    if node in result:
        return
    for child in node.inputs:
        _add(result, child)
    result.add_node(node, id=len(result), root=False)
    for port, child in enumerate(node.inputs):
        result.add_edge(child, node, port=port)


def reducible_subplans(plans: "PlanGraph[Plan]") -> list[frozenset[Plan]]:
    """The maximal snapshot-reducible subplans (Section 6.4.1), in the order of their first nodes.

    A subplan is a set of operators; sources and windows are between subplans, not in them.
    """
    inside = [node for node in plans if node.reducible and not isinstance(node, Source)]
    components = nx.weakly_connected_components(plans.subgraph(inside))
    return sorted(map(frozenset, components), key=lambda part: min(_ids(plans, part)))


def dot(plans: "PlanGraph[Plan]") -> str:
    """The graph in Graphviz's language, each snapshot-reducible subplan in a box of its own."""
    boxes = reducible_subplans(plans)
    lines = ["digraph plan {", "  rankdir=BT;", "  node [shape=box, fontname=monospace];"]
    for i, box in enumerate(boxes):
        lines += [f"  subgraph cluster_{i} {{", '    label="snapshot-reducible";', "    style=filled; color=lightgrey;"]
        lines += [f"    {_dot_node(plans, node)}" for node in plans if node in box]
        lines += ["  }"]
    lines += [f"  {_dot_node(plans, node)}" for node in plans if not any(node in box for box in boxes)]
    lines += [f"  n{_id(plans, child)} -> n{_id(plans, node)};" for child, node in plans.edges()]
    return "\n".join([*lines, "}"])


def _dot_node(plans: "PlanGraph[Plan]", node: Plan) -> str:
    label = show_step(node).replace("\\", "\\\\").replace('"', '\\"')
    bold = ", penwidth=2" if plans.nodes[node]["root"] else ""
    return f'n{_id(plans, node)} [label="{label}"{bold}];'


def _id(plans: "PlanGraph[Plan]", node: Plan) -> int:
    number: int = plans.nodes[node]["id"]
    return number


def _ids(plans: "PlanGraph[Plan]", nodes: Iterable[Plan]) -> list[int]:
    return [_id(plans, node) for node in nodes]
