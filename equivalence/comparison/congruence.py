"""Where two plans differ: the smallest parts in which they do, and larger ones around these.

If two parts mean the same, so do the plans around them, and a part is easier to prove than the whole.
"""

from collections.abc import Collection, Iterator
from dataclasses import fields
from typing import Final

from semantics import Plan
from semantics.constraint import Constraint, References
from semantics.plan import Node

OPERATORS_OF_A_PART: Final = 16
"""Larger parts are not tried: a proof may take long, and smaller parts have been tried before."""


def proved_in_a_part(left: Plan, right: Plan, constraints: Collection[Constraint]) -> bool:
    """Is it proved of some parts in which alone the plans differ that they mean the same?"""
    from equivalence.prover.prove import prove_at_once

    parts = (part for part in differing_parts(left, right) if sum(1 for _ in part[0].walk()) <= OPERATORS_OF_A_PART)
    return any(prove_at_once(*part, constraints=_about(part[0], constraints)).kind == "proved" for part in parts)


def differing_parts(left: Plan, right: Plan) -> Iterator[tuple[Plan, Plan]]:
    """The parts in which alone two plans differ, the smallest first; the plans themselves are the last.

    >>> from semantics import parse_plan, show
    >>> plans = (parse_plan(f"S(x int) | window(range {size}) | distinct | filter(x > 1)") for size in (4, 5))
    >>> [show(part) for part, _ in differing_parts(*plans)][:2]
    ['S(x int) | window(range 4)', 'S(x int) | window(range 4) | distinct']
    """
    differing = [pair for pair in zip(left.inputs, right.inputs, strict=False) if pair[0] != pair[1]]
    alike = _without_inputs(left) == _without_inputs(right) and len(left.inputs) == len(right.inputs)
    if alike and len(differing) == 1 and differing[0][0].schema == differing[0][1].schema:
        yield from differing_parts(*differing[0])
    yield left, right


def _without_inputs(plan: Plan) -> tuple[object, ...]:
    values = [getattr(plan, part.name) for part in fields(plan)]
    return (plan.operator, *(value for value in values if not isinstance(value, Node)))


def _about(plan: Plan, constraints: Collection[Constraint]) -> list[Constraint]:
    """The constraints on sources of a part."""
    sources = plan.sources()
    own = [constraint for constraint in constraints if constraint.source in sources]
    return [constraint for constraint in own if not isinstance(constraint, References) or constraint.target in sources]
