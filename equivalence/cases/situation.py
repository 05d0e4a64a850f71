"""A situation: what is special about streams and plans, and how both are chosen."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from equivalence.cases.choices import Choices
from equivalence.cases.directed.clues import clues_of
from equivalence.cases.directed.draw import choose_directed_case, settled_after
from equivalence.cases.now_in_plans import asking_for_now
from equivalence.cases.plan_shapes import MeetingInputs, SharedInputs
from equivalence.cases.random_cases import CASE_HORIZON, Case
from equivalence.cases.random_plans import CATALOGUE, KINDS, Catalogue, PlanGenerator
from equivalence.cases.schedules import LARGEST_BATCH
from semantics import Column, Interval, IntervalStream, Plan, RawStream, Row, Schema, Stream, Type, Value
from semantics.plan import Binary, Union
from semantics.stream import IntervalElement
from semantics.types import BASIC_TYPES, PLAIN_TYPES

ChooseValue = Callable[[Choices, Type], Value]
ChooseSpan = Callable[[Choices, IntervalElement | None], Interval]
"""Chooses when an element is valid, given an earlier one of the same stream if there is one."""

DeliveryKind = Literal["whole", "schedule", "disorder", "in step"]
"""How streams reach the engine: at once, or in batches with heartbeats, in order or in disorder within the slack,
or one by one, while all sources go through time together."""


@dataclass(frozen=True)
class Situation:
    """What is special about the streams and the plans of its cases."""

    name: str
    value: ChooseValue
    span: ChooseSpan
    again: int = 2
    """Of eight rows, how many repeat an earlier one."""
    least: int = 0
    largest: int = 6
    raw: bool = True
    """Are some of the streams raw ones?"""
    catalogue: Catalogue | None = None
    depth: int = 1
    shape: type[PlanGenerator] = MeetingInputs
    operators: frozenset[type[Plan]] | None = None
    """The operators that can be in this situation, if not all."""
    below: Sequence[type[Plan]] = KINDS
    """What plans are made of, beside the operator on top and what has to be between it and its inputs."""
    weight: int = 1
    """How often its cells come up, compared with those of other situations."""
    awkward: bool = False
    horizon: int = CASE_HORIZON
    missing: bool = False
    """Is one of the streams empty?"""
    delivery: DeliveryKind = "whole"
    batch: int = LARGEST_BATCH
    """The most elements that are pushed at once."""
    asks_for_now: bool = False
    """Do expressions ask for the instant?"""
    newer_types: bool = False
    """Are there types beside INT, FLOAT, BOOL and STR?"""
    calls_functions: bool = False
    """Do expressions call built-in functions?"""
    around_the_plan: bool = False
    """Are values, times and numbers of rows drawn around what the plan speaks of?"""
    varied: "Vary | None" = None
    """What is decided for each case anew, before its plan is chosen."""


Vary = Callable[[Choices, Situation, type[Plan]], Situation]


def variant(choices: Choices, situation: Situation, operator: type[Plan]) -> Situation:
    """The situation as it is for one case: plan and streams have to agree about what varies."""
    return situation if situation.varied is None else situation.varied(choices, situation, operator)


def can_have(situation: Situation, types: frozenset[Type]) -> bool:
    """Can it do with columns of these types? Plans of some shapes are about integers."""
    return Type.INT in types or (
        situation.varied is None and situation.shape in (MeetingInputs, SharedInputs, PlanGenerator)
    )


def with_types(situation: Situation, types: frozenset[Type]) -> Situation:
    """The same situation with columns of these types only, whatever varies; a number stays one, if it can."""
    if types == frozenset(BASIC_TYPES):
        return situation
    vary = situation.varied
    catalogue = situation.catalogue or CATALOGUE
    return replace(
        situation,
        catalogue={name: _retyped(schema, types) for name, schema in catalogue.items()},
        varied=vary and (lambda choices, given, operator: with_types(vary(choices, given, operator), types)),
    )


def with_operators(situation: Situation, known: Collection[type[Plan]]) -> Situation:
    """The same situation with plans made of these operators, whatever varies."""
    if set(situation.below) <= set(known):
        return situation
    vary = situation.varied
    return replace(
        situation,
        below=[kind for kind in situation.below if kind in known],
        varied=vary and (lambda choices, given, operator: with_operators(vary(choices, given, operator), known)),
    )


def _retyped(schema: Schema, types: frozenset[Type]) -> Schema:
    """The same columns, those of other types turned into one of these."""
    usual = [type_ for type_ in PLAIN_TYPES if type_ in types]
    return Schema(tuple(c if c.type in types else Column(c.name, usual[0]) for c in schema.columns))


def choose_plan_in(choices: Choices, situation: Situation, operator: type[Plan]) -> Plan:
    """A plan with this operator on top, or used twice just below it."""
    plans = situation.shape(choices, situation.catalogue or CATALOGUE, situation.awkward, situation.below)
    plan = plans.rooted(operator, situation.depth + choices.chance(1, 4))
    plan = asking_for_now(choices, plan) if situation.asks_for_now else plan
    shared = situation.shape is SharedInputs and not issubclass(operator, Binary) and Union in situation.below
    return Union(plan, plan) if shared else plan


def choose_case_in(choices: Choices, situation: Situation, schemas: Mapping[str, Schema]) -> Case:
    """Streams for these sources in this situation."""
    names = sorted(schemas)
    empty = choices.of(names) if situation.missing else None
    return {name: _stream(choices, situation, schemas[name], 0 if name == empty else None) for name in names}


def choose_case_for(choices: Choices, situation: Situation, plan: Plan) -> tuple[Case, int]:
    """Streams for a plan in this situation, and the horizon of the case."""
    if not situation.around_the_plan:
        return choose_case_in(choices, situation, plan.sources()), situation.horizon
    clues = clues_of(plan)
    case = choose_directed_case(choices, plan.sources(), (), clues, awkward=situation.awkward)
    return case, settled_after(case, clues)


def choose_in_situation(choices: Choices, situation: Situation, operator: type[Plan]) -> tuple[Plan, Case]:
    """A plan with this operator, and streams for it."""
    situation = variant(choices, situation, operator)
    plan = choose_plan_in(choices, situation, operator)
    return plan, choose_case_for(choices, situation, plan)[0]


def _stream(choices: Choices, situation: Situation, schema: Schema, size: int | None) -> Stream:
    raw = situation.raw and choices.below(3) == 0
    largest = situation.largest if size is None else size
    elements: list[IntervalElement] = []
    while len(elements) < min(situation.least, largest) or (len(elements) < largest and choices.chance(7, 8)):
        elements.append(_element(choices, situation, schema, elements))
    elements.sort(key=lambda element: element[1].start)
    if raw:
        return RawStream(schema, [(row, interval.start) for row, interval in elements])
    return IntervalStream(schema, elements)


def _element(
    choices: Choices, situation: Situation, schema: Schema, earlier: Sequence[IntervalElement]
) -> IntervalElement:
    before = choices.of(earlier) if earlier else None
    again = choices.chance(situation.again, 8)
    return _row(choices, situation, schema, before if again else None), situation.span(choices, before)


def _row(choices: Choices, situation: Situation, schema: Schema, same: IntervalElement | None) -> Row:
    return same[0] if same else tuple([situation.value(choices, type_) for type_ in schema.types])
