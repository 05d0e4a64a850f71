"""Certificates of equivalence: a list of steps from one plan to another, and a checker that trusts nobody.

The checker knows neither the rewrites nor the search. It puts every step into its place itself, and asks the prover
whether the two sides of the step are equivalent, whatever the plans below them are that both have in common.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from semantics import Plan, SnapeqError, show
from semantics.constraint import Constraint
from semantics.plan import Source

Lemma = Callable[[Plan, Plan], bool]
"""Are two plans equivalent? Only a proof counts."""
HIDDEN: Final = "part {}"


@dataclass(frozen=True)
class Rewritten:
    """Wherever one plan stands within the whole, the other one is put; the rule only says why."""

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
    steps: tuple[Rewritten, ...]


class Wrong(SnapeqError):
    """A certificate that does not show what it says."""


def check(certificate: Certificate, lemma: Lemma) -> int:
    """Replay all steps; how many lemmas were needed. A step that is not proved makes the certificate wrong."""
    reached, needed = certificate.left, dict[tuple[Plan, Plan], bool]()
    for number, step in enumerate(certificate.steps, 1):
        if step.before not in set(reached.walk()):
            raise Wrong(f"step {number} changes what is not there: {show(step.before)}")
        sides = step.before, step.after
        if sides not in needed:
            needed[sides] = lemma(*sides) or lemma(*_abstracted(sides))
        if not needed[sides]:
            raise Wrong(f"step {number} is not proved: {step}")
        reached = reached.replaced(step.before, step.after)
    if reached != certificate.right:
        raise Wrong(f"the steps lead to {show(reached)}, not to {show(certificate.right)}")
    return len(needed)


def proved_by_kernel(constraints: Collection[Constraint] = ()) -> Lemma:
    """Lemmas by the proof kernel, confirmed by both solvers."""
    return partial(_proved, tuple(constraints))


def _proved(constraints: tuple[Constraint, ...], left: Plan, right: Plan) -> bool:
    from equivalence.prover.prove import proved  # the solvers are an extra

    return proved(left, right, constraints)


def _abstracted(sides: Sequence[Plan]) -> tuple[Plan, Plan]:
    """Both plans with the largest parts that they have in common as sources of which nothing is known."""
    left, right = sides
    common = [p for p in dict.fromkeys(left.walk()) if p in set(right.walk()) and p not in sides]
    largest = [p for p in common if not any(p != q and p in set(q.walk()) for q in common)]
    for number, part in enumerate(largest):
        hidden = Source(HIDDEN.format(number), part.schema)
        left, right = left.replaced(part, hidden), right.replaced(part, hidden)
    return left, right
