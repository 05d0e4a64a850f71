"""A short proof that two plans are equal, of the parts in which they differ wherever these are small.

A rule of an optimizer changes a small part of a query. What both plans hold around it or below it need not be looked
at: if the parts are equal over any input, so are the plans.
"""

from collections.abc import Collection

from equivalence.prover.certificate import abstracted
from equivalence.prover.differing_parts import Parts, differing_parts
from equivalence.prover.prove import prove_at_once
from semantics import Plan
from semantics.constraint import Constraint, names


def is_proved(before: Plan, after: Plan, constraints: Collection[Constraint]) -> bool:
    """Is there a short proof? That of the parts forgets what is below them, so the plans themselves have a turn, too.

    >>> from semantics import source
    >>> a, b = source("A", x=int), source("B", x=int)
    >>> is_proved(a.distinct().distinct().union(b).plan, a.distinct().union(b).plan, ())
    True
    """
    parts = [abstracted(pair, constraints) for pair in dict.fromkeys(differing_parts(before, after))]
    if 2 * sum(map(_size, parts)) <= _size((before, after)) and all(_is_equal(pair, constraints) for pair in parts):
        return True
    return _is_equal((before, after), constraints)


def _is_equal(sides: Parts, constraints: Collection[Constraint]) -> bool:
    read = {name for side in sides for name in side.sources()}
    known = [constraint for constraint in constraints if names(constraint) <= read]
    return prove_at_once(*sides, constraints=known).kind == "proved"


def _size(sides: Parts) -> int:
    return sum(1 for side in sides for _ in side.walk())
