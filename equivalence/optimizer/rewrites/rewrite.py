"""A rewrite of one node, and its use anywhere in a plan."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from semantics import Plan
from semantics.constraint import Constraint

Constraints = Collection[Constraint]


@dataclass(frozen=True)
class Rewrite:
    """A rule of the catalogue in one direction: what a node may become, given what is known of the sources."""

    rule: str
    """The name of the rule in the catalogue that justifies it."""
    alternatives: Callable[[Plan, Constraints], Iterator[Plan]]


@dataclass(frozen=True)
class Step:
    """One rewrite of a whole plan: which rule turned which node into which, and what the plan is now."""

    rule: str
    before: Plan
    after: Plan
    plan: Plan


def steps(plan: Plan, rewrites: Collection[Rewrite], constraints: Constraints = ()) -> Iterator[Step]:
    """Every rewrite at every node of a plan, from the root down; equal subplans are rewritten together."""
    for node in dict.fromkeys(plan.walk()):
        for rewrite in rewrites:
            for after in rewrite.alternatives(node, constraints):
                yield Step(rewrite.rule, node, after, plan.replaced(node, after))
