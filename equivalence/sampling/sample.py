"""Are two plans, or the two sides of a rule, equivalent? The answer by samples, with a small counterexample if not.

Agreement on samples is evidence, no proof. A refutation is certain: the counterexample was evaluated by the reference.
The same seed gives the same cases, the same verdict and the same counterexample.
"""

from collections.abc import Collection, Mapping
from typing import Final

from equivalence.cases.choices import Choices
from equivalence.cases.random_cases import CASE_HORIZON, Case, choose_case
from equivalence.cases.random_lists import choose_lists
from equivalence.cases.search import CaseOutcome, Examine, SearchResult, search
from equivalence.cases.shrink import SHRINK_TRIALS
from equivalence.lists.equivalences import Equivalence, same
from equivalence.lists.list_expression import evaluate_listing
from equivalence.lists.list_operators import ElementList
from equivalence.rules.instances import ConditionNotMet, Instance, ListInstance, instance_of
from equivalence.rules.statement import Rule
from equivalence.sampling.distinguishing_instants import at_instants, distinguishing_instants
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.list_counterexample import AnyCounterexample, ListCounterexample
from equivalence.verdicts.verdict import Verdict
from semantics import ArithmeticOverflow, Multiset, SchemaError, to_logical
from semantics.constraint import Constraint
from semantics.evaluate import Planned, evaluate_together

DEFAULT_EXAMPLES: Final = 1000


def check_rule(
    rule: Rule,
    *,
    examples: int = DEFAULT_EXAMPLES,
    seed: int = 0,
    trials: int = SHRINK_TRIALS,
    enough: int | None = None,
) -> Verdict:
    """Are both sides of the rule equivalent, in the rule's own sense, on random instances and random streams or lists?

    With `trials=0` a counterexample is not made small, and is found sooner.
    """

    def examine(choices: Choices) -> AnyCounterexample | CaseOutcome:
        try:
            instance = instance_of(choices, rule)
        except ConditionNotMet:
            return CaseOutcome.UNMET
        if isinstance(instance, ListInstance):
            return compare_lists(
                instance, choose_lists(choices, instance.sources, instance.constraints), rule.equivalence
            )
        return compare(instance, _streams(choices, instance), rule.equivalence)

    return verdict_of(search(examine, examples, seed, trials, enough), seed)


def check_plans(
    left: Planned,
    right: Planned,
    *,
    constraints: Collection[Constraint] = (),
    examples: int = DEFAULT_EXAMPLES,
    seed: int = 0,
    equivalence: Equivalence = "snapshot-multiset",
) -> Verdict:
    """Do two plans have the same snapshots, on random streams that satisfy the constraints?

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

    def examine(choices: Choices) -> Counterexample | CaseOutcome:
        return compare(instance, _streams(choices, instance), equivalence)

    return check_by_samples(examine, examples, seed)


def compare(
    instance: Instance, case: Case, equivalence: Equivalence = "snapshot-multiset"
) -> Counterexample | CaseOutcome:
    """Evaluate both sides: the first instant at which they differ, or what was learned from the case."""
    streams = {name: to_logical(stream, CASE_HORIZON) for name, stream in case.items()}
    instants = distinguishing_instants(streams, CASE_HORIZON, instance.left, instance.right)
    telling = at_instants(streams, instants)
    try:
        lefts, rights = evaluate_together((instance.left, instance.right), telling, len(instants))
    except ArithmeticOverflow:
        return CaseOutcome.OVERFLOW
    for t, left, right in zip(instants, lefts, rights, strict=True):
        if not alike(left, right, equivalence):
            return Counterexample((instance.left, instance.right), case, t, left, right)
    return CaseOutcome.FIRED if any(lefts) else CaseOutcome.EMPTY


def compare_lists(
    instance: ListInstance, case: Mapping[str, ElementList], equivalence: Equivalence
) -> ListCounterexample | CaseOutcome:
    """Evaluate both sides of a rule about lists: how they differ, or what was learned from the case."""
    try:
        left, right = evaluate_listing(instance.left, case), evaluate_listing(instance.right, case)
    except ArithmeticOverflow:
        return CaseOutcome.OVERFLOW
    if not same(left, right, equivalence):
        return ListCounterexample((instance.left, instance.right), case, equivalence, left, right)
    return CaseOutcome.FIRED if left else CaseOutcome.EMPTY


def alike(left: Multiset, right: Multiset, equivalence: Equivalence) -> bool:
    """Are two snapshots the same, as multisets or as sets?"""
    return left.support == right.support if equivalence == "snapshot-set" else left == right


def check_by_samples(
    examine: Examine[AnyCounterexample], examples: int, seed: int, trials: int = SHRINK_TRIALS
) -> Verdict:
    """Search and give the verdict; it is vacuous if no case could have failed."""
    return verdict_of(search(examine, examples, seed, trials), seed)


def verdict_of(found: SearchResult[AnyCounterexample], seed: int) -> Verdict:
    if found.failure is not None:
        return Verdict("refuted", found.evidence(seed), found.failure)
    return Verdict("agreed" if found.fired else "vacuous", found.evidence(seed))


def _streams(choices: Choices, instance: Instance) -> Case:
    return choose_case(choices, instance.sources, instance.constraints)
