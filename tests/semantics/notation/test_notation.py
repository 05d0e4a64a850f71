"""parse(show(x)) == x, for everything that can be shown; and on one line."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equivalence.cases.random_aggregates import AGGREGATE_FUNCTIONS
from equivalence.cases.random_cases import CASE_HORIZON
from equivalence.cases.random_expressions import SCALAR_FUNCTIONS
from equivalence.cases.strategies import expressions, plans, schemas, streams
from semantics import (
    FOREVER,
    AggregateFunction,
    Column,
    Expression,
    Interval,
    Multiset,
    NotationError,
    Plan,
    RawStream,
    Row,
    ScalarFunction,
    Schema,
    Scope,
    Stream,
    Type,
    parse,
    parse_expression,
    parse_plan,
    raw_to_physical,
    show,
    show_expression,
    source,
    to_logical,
)
from semantics.aggregate import UserDefined
from semantics.expression import Call, Constant, Negation, Ref
from semantics.plan import Aggregation, Map, Source
from semantics.types import BASIC_TYPES

KNOWN: dict[str, ScalarFunction | AggregateFunction] = {**SCALAR_FUNCTIONS, **AGGREGATE_FUNCTIONS}
ANY_VALUE = st.one_of(st.none(), st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False), st.text())
ANY_NAME = st.text(min_size=1, max_size=5)
ANY_SCHEMA = st.lists(
    st.tuples(ANY_NAME, st.sampled_from(BASIC_TYPES)), min_size=1, max_size=4, unique_by=lambda c: c[0]
).map(lambda columns: Schema(tuple(Column(*column) for column in columns)))
SCOPE = Scope(Schema.of(x=int, f=float, b=bool), Schema.of(x=int, s=str))


def one_line(text: str) -> str:
    assert len(text.splitlines()) == 1
    return text


@given(plans(awkward=True))
def test_plans_read_back(plan: Plan) -> None:
    assert parse(one_line(show(plan)), KNOWN) == plan
    assert parse_plan(show(plan), KNOWN) == plan


@given(st.sampled_from(BASIC_TYPES).flatmap(lambda type_: expressions(SCOPE, type_, depth=4, awkward=True)))
def test_expressions_read_back(expression: Expression) -> None:
    assert parse(one_line(show(expression)), KNOWN) == expression
    assert parse_expression(one_line(show_expression(expression, SCOPE)), SCOPE, KNOWN) == expression


@given(schemas().flatmap(partial(streams, awkward=True)))
def test_streams_read_back(stream: Stream) -> None:
    assert parse(one_line(show(stream))) == stream
    logical = to_logical(stream, CASE_HORIZON)
    assert parse(one_line(show(logical))) == logical


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(1, 50)), max_size=4))
def test_many_copies_in_a_row_are_counted(runs: list[tuple[int, int]]) -> None:
    raw = RawStream(Schema.of(x=int), [((x,), 7) for x, n in runs for _ in range(n)])
    assert show(raw).count("@") <= 3 * max(len(runs), 1)
    assert parse(one_line(show(raw))) == raw
    lasting = raw_to_physical(raw)
    assert parse(one_line(show(lasting))) == lasting


@given(st.lists(ANY_VALUE, min_size=1, max_size=4).map(tuple))
def test_rows_and_multisets_read_back(row: Row) -> None:
    assert parse(one_line(show(row))) == row
    assert parse(one_line(show(Multiset({row: 2})))) == Multiset({row: 2})


@given(ANY_SCHEMA, ANY_NAME)
def test_any_name_reads_back(schema: Schema, name: str) -> None:
    plan = Source(name, schema)
    assert parse(one_line(show(plan))) == plan
    assert parse(one_line(show(schema))) == schema
    assert parse(show(Map(plan, (Ref(0, schema.types[0]),), (name,)))).names == (name,)


def test_nan_reads_back_as_nan() -> None:
    assert parse("{(nan)}") == Multiset([(float("nan"),)])


def test_functions_with_awkward_names_read_back() -> None:
    scalar = ScalarFunction("case", (Type.INT,), Type.INT, abs)
    aggregate = AggregateFunction("sum", Type.INT, Type.INT, init=int, merge=max, eval=int)
    plan = source("S", x=int).plan
    used = Aggregation(plan, (UserDefined(aggregate, Call(scalar, (Ref(0, Type.INT),))),), ("y",))
    assert show(used) == 'S(x int) | aggregate("sum"("case"(x)) as y)'
    assert parse(show(used), {"case": scalar, "sum": aggregate}) == used


def test_a_minus_before_a_number_is_part_of_it() -> None:
    assert parse("-1") == Constant(-1, Type.INT)
    assert parse("-(1)") == Negation(Constant(1, Type.INT))
    assert parse("-9223372036854775808") == Constant(-(2**63), Type.INT)


@pytest.mark.parametrize(
    ("sugar", "plain"),
    [
        ("x between 1 and 2", "x >= 1 and x <= 2"),
        ("x is not null", "not x is null"),
        ("x is not distinct from y", "not x is distinct from y"),
        ("x not in (1, 2)", "not x in (1, 2)"),
        ("X_ not like 'a%'", "not X_ like 'a%'"),
        ("x not between 1 and 2", "not (x >= 1 and x <= 2)"),
        ("NOT x > 1 AND y IS NULL", "not x > 1 and y is null"),
        ("x != 1", "x <> 1"),
    ],
)
def test_longer_words_mean_the_same(sugar: str, plain: str) -> None:
    scope = Scope(Schema.of(x=int, y=int, X_=str))
    assert parse_expression(sugar, scope) == parse_expression(plain, scope)
    assert show_expression(parse_expression(sugar, scope), scope) == plain


def test_parentheses_stand_only_where_needed() -> None:
    scope = Scope(Schema.of(x=int, y=int))
    for text in ["x + y * 2", "(x + y) * 2", "x - (y - 1)", "x - y - 1", "not (x = 1 or y = 2)", "-(x) mod 3"]:
        assert show_expression(parse_expression(text, scope), scope) == text


@pytest.mark.parametrize(
    "text",
    [
        "S(x int, s str) | window(partition by s session 5 touching as a, b)",
        "S(x int) | over(first(x) rows 3 as a, last(x) range unbounded as b, row_number() as c)",
        "S(x int) | over(rank() as a, dense_rank() as b; x)",
        "S(x int) | over(sum(distinct x) range 4 as a, lag(x, 2) as b, lead(x, 1) as c per x; x desc nulls last)",
        "S(x int, f float) | aggregate(percentile_disc(x, 0.25) as a, percentile_cont(f, 0.125) as b, corr(x, f) as c)",
    ],
)
def test_a_plan_is_shown_as_it_was_written(text: str) -> None:
    assert show(parse_plan(text)) in (text, text.replace(" nulls last", ""))


def test_an_interval_is_shown_as_in_a_stream() -> None:
    assert [show(Interval(3, 5)), show(Interval(3, FOREVER))] == ["[3,5)", "[3,∞)"]


def test_a_snapshot_may_be_empty() -> None:
    assert parse("logical(x int) to 3: 1{} 2{(7)}") == parse("logical(x int) to 3: 2{(7)}")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("date '2024-02-30'", "column 6: expected a date (there is no day '2024-02-30'"),
        ("decimal(5, 2) 'much'", "column 15: expected a decimal(5, 2) (expected a number such as 12.50, got 'much')"),
        ("decimal 'much'", "expected a decimal (expected a number such as 12.50"),
        ("decimal(5, 2) 7", "expected a text in single quotes"),
        ("raw(d date): (day '2024-01-01')@0", "expected a value, such as one of timestamp, date"),
        ("null:money", "expected a type: int, float"),
        ("S(x int) | filter(x ! 3)", "column 21: expected an operator or ')', got '!'"),
        ("join(S(x int), T(y int); x y)", "column 28: expected an operator or ')', got 'y'"),
    ],
)
def test_a_text_that_is_no_value_is_told_why(text: str, problem: str) -> None:
    with pytest.raises(NotationError) as error:
        parse(text)
    assert problem in str(error.value)


def test_a_decimal_may_have_no_digits_behind_the_point() -> None:
    assert parse("null:decimal(5)") == parse("null:decimal(5, 0)")
