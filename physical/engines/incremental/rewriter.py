"""The rewriter: how a plan is split over basic windows, and where its parts are merged (Section 3 of the paper).

The plan is consumed operator by operator, from the windows up. As long as operators treat each basic window by itself,
they are replicated below the merge. The first operator that cannot is replicated with a compensation. Operators above a
merge work on merged results at every slide. A filter that commutes with a merge is moved below it first, because below
it sees every row only once.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from physical.engines.incremental.operator_classes import MERGING_CLASSES, SPLITTING_CLASSES, OperatorClass, classified
from physical.planning.planner import explain as physical_explain
from semantics import Plan
from semantics import aggregate as agg
from semantics import plan as op
from semantics.aggregate import Aggregate
from semantics.expression import Ref, refs
from semantics.notation.show import show_step
from semantics.substitute import substitute


@dataclass(frozen=True)
class RewrittenNode:
    """An operator of the rewritten plan, its class, and a description of what is done for it."""

    plan: Plan
    kind: OperatorClass
    inputs: tuple["RewrittenNode", ...]
    detail: str = ""

    @property
    def merged(self) -> bool:
        """Does it give a new result at every slide?"""
        if self.kind in SPLITTING_CLASSES:
            return False
        return self.kind in MERGING_CLASSES or any(child.merged for child in self.inputs)


def rewritten(plan: Plan) -> RewrittenNode:
    """The incremental plan for a plan."""
    plan = pushed(plan)
    inputs = tuple(rewritten(child) for child in plan.inputs)
    kind, detail = classified(plan, any(child.merged for child in inputs))
    return RewrittenNode(plan.with_inputs(*(child.plan for child in inputs)), kind, inputs, detail)


def pushed(plan: Plan) -> Plan:
    """The plan, with a filter moved below the merge under it, if it tests the same rows there.

    >>> from semantics import parse_plan, show
    >>> show(pushed(parse_plan("S(x int) | window(range 9 slide 3) | distinct | filter(x > 1)")))
    'S(x int) | window(range 9 slide 3) | filter(x > 1) | distinct'
    """
    if not isinstance(plan, op.Filter):
        return plan
    match plan.input:
        case op.Distinct(input=below):
            return op.Distinct(op.Filter(below, plan.predicate))
        case op.Grouping(input=below, keys=keys, aggregates=aggregates) as grouping:
            of_keys = all(ref.index < len(keys) for ref in refs(plan.predicate))
            if not of_keys or any(_may_fail(function) for function in aggregates):
                return plan
            predicate = substitute(plan.predicate, lambda ref: Ref(keys[ref.index], ref.type))
            return replace(grouping, input=op.Filter(below, predicate))
        case _:
            return plan


def _may_fail(function: Aggregate) -> bool:
    """May it raise an error? Then it must be raised even for a group that the filter drops."""
    safe = agg.CountRows | agg.Count | agg.CountDistinct | agg.Avg | agg.Min | agg.Max | agg.Largest | agg.Median
    return not isinstance(function, safe) or not all(isinstance(x, Ref) for x in agg.arguments_of(function))


def why_by_intervals(plan: Plan) -> str | None:
    """Why a plan is run by the interval algebra, if it is: basic windows know no instants and no places of rows."""
    if any(node.mentions_now for node in plan.walk()):
        return "asks for now"
    others = {
        op.Unnest: "takes arrays apart",
        op.Limit: "has a limit",
        op.SessionWindow: "has sessions",
        op.Over: "has OVER",
    }
    return next((others[type(node)] for node in plan.walk() if type(node) in others), None)


def explain(plan: Plan) -> str:
    """The rewritten plan as an indented text, each operator with its class.

    >>> from semantics import parse_plan
    >>> print(explain(parse_plan("S(x int) | window(range 50 slide 10) | filter(x > 1) | aggregate(sum(x) as s)")))
    aggregate(sum(x) as s) — concatenation plus compensation: sum(x) as sum of sums
      filter(x > 1) — simple concatenation: each basic window by itself
        window(range 50 slide 10) — split into basic windows: n = 5, each of 10 instants
          S(x int) — split into basic windows: one for every set of elements that come and go together
    """
    why = why_by_intervals(plan)
    if why is not None:
        return f"by the operators of the interval algebra, since it {why}\n{physical_explain(plan)}"
    return "\n".join(_lines(rewritten(plan), 0))


def _lines(step: RewrittenNode, depth: int) -> Iterator[str]:
    yield f"{'  ' * depth}{show_step(step.plan)} — {step.kind}: {step.detail}"
    for child in step.inputs:
        yield from _lines(child, depth + 1)
