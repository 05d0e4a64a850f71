"""Are two plans, or the two sides of a rule, equivalent? By samples; if not, with the smallest counterexample."""

from collections.abc import Collection, Mapping
from typing import Final

from equivalence.cases.cases import CASE_HORIZON
from equivalence.cases.choices import Choices
from equivalence.cases.constrained_cases import Case, a_case
from equivalence.cases.lists import a_case_of_lists
from equivalence.cases.search import Examine, Found, Seen, search
from equivalence.cases.shrink import TRIALS
from equivalence.lists.equivalences import Equivalence, same
from equivalence.lists.expression import evaluate_listing
from equivalence.lists.operators import Listed
from equivalence.rules.instances import ConditionNotMet, Instance, ListInstance, instance_of
from equivalence.rules.statement import Rule
from equivalence.sampling.distinguishing_instants import at_instants, telling_instants
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.list_counterexample import AnyCounterexample, ListCounterexample
from equivalence.verdicts.verdict import Verdict
from semantics import ArithmeticOverflow, Multiset, SchemaError, to_logical
from semantics.constraint import Constraint
from semantics.evaluate import Planned, evaluate_together

EXAMPLES: Final = 1000


def check_rule(
    rule: Rule, *, examples: int = EXAMPLES, seed: int = 0, trials: int = TRIALS, enough: int | None = None
) -> Verdict:
    """Do both sides of the rule have the same snapshots, on instances and streams chosen at random?

    Sides that are about lists are compared as the rule says, on lists chosen at random. Without trials any
    counterexample will do, and is found sooner.
    """

    def examine(choices: Choices) -> AnyCounterexample | Seen:
        try:
            instance = instance_of(choices, rule)
        except ConditionNotMet:
            return Seen.UNMET
        if isinstance(instance, ListInstance):
            return compare_lists(
                instance, a_case_of_lists(choices, instance.sources, instance.constraints), rule.equivalence
            )
        return compare(instance, _streams(choices, instance), rule.equivalence)

    return verdict_of(search(examine, examples, seed, trials, enough), seed)


def check_plans(
    left: Planned,
    right: Planned,
    *,
    constraints: Collection[Constraint] = (),
    examples: int = EXAMPLES,
    seed: int = 0,
    equivalence: Equivalence = "snapshot-multiset",
) -> Verdict:
    """Do two plans have the same snapshots, on streams chosen at random that keep the constraints?

    >>> from semantics import source
    >>> a, b = source("A", x=int), source("B", x=int)
    >>> check_plans(a.union(b), b.union(a)).kind
    'agreed'
    >>> print(check_plans(a.union(b).distinct(), a.distinct().union(b.distinct())).counterexample)
    let A = raw(x int): (0)@0
    let B = raw(x int): (0)@0
    plan union(A(x int), B(x int)) | distinct
    plan union(A(x int) | distinct, B(x int) | distinct)
    at instant 0 the left holds  {(0)}
                 the right holds {(0)*2}
    """
    instance = Instance(left.plan, right.plan, tuple(constraints))
    if instance.left.schema.types != instance.right.schema.types:
        raise SchemaError(
            f"plans with different columns cannot be equivalent: {instance.left.schema}; {instance.right.schema}"
        )

    def examine(choices: Choices) -> Counterexample | Seen:
        return compare(instance, _streams(choices, instance), equivalence)

    return sampled(examine, examples, seed)


def compare(instance: Instance, case: Case, equivalence: Equivalence = "snapshot-multiset") -> Counterexample | Seen:
    """Evaluate both sides; the first instant at which they differ, or what the case was worth."""
    streams = {name: to_logical(stream, CASE_HORIZON) for name, stream in case.items()}
    instants = telling_instants(streams, CASE_HORIZON, instance.left, instance.right)
    telling = at_instants(streams, instants)
    try:
        lefts, rights = evaluate_together((instance.left, instance.right), telling, len(instants))
    except ArithmeticOverflow:
        return Seen.OVERFLOW
    for t, left, right in zip(instants, lefts, rights, strict=True):
        if not alike(left, right, equivalence):
            return Counterexample((instance.left, instance.right), case, t, left, right)
    return Seen.FIRED if any(lefts) else Seen.EMPTY


def compare_lists(
    instance: ListInstance, case: Mapping[str, Listed], equivalence: Equivalence
) -> ListCounterexample | Seen:
    """Evaluate both sides, which are about lists; how they differ, or what the case was worth."""
    try:
        left, right = evaluate_listing(instance.left, case), evaluate_listing(instance.right, case)
    except ArithmeticOverflow:
        return Seen.OVERFLOW
    if not same(left, right, equivalence):
        return ListCounterexample((instance.left, instance.right), case, equivalence, left, right)
    return Seen.FIRED if left else Seen.EMPTY


def alike(left: Multiset, right: Multiset, equivalence: Equivalence) -> bool:
    """Are two snapshots the same, as multisets or as sets?"""
    return left.support == right.support if equivalence == "snapshot-set" else left == right


def sampled(examine: Examine[AnyCounterexample], examples: int, seed: int, trials: int = TRIALS) -> Verdict:
    """The verdict of a search; one in which nothing was ever at stake is vacuous."""
    return verdict_of(search(examine, examples, seed, trials), seed)


def verdict_of(found: Found[AnyCounterexample], seed: int) -> Verdict:
    if found.failure is not None:
        return Verdict("refuted", found.evidence(seed), found.failure)
    return Verdict("agreed" if found.fired else "vacuous", found.evidence(seed))


def _streams(choices: Choices, instance: Instance) -> Case:
    return a_case(choices, instance.sources, instance.constraints)
