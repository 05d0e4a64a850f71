"""Equivalence by rewriting: a search from both plans by the rewrites of proved rules, until the two meet.

Trusted for nothing: what it finds is a certificate, and `certificate.check` proves every step of it anew.

The plans reached are a set and not an e-graph. Rewrites are functions on whole plans that look at schemas, constraints
and several operators at once; patterns over classes of plans cannot express that. And every plan in the set comes with
its steps, so the certificate is there when the search ends.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Final

from equivalence.optimizer.rewrites import REWRITES, Rewrite, RuleRewrite
from equivalence.optimizer.rewrites.plan_rewrite import Constraints
from equivalence.prover.certificate import Certificate, RewriteStep
from equivalence.prover.open_questions import OPEN_QUESTIONS
from equivalence.rules.catalogue import sets, windows
from semantics import Plan
from semantics.constraint import Constraint
from semantics.plan import Difference, Intersection, TimeWindow, Union

PLANS_PER_SIDE: Final = 300
"""The search from one side ends after this many plans."""


def swapped(node: Plan, _: Constraints) -> Iterator[Plan]:
    """A ∪ B → B ∪ A, if both sides have the same columns"""
    match node:
        case Union(left=a, right=b) if a.schema == b.schema:
            yield Union(b, a)


def swapped_intersection(node: Plan, _: Constraints) -> Iterator[Plan]:
    """A ∩ B → B ∩ A, if both sides have the same columns"""
    match node:
        case Intersection(left=a, right=b) if a.schema == b.schema:
            yield Intersection(b, a)


def regrouped(node: Plan, _: Constraints) -> Iterator[Plan]:
    """(A ∪ B) ∪ C → A ∪ (B ∪ C), and back"""
    match node:
        case Union(left=Union(left=a, right=b), right=c):
            yield Union(a, Union(b, c))
    match node:
        case Union(left=a, right=Union(left=b, right=c)):
            yield Union(Union(a, b), c)


def differences_swapped(node: Plan, _: Constraints) -> Iterator[Plan]:
    """(A − B) − C → (A − C) − B"""
    match node:
        case Difference(left=Difference(left=a, right=b), right=c):
            yield Difference(Difference(a, c), b)


def windows_swapped(node: Plan, _: Constraints) -> Iterator[Plan]:
    """ω_v(ω_w(A)) → ω_w(ω_v(A)), without slides"""
    match node:
        case TimeWindow(input=TimeWindow(slide=1) as inner, slide=1):
            yield inner.with_inputs(node.with_inputs(inner.input))


SYMMETRIES: Final = (
    RuleRewrite(sets.union_commutes, swapped),
    RuleRewrite(sets.intersection_commutes, swapped_intersection),
    RuleRewrite(sets.union_associates, regrouped),
    RuleRewrite(sets.differences_commute, differences_swapped),
    RuleRewrite(windows.windows_commute, windows_swapped),
)
PROVED_REWRITES: Final = tuple(
    rewrite for rewrite in (*REWRITES, *SYMMETRIES) if rewrite.rule.name not in OPEN_QUESTIONS
)
"""The rewrites whose rules have a proof: a certificate with another one would not be accepted."""


@dataclass
class ReachedPlans:
    """The plans reached from one side, each with the plan before it and the step between them."""

    start: Plan
    known: dict[Plan, tuple[Plan, RewriteStep] | None] = field(default_factory=dict)
    border: list[Plan] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.known[self.start] = None
        self.border.append(self.start)

    def grow(self, rewrites: Collection[Rewrite], constraints: Constraints) -> None:
        """Go one step further from every plan that was new."""
        new: list[Plan] = []
        for plan in self.border:
            for step, after in _steps(plan, rewrites, constraints):
                if after not in self.known and len(self.known) < PLANS_PER_SIDE:
                    self.known[after] = plan, step
                    new.append(after)
        self.border = new

    def path(self, plan: Plan) -> list[RewriteStep]:
        """The steps from the start to a plan."""
        before = self.known[plan]
        return [] if before is None else [*self.path(before[0]), before[1]]


def _steps(plan: Plan, rewrites: Collection[Rewrite], constraints: Constraints) -> Iterator[tuple[RewriteStep, Plan]]:
    for node in dict.fromkeys(plan.walk()):
        for rewrite in rewrites:
            for after in rewrite.alternatives(node, constraints):
                yield RewriteStep(rewrite.name, node, after), plan.replaced(node, after)


def derive(left: Plan, right: Plan, constraints: Collection[Constraint] = ()) -> Certificate | None:
    """The steps from one plan to the other; None if the search does not find any.

    >>> from semantics import col, source
    >>> a, b = source("A", x=int), source("B", x=int)
    >>> wanted = a.window(3).filter(col("x") > 1).union(b.filter(col("x") > 1).window(3))
    >>> found = derive(b.union(a).window(3).filter(col("x") > 1).plan, wanted.plan)
    >>> sorted({step.rule for step in found.steps})
    ['filter-through-union', 'filter-through-window', 'union-commutes', 'union-through-window']
    """
    sides = ReachedPlans(left), ReachedPlans(right)
    while not (met := _meeting(*sides)) and any(side.border for side in sides):
        smaller = min((side for side in sides if side.border), key=lambda side: len(side.border))
        smaller.grow(PROVED_REWRITES, constraints)
    return _certificate(*sides, met[0]) if met else None


def _meeting(one: ReachedPlans, other: ReachedPlans) -> list[Plan]:
    return [plan for plan in one.known if plan in other.known]


def _certificate(one: ReachedPlans, other: ReachedPlans, met: Plan) -> Certificate:
    """From one start to the meeting, and from there back to the other start: equivalence is symmetric."""
    back = [RewriteStep(step.rule, step.after, step.before) for step in reversed(other.path(met))]
    return Certificate(one.start, other.start, (*one.path(met), *back))
