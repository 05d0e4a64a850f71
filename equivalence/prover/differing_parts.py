"""Where two plans differ: below the operators that both have in common, from the root down."""

from typing import Final

from equivalence.prover.certificate import Certificate, RewriteStep
from semantics import Plan

Parts = tuple[Plan, Plan]
BELOW_THE_SAME: Final = "parts below the same operators"


def differing_parts(left: Plan, right: Plan) -> list[Parts]:
    """The smallest parts, pair by pair, that stand in the same places of two otherwise equal plans.

    >>> from semantics import show, source
    >>> a, b = source("A", x=int), source("B", x=int)
    >>> (found,) = differing_parts(a.distinct().union(b).plan, a.union(b).plan)
    >>> [show(part) for part in found]
    ['A(x int) | distinct', 'A(x int)']
    """
    if left == right:
        return []
    if not _same_operator(left, right):
        return [(left, right)]
    return [parts for pair in zip(left.inputs, right.inputs, strict=True) for parts in differing_parts(*pair)]


def _same_operator(left: Plan, right: Plan) -> bool:
    """Is one the other over other inputs, which have the same columns?"""
    if type(left) is not type(right) or not left.inputs:
        return False
    alike = all(one.schema == other.schema for one, other in zip(left.inputs, right.inputs, strict=True))
    return alike and left.with_inputs(*right.inputs) == right


def by_parts(left: Plan, right: Plan) -> Certificate | None:
    """The certificate that replaces one part after the other; None where the plans differ at their roots."""
    parts = dict.fromkeys(differing_parts(left, right))
    if (left, right) in parts:
        return None
    steps = [RewriteStep(BELOW_THE_SAME, *pair) for pair in parts]
    reached = left
    for step in steps:
        reached = reached.replaced(step.before, step.after)
    return Certificate(left, right, tuple(steps)) if reached == right else None
