"""A rewrite of one node, and its use anywhere in a plan."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Protocol

from equivalence.rules.statement import Rule
from semantics import Plan, SnapeqError
from semantics.constraint import Constraint

Constraints = Collection[Constraint]
Alternatives = Callable[[Plan, Constraints], Iterator[Plan]]
"""What a node may become, given what is known of the sources."""


class Rewrite(Protocol):
    """Anything that can replace nodes by others; that it keeps what they mean is not promised."""

    @property
    def name(self) -> str: ...
    @property
    def alternatives(self) -> Alternatives: ...


@dataclass(frozen=True)
class RuleRewrite:
    """A true rule of the catalogue in one direction: the rule is why the rewrite is right."""

    rule: Rule
    alternatives: Alternatives
    same_rows: bool = False
    """Does every expression meet the rows that it met before, or fewer, so that none can fail that did not before?"""

    def __post_init__(self) -> None:
        if not self.rule.valid:
            raise SnapeqError(f"rewrite: only a true rule can justify one, {self.rule.name} is false")

    @property
    def name(self) -> str:
        return self.rule.name


@dataclass(frozen=True)
class DerivationStep:
    """One rewrite of a whole plan: which rule turned which node into which, and what the plan is now."""

    rule: str
    """The name of the rewrite, which is that of its rule if it has one."""
    before: Plan
    after: Plan
    plan: Plan


def steps(plan: Plan, rewrites: Collection[Rewrite], constraints: Constraints = ()) -> Iterator[DerivationStep]:
    """Every rewrite at every node of a plan, from the root down; equal subplans are rewritten together."""
    for node in dict.fromkeys(plan.walk()):
        for rewrite in rewrites:
            for after in rewrite.alternatives(node, constraints):
                yield DerivationStep(rewrite.name, node, after, plan.replaced(node, after))
