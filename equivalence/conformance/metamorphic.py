"""Relations between runs of one engine that need no reference: if both sides differ, one of the runs is wrong.

A relation is one short function. It is given a probe (a plan, a case, the engine) and returns the two sides, as
snapshots that must be equal, or None if it says nothing about this plan.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import lcm
from typing import Final

from equivalence.cases.choices import Choices
from equivalence.cases.delivery import Delivery
from equivalence.cases.random_cases import Case
from equivalence.cases.random_plans import OPERATORS
from equivalence.cases.schedules import Schedule, choose_schedule, with_heartbeats
from equivalence.cases.search import CaseOutcome, Examine, search
from equivalence.cases.situation import choose_in_situation
from equivalence.cases.situations import SITUATIONS
from equivalence.conformance.judge import first_difference
from equivalence.conformance.metamorphic_cases import (
    coalesced,
    parted,
    shifted,
    shortened,
    since,
    split,
    until,
    with_ties_permuted,
)
from equivalence.conformance.plan_facts import keyed, larger, reach, twin
from equivalence.conformance.query_switch import switched
from equivalence.conformance.subject.in_process import TIME_LIMIT, AnyEngine, InProcess
from equivalence.conformance.suite import CASES
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.fault_kind import Fault, FaultKind
from equivalence.verdicts.verdict import Verdict
from semantics import Multiset, Plan, Unsupported
from semantics.constraint import elements_of
from semantics.evaluate import Snapshots
from semantics.plan import Aggregation, LandmarkWindow, SessionWindow, TimeWindow
from semantics.value import identical

Sides = tuple[Snapshots, Snapshots]


@dataclass(frozen=True)
class EngineProbe:
    """An engine, a plan and a case, and choices of what to do with them."""

    subject: InProcess
    choices: Choices
    plan: Plan
    case: Case
    horizon: int

    def run(self, case: Case | None = None, *, plan: Plan | None = None, later: int = 0) -> Snapshots:
        """What the engine gives for another case, another plan, or until later."""
        return self.subject.run(plan or self.plan, self.case if case is None else case, self.horizon + later)

    def play(self, schedule: Schedule) -> Snapshots:
        return self.subject.run(self.plan, self.case, self.horizon, Delivery(schedule=schedule))

    def instant(self) -> int:
        return self.choices.between(1, self.horizon - 1)


Relation = Callable[[EngineProbe], Sides | None]


def time_shift(probe: EngineProbe) -> Sides | None:
    """If all inputs come later, so does the result; slides keep their phase if it is by a multiple of all slides."""
    nodes = list(probe.plan.walk())
    if any(isinstance(n, LandmarkWindow) or (isinstance(n, Aggregation) and n.on_empty) for n in nodes):
        return None
    if any(node.mentions_now or isinstance(node, SessionWindow) for node in nodes):
        return None
    by = probe.choices.between(1, 3) * lcm(*(node.slide for node in nodes if isinstance(node, TimeWindow)))
    return (Multiset(),) * by + probe.run(), probe.run(shifted(probe.case, by), later=by)


def prefix(probe: EngineProbe) -> Sides | None:
    """What comes later changes nothing before, unless an operator looks ahead."""
    if probe.plan.has_lookahead:
        return None
    t = probe.instant()
    return probe.run()[:t], probe.run(until(probe.case, t))[:t]


def split_and_glue(probe: EngineProbe) -> Sides | None:
    """Cut the timeline and run both parts alone; the second part begins as far back as the plan looks."""
    back, t = reach(probe.plan), probe.instant()
    if back is None:
        return None
    second = probe.run(since(probe.case, max(t - back, 0)))
    return probe.run(), probe.run(until(probe.case, t))[:t] + second[t:]


def key_partition(probe: EngineProbe) -> Sides | None:
    """Rows with different keys do not meet, so they can be run apart, if the plan keeps the key."""
    values = sorted({str(identical(row[0])) for s in probe.case.values() for row, _ in elements_of(s)})
    if not keyed(probe.plan) or not values:
        return None
    pivot = probe.choices.of(values)
    some, others = parted(probe.case, lambda row: str(identical(row[0])) == pivot)
    both = zip(probe.run(some), probe.run(others), strict=True)
    return probe.run(), tuple(left + right for left, right in both)


def heartbeat_injection(probe: EngineProbe) -> Sides | None:
    """Additional heartbeats do not change the result."""
    if not probe.subject.sessions:
        return None
    schedule = choose_schedule(probe.choices, probe.case, heartbeats=False)
    return probe.play(schedule), probe.play(with_heartbeats(probe.choices, schedule))


def rebatching(probe: EngineProbe) -> Sides | None:
    """The result does not depend on how elements are batched, nor on which source comes first."""
    if not probe.subject.sessions:
        return None
    schedule = choose_schedule(probe.choices, probe.case)
    return probe.run(), probe.play(schedule)


def tie_permutation(probe: EngineProbe) -> Sides | None:
    """The order of elements that start together means nothing."""
    return probe.run(), probe.run(with_ties_permuted(probe.choices, probe.case))


def split_inputs(probe: EngineProbe) -> Sides | None:
    """An interval in two pieces means the same as in one."""
    return probe.run(), probe.run(split(probe.choices, probe.case))


def coalesced_inputs(probe: EngineProbe) -> Sides | None:
    """The fewest intervals mean the same as any."""
    return probe.run(), probe.run(coalesced(probe.case))


def window_monotonicity(probe: EngineProbe) -> Sides | None:
    """A larger window holds at least as much."""
    bigger = larger(probe.plan, probe.choices.between(1, 3))
    if bigger is None:
        return None
    small, large = probe.run(), probe.run(plan=bigger)
    return small, tuple(less & more for less, more in zip(small, large, strict=True))


def plan_switch(probe: EngineProbe) -> Sides | None:
    """An equivalent plan takes over in the middle: in one session if the engine has them, else from run to run."""
    back, t, other = reach(probe.plan), probe.choices.between(1, 3), twin(probe.choices, probe.plan)
    if back is None:
        return None
    short = replace(probe, case=shortened(probe.case, 3))
    over = min(t + back + 3, probe.horizon)
    if probe.subject.sessions:
        return short.run(), switched(short.subject, (short.plan, other), short.case, (t, over, short.horizon))
    return short.run(), short.run()[:over] + short.run(since(short.case, t), plan=other)[over:]


RELATIONS: Final[Mapping[str, Relation]] = {
    relation.__name__: relation
    for relation in (
        time_shift,
        prefix,
        split_and_glue,
        key_partition,
        heartbeat_injection,
        rebatching,
        tie_permutation,
        split_inputs,
        coalesced_inputs,
        window_monotonicity,
        plan_switch,
    )
}


def check_relation(
    engine: AnyEngine, relation: Relation, *, examples: int = CASES, seed: int = 0, time_limit: float = TIME_LIMIT
) -> Verdict:
    """Does a relation hold between runs of an engine? A run that fails says nothing about it."""
    with InProcess(engine, time_limit=time_limit) as subject:
        found = search(examiner(subject, relation), examples, seed)
    if found.failure is not None:
        return Verdict("refuted", found.evidence(seed), found.failure)
    return Verdict("agreed" if found.fired else "vacuous", found.evidence(seed))


def examiner(subject: InProcess, relation: Relation) -> Examine[Counterexample]:
    """Looks whether a relation holds, for a plan and a case that are made of choices."""
    situations = [s for s in SITUATIONS.values() if s.delivery == "whole" and s.operators is None]
    operators = sorted(OPERATORS, key=lambda operator: operator.__name__)

    def examine(choices: Choices) -> Counterexample | CaseOutcome:
        situation = choices.of(situations)
        plan, case = choose_in_situation(choices, situation, choices.of(operators))
        return _examined(relation, EngineProbe(subject, choices, plan, case, situation.horizon))

    return examine


def _examined(relation: Relation, probe: EngineProbe) -> Counterexample | CaseOutcome:
    try:
        sides = relation(probe)
    except Unsupported:
        return CaseOutcome.UNSUPPORTED
    except Fault as fault:
        return CaseOutcome.OVERFLOW if fault.name is FaultKind.RAISES else CaseOutcome.UNMET
    if sides is None:
        return CaseOutcome.UNMET
    left, right = sides
    t = first_difference(probe.subject, left, right)
    if t is not None:
        return Counterexample((probe.plan,), probe.case, t, left[t], right[t])
    return CaseOutcome.FIRED if any(left) else CaseOutcome.EMPTY
