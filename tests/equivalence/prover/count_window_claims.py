"""Claims that some pair of integers is the last one. No plan leads to them, so the probe over plans cannot try them.

Whether a claim is true is found out by trying pairs from a small range, and later ones from a larger range: what goes
on for ever goes on there too.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, product
from typing import Final

from equivalence.prover.kernel.kernel import ProofKernel
from equivalence.prover.terms.build import ONE, ZERO, add, at_most, call, conj, exists, indicator, less, neg, number
from equivalence.prover.terms.term import Exists, Fresh, SmtSort, Symbol, Term, Var

LAST_INTEGER: Final = 2
EVERY_NTH_CLAIM: Final = 4
SMALL, LARGE = range(-4, 5), range(-9, 10)
ALLOWED: Final = Symbol("q", (SmtSort.INT, SmtSort.INT), SmtSort.BOOL)
Guard = tuple[Callable[[Term, Term], Term], Callable[[int, int], bool]]
GUARDS: Final[tuple[Guard, ...]] = (
    (lambda x, y: at_most(y, x), lambda x, y: y <= x),
    (lambda x, y: at_most(x, add(y, ONE)), lambda x, y: x <= y + 1),
    (lambda x, y: at_most(x, y), lambda x, y: x <= y),
    (lambda x, _: at_most(ZERO, x), lambda x, _: x >= 0),
    (lambda x, _: at_most(x, number(LAST_INTEGER)), lambda x, _: x <= LAST_INTEGER),
    (lambda _, y: at_most(ZERO, y), lambda _, y: y >= 0),
    (lambda _, y: at_most(y, number(LAST_INTEGER)), lambda _, y: y <= LAST_INTEGER),
)
MEANINGS: Final[tuple[Callable[[int, int], bool], ...]] = (
    lambda _x, _y: True,
    lambda x, _: x % 2 == 0,
    lambda x, y: x == y == 1,
    lambda x, y: x + y > 1,
)
"""Meanings of the free predicate that says which pairs are allowed."""


@dataclass(frozen=True)
class Claim:
    """Where there is an allowed pair that keeps to the guards, there is one after which there is none."""

    guards: tuple[Guard, ...]

    def proved(self) -> bool:
        fresh = Fresh()
        x, y, u, w = (fresh.var(name, SmtSort.INT) for name in "xyuw")
        later = Exists((u, w), conj(less(x, u), less(y, w), *self._pair(u, w)))
        ends, begins = exists((x, y), conj(*self._pair(x, y), neg(later))), exists((x, y), conj(*self._pair(x, y)))
        return ProofKernel(fresh, ()).equal(indicator(ends), indicator(begins))

    def _pair(self, x: Var, y: Var) -> list[Term]:
        return [call(ALLOWED, x, y), *(term(x, y) for term, _ in self.guards)]

    def true(self) -> bool:
        return all(self._true(allowed) for allowed in MEANINGS)

    def _true(self, allowed: Callable[[int, int], bool]) -> bool:
        def within(among: range) -> list[tuple[int, int]]:
            return [(x, y) for x, y in product(among, among) if allowed(x, y) and all(h(x, y) for _, h in self.guards)]

        some, more = within(SMALL), within(LARGE)
        return not some or any(all(u <= x or w <= y for u, w in more) for x, y in some)


def claims() -> list[Claim]:
    """Some of those with two or three guards; the first has bounds that mention each other only."""
    return [Claim(guards) for n in (2, 3) for guards in combinations(GUARDS, n)][::EVERY_NTH_CLAIM]
