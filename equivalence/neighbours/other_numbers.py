"""Neighbours with a number that is further away: one of the other plan, or one that is some percent larger or smaller.

Two plans that are compared mostly differ in a number, if they differ. And where the next number makes no difference, as
in `x * x > 90000`, a neighbour that differs by one measures nothing.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from equivalence.neighbours.change import ChangeKind
from equivalence.neighbours.neighbours_of import Neighbour, neighbours_of
from semantics import Plan, Value
from semantics.fold import fold_plan

PERCENT: Final = 20
"""The step after one that makes no difference: a twentieth of the number."""


def with_numbers_of(plan: Plan, other: Plan) -> Iterator[Neighbour]:
    """The plan with one of its decisive numbers or texts changed to one of another plan, which it does not have.

    >>> from semantics import parse_plan
    >>> left, right = (parse_plan(f"S(x int, y int) | filter(x > {n} and y > {n + 1})") for n in (90, 91))
    >>> [neighbour.text for neighbour in with_numbers_of(left, right)]
    ['`x > 92` instead of `x > 90`', '`y > 92` instead of `y > 91`']
    """
    own, theirs = _numbered(plan), _numbered(other)
    known = {_number(site) for site in own}
    wanted = dict.fromkeys(number for number in map(_number, theirs) if number not in known)
    made = [site.with_number(value) for site in own for kind, value in wanted if _fits(site, kind, value)]
    unchanged = fold_plan(plan)
    found = {neighbour.plan: neighbour for neighbour in made if neighbour is not None}
    yield from (neighbour for changed, neighbour in found.items() if fold_plan(changed) != unchanged)


def further(neighbour: Neighbour) -> Neighbour | None:
    """The next step in the same direction, for a neighbour that makes no difference: some percent, then all of it."""
    number = neighbour.number
    if number is None or not isinstance(number.old, int | float) or not isinstance(number.new, int | float):
        return None
    old, step = number.old, number.new - number.old
    steps: Sequence[float] = (1, max(2, abs(old) // PERCENT), max(4, abs(old)))
    longer = next((longer for longer in steps if longer > abs(step)), None)
    return None if longer is None else neighbour.with_number(old + (longer if step > 0 else -longer))


def _numbered(plan: Plan) -> list[Neighbour]:
    """The decisive neighbours in which a number or text differs."""
    return [near for near in neighbours_of(plan) if near.decisive and near.number is not None]


def _number(site: Neighbour) -> tuple[ChangeKind, Value]:
    """What kind of number it is, and which one."""
    return site.change, None if site.number is None else site.number.old


def _fits(site: Neighbour, kind: ChangeKind, value: Value) -> bool:
    return kind is site.change and type(value) is type(_number(site)[1])
