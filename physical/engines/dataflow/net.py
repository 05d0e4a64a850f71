"""The net: places and transitions as a directed graph; firing its transitions executes all queries."""

from collections.abc import Callable, Iterator
from math import inf
from time import monotonic

import networkx as nx

from physical.engines.dataflow.basket import Basket, Mark, Place, nothing
from physical.engines.dataflow.transition import Arc, Transition
from physical.kernels.types import ENDLESS
from semantics import Schema, SchemaError


class Net:
    """A bipartite graph: places are baskets and marks, transitions are receptors, factories and emitters."""

    basket_type: type[Basket] = Basket

    def __init__(self, horizon: int = ENDLESS) -> None:
        self.horizon = horizon
        self.baskets: dict[str, Basket] = {}
        self.transitions: list[Transition] = []
        self.changed: Callable[[], None] = nothing
        self.clock: Callable[[], float] = monotonic
        """Tells when elements arrive; a test has its own."""
        self.prioritised = False
        """Do priorities of transitions differ?"""

    def basket(self, name: str, schema: Schema, kind: type[Basket] | None = None) -> Basket:
        """A new basket under a name."""
        if name in self.baskets:
            raise SchemaError(f"basket: there is a basket {name!r} already")
        found = self.baskets[name] = (kind or self.basket_type)(name, schema, changed=self._ring)
        found.clock = self._now
        return found

    def _ring(self) -> None:
        """Call whoever wants to know now: that may change after the baskets are made."""
        self.changed()

    def _now(self) -> float:
        return self.clock()

    def add(self, transition: Transition) -> None:
        self.transitions.append(transition)

    @property
    def graph(self) -> "nx.DiGraph[Place | Transition]":
        """The net as a graph; an edge into a transition says how many tokens it needs and whether it takes them."""
        graph: nx.DiGraph[Place | Transition] = nx.DiGraph()
        for transition in self.transitions:
            graph.add_node(transition, kind=type(transition).__name__.lower(), label=transition.name)
            for arc in transition.inputs:
                _add_place(graph, arc.place)
                graph.add_edge(arc.place, transition, minimum=arc.minimum, takes=arc.takes)
            for place in _given(transition):
                _add_place(graph, place)
                graph.add_edge(transition, place)
        return graph

    def __str__(self) -> str:
        """One line for every transition: what it needs, and what it gives."""
        return "\n".join(map(_line, self.transitions))

    def overdue(self) -> list[Basket]:
        """The baskets in which elements have waited for as long as they may."""
        return [basket for basket in self.baskets.values() if basket.deadline() <= 0]

    def next_deadline(self) -> float | None:
        """Seconds until elements have waited long enough in some basket; None if they may wait everywhere."""
        nearest = min((basket.deadline() for basket in self.baskets.values()), default=inf)
        return None if nearest == inf else max(nearest, 0.0)

    def audit(self) -> None:
        """Raise an error if a basket has lost an element or shown one twice."""
        for basket in self.baskets.values():
            basket.audit()


def _given(transition: Transition) -> Iterator[Place]:
    """The places that get tokens from a transition: its outputs, and marks that readers of several baskets watch."""
    for place in transition.outputs:
        yield place
        if isinstance(place, Basket):
            yield from (watch.mark for watch in place.watches)


def _add_place(graph: "nx.DiGraph[Place | Transition]", place: Place) -> None:
    graph.add_node(place, kind="mark" if isinstance(place, Mark) else "basket", label=place.name)


def _line(transition: Transition) -> str:
    needs = [_need(arc) for arc in transition.inputs]
    return (
        f"{transition.name}: {', '.join(needs)} → {', '.join(place.name for place in _given(transition)) or 'outside'}"
    )


def _need(arc: Arc) -> str:
    """A place, with the number of tokens if more than one is needed; in brackets if tokens are only looked at."""
    text = f"{arc.place.name} ≥ {arc.minimum}" if arc.minimum > 1 else arc.place.name
    return text if arc.takes else f"({text})"
