"""Hypothesis strategies for schemas, rows, streams, expressions, plans, whole cases and schedules.

They are the generators of this room with Hypothesis to make the choices, and the only module of the room that needs it.
"""

from functools import cache

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from equivalence.cases.choices import Choices
from equivalence.cases.random_aggregates import choose_aggregate
from equivalence.cases.random_cases import CASE_HORIZON, Case, choose_case
from equivalence.cases.random_expressions import ExpressionGenerator
from equivalence.cases.random_plans import CATALOGUE, OPERATORS, Catalogue, PlanGenerator
from equivalence.cases.random_rows import RowGenerator, choose_row, choose_schema, choose_value
from equivalence.cases.random_streams import (
    HORIZON,
    choose_interval,
    choose_interval_stream,
    choose_raw_stream,
    choose_stream,
)
from equivalence.cases.schedules import Schedule, choose_schedule
from semantics import Expression, Interval, IntervalStream, Plan, RawStream, Row, Schema, Scope, Stream, Type, Value
from semantics.aggregate import Aggregate
from semantics.evaluate import Planned
from semantics.types import BASIC_TYPES

__all__ = [
    "CASE_HORIZON",
    "CATALOGUE",
    "HORIZON",
    "OPERATORS",
    "Case",
    "aggregates",
    "cases",
    "expressions",
    "interval_streams",
    "intervals",
    "plans",
    "plans_with_root",
    "predicates",
    "raw_streams",
    "rows",
    "schedules",
    "schemas",
    "streams",
    "types",
    "values",
]


class HypothesisChoices(Choices):
    """Choices that Hypothesis makes, and makes smaller when a test fails."""

    def __init__(self, draw: DrawFn) -> None:
        self._draw = draw

    def below(self, n: int) -> int:
        return self._draw(_numbers(n)) if n > 1 else 0


@cache
def _numbers(n: int) -> SearchStrategy[int]:
    return st.integers(0, n - 1)


def types() -> SearchStrategy[Type]:
    """A type of column."""
    return st.sampled_from(BASIC_TYPES)


@st.composite
def values(draw: DrawFn, type_: Type, *, awkward: bool = False) -> Value:
    """A value of this type, sometimes NULL."""
    return choose_value(HypothesisChoices(draw), type_, awkward)


@st.composite
def rows(draw: DrawFn, schema: Schema, *, awkward: bool = False) -> Row:
    """A row of this schema."""
    return choose_row(HypothesisChoices(draw), schema, awkward)


@st.composite
def schemas(draw: DrawFn, *, max_columns: int = 3) -> Schema:
    """A schema with at least one column."""
    return choose_schema(HypothesisChoices(draw), max_columns)


@st.composite
def intervals(draw: DrawFn) -> Interval:
    """An interval, mostly short, sometimes without end."""
    return choose_interval(HypothesisChoices(draw))


@st.composite
def raw_streams(draw: DrawFn, schema: Schema, *, max_size: int = 8, awkward: bool = False) -> RawStream:
    """A stream of rows at instants."""
    choices = HypothesisChoices(draw)
    return choose_raw_stream(choices, schema, max_size, RowGenerator(choices, awkward))


@st.composite
def interval_streams(draw: DrawFn, schema: Schema, *, max_size: int = 8, awkward: bool = False) -> IntervalStream:
    """A stream of rows with validity intervals."""
    choices = HypothesisChoices(draw)
    return choose_interval_stream(choices, schema, max_size, RowGenerator(choices, awkward))


@st.composite
def streams(draw: DrawFn, schema: Schema, *, max_size: int = 8, awkward: bool = False) -> Stream:
    """A raw or an interval stream."""
    choices = HypothesisChoices(draw)
    return choose_stream(choices, schema, max_size, RowGenerator(choices, awkward))


@st.composite
def expressions(draw: DrawFn, scope: Scope, type_: Type, *, depth: int = 2, awkward: bool = False) -> Expression:
    """An expression of this type over these columns."""
    return ExpressionGenerator(HypothesisChoices(draw), scope, awkward).of(type_, depth)


def predicates(scope: Scope, *, depth: int = 2, awkward: bool = False) -> SearchStrategy[Expression]:
    """An expression that a filter or a join may have."""
    return expressions(scope, Type.BOOL, depth=depth, awkward=awkward)


@st.composite
def aggregates(draw: DrawFn, scope: Scope, *, awkward: bool = False) -> Aggregate:
    """Any aggregate over these columns."""
    return choose_aggregate(HypothesisChoices(draw), scope, awkward)


@st.composite
def plans(draw: DrawFn, catalogue: Catalogue = CATALOGUE, *, depth: int = 3, awkward: bool = False) -> Plan:
    """A plan over the sources of a catalogue, nested at most this deep."""
    return PlanGenerator(HypothesisChoices(draw), catalogue, awkward).plan(depth)


@st.composite
def plans_with_root(
    draw: DrawFn, root: type[Plan], catalogue: Catalogue = CATALOGUE, *, depth: int = 2, awkward: bool = False
) -> Plan:
    """A plan whose topmost operator is of this kind."""
    return PlanGenerator(HypothesisChoices(draw), catalogue, awkward).rooted(root, depth)


@st.composite
def cases(draw: DrawFn, plan: Planned, *, max_size: int = 8, awkward: bool = False) -> Case:
    """Streams for every source of a plan."""
    return choose_case(HypothesisChoices(draw), plan.plan.sources(), max_size=max_size, awkward=awkward)


@st.composite
def schedules(draw: DrawFn, case: Case, *, slack: int = 0) -> Schedule:
    """A way in which the streams of a case may reach an engine that runs for long."""
    return choose_schedule(HypothesisChoices(draw), case, slack=slack)
