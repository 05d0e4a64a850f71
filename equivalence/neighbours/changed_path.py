"""Where two plans differ: most of a plan and its neighbour is the same, and need not be looked at twice."""

from semantics import Plan, SnapeqError, TooManyChanges
from semantics.sparse import SparseEvaluation

ChangedPath = tuple[tuple[Plan, Plan], ...]
"""Nodes of one plan and the other that differ, from the lowest pair below which all is the same up to the roots."""


def changed_path(plan: Plan, other: Plan) -> ChangedPath:
    """Down from the roots for as long as one input alone differs.

    >>> from semantics import parse_plan
    >>> plans = [parse_plan(f"A(x int) | window(range {n}) | distinct") for n in (3, 4)]
    >>> [one.operator for one, _ in changed_path(*plans)]
    ['TimeWindow', 'Distinct']
    """
    path = [(plan, other)]
    while (below := _only_difference(*path[-1])) is not None:
        path.append(below)
    return tuple(reversed(path))


def _only_difference(plan: Plan, other: Plan) -> tuple[Plan, Plan] | None:
    """The inputs that differ, if nothing else does."""
    if type(plan) is not type(other):
        return None
    differing = [pair for pair in zip(plan.inputs, other.inputs, strict=True) if pair[0] != pair[1]]
    try:
        return differing[0] if len(differing) == 1 and plan.with_inputs(*other.inputs) == other else None
    except SnapeqError:
        return None


def same_somewhere(path: ChangedPath, evaluation: SparseEvaluation) -> bool:
    """Do the plans give the same at some node of the path? Then so do all nodes above it.

    A node that changes too often says nothing, and those above it are not asked.
    """
    try:
        return any(evaluation.same(one, other) for one, other in path)
    except TooManyChanges:
        return False
