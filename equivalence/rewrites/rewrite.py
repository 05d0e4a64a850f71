"""A rewrite of one node, and its use anywhere in a plan."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any

from equivalence.constraint import Constraint
from semantics import Plan
from semantics.plan import Binary, Source

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
    for node in dict.fromkeys(nodes(plan)):
        for rewrite in rewrites:
            for after in rewrite.alternatives(node, constraints):
                yield Step(rewrite.rule, node, after, substituted(plan, node, after))


def nodes(plan: Plan) -> Iterator[Plan]:
    """All nodes, from the root down; a shared one as often as it is used."""
    yield plan
    for child in plan.inputs:
        yield from nodes(child)


def substituted(plan: Plan, node: Plan, by: Plan) -> Plan:
    """The plan with one node replaced wherever it occurs."""
    if plan == node:
        return by
    if isinstance(plan, Source):
        return plan
    return with_inputs(plan, *(substituted(child, node, by) for child in plan.inputs))


def with_inputs(node: Plan, *inputs: Plan) -> Plan:
    """The same operator over other inputs."""
    if node.inputs == inputs:
        return node
    names = ("left", "right") if isinstance(node, Binary) else ("input",)
    changes: dict[str, Any] = dict(zip(names, inputs, strict=True))
    return replace(node, **changes)
