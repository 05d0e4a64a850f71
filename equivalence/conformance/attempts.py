"""What the suite tries: cells of operators and situations, and plans, streams and deliveries made for them."""

from collections.abc import Collection, Iterator, Sequence
from random import Random
from typing import Final, assert_never

from equivalence.cases.choices import Choices, SeededChoices
from equivalence.cases.delivery import Delivery
from equivalence.cases.random_cases import Case
from equivalence.cases.random_plans import OPERATORS
from equivalence.cases.schedules import DISORDER_SLACK, choose_schedule, choose_steps
from equivalence.cases.situation import (
    Situation,
    can_have,
    choose_case_for,
    choose_plan_in,
    variant,
    with_operators,
    with_types,
)
from equivalence.cases.situations import SITUATIONS
from equivalence.conformance.judge import Attempt
from equivalence.conformance.subject.in_process import Subject
from semantics import Plan
from semantics.plan import Map

PLANS_TO_KNOW_AN_OPERATOR: Final = 120
"""An engine is asked about so many plans with an operator on top before it is taken not to know the operator."""

CellName = tuple[type[Plan], Situation]
"""An operator, and the situation in which it is tried."""


def known_operators(subject: Subject) -> list[type[Plan]]:
    """Those that the engine lists; or else those of which it says that it can run some plan."""
    listed = {operator: subject.lists(operator.__name__) for operator in OPERATORS}
    return [operator for operator, says in listed.items() if (_knows(subject, operator) if says is None else says)]


def _knows(subject: Subject, operator: type[Plan]) -> bool:
    possible = [s for s in situations_of(subject) if s.operators is None or operator in s.operators]
    seeds = (f"known/{operator.__name__}/{number}" for number in range(PLANS_TO_KNOW_AN_OPERATOR))
    plans = (
        plan_in(SeededChoices(seed), operator, possible[number % len(possible)], subject)[1]
        for number, seed in enumerate(seeds)
    )
    return any(map(subject.fits, plans))


def cells_of(subject: Subject, known: Collection[type[Plan]] = tuple(OPERATORS)) -> list[CellName]:
    """The operators that the engine knows, in the situations that they can be in; plans are made of what it knows."""
    situations = [with_operators(situation, known) for situation in situations_of(subject)]
    pairs = [(operator, situation) for operator in OPERATORS if operator in known for situation in situations]
    return [(o, situation) for o, situation in pairs if situation.operators is None or o in situation.operators]


def endless_cells(cells: Sequence[CellName], seed: int) -> Iterator[CellName]:
    """All cells of the matrix again and again, each time in the same mixed order; nothing if there are none."""
    mixed = [cell for cell in cells for _ in range(cell[1].weight)]
    Random(str(seed)).shuffle(mixed)
    while mixed:
        yield from mixed


def situations_of(subject: Subject) -> list[Situation]:
    """Those that the engine can be brought into."""
    possible = [s for s in SITUATIONS.values() if s.delivery == "whole" or subject.sessions]
    possible = [s for s in possible if subject.knows_functions or not s.calls_functions]
    possible = [s for s in possible if subject.knows_types or not s.newer_types]
    # Cases that are run as one have the same horizon, and those drawn around a plan each have their own.
    possible = [s for s in possible if not (s.around_the_plan and subject.lifts)]
    return [with_types(situation, subject.types) for situation in possible if can_have(situation, subject.types)]


def plan_in(
    choices: Choices, operator: type[Plan], situation: Situation, subject: Subject | None = None
) -> tuple[Situation, Plan]:
    """The situation as it is for one case, and a plan with this operator, of what the engine can say."""
    situation = variant(choices, situation, operator)
    plan = choose_plan_in(choices, situation, operator)
    return situation, plan if subject is None else narrowed(plan, subject)


def narrowed(plan: Plan, subject: Subject) -> Plan:
    """Of a map, only what the engine can say, if that is anything: few engines have words for many expressions."""
    if not isinstance(plan, Map) or subject.fits(plan):
        return plan
    pairs = zip(plan.expressions, plan.names, strict=True)
    said = [(one, name) for one, name in pairs if subject.fits(Map(plan.input, (one,), (name,)))]
    return Map(plan.input, *zip(*said, strict=True)) if said else plan


def attempt_in(choices: Choices, operator: type[Plan], situation: Situation, subject: Subject | None = None) -> Attempt:
    """A plan with this operator, streams in this situation, and how they are delivered."""
    return attempt_with(choices, *plan_in(choices, operator, situation, subject))


def attempt_with(choices: Choices, situation: Situation, plan: Plan) -> Attempt:
    """The rest of an attempt, once its plan is chosen."""
    case, horizon = choose_case_for(choices, situation, plan)
    return an_attempt(choices, situation, plan, case, horizon)


def an_attempt(choices: Choices, situation: Situation, plan: Plan, case: Case, horizon: int) -> Attempt:
    """How a case is delivered, and whether twice."""
    return Attempt(plan, case, horizon, _delivery(choices, situation, case), twice=choices.chance(1, 4))


def _delivery(choices: Choices, situation: Situation, case: Case) -> Delivery:
    match situation.delivery:
        case "whole":
            return Delivery(columns=choices.chance(1, 4))
        case "in step":
            return Delivery(schedule=choose_steps(choices, case))
        case "schedule" | "disorder" as kind:
            slack = DISORDER_SLACK if kind == "disorder" else 0
            return Delivery(schedule=choose_schedule(choices, case, slack=slack, largest=situation.batch), slack=slack)
        case _:
            assert_never(situation.delivery)
