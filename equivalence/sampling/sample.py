"""Are the two sides of a rule equivalent? The answer by samples, with a small counterexample if not.

Agreement on samples is evidence, no proof. A refutation is certain: the counterexample was evaluated by the reference.
The same seed gives the same cases, the same verdict and the same counterexample.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from equivalence.cases.choices import Choices
from equivalence.cases.directed.clues import clues_of
from equivalence.cases.directed.draw import choose_directed_case
from equivalence.cases.directed.evaluate import evaluate_case
from equivalence.cases.random_cases import CASE_HORIZON, Case, choose_case
from equivalence.cases.random_lists import choose_lists
from equivalence.cases.reduce_case import reduced
from equivalence.cases.search import CaseOutcome, SearchResult, search
from equivalence.cases.shrink import SHRINK_TRIALS
from equivalence.lists.equivalences import Equivalence, same
from equivalence.lists.list_expression import evaluate_listing
from equivalence.lists.list_operators import ElementList
from equivalence.rules.instances import ConditionNotMet, Instance, ListInstance, instance_of
from equivalence.rules.statement import Rule
from equivalence.sampling.distinguishing_instants import at_instants, distinguishing_instants
from equivalence.sampling.measure_instances import INSTANCES_MEASURED, measure_instances
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.list_counterexample import AnyCounterexample, ListCounterexample
from equivalence.verdicts.verdict import Verdict
from semantics import ArithmeticOverflow, Instant, Multiset, SparseStream, TooManyChanges, to_logical
from semantics.constraint import elements_of
from semantics.evaluate import evaluate_together
from semantics.lookahead import known_until, last_change
from semantics.sparse import first_difference

DEFAULT_EXAMPLES: Final = 1000
MOST_INSTANTS: Final = 100
"""So many are looked at one by one at the most; after that, changes are."""


def check_rule(
    rule: Rule,
    *,
    examples: int = DEFAULT_EXAMPLES,
    seed: int = 0,
    trials: int = SHRINK_TRIALS,
    enough: int | None = None,
    measured: int = INSTANCES_MEASURED,
) -> Verdict:
    """Are both sides of the rule equivalent, in the rule's own sense, on random instances and random streams or lists?

    With `trials=0` a counterexample is not made small, and is found sooner. For the first `measured` instances that
    fire, the evidence says how many of their neighbours the cases tell apart. What is open does not change the verdict:
    other instances may have told it apart.
    """
    instances: list[Instance] = []
    failed: list[tuple[Counterexample, Instance]] = []

    def examine(choices: Choices, directed: bool) -> AnyCounterexample | CaseOutcome:
        try:
            instance = instance_of(choices, rule)
        except ConditionNotMet:
            return CaseOutcome.UNMET
        if isinstance(instance, ListInstance):
            return compare_lists(
                instance, choose_lists(choices, instance.sources, instance.constraints), rule.equivalence
            )
        outcome = _examined(choices, instance, rule.equivalence, directed)
        if outcome is CaseOutcome.FIRED and len(instances) < measured:
            instances.append(instance)
        if isinstance(outcome, Counterexample):
            failed.append((outcome, instance))
        return outcome

    free, directed = partial(examine, directed=False), partial(examine, directed=True)
    about_snapshots = rule.equivalence in ("snapshot-multiset", "snapshot-set")
    found: SearchResult[AnyCounterexample] = search(
        free, examples, seed, trials, enough, directed if about_snapshots else None
    )
    of_failure = [instance for example, instance in failed if example is found.failure]
    if trials and of_failure and isinstance(found.failure, Counterexample):
        found.failure = smallest(of_failure[0], found.failure, rule.equivalence)
    return with_neighbours(verdict_of(found, seed), instances, seed)


def smallest(
    instance: Instance, found: Counterexample, equivalence: Equivalence = "snapshot-multiset"
) -> Counterexample:
    """The same sides on the smallest streams that are reached from these; the constraints hold for them."""

    def difference(case: Case) -> Counterexample | None:
        outcome = compare(instance, case, equivalence)
        if not isinstance(outcome, Counterexample):
            outcome = compare_at_all_times(instance, case, equivalence)
        return outcome if isinstance(outcome, Counterexample) else None

    return reduced(difference, found.streams, found, instance.constraints)


def compare(
    instance: Instance, case: Case, equivalence: Equivalence = "snapshot-multiset"
) -> Counterexample | CaseOutcome:
    """Evaluate both sides: the first instant at which they differ, or what was learned from the case."""
    if _looks_far_ahead(instance, case):
        return compare_at_all_times(instance, case, equivalence)
    instants, telling = _telling(instance, case)
    try:
        lefts, rights = evaluate_together((instance.left, instance.right), telling, len(instants))
    except ArithmeticOverflow:
        return CaseOutcome.OVERFLOW
    except TooManyChanges:
        return CaseOutcome.TOO_DENSE
    for t, left, right in zip(instants, lefts, rights, strict=True):
        if not alike(left, right, equivalence):
            return Counterexample((instance.left, instance.right), case, t, left, right)
    return CaseOutcome.FIRED if any(lefts) else CaseOutcome.EMPTY


def _looks_far_ahead(instance: Instance, case: Case) -> bool:
    """Would more instants have to be looked at one by one than a case usually has, as for sessions with long gaps?"""
    sides = (instance.left, instance.right)
    until = max(known_until(side, CASE_HORIZON, lambda name: last_change(case[name])) for side in sides)
    return until > MOST_INSTANTS


def _telling(instance: Instance, case: Case) -> tuple[Sequence[Instant], Case]:
    """The instants that can tell the sides apart, and the streams at these; whoever looks ahead sees all of them."""
    if instance.left.has_lookahead or instance.right.has_lookahead:
        return range(CASE_HORIZON), case
    streams = {name: to_logical(stream, CASE_HORIZON) for name, stream in case.items()}
    instants = distinguishing_instants(streams, CASE_HORIZON, instance.left, instance.right)
    return instants, at_instants(streams, instants)


def compare_at_all_times(
    instance: Instance, case: Case, equivalence: Equivalence = "snapshot-multiset"
) -> Counterexample | CaseOutcome:
    """As `compare`, but at every instant there is, however late; the cost depends on changes, not on instants."""
    try:
        left, right = evaluate_case((instance.left, instance.right), case)
    except ArithmeticOverflow:
        return CaseOutcome.OVERFLOW
    except TooManyChanges:
        return CaseOutcome.TOO_DENSE
    t = first_instant_of_difference(left, right, equivalence)
    if t is not None:
        return Counterexample((instance.left, instance.right), case, t, left.at(t), right.at(t))
    return CaseOutcome.FIRED if left.runs else CaseOutcome.EMPTY


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


def first_instant_of_difference(left: SparseStream, right: SparseStream, equivalence: Equivalence) -> Instant | None:
    """The first instant at which two results are not alike."""
    if equivalence == "snapshot-set":
        left, right = (replace(side, runs=tuple((row, i, 1) for row, i, _ in side.runs)) for side in (left, right))
    return first_difference(left, right)


def verdict_of(found: SearchResult[AnyCounterexample], seed: int) -> Verdict:
    if found.failure is not None:
        return Verdict("refuted", found.evidence(seed), found.failure)
    dense = found.tally[CaseOutcome.TOO_DENSE]
    if dense > (found.directed or 0) // 2:
        why = f"{dense} of {found.directed} directed cases change too often to be compared: windows over rows that last"
        return Verdict("unknown", {**found.evidence(seed), "why": why})
    return Verdict("agreed" if found.fired else "vacuous", found.evidence(seed))


def with_neighbours(verdict: Verdict, instances: Sequence[Instance], seed: int) -> Verdict:
    """The verdict; if it holds, its evidence says what the cases notice about these instances."""
    if not verdict.holds or not instances:
        return verdict
    return replace(verdict, evidence={**verdict.evidence, "neighbours": measure_instances(instances, seed)})


def _examined(
    choices: Choices, instance: Instance, equivalence: Equivalence, directed: bool
) -> Counterexample | CaseOutcome:
    """What a case shows that is drawn freely, or around what both sides speak of."""
    if not directed:
        return compare(instance, choose_case(choices, instance.sources, instance.constraints), equivalence)
    case = directed_case(choices, instance)
    outcome = compare_at_all_times(instance, case, equivalence)
    if outcome is CaseOutcome.TOO_DENSE and _is_early(case):
        return compare(instance, case, equivalence)  # windows that never settle are still right or wrong at first
    return outcome


def _is_early(case: Case) -> bool:
    """Does everything start before the horizon of free cases?"""
    return all(interval.start < CASE_HORIZON for stream in case.values() for _, interval in elements_of(stream))


def directed_case(choices: Choices, instance: Instance) -> Case:
    """A case around what both sides speak of."""
    return choose_directed_case(
        choices, instance.sources, instance.constraints, clues_of(instance.left, instance.right)
    )
