"""Situations in which engines go wrong, each with streams and plans made for it.

The conformance suite tries every operator in every situation. Plain random cases would reach most situations too
seldom: two zeros of different sign, two integers that round to the same double, thirty instants without an element.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from equivalence.cases.choices import Choices
from equivalence.cases.now_in_plans import OverSources, asking_for_now
from equivalence.cases.plan_shapes import ManyAggregates, ManyExpressions, MeetingInputs, SharedInputs
from equivalence.cases.random_cases import CASE_HORIZON, Case
from equivalence.cases.random_plans import CATALOGUE, Catalogue, PlanGenerator
from equivalence.cases.random_rows import AWKWARD_VALUES, COMMON_VALUES, choose_value
from equivalence.cases.random_streams import HORIZON, choose_interval
from semantics import FOREVER, Interval, IntervalStream, Plan, RawStream, Row, Schema, Stream, Type, Value
from semantics.plan import (
    Aggregation,
    Antijoin,
    Binary,
    Filter,
    FullJoin,
    Grouping,
    Join,
    LeftJoin,
    Map,
    RightJoin,
    Semijoin,
    Union,
)
from semantics.stream import IntervalElement
from semantics.value import INT_MAX, NAN

Operators = frozenset[type[Plan]]
ChooseValue = Callable[[Choices, Type], Value]
ChooseSpan = Callable[[Choices, IntervalElement | None], Interval]
"""Chooses when an element is valid, given an earlier one of the same stream if there is one."""

DeliveryKind = Literal["whole", "schedule", "disorder"]
"""How streams reach the engine: at once, or in batches with heartbeats, in order or in disorder within the slack."""

INSTANTS_OF_SILENCE: Final = 30
FRACTIONS: Final = (0.1, 1.0, 0.7, 1e16, -1e16, 1e308, 5e-324)
TELLING_VALUES: Final[Mapping[Type, tuple[Value, ...]]] = {
    Type.BOOL: (False, True),
    Type.INT: (0, 1, -1, 2, -3, 2**53, 2**53 + 1),
    Type.FLOAT: (0.1, 1.0, 0.7, -1.5, 1e16, -1e16, NAN),
    Type.STR: ("", "a", "A", "a%", "ab", "xa", "x%"),
}
CATALOGUE_OF_ALL_TYPES: Final[Catalogue] = {
    "A": Schema.of(b=bool, x=int, f=float, s=str, c=bool, y=int, g=float, t=str)
}
ADDENDS: Final[Mapping[Type, tuple[Value, ...]]] = {
    Type.INT: (1, 0, 2, -1, 2**53 + 1, INT_MAX),
    Type.FLOAT: (0.1, 1.0, 0.7, 1e16, -1e16, 0.3, -1.5, NAN),
}
NEIGHBOURS: Final = (2**53, 2**53 + 1, 2**53 + 1, 2**53 + 2, -(2**53) - 1, -(2**53), None)
CATALOGUE_OF_INTEGERS: Final[Catalogue] = {"A": Schema.of(x=int, y=int), "B": Schema.of(x=int, y=int)}
CATALOGUE_OF_NUMBERS: Final[Catalogue] = {"A": Schema.of(x=int, f=float), "B": Schema.of(f=float, s=str)}
CATALOGUE_OF_FLOATS: Final[Catalogue] = {"A": Schema.of(f=float), "B": Schema.of(g=float)}


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
    operators: Operators | None = None
    """The operators that can be in this situation, if not all."""
    weight: int = 1
    """How often its cells come up, compared with those of other situations."""
    awkward: bool = False
    horizon: int = CASE_HORIZON
    missing: bool = False
    """Is one of the streams empty?"""
    delivery: DeliveryKind = "whole"
    asks_for_now: bool = False
    """Do expressions ask for the instant?"""


def choose_plan_in(choices: Choices, situation: Situation, operator: type[Plan]) -> Plan:
    """A plan with this operator on top, or used twice just below it."""
    plans = situation.shape(choices, situation.catalogue or CATALOGUE, situation.awkward)
    plan = plans.rooted(operator, situation.depth + choices.chance(1, 4))
    plan = asking_for_now(choices, plan) if situation.asks_for_now else plan
    return Union(plan, plan) if situation.shape is SharedInputs and not issubclass(operator, Binary) else plan


def choose_case_in(choices: Choices, situation: Situation, schemas: Mapping[str, Schema]) -> Case:
    """Streams for these sources in this situation."""
    names = sorted(schemas)
    empty = choices.of(names) if situation.missing else None
    return {name: _stream(choices, situation, schemas[name], 0 if name == empty else None) for name in names}


def choose_in_situation(choices: Choices, situation: Situation, operator: type[Plan]) -> tuple[Plan, Case]:
    """A plan with this operator, and streams for it."""
    plan = choose_plan_in(choices, situation, operator)
    return plan, choose_case_in(choices, situation, plan.sources())


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


# Values ------------------------------------------------------------------------------------------------------


def _common(choices: Choices, type_: Type) -> Value:
    return choices.of(COMMON_VALUES[type_])


def _ordinary(choices: Choices, type_: Type) -> Value:
    return choose_value(choices, type_, False)


def _often_null(choices: Choices, type_: Type) -> Value:
    return None if choices.chance(1, 2) else choices.of(COMMON_VALUES[type_])


def _special(choices: Choices, type_: Type) -> Value:
    return choices.of([0.0, NAN, NAN, float("inf"), float("-inf")]) if type_ is Type.FLOAT else _common(choices, type_)


def _extreme(choices: Choices, type_: Type) -> Value:
    """Numbers that overflow, round and cancel."""
    return choices.of(FRACTIONS if type_ is Type.FLOAT else [*COMMON_VALUES[type_], *AWKWARD_VALUES[type_]])


def _varied(choices: Choices, type_: Type) -> Value:
    """Values on which right and wrong operations differ, and NULL one time in four."""
    if choices.chance(1, 4):
        return None
    return (_extreme if choices.chance(1, 16) else _telling)(choices, type_)


def _addend(choices: Choices, type_: Type) -> Value:
    """Values that are aggregated: some overflow, round and cancel, and some are NULL."""
    if choices.chance(1, 5):
        return None
    return choices.of(ADDENDS.get(type_, TELLING_VALUES[type_]))


def _telling(choices: Choices, type_: Type) -> Value:
    return choices.of(TELLING_VALUES[type_])


def _soon(choices: Choices, type_: Type) -> Value:
    """Integers that are instants of the case, and NULL one time in eight."""
    if choices.below(8) == 7:
        return None
    return choices.below(HORIZON) if type_ is Type.INT else _common(choices, type_)


def _neighbouring(choices: Choices, type_: Type) -> Value:
    """Integers that are not the same but round to the same double."""
    return choices.of(NEIGHBOURS if type_ is Type.INT else COMMON_VALUES[type_])


# Spans -------------------------------------------------------------------------------------------------------


def _anywhere(choices: Choices, before: IntervalElement | None) -> Interval:  # noqa: ARG001
    return choose_interval(choices)


def _among(*starts: int, longest: int = 4) -> ChooseSpan:
    """Starts that come up again and again."""

    def span(choices: Choices, before: IntervalElement | None) -> Interval:  # noqa: ARG001
        start = choices.of(starts)
        return Interval(start, start + choices.between(1, longest))

    return span


def _adjacent(choices: Choices, before: IntervalElement | None) -> Interval:
    if before is None or before[1].end >= HORIZON or choices.below(4) == 0:
        return _among(*range(HORIZON // 2), longest=3)(choices, before)
    start = int(before[1].end)
    return Interval(start, start + choices.between(1, 3))


def _nested(choices: Choices, before: IntervalElement | None) -> Interval:
    if before is None or before[1].end - before[1].start < 3 or choices.below(4) == 0:
        return Interval(start := choices.below(3), start + choices.between(5, 9))
    start = before[1].start + choices.between(0, 1)
    return Interval(start, start + choices.between(1, int(before[1].end) - start - 1))


def _long(choices: Choices, before: IntervalElement | None) -> Interval:  # noqa: ARG001
    """From early on past most of the instants of the case."""
    start = choices.below(4)
    return Interval(start, start + choices.between(HORIZON // 2, HORIZON))


def _endless(choices: Choices, before: IntervalElement | None) -> Interval:
    brief = _among(*range(HORIZON))(choices, before)
    return Interval(brief.start, FOREVER) if choices.chance(2, 3) else brief


WITH_EXPRESSIONS: Final[Operators] = frozenset({Filter, Map})
WITH_AGGREGATES: Final[Operators] = frozenset({Aggregation, Grouping})
WITH_CONDITIONS: Final[Operators] = frozenset({Join, LeftJoin, RightJoin, FullJoin, Semijoin, Antijoin})
ASKING: Final[Operators] = WITH_EXPRESSIONS | WITH_AGGREGATES | WITH_CONDITIONS
PLAIN: Final = Situation("plain", _common, _anywhere, horizon=2 * CASE_HORIZON)
SITUATIONS: Final[Mapping[str, Situation]] = {
    situation.name: situation
    for situation in (
        PLAIN,
        Situation("nulls", _often_null, _anywhere),
        Situation("floats", _special, _anywhere, catalogue=CATALOGUE_OF_FLOATS, awkward=True, again=4, weight=2),
        Situation("extremes", _extreme, _anywhere, awkward=True),
        Situation("ties", _ordinary, _among(0, 3)),
        Situation("duplicates", _ordinary, _among(0, 1, 2, 3), again=6),
        Situation("adjacent", _ordinary, _adjacent, again=6, raw=False),
        Situation("nested", _ordinary, _nested, again=4, raw=False),
        Situation("empty", _ordinary, _anywhere, missing=True),
        Situation("forever", _ordinary, _endless, raw=False),
        Situation("instant 0", _ordinary, _among(0)),
        Situation(
            "silence",
            _ordinary,
            _among(0, 1, INSTANTS_OF_SILENCE, INSTANTS_OF_SILENCE + 1),
            horizon=INSTANTS_OF_SILENCE + 8,
        ),
        Situation("bursts", _ordinary, _among(0, 1), largest=16),
        Situation("sharing", _ordinary, _anywhere, shape=SharedInputs),
        replace(PLAIN, name="deep", value=_ordinary, depth=3, horizon=CASE_HORIZON),
        Situation(
            "expressions",
            _varied,
            _anywhere,
            catalogue=CATALOGUE_OF_ALL_TYPES,
            shape=ManyExpressions,
            operators=WITH_EXPRESSIONS,
            weight=24,
            largest=10,
        ),
        Situation(
            "aggregates",
            _addend,
            _among(0, 1, 2, 3),
            catalogue=CATALOGUE_OF_NUMBERS,
            shape=ManyAggregates,
            operators=WITH_AGGREGATES,
            weight=20,
            largest=8,
        ),
        Situation("neighbours", _neighbouring, _among(0, 1, 2, 3), catalogue=CATALOGUE_OF_INTEGERS),
        Situation(
            "now",
            _soon,
            _anywhere,
            catalogue=CATALOGUE_OF_INTEGERS,
            operators=ASKING,
            horizon=2 * CASE_HORIZON,
            asks_for_now=True,
        ),
        Situation(
            "now, rows that last",
            _soon,
            _long,
            raw=False,
            least=3,
            catalogue=CATALOGUE_OF_INTEGERS,
            shape=OverSources,
            operators=WITH_EXPRESSIONS,
            horizon=2 * CASE_HORIZON,
            weight=14,
            asks_for_now=True,
        ),
        Situation("now, forever", _soon, _endless, raw=False, operators=ASKING, asks_for_now=True),
        Situation("now, schedule", _soon, _anywhere, operators=ASKING, delivery="schedule", asks_for_now=True),
        Situation("schedule", _ordinary, _anywhere, shape=PlanGenerator, delivery="schedule"),
        Situation("disorder", _ordinary, _anywhere, shape=PlanGenerator, delivery="disorder"),
    )
}
