"""Situations in which engines go wrong, each with streams and plans made for it.

The conformance suite tries every operator in every situation. Plain random cases would reach most situations too
seldom: two zeros of different sign, two integers that round to the same double, thirty instants without an element.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from equivalence.cases.alike_texts import CATALOGUE as CATALOGUE_OF_TEXTS
from equivalence.cases.alike_texts import AlikeTexts, choose_text, mostly_of_one_family
from equivalence.cases.arithmetic_conditions import CATALOGUE as CATALOGUE_OF_TWO_INPUTS
from equivalence.cases.arithmetic_conditions import with_arithmetic
from equivalence.cases.broad_plans import (
    CATALOGUE_OF_MANY_SOURCES,
    CATALOGUE_OF_WIDE_ROWS,
    AggregatesOfTypes,
    LongChains,
    ManySources,
    RelatedInputs,
    WideRows,
)
from equivalence.cases.crowds import HORIZON as HORIZON_OF_CROWDS
from equivalence.cases.crowds import crowd_of, of_any_length, of_few_values, one_after_the_other, with_join_conditions
from equivalence.cases.function_calls import CallingFunctions, choose_argument
from equivalence.cases.large_numbers import LargeNumbers
from equivalence.cases.nested_calls import CATALOGUE as CATALOGUE_OF_PARTS
from equivalence.cases.nested_calls import TakenApart, choose_nested
from equivalence.cases.now_in_plans import OverSources, Panes
from equivalence.cases.numbers import CATALOGUE as CATALOGUE_FOR_AGGREGATES
from equivalence.cases.numbers import EdgeArithmetic, at_the_edge, early, made_for_each_other
from equivalence.cases.ordered_rows import LONG_ORDERS, ORDERED
from equivalence.cases.plan_shapes import ManyAggregates, ManyExpressions, OneAboveTheOther, OnSessions, SharedInputs
from equivalence.cases.random_cases import CASE_HORIZON
from equivalence.cases.random_plans import OPERATORS, Catalogue, PlanGenerator
from equivalence.cases.situation import Situation
from equivalence.cases.situation_spans import LATE, adjacent, among, anywhere, around_late, endless, long, nested
from equivalence.cases.situation_values import (
    addend,
    awkward_or_not,
    common,
    extreme,
    late_or_soon,
    neighbouring,
    often_null,
    ordinary,
    soon,
    special,
    varied,
)
from equivalence.cases.typed_expressions import CATALOGUE as CATALOGUE_OF_CASTS
from equivalence.cases.typed_expressions import CastingMaps, JoiningTypes, choose_telling, sometimes_at_the_ends
from semantics import Plan, Schema, Type, array_of, decimal, row_of
from semantics.plan import (
    Aggregation,
    Antijoin,
    Binary,
    Distinct,
    Filter,
    FullJoin,
    Grouping,
    Join,
    LeftJoin,
    Map,
    RightJoin,
    Semijoin,
)

NAMES_OF_CROWDS: Final = frozenset(
    {
        "plain",
        "nulls",
        "ties",
        "floats",
        "extremes",
        "aggregates",
        "neighbours",
        "sharing",
        "expressions",
        "one above the other",
    }
)
"""Situations whose plans and values are taken for crowds; their elements are not."""
Operators = frozenset[type[Plan]]
INSTANTS_OF_SILENCE: Final = 30
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
CATALOGUE_OF_COUNTED: Final[Catalogue] = {
    "A": Schema.of(at=Type.TIMESTAMP, p=decimal(10, 2), i=Type.DAY_INTERVAL),
    "B": Schema.of(d=Type.DATE, q=decimal(22, 1), m=Type.MONTH_INTERVAL, c=Type.TIME),
}
CATALOGUE_OF_INTEGERS: Final[Catalogue] = {"A": Schema.of(x=int, y=int), "B": Schema.of(x=int, y=int)}
CATALOGUE_OF_NUMBERS: Final[Catalogue] = {"A": Schema.of(x=int, f=float), "B": Schema.of(f=float, s=str)}
CATALOGUE_OF_FLOATS: Final[Catalogue] = {"A": Schema.of(f=float), "B": Schema.of(g=float)}
WITH_EXPRESSIONS: Final[Operators] = frozenset({Filter, Map})
WITH_AGGREGATES: Final[Operators] = frozenset({Aggregation, Grouping})
WITH_CONDITIONS: Final[Operators] = frozenset({Join, LeftJoin, RightJoin, FullJoin, Semijoin, Antijoin})
WITH_TWO_INPUTS: Final = frozenset(operator for operator in OPERATORS if issubclass(operator, Binary))
ASKING: Final[Operators] = WITH_EXPRESSIONS | WITH_AGGREGATES | WITH_CONDITIONS
PLAIN: Final = Situation("plain", common, anywhere, horizon=2 * CASE_HORIZON)
_FLOATS: Final = Situation(
    "floats", special, anywhere, catalogue=CATALOGUE_OF_FLOATS, awkward=True, again=4, weight=2, least=2
)
_WHOLE: Final = (
    PLAIN,
    Situation("nulls", often_null, anywhere),
    _FLOATS,
    Situation("extremes", extreme, anywhere, awkward=True),
    Situation("ties", ordinary, among(0, 3), least=3),
    Situation("duplicates", ordinary, among(0, 1, 2, 3), again=6),
    Situation("adjacent", ordinary, adjacent, again=6, raw=False),
    Situation("nested", ordinary, nested, again=4, raw=False),
    Situation("empty", ordinary, anywhere, missing=True),
    Situation("forever", ordinary, endless, raw=False),
    Situation("instant 0", ordinary, among(0)),
    Situation(
        "silence",
        ordinary,
        among(0, 1, INSTANTS_OF_SILENCE, INSTANTS_OF_SILENCE + 1),
        horizon=INSTANTS_OF_SILENCE + 8,
    ),
    Situation("bursts", ordinary, among(0, 1), largest=16),
    Situation("sharing", ordinary, anywhere, shape=SharedInputs),
    replace(PLAIN, name="deep", value=ordinary, depth=3, horizon=CASE_HORIZON),
    Situation(
        "expressions",
        varied,
        anywhere,
        catalogue=CATALOGUE_OF_ALL_TYPES,
        shape=ManyExpressions,
        operators=WITH_EXPRESSIONS,
        weight=24,
        largest=10,
    ),
    Situation(
        "aggregates",
        addend,
        among(0, 1, 2, 3),
        catalogue=CATALOGUE_OF_NUMBERS,
        shape=ManyAggregates,
        operators=WITH_AGGREGATES,
        weight=20,
        largest=8,
    ),
    Situation("one above the other", ordinary, among(0, 1, 2, 3), shape=OneAboveTheOther, weight=10, least=2),
    Situation("neighbours", neighbouring, among(0, 1, 2, 3), least=3, catalogue=CATALOGUE_OF_INTEGERS),
)
_CROWD: Final = Situation(
    "crowds",
    ordinary,
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
    addend,
    early,
    catalogue=CATALOGUE_FOR_AGGREGATES,
    varied=made_for_each_other,
    operators=WITH_AGGREGATES,
    weight=16,
)
_COMPUTING: Final = Situation(
    "computing predicates",
    ordinary,
    among(0, 1, 2, 3),
    catalogue=CATALOGUE_OF_TWO_INPUTS,
    varied=with_arithmetic,
    operators=frozenset({Filter}),
    weight=24,
)
NOW_LATE: Final = Situation(
    "now, late",
    late_or_soon,
    around_late,
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
        LONG_ORDERS,
        Situation("related inputs", ordinary, anywhere, shape=RelatedInputs, operators=WITH_TWO_INPUTS, weight=2),
        Situation(
            "wide rows",
            common,
            among(0, 1),
            catalogue=CATALOGUE_OF_WIDE_ROWS,
            shape=WideRows,
            least=4,
            largest=9,
            weight=2,
        ),
        Situation(
            "many sources", ordinary, among(0, 1), catalogue=CATALOGUE_OF_MANY_SOURCES, shape=ManySources, largest=2
        ),
        Situation("long chains", often_null, among(0, 1, 2, 3), shape=LongChains, again=4, least=2),
        Situation(
            "alike texts",
            choose_text,
            among(0, 1, 2),
            catalogue=CATALOGUE_OF_TEXTS,
            shape=AlikeTexts,
            varied=mostly_of_one_family,
            least=3,
        ),
        Situation(
            "alike texts compared",
            choose_text,
            among(0, 1),
            catalogue=CATALOGUE_OF_TEXTS,
            shape=AlikeTexts,
            varied=mostly_of_one_family,
            operators=WITH_EXPRESSIONS | WITH_AGGREGATES,
            weight=2,
            least=8,
            largest=16,
            again=1,
        ),
        Situation(
            "aggregates of types",
            awkward_or_not,
            among(0, 1),
            catalogue=CATALOGUE_OF_COUNTED,
            shape=AggregatesOfTypes,
            operators=WITH_AGGREGATES,
            weight=2,
            least=4,
            largest=8,
            awkward=True,
            newer_types=True,
        ),
        Situation("on sessions", ordinary, among(0, 1, 4, 9), shape=OnSessions, below=tuple(OPERATORS)),
        Situation(
            "edges",
            at_the_edge,
            among(0, 1),
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
            soon,
            anywhere,
            catalogue=CATALOGUE_OF_INTEGERS,
            operators=ASKING,
            horizon=2 * CASE_HORIZON,
            asks_for_now=True,
        ),
        Situation(
            "now, rows that last",
            soon,
            long,
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
            soon,
            long,
            raw=False,
            least=2,
            shape=Panes,
            operators=frozenset({Filter}),
            horizon=2 * CASE_HORIZON,
            weight=6,
        ),
        Situation("now, forever", soon, endless, raw=False, operators=ASKING, asks_for_now=True),
        Situation("now, schedule", soon, anywhere, depth=2, operators=ASKING, delivery="schedule", asks_for_now=True),
        Situation(
            "functions",
            choose_argument,
            anywhere,
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
            anywhere,
            catalogue=CATALOGUE_OF_ALL_TYPES,
            shape=CallingFunctions,
            operators=WITH_CONDITIONS | {Filter},
            weight=2,
            calls_functions=True,
        ),
        Situation("schedule", ordinary, anywhere, shape=PlanGenerator, delivery="schedule", weight=2),
        Situation("disorder", ordinary, anywhere, shape=PlanGenerator, delivery="disorder", weight=2),
        replace(_CROWD, name="crowds in batches", delivery="disorder"),
        Situation(
            "types",
            awkward_or_not,
            anywhere,
            catalogue=CATALOGUE_OF_NEW_TYPES,
            shape=JoiningTypes,
            depth=2,
            weight=3,
            awkward=True,
            newer_types=True,
        ),
        Situation(
            "casts",
            choose_telling,
            anywhere,
            catalogue=CATALOGUE_OF_CASTS,
            shape=CastingMaps,
            varied=sometimes_at_the_ends,
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
            anywhere,
            catalogue=CATALOGUE_OF_CASTS,
            shape=CastingMaps,
            varied=sometimes_at_the_ends,
            operators=frozenset({Filter}),
            weight=8,
            least=4,
            largest=10,
            again=1,
            newer_types=True,
        ),
        Situation(
            "arrays and rows",
            choose_nested,
            anywhere,
            catalogue=CATALOGUE_OF_PARTS,
            shape=TakenApart,
            operators=frozenset({Filter, Distinct, Grouping}),
            weight=8,
            least=3,
            largest=8,
            newer_types=True,
            calls_functions=True,
        ),
        Situation(
            "functions of arrays and rows",
            choose_nested,
            anywhere,
            catalogue=CATALOGUE_OF_PARTS,
            shape=TakenApart,
            operators=frozenset({Map}),
            weight=48,
            least=4,
            largest=10,
            again=1,
            newer_types=True,
            calls_functions=True,
        ),
        _FEW_KEYS,
        Situation("large numbers", ordinary, anywhere, shape=LargeNumbers, around_the_plan=True, weight=8),
        replace(_FLOATS, name="floats in step", delivery="in step", operators=WITH_CONDITIONS | WITH_EXPRESSIONS),
        replace(_NUMBERS, name="numbers in step", delivery="in step", weight=12),
    )
}
