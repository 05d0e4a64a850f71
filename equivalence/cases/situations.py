"""Situations in which engines go wrong, each with streams and plans made for it.

The conformance suite tries every operator in every situation. Plain random cases would reach most situations too
seldom: two zeros of different sign, two integers that round to the same double, thirty instants without an element.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from equivalence.cases.arithmetic_conditions import CATALOGUE as CATALOGUE_OF_TWO_INPUTS
from equivalence.cases.arithmetic_conditions import with_arithmetic
from equivalence.cases.choices import Choices
from equivalence.cases.crowds import HORIZON as HORIZON_OF_CROWDS
from equivalence.cases.crowds import crowd_of, of_any_length, of_few_values, one_after_the_other, with_join_conditions
from equivalence.cases.function_calls import CallingFunctions, choose_argument
from equivalence.cases.now_in_plans import OverSources, Panes
from equivalence.cases.numbers import CATALOGUE as CATALOGUE_FOR_AGGREGATES
from equivalence.cases.numbers import EdgeArithmetic, at_the_edge, early, made_for_each_other
from equivalence.cases.ordered_rows import ORDERED
from equivalence.cases.plan_shapes import ManyAggregates, ManyExpressions, OnSessions, SharedInputs
from equivalence.cases.random_cases import CASE_HORIZON
from equivalence.cases.random_plans import OPERATORS, Catalogue, PlanGenerator
from equivalence.cases.random_rows import AWKWARD_VALUES, COMMON_VALUES, choose_value
from equivalence.cases.random_streams import HORIZON, choose_interval
from equivalence.cases.situation import ChooseSpan, Situation
from equivalence.cases.typed_expressions import CATALOGUE as CATALOGUE_OF_CASTS
from equivalence.cases.typed_expressions import CastingMaps, choose_telling
from semantics import FOREVER, Interval, Plan, Schema, Type, Value, array_of, decimal, row_of
from semantics.plan import (
    Aggregation,
    Antijoin,
    Filter,
    FullJoin,
    Grouping,
    Join,
    LeftJoin,
    Map,
    RightJoin,
    Semijoin,
)
from semantics.stream import IntervalElement
from semantics.value import INT_MAX, NAN

NAMES_OF_CROWDS: Final = frozenset(
    {"plain", "nulls", "ties", "floats", "extremes", "aggregates", "neighbours", "sharing", "expressions"}
)
"""Situations whose plans and values are taken for crowds; their elements are not."""
Operators = frozenset[type[Plan]]
INSTANTS_OF_SILENCE: Final = 30
LATE: Final = 2**62
"""Twice this leaves 64 bits."""
FRACTIONS: Final = (0.1, 1.0, 0.7, 1e16, -1e16, 1e308, 5e-324)
TELLING_VALUES: Final[Mapping[Type, tuple[Value, ...]]] = {
    Type.BOOL: (False, True),
    Type.INT: (0, 1, -1, 2, -3, 2**53, 2**53 + 1),
    Type.FLOAT: (0.1, 1.0, 0.7, -1.5, 1e16, -1e16, NAN),
    Type.STR: ("", "a", "A", "a", "A", "a%", "ab", "aB", "xa", "x%", "a "),
}
CATALOGUE_OF_ALL_TYPES: Final[Catalogue] = {
    "A": Schema.of(b=bool, x=int, f=float, s=str, c=bool, y=int, g=float, t=str)
}
CATALOGUE_OF_NEW_TYPES: Final[Catalogue] = {
    "A": Schema.of(at=Type.TIMESTAMP, p=decimal(10, 2)),
    "B": Schema.of(d=Type.DATE, i=Type.DAY_INTERVAL, x=int),
    "C": Schema.of(q=decimal(22, 1), m=Type.MONTH_INTERVAL, c=Type.TIME),
    "D": Schema.of(at=Type.TIMESTAMP, p=decimal(10, 2)),
    "E": Schema.of(d=Type.DATE, i=Type.DAY_INTERVAL, x=int),
    "F": Schema.of(a=array_of(Type.INT), r=row_of(("k", Type.INT), ("v", Type.DATE))),
}
"""Points in time, spans, decimals that fit into 64 bits and that do not, arrays and rows."""
ADDENDS: Final[Mapping[Type, tuple[Value, ...]]] = {
    Type.INT: (1, 0, 2, -1, 2**53 + 1, INT_MAX),
    Type.FLOAT: (0.1, 1.0, 0.7, 1e16, -1e16, 0.3, -1.5, NAN),
}
NEIGHBOURS: Final = (2**53, 2**53 + 1, 2**53 + 1, 2**53 + 2, -(2**53) - 1, -(2**53), None)
CATALOGUE_OF_INTEGERS: Final[Catalogue] = {"A": Schema.of(x=int, y=int), "B": Schema.of(x=int, y=int)}
CATALOGUE_OF_NUMBERS: Final[Catalogue] = {"A": Schema.of(x=int, f=float), "B": Schema.of(f=float, s=str)}
CATALOGUE_OF_FLOATS: Final[Catalogue] = {"A": Schema.of(f=float), "B": Schema.of(g=float)}


# Values ------------------------------------------------------------------------------------------------------


def _common(choices: Choices, type_: Type) -> Value:
    return choices.of(COMMON_VALUES[type_])


def _telling_values(type_: Type) -> Sequence[Value]:
    return TELLING_VALUES.get(type_) or [*COMMON_VALUES[type_], *AWKWARD_VALUES[type_]]


def _awkward_or_not(choices: Choices, type_: Type) -> Value:
    return choose_value(choices, type_, awkward=True)


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
    return choices.of(ADDENDS.get(type_) or _telling_values(type_))


def _telling(choices: Choices, type_: Type) -> Value:
    return choices.of(_telling_values(type_))


def _soon(choices: Choices, type_: Type) -> Value:
    """Integers that are instants of the case, and NULL one time in eight."""
    if choices.below(8) == 7:
        return None
    return choices.below(HORIZON) if type_ is Type.INT else _common(choices, type_)


def _late_or_soon(choices: Choices, type_: Type) -> Value:
    """Integers that are late instants, or small: sums of the first with now overflow."""
    if type_ is not Type.INT or choices.chance(1, 2):
        return _soon(choices, type_)
    return LATE + choices.between(-4, 8)


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


def _around_late(choices: Choices, before: IntervalElement | None) -> Interval:  # noqa: ARG001
    start = LATE + choices.between(-4, 6)
    return Interval(start, start + choices.between(1, 8))


def _endless(choices: Choices, before: IntervalElement | None) -> Interval:
    brief = _among(*range(HORIZON))(choices, before)
    return Interval(brief.start, FOREVER) if choices.chance(2, 3) else brief


WITH_EXPRESSIONS: Final[Operators] = frozenset({Filter, Map})
WITH_AGGREGATES: Final[Operators] = frozenset({Aggregation, Grouping})
WITH_CONDITIONS: Final[Operators] = frozenset({Join, LeftJoin, RightJoin, FullJoin, Semijoin, Antijoin})
ASKING: Final[Operators] = WITH_EXPRESSIONS | WITH_AGGREGATES | WITH_CONDITIONS
PLAIN: Final = Situation("plain", _common, _anywhere, horizon=2 * CASE_HORIZON)
_WHOLE: Final = (
    PLAIN,
    Situation("nulls", _often_null, _anywhere),
    Situation("floats", _special, _anywhere, catalogue=CATALOGUE_OF_FLOATS, awkward=True, again=4, weight=2),
    Situation("extremes", _extreme, _anywhere, awkward=True),
    Situation("ties", _ordinary, _among(0, 3), least=3),
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
    Situation("neighbours", _neighbouring, _among(0, 1, 2, 3), least=3, catalogue=CATALOGUE_OF_INTEGERS),
)
_CROWD: Final = Situation(
    "crowds",
    _ordinary,
    of_any_length,
    varied=crowd_of([s for s in _WHOLE if s.name in NAMES_OF_CROWDS]),
    horizon=HORIZON_OF_CROWDS,
)
_FEW_KEYS: Final = Situation(
    "few keys in step",
    of_few_values,
    one_after_the_other,
    varied=with_join_conditions,
    delivery="in step",
    least=10,
    largest=16,
    weight=2,
    horizon=HORIZON_OF_CROWDS,
)
_NUMBERS: Final = Situation(
    "numbers",
    _addend,
    early,
    catalogue=CATALOGUE_FOR_AGGREGATES,
    varied=made_for_each_other,
    operators=WITH_AGGREGATES,
    weight=16,
)
_COMPUTING: Final = Situation(
    "computing predicates",
    _ordinary,
    _among(0, 1, 2, 3),
    catalogue=CATALOGUE_OF_TWO_INPUTS,
    varied=with_arithmetic,
    operators=frozenset({Filter}),
    weight=24,
)
NOW_LATE: Final = Situation(
    "now, late",
    _late_or_soon,
    _around_late,
    raw=False,
    catalogue=CATALOGUE_OF_INTEGERS,
    shape=OverSources,
    operators=WITH_EXPRESSIONS,
    horizon=LATE + 2 * CASE_HORIZON,
    asks_for_now=True,
)
"""Not among the others: engines that list one snapshot for each instant may be tried in those."""
SITUATIONS: Final[Mapping[str, Situation]] = {
    situation.name: situation
    for situation in (
        *_WHOLE,
        _CROWD,
        _NUMBERS,
        ORDERED,
        Situation("on sessions", _ordinary, _among(0, 1, 4, 9), shape=OnSessions, below=tuple(OPERATORS)),
        Situation(
            "edges",
            at_the_edge,
            _among(0, 1),
            catalogue=CATALOGUE_OF_INTEGERS,
            shape=EdgeArithmetic,
            operators=frozenset({Map, Aggregation, Grouping}),
            weight=8,
            least=1,
            largest=3,
        ),
        _COMPUTING,
        replace(_COMPUTING, name="computing conditions", operators=WITH_CONDITIONS, weight=3),
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
            weight=24,
            asks_for_now=True,
        ),
        Situation(
            "panes",
            _soon,
            _long,
            raw=False,
            least=2,
            shape=Panes,
            operators=frozenset({Filter}),
            horizon=2 * CASE_HORIZON,
            weight=6,
        ),
        Situation("now, forever", _soon, _endless, raw=False, operators=ASKING, asks_for_now=True),
        Situation("now, schedule", _soon, _anywhere, operators=ASKING, delivery="schedule", asks_for_now=True),
        Situation(
            "functions",
            choose_argument,
            _anywhere,
            catalogue=CATALOGUE_OF_ALL_TYPES,
            shape=CallingFunctions,
            operators=frozenset({Map}),
            weight=64,
            least=6,
            largest=12,
            again=1,
            calls_functions=True,
        ),
        Situation(
            "functions in conditions",
            choose_argument,
            _anywhere,
            catalogue=CATALOGUE_OF_ALL_TYPES,
            shape=CallingFunctions,
            operators=WITH_CONDITIONS | {Filter},
            weight=2,
            calls_functions=True,
        ),
        Situation("schedule", _ordinary, _anywhere, shape=PlanGenerator, delivery="schedule", weight=2),
        Situation("disorder", _ordinary, _anywhere, shape=PlanGenerator, delivery="disorder", weight=2),
        replace(_CROWD, name="crowds in batches", delivery="disorder"),
        Situation(
            "types",
            _awkward_or_not,
            _anywhere,
            catalogue=CATALOGUE_OF_NEW_TYPES,
            depth=2,
            weight=3,
            awkward=True,
            newer_types=True,
        ),
        Situation(
            "casts",
            choose_telling,
            _anywhere,
            catalogue=CATALOGUE_OF_CASTS,
            shape=CastingMaps,
            operators=frozenset({Map}),
            weight=40,
            least=4,
            largest=10,
            again=1,
            newer_types=True,
        ),
        Situation(
            "casts in conditions",
            choose_telling,
            _anywhere,
            catalogue=CATALOGUE_OF_CASTS,
            shape=CastingMaps,
            operators=frozenset({Filter}),
            weight=8,
            least=4,
            largest=10,
            again=1,
            newer_types=True,
        ),
        _FEW_KEYS,
        replace(_NUMBERS, name="numbers in step", delivery="in step", weight=12),
    )
}
