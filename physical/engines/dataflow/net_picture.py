"""A net as a picture: baskets are circles, marks are small circles, transitions are boxes; thick edges carry data."""

from html import escape
from typing import Final

import networkx as nx

from physical.engines.dataflow.basket import Basket, Mark, Place
from physical.engines.dataflow.net import Net
from physical.engines.dataflow.transition import Transition

Node = Place | Transition
LAYER_WIDTH: Final = 190
NODE_HEIGHT: Final = 74
MARGIN: Final = 70


def picture(net: Net, *, tokens: bool = False) -> str:
    """The net as SVG text, from left to right; the marks of free baskets are left out.

    With `tokens` baskets show how many elements wait in them and how many came so far, and marks whether they are set.
    """
    graph = _visible(net)
    layers = _layers(graph)
    at = {
        node: (MARGIN + LAYER_WIDTH * i, MARGIN + NODE_HEIGHT * j + NODE_HEIGHT * (_most(layers) - len(layer)) // 2)
        for i, layer in enumerate(layers)
        for j, node in enumerate(layer)
    }
    width, height = 2 * MARGIN + LAYER_WIDTH * (len(layers) - 1), 2 * MARGIN + NODE_HEIGHT * (_most(layers) - 1)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">'
    edges = [_edge(at[a], at[b], thick=isinstance(a, Basket) or isinstance(b, Basket)) for a, b in graph.edges]
    nodes = [_node(node, *at[node]) for node in graph]
    nodes += [_tokens(node, *at[node]) for node in graph if tokens and not isinstance(node, Transition)]
    return "\n".join([head, '<rect width="100%" height="100%" fill="white"/>', *edges, *nodes, "</svg>", ""])


def _visible(net: Net) -> "nx.DiGraph[Node]":
    """The graph without the marks of free baskets, whose edges would lead back and so make cycles."""
    graph = net.graph.copy()
    graph.remove_nodes_from([basket.free for basket in net.baskets.values() if basket.free in graph])
    for basket in net.baskets.values():
        back = [t for t in graph.successors(basket) if graph.edges[basket, t]["minimum"] == 0 and not _reads(t)]
        graph.remove_edges_from([(basket, t) for t in back])
    return graph


def _reads(transition: Node) -> bool:
    return hasattr(transition, "ports")


def _layers(graph: "nx.DiGraph[Node]") -> list[list[Node]]:
    return [list(layer) for layer in nx.topological_generations(graph)]


def _most(layers: list[list[Node]]) -> int:
    return max(map(len, layers))


def _edge(begin: tuple[int, int], end: tuple[int, int], thick: bool) -> str:
    (x, y), (u, v) = begin, end
    style = 'stroke="#1b6ca8" stroke-width="2"' if thick else 'stroke="#999" stroke-width="1" stroke-dasharray="4 3"'
    return f'<path d="M{x},{y} C{(x + u) // 2},{y} {(x + u) // 2},{v} {u},{v}" fill="none" {style}/>'


def _node(node: Node, x: int, y: int) -> str:
    if isinstance(node, Transition):
        shape = f'<rect x="{x - 60}" y="{y - 13}" width="120" height="26" rx="3" fill="#f4e7d3" stroke="#8a6d3b"/>'
        return shape + _text(x, y + 4, node.name)
    radius, fill = (6, "#fff") if isinstance(node, Mark) else (14, "#d8e8f5")
    shape = f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}" stroke="#1b6ca8"/>'
    return shape + _text(x, y + radius + 12, node.name)


def _tokens(place: Place, x: int, y: int) -> str:
    if isinstance(place, Mark):
        return f'<circle class="token" cx="{x}" cy="{y}" r="3" fill="#1b6ca8"/>' if place.there else ""
    return (
        f'<text class="token" x="{x}" y="{y + 4}" text-anchor="middle" font-size="11">{len(place)}</text>'
        f'<text x="{x}" y="{y - 20}" text-anchor="middle" font-size="10" fill="#666">{place.counts.arrived} came</text>'
    )


def _text(x: int, y: int, text: str) -> str:
    return f'<text x="{x}" y="{y}" text-anchor="middle" font-size="11">{escape(text)}</text>'
