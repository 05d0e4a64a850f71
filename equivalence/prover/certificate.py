"""Certificates of equivalence: the steps from one plan to another, and a checker that trusts nobody.

The checker knows neither the rewrites nor the search that found the steps. It makes every replacement itself, and asks
the kernel whether the two sides of the step are equivalent. So a wrong rewrite or a wrong search only costs a proof.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Final

from equivalence.prover.confirmation import proved
from semantics import Plan, SnapeqError, show
from semantics.constraint import Constraint, names
from semantics.plan import Source

Lemma = Callable[[Plan, Plan], bool]
"""Are two plans equivalent? Only a proof counts."""
COMMON_PART: Final = "part {}"


@dataclass(frozen=True)
class RewriteStep:
    """One plan is replaced by another, wherever it stands. The rule is named as the reason; nothing rests on it."""

    rule: str
    before: Plan
    after: Plan

    def __str__(self) -> str:
        return f"{self.rule}: {show(self.before)}  →  {show(self.after)}"


@dataclass(frozen=True)
class Certificate:
    """The steps that lead from the left plan to the right one."""

    left: Plan
    right: Plan
    steps: tuple[RewriteStep, ...]


class InvalidCertificate(SnapeqError):
    """A certificate that does not prove what it claims."""


def check(certificate: Certificate, lemma: Lemma, declared: Collection[Constraint] = ()) -> int:
    """Replay all steps, and return how many lemmas that took; a step that is not proved is an InvalidCertificate.

    What is declared of the streams is what the lemmas may assume.
    """
    reached, needed = certificate.left, dict[tuple[Plan, Plan], bool]()
    for number, step in enumerate(certificate.steps, 1):
        if step.before not in set(reached.walk()):
            raise InvalidCertificate(f"step {number} changes what is not there: {show(step.before)}")
        sides = step.before, step.after
        if sides not in needed:
            needed[sides] = lemma(*sides) or lemma(*abstracted(sides, declared))
        if not needed[sides]:
            raise InvalidCertificate(f"step {number} is not proved: {step}")
        reached = reached.replaced(step.before, step.after)
    if reached != certificate.right:
        raise InvalidCertificate(f"the steps lead to {show(reached)}, not to {show(certificate.right)}")
    return len(needed)


def proved_by_kernel(constraints: Collection[Constraint] = ()) -> Lemma:
    """Lemmas that the kernel proves and both solvers confirm."""
    return partial(proved, constraints=tuple(constraints))


def abstracted(sides: Sequence[Plan], declared: Collection[Constraint]) -> tuple[Plan, Plan]:
    """Both plans with unknown sources for the largest parts they share: what holds of all sources holds of these.

    An unknown source is called like no other one, and nothing is declared of it.
    """
    left, right = sides
    taken = {*left.sources(), *right.sources(), *(name for each in declared for name in names(each))}
    unknown = (name for name in map(COMMON_PART.format, count()) if name not in taken)
    common = [p for p in dict.fromkeys(left.walk()) if p in set(right.walk()) and p not in sides]
    largest = [p for p in common if not any(p != q and p in set(q.walk()) for q in common)]
    for part, name in zip(largest, unknown, strict=False):
        hidden = Source(name, part.schema)
        left, right = left.replaced(part, hidden), right.replaced(part, hidden)
    return left, right
