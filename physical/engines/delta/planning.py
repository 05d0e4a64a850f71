"""Physical plans over signed elements: where occurrences become signed elements."""

from dataclasses import replace

from physical.planning.planner import NOW_OF_CHRONONS, PhysicalNode, Window, chronons, physical_plan
from semantics import Plan
from semantics import plan as op

NOW_REASON = "occurrences become rows that come and go: the now-window"
STATELESS = op.Filter | op.Map | op.Union | op.Rstream


def delta_plan(plan: Plan, chronon_sources: frozenset[str] = frozenset()) -> PhysicalNode:
    """The physical plan of a logical one, whose result is signed."""
    return _signed(_with_now(_without_cuts(physical_plan(plan, chronon_sources))))


def _without_cuts(node: PhysicalNode) -> PhysicalNode:
    """No signed element says when its row goes, so there is no interval to cut: now is asked at every instant."""
    inputs = tuple(map(_without_cuts, node.inputs))
    if node.kind not in ("cut", "sample"):
        return replace(node, inputs=inputs)
    return PhysicalNode("operator", node.logical, tuple(chronons(child, "now") for child in inputs), NOW_OF_CHRONONS)


def occurrences(node: PhysicalNode) -> bool:
    """Does this operator take occurrences? Windows do, and stateless operators hand them on."""
    return node.kind == "operator" and (isinstance(node.logical, Window) or (node.chronons and _hands_on(node)))


def _hands_on(node: PhysicalNode) -> bool:
    return isinstance(node.logical, STATELESS)


def _with_now(node: PhysicalNode) -> PhysicalNode:
    inputs = tuple(map(_with_now, node.inputs))
    return replace(node, inputs=inputs if occurrences(node) else tuple(map(_signed, inputs)))


def _signed(node: PhysicalNode) -> PhysicalNode:
    """The node itself if it gives out signed elements, otherwise with a now-window that makes them."""
    return PhysicalNode("now", node.logical, (node,), NOW_REASON) if node.chronons else node
