"""Linear integer arithmetic, as far as the steps need it: what an inequality says about one variable."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from equivalence.prover.terms.build import ONE, add, mul, number, sub
from equivalence.prover.terms.term import Apply, ConstantTerm, SmtSort, Term, Var, free

BOUNDS_REMEMBERED: Final = 10_000
"""Bounds in the cache: several steps ask for those of the same guards."""


@dataclass(frozen=True)
class Bounds:
    """lower ≤ variable ≤ upper for all of these."""

    lower: tuple[Term, ...]
    upper: tuple[Term, ...]

    @property
    def meeting(self) -> Term | None:
        """A lower bound that is an upper bound too: then the variable is just that."""
        uppers = {frozenset(coefficients(upper).items()) for upper in self.upper}
        return next((low for low in self.lower if frozenset(coefficients(low).items()) in uppers), None)


def coefficients(term: Term) -> dict[Term, int]:
    """An integer term as a sum of multiples; the constant is the multiple of 1. What is not linear is an atom."""
    found: dict[Term, int] = {}
    for part, times in _parts(term, 1):
        found[part] = found.get(part, 0) + times
    return {part: times for part, times in found.items() if times}


def _parts(term: Term, times: int) -> Iterable[tuple[Term, int]]:
    match term:
        case ConstantTerm(value=value):
            yield ONE, times * int(value)
        case Apply(head="+", arguments=parts):
            for part in parts:
                yield from _parts(part, times)
        case Apply(head="*", arguments=(ConstantTerm(value=value), *rest)):
            yield from _parts(mul(*rest), times * int(value))
        case _:
            yield term, times


def solved(left: Term, right: Term, variable: Var) -> Term | None:
    """The value that left = right gives to the variable, if it is an integer that occurs once, times ±1."""
    if variable.sort is not SmtSort.INT:
        return None
    split = _split(sub(left, right), variable)
    if split is None or abs(split[0]) != 1:
        return None
    times, rest = split
    return _sum(rest, -times)


def bounds(variable: Var, guards: Iterable[Term]) -> Bounds | None:
    """What the guards that mention the variable say of it, if all of them are bounds."""
    lower: list[Term] = []
    upper: list[Term] = []
    for guard in guards:
        if variable in free(guard):
            found = _bound(guard, variable)
            if found is None:
                return None
            (lower if found[0] else upper).append(found[1])
    return Bounds(tuple(lower), tuple(upper))


@lru_cache(BOUNDS_REMEMBERED)
def _bound(guard: Term, variable: Var) -> tuple[bool, Term] | None:
    """(is it a lower one, bound) of a guard left ≤ right or left < right over integers."""
    if not isinstance(guard, Apply) or guard.head not in ("<=", "<") or guard.arguments[0].sort is not SmtSort.INT:
        return None
    left, right = guard.arguments
    difference = sub(right, left) if guard.head == "<=" else add(right, mul(number(-1), left), number(-1))
    split = _split(difference, variable)
    if split is None or abs(split[0]) != 1:
        return None
    times, rest = split
    return times == 1, _sum(rest, -times)


def _split(term: Term, variable: Var) -> tuple[int, dict[Term, int]] | None:
    """The multiple of the variable and the rest, in which it must not occur."""
    parts = coefficients(term)
    times = parts.pop(variable, 0)
    return None if any(variable in free(part) for part in parts) else (times, parts)


def _sum(parts: dict[Term, int], times: int) -> Term:
    return add(*(mul(number(times * n), part) for part, n in parts.items()))


def collected(term: Term) -> Term:
    """The same sum with each of its parts once."""
    return _sum(coefficients(term), 1)
