"""Where coalescing pays: below an operator with state, above a map that drops what an aggregate computed.

An aggregate gives a new row whenever its value changes. If only the keys are wanted, these rows are equal and adjacent,
often dozens in a row, and a join or another grouping would treat each of them. Merging them changes no snapshot. It
merges within what is treated at once, so it is for whole streams and files, not for sessions that answer at every push.
"""

from dataclasses import replace

from physical.planning.planner import PhysicalNode, physical_plan
from semantics import Plan
from semantics import plan as op
from semantics.expression import Ref

REASON = "a map dropped what an aggregate computed: rows that are equal and adjacent become one"
PASSES_ON = op.Filter | op.Rstream
GAINS = op.Product | op.Join | op.Grouping | op.Aggregation | op.Difference | op.Intersection
"""Their cost grows with the number of elements. Distinct merges by itself, and semijoins gain nothing that was seen."""


def coalesced_plan(plan: Plan, chronon_sources: frozenset[str] = frozenset()) -> PhysicalNode:
    """The physical plan of a logical one, with coalesce where it pays.

    >>> from physical.planning.planner import explain_node
    >>> from semantics import parse_plan
    >>> text = "S(x int) | window(range 9) | group(x; count(*) as n) | filter(n > 3) | map(x as x)"
    >>> print(explain_node(coalesced_plan(parse_plan(f"{text} | aggregate(count(*) as busy)"), frozenset({"S"}))))
    aggregate(count(*) as busy) — one sweep over all elements of a slice
      coalesce — a map dropped what an aggregate computed: rows that are equal and adjacent become one
        map(x as x) — stateless
          filter(n > 3) — stateless
            group(x; count(*) as n) — one sweep per group of a slice
              window(range 9) — stateless: sets the interval of each chronon
                S(x int) — a raw stream: its elements are chronons
    """
    return _with_coalesce(physical_plan(plan, chronon_sources))


def _with_coalesce(node: PhysicalNode) -> PhysicalNode:
    gains = node.kind == "operator" and isinstance(node.logical, GAINS)
    inputs = tuple(_merged(child) if gains and _fragments(child.logical) else child for child in node.inputs)
    return replace(node, inputs=tuple(map(_with_coalesce, inputs)))


def _merged(node: PhysicalNode) -> PhysicalNode:
    return PhysicalNode("coalesce", node.logical, (node,), REASON)


def _fragments(plan: Plan) -> bool:
    """Does a map below drop a column that an aggregate computed?"""
    if isinstance(plan, PASSES_ON):
        return _fragments(plan.input)
    return isinstance(plan, op.Map) and _drops_aggregate(plan, plan.input)


def _drops_aggregate(plan: op.Map, below: Plan) -> bool:
    while isinstance(below, PASSES_ON):
        below = below.input
    if not isinstance(below, op.Grouping | op.Aggregation):
        return False
    kept = {expression.index for expression in plan.expressions if isinstance(expression, Ref)}
    first = len(below.keys) if isinstance(below, op.Grouping) else 0
    return not kept >= set(range(first, len(below.schema)))
