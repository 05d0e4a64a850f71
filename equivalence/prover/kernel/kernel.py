"""Equality of two multiplicities for all streams: normal forms, then leaves in which every sum is a constant.

A leaf is a first-order formula. z3 must answer that its negation is unsatisfiable. The text of every such question is
recorded, so that cvc5 can confirm the answer. If an attempt fails, its leaves and the equalities it found are dropped.
"""

from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import Final

from equivalence.prover.kernel.facts import comparisons, facts_about
from equivalence.prover.kernel.opaque_sum import has_existence, plain_equation, sorts
from equivalence.prover.kernel.sums_as_constants import ALIGNMENTS_TRIED, NESTING_COMPARED_BY_SIZE, SumsAsConstants
from equivalence.prover.terms.build import ZERO, add, disj, equal, mul, neg, number
from equivalence.prover.terms.normal_form import GuardedProduct, total
from equivalence.prover.terms.remainders import facts_about_remainders, has_remainder, without_remainders
from equivalence.prover.terms.shape import alignments, shape
from equivalence.prover.terms.smtlib import numbered, query
from equivalence.prover.terms.substitution import substitute
from equivalence.prover.terms.term import Term, Var

WAYS_OF_EXISTENCE: Final = 2
"""As it is, and with cases apart, each as wide as can be."""


def matchings(products: Sequence[GuardedProduct]) -> Iterator[tuple[dict[Var, Term], ...]]:
    """The likeliest ways to rename the variables of all products but the first to those of the first."""
    first, *others = products
    likeliest = [islice(alignments(p, first), ALIGNMENTS_TRIED) for p in others]  # product keeps all that it is given
    return islice(product(*likeliest), ALIGNMENTS_TRIED)


class ProofKernel(SumsAsConstants):
    """Proves equalities under hypotheses."""

    def equal(self, left: Term, right: Term) -> bool:
        """With plain variables for values that are never NULL, then without, and both once more with wider existences.

        Each way has proofs of its own. One that leads to the same normal forms as before is not tried again.
        """
        tried = set[tuple[str, str]]()
        for _ in range(WAYS_OF_EXISTENCE):
            for presenting in (True, False):
                self.steps.presenting = presenting
                forms = self._form(left), self._form(right)
                if forms not in tried and self._equal(left, right):
                    return True
                tried.add(forms)
            self.steps.widen()
        return False

    def _form(self, side: Term) -> str:
        return shape(total(self.steps.normal(side)))

    def _equal(self, left: Term, right: Term) -> bool:
        """CONG where the products of both sides match, else with every sum as a constant, if there is any."""
        lefts, rights = self.steps.normal(left), self.steps.normal(right)
        if self.attempt(lambda: self._congruent(lefts, rights)):
            return True
        summed = any(p.variables for p in (*lefts, *rights))
        return summed and self.attempt(lambda: self.valid(equal(total(lefts), total(rights))))

    # CONG: sums over the same variables are equal if what they sum is.

    def _congruent(self, lefts: Sequence[GuardedProduct], rights: Sequence[GuardedProduct]) -> bool:
        groups: dict[tuple[str, ...], list[tuple[int, GuardedProduct]]] = {}
        for sign, side in ((1, lefts), (-1, rights)):
            for p in side:
                groups.setdefault(sorts(p.variables), []).append((sign, p))
        self.steps.taken.append(f"CONG: {len(groups)} groups of products")
        return all(self._balanced(groups[key]) for key in sorted(groups))

    def _balanced(self, group: Sequence[tuple[int, GuardedProduct]]) -> bool:
        """Do the products of one group add up to 0, for some way to match their variables?"""
        for renamings in matchings([p for _, p in group]):
            terms = [
                mul(number(sign * p.coefficient), substitute(p.body, renaming))
                for (sign, p), renaming in zip(group, ({}, *renamings), strict=True)
            ]
            if self.attempt(lambda: self.valid(equal(add(*terms), ZERO))):
                return True
        return False

    # Leaves

    def valid(self, goal: Term) -> bool:
        """Does the goal follow? Three attempts: existence as an unknown truth, existence as it is, all known facts."""
        return (
            self.attempt(lambda: self._plainly(goal))
            or ((has_existence(goal) or has_remainder(goal)) and self.attempt(lambda: self._simply(goal)))
            or (self.thorough and self._depth == 0 and self.attempt(lambda: self._fully(goal)))
        )

    def _plainly(self, goal: Term) -> bool:
        """Without quantifiers: sums are known to be natural, and then also which are never larger than which."""
        flat = self._opaquely(goal)
        used = self._used([flat])
        facts = facts_about(self, used, cheap=True)
        if self._follows_plainly(flat, facts):
            return True
        more = comparisons(self, used) if self._depth < NESTING_COMPARED_BY_SIZE else []
        return bool(more) and self._follows_plainly(flat, [*facts, *more])

    def _follows_plainly(self, goal: Term, facts: Sequence[Term]) -> bool:
        known, plain = map(without_remainders, self.hypotheses), without_remainders(goal)
        terms = [*known, *facts, plain]
        return self._asked([*terms[:-1], *facts_about_remainders(terms)], plain)

    def _simply(self, goal: Term) -> bool:
        flat = self.flat(goal)
        return self._follows(flat, facts_about(self, self._used([flat]), cheap=True))

    def _fully(self, goal: Term) -> bool:
        flat = self.flat(goal)
        used = self._used([flat])
        facts = [*facts_about(self, used, cheap=True), *facts_about(self, used, cheap=False)]
        return bool(used) and self._follows(flat, facts)

    def _follows(self, goal: Term, facts: Sequence[Term]) -> bool:
        return self._asked([*self.hypotheses, *facts], goal)

    def _asked(self, facts: Sequence[Term], goal: Term) -> bool:
        if plain_equation(goal):
            return True
        text = numbered(query(facts, goal))
        if self.solver.ask(text) != "unsat":
            return False
        self.leaves.append(text)
        return True

    def entails(self, assumptions: Sequence[Term], goal: Term) -> bool:
        """A side condition of a step, by a leaf of its own."""
        plain = [a for a in assumptions if not has_existence(a)]
        if has_existence(goal) or not self._follows(disj(*map(neg, plain), goal), ()):
            return False
        self.conditions += self.leaves[-1:]
        return True

    def holds(self, assumptions: Sequence[Term], goal: Term) -> bool:
        """A side condition in which existence may come up."""
        before = len(self.leaves)
        if not self.attempt(lambda: self._simply(disj(*map(neg, assumptions), goal))):
            return False
        self.conditions += self.leaves[before:]
        del self.leaves[before:]
        return True
