"""The ways into a running net: which basket a query reads for a source.

A query that is added while the net runs must not see what was pushed before. Nothing waits in the baskets of a net that
was drained, so it reads the baskets that are there. But elements that came out of order may still wait at the entrance
of the session: then the query gets a basket of its own, which takes only what was pushed since.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace

from physical.planning.planner import PhysicalNode
from physical.runtime.operator_graph import FIRST, Newcomer
from semantics.plan import Source


@dataclass(frozen=True)
class Inlet:
    """A basket for a source: it takes elements from this push on, none of which starts before the promise."""

    source: str
    since: int = 0
    promised: int = 0


class Inlets:
    """All ways into a net, by the names of their baskets."""

    def __init__(self) -> None:
        self.by_basket: dict[str, Inlet] = {}

    def entered_by(self, node: PhysicalNode, newcomer: Newcomer = FIRST) -> PhysicalNode:
        """The plan of a query that reads the baskets which hold what it may see."""
        if node.kind != "source":
            return replace(node, inputs=tuple(self.entered_by(child, newcomer) for child in node.inputs))
        assert isinstance(node.logical, Source)
        return PhysicalNode("source", Source(self._basket(node.logical.name, newcomer), node.logical.schema))

    def keep(self, baskets: Collection[str]) -> None:
        """Forget all but these."""
        self.by_basket = {name: inlet for name, inlet in self.by_basket.items() if name in baskets}

    def _basket(self, source: str, newcomer: Newcomer) -> str:
        known = [name for name, inlet in self.by_basket.items() if inlet.source == source]
        if known and source not in newcomer.unseen:
            return known[-1]
        name = f"{source} since {newcomer.since}" if known else source
        inlet = Inlet(source, newcomer.since, newcomer.promised.get(source, 0))
        return next((k for k in known if self.by_basket[k].since == newcomer.since), None) or self._made(name, inlet)

    def _made(self, basket: str, inlet: Inlet) -> str:
        self.by_basket[basket] = inlet
        return basket
