"""Aggregates: the definition over a multiset against init/merge/eval, and the corners."""

import math
from decimal import Decimal
from fractions import Fraction
from typing import cast

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from equivalence.cases.strategies import aggregates, rows
from semantics import (
    AggregateFunction,
    ArithmeticOverflow,
    DayInterval,
    Multiset,
    Row,
    Schema,
    Scope,
    Type,
    TypeMismatch,
    Value,
    decimal,
)
from semantics import aggregate as agg
from semantics.expression import Comparison, Constant, Ref, holds
from semantics.ordering import SortKey
from semantics.partial_aggregate import partial
from semantics.value import identical

SCHEMA = Schema.of(x=int, f=float, s=str)
X, F, T = Ref(0, Type.INT), Ref(1, Type.FLOAT), Ref(2, Type.STR)
INF = math.inf


def over(function: agg.Aggregate, *values: Value) -> Value:
    """The aggregate of these values of the first column."""
    return agg.aggregate(function, Multiset([(value,) for value in values]))


def folded(function: agg.Aggregate, values: list[Value]) -> Value:
    state = partial(function).init(values[0])
    for value in values[1:]:
        state = partial(function).merge(state, value)
    return partial(function).eval(state)


@given(st.data(), aggregates(Scope(SCHEMA), awkward=True), st.lists(rows(SCHEMA, awkward=True), min_size=1, max_size=6))
def test_differential_partial_aggregates_give_the_definition(
    data: st.DataObject, function: agg.Aggregate, drawn: list[Row]
) -> None:
    """Whatever the order in which values are merged."""
    snapshot = Multiset(drawn)
    try:
        expected = agg.aggregate(function, snapshot)
        values = [None] * len(snapshot) if function.argument is None else agg.taken(function, snapshot)
        if not values:
            return
        got = folded(function, data.draw(st.permutations(values)))
    except ArithmeticOverflow:
        reject()
    assert (identical(got),) == (identical(expected),)


@pytest.mark.parametrize(
    ("function", "empty"),
    [
        (agg.CountRows(), 0),
        (agg.Count(X), 0),
        (agg.CountDistinct(X), 0),
        *((kind(X), None) for kind in (agg.Sum, agg.Avg, agg.Min, agg.Max, agg.VarPop, agg.StddevPop, agg.Median)),
        (agg.Largest(X, 1), None),
    ],
)
def test_over_nothing(function: agg.Aggregate, empty: Value) -> None:
    assert over(function) == empty
    assert over(function, None, None) == (2 if function == agg.CountRows() else empty)


def test_a_sum_overflows_only_if_the_total_does() -> None:
    big = 2**63 - 1
    assert over(agg.Sum(X), big, big, -big, -1) == big - 1
    with pytest.raises(ArithmeticOverflow, match="SUM must fit into 64 bits, got 9223372036854775808"):
        over(agg.Sum(X), big, 1)


def test_an_average_of_ints_never_overflows() -> None:
    assert over(agg.Avg(X), 2**63 - 1, 2**63 - 1) == float(2**63 - 1)


def test_floats_are_summed_exactly_and_rounded_once() -> None:
    f = Ref(0, Type.FLOAT)
    assert over(agg.Sum(f), 1e16, 1.0, -1e16) == 1.0
    assert over(agg.Sum(f), *[0.1] * 10) == 1.0
    assert over(agg.Avg(f), 1e308, 1e308) == 1e308
    assert over(agg.Sum(f), 1e308, 1e308) == INF
    assert over(agg.Sum(f), -1e308, -1e308) == -INF
    assert over(agg.Median(f), 1e308, 1.5e308) == 1.25e308


@pytest.mark.parametrize("kind", [agg.Sum, agg.Avg])
@pytest.mark.parametrize(
    ("values", "expected"),
    [((INF, 1.0), INF), ((-INF, INF), math.nan), ((math.nan, INF), math.nan), ((-INF, -INF), -INF)],
)
def test_infinities_and_nan_in_sums(kind: type[agg.Sum | agg.Avg], values: tuple[float, ...], expected: float) -> None:
    assert (identical(over(kind(Ref(0, Type.FLOAT)), *values)),) == (identical(expected),)


def test_nan_is_the_maximum_and_never_the_minimum() -> None:
    f = Ref(0, Type.FLOAT)
    assert math.isnan(float(cast(float, over(agg.Max(f), math.nan, INF))))
    assert over(agg.Min(f), math.nan, INF) == INF
    assert math.isnan(float(cast(float, over(agg.VarPop(f), math.nan, 1.0))))


def test_the_variance_of_far_away_values_is_not_cancelled() -> None:
    assert over(agg.VarPop(Ref(0, Type.FLOAT)), 1e9 + 1, 1e9 + 2, 1e9 + 3) == 2 / 3
    assert over(agg.StddevPop(X), 2, 4) == 1.0


def test_top_counts_duplicates() -> None:
    assert [over(agg.Largest(X, rank), 5, 3, 5, None) for rank in (1, 2, 3, 4)] == [5, 5, 3, None]


def test_average_as_in_example_13() -> None:
    average = AggregateFunction(
        "average",
        Type.FLOAT,
        Type.FLOAT,
        init=lambda e: (e, 1),
        merge=lambda state, e: (state[0] + e, state[1] + 1),
        eval=lambda state: state[0] / state[1],
    )
    assert over(agg.UserDefined(average, X), 1, 2, None, 6) == 3.0
    assert over(agg.UserDefined(average, X), None) is None


FURTHER = [
    agg.VarSamp(X),
    agg.StddevSamp(X),
    agg.Percentile(X, Fraction(1, 2)),
    agg.Percentile(X, Fraction(1, 2), discrete=True),
    agg.Mode(X),
    agg.Bitwise("and", X),
    agg.Paired("corr", X, X),
    agg.ExtremeBy(X, X, greatest=True),
    agg.Listed(X, None),
    agg.OfDistinct(agg.Sum(X)),
]


@pytest.mark.parametrize("function", FURTHER, ids=lambda function: agg.name_of(function))
def test_further_aggregates_over_nothing_are_null(function: agg.Aggregate) -> None:
    assert over(function) is None
    assert over(function, None, None) is None


def test_a_median_is_the_percentile_in_the_middle() -> None:
    middle = agg.Percentile(X, Fraction(1, 2))
    for values in ([1], [1, 2], [5, 1, 2], [4, 1, 2, 9]):
        assert over(middle, *values) == over(agg.Median(X), *values)


def test_percentiles_between_infinities_are_nan() -> None:
    f = Ref(0, Type.FLOAT)
    quarter = agg.Percentile(f, Fraction(1, 4))
    assert over(quarter, 1.0, INF) == INF
    assert math.isnan(cast(float, over(quarter, -INF, INF)))


def test_distinct_has_one_form_for_each_aggregate() -> None:
    assert agg.of_distinct(agg.Count(X)) == agg.CountDistinct(X)
    assert agg.of_distinct(agg.Min(X)) == agg.Min(X)
    assert agg.of_distinct(agg.Bitwise("or", X)) == agg.Bitwise("or", X)
    once = agg.of_distinct(agg.Sum(X))
    assert agg.of_distinct(once) == once == agg.OfDistinct(agg.Sum(X))


def test_a_list_is_in_normal_form() -> None:
    plain = agg.Listed(T, ",")
    assert agg.Listed(T, ",", (T,), (SortKey(1),)) == plain
    assert agg.Listed(T, ",", (T, X), (SortKey(1), SortKey(2))) == plain
    assert agg.Listed(T, ",", (X, X), (SortKey(1), SortKey(2, descending=True))) == agg.Listed(
        T, ",", (X,), (SortKey(1),)
    )
    assert agg.Listed(T, ",", (T,), (SortKey(1, descending=True),)).order == (SortKey(0, descending=True),)


@given(aggregates(Scope(SCHEMA), awkward=True), st.lists(rows(SCHEMA, awkward=True), max_size=6))
def test_differential_a_filter_leaves_out_rows(function: agg.Aggregate, drawn: list[Row]) -> None:
    """FILTER (WHERE x > 0) is the aggregate over the rows for which it is true, if there are any."""
    positive = Comparison(">", X, Constant(0, Type.INT))
    kept = [row for row in drawn if holds(positive, row)]
    try:
        expected = agg.aggregate(function, Multiset(kept))
    except ArithmeticOverflow:
        reject()
    assert (identical(agg.aggregate(agg.filtered(function, positive), Multiset(drawn))),) == (identical(expected),)


SPAN, PRICE = Ref(0, Type.DAY_INTERVAL), Ref(0, decimal(5, 2))


def test_sums_and_averages_keep_the_kind_of_their_argument() -> None:
    second = DayInterval("0 00:00:01")
    assert repr(over(agg.Sum(SPAN), second, second, None)) == "DayInterval('0 00:00:02')"
    assert repr(over(agg.Avg(SPAN), second, DayInterval(0), DayInterval(0))) == "DayInterval('0 00:00:00.333333')"
    assert repr(over(agg.Sum(PRICE), Decimal("999.99"), Decimal("0.01"))) == "Decimal('1000.00')"
    assert repr(over(agg.Avg(PRICE), Decimal("1.00"), Decimal("0.00"), Decimal("0.00"))) == "Decimal('0.333333')"
    with pytest.raises(ArithmeticOverflow, match="SUM must fit into 64 bits"):
        over(agg.Sum(SPAN), DayInterval(2**63 - 1), DayInterval(1))


@pytest.mark.parametrize("function", [agg.Sum, agg.Avg, agg.VarPop, agg.Median])
def test_what_cannot_be_added_is_refused(function: type[agg.Sum | agg.Avg | agg.VarPop | agg.Median]) -> None:
    with pytest.raises(TypeMismatch, match="argument must be INT or FLOAT, got STR"):
        function(T)


PAIRS: list[tuple[agg.Aggregate, list[Row], Value]] = [
    (agg.Paired("corr", X, F), [(1, 2.0, ""), (2, 4.0, ""), (3, 6.0, "")], 1.0),
    (agg.Paired("corr", X, F), [(1, 6.0, ""), (2, 4.0, ""), (3, 2.0, "")], -1.0),
    (agg.Paired("corr", X, F), [(1, 5.0, ""), (2, 5.0, "")], None),
    (agg.Paired("corr", X, F), [(1, 5.0, ""), (2, INF, "")], math.nan),
    (agg.Paired("covar_pop", X, F), [(1, 2.0, ""), (3, 6.0, "")], 2.0),
    (agg.Paired("covar_samp", X, F), [(1, 2.0, ""), (3, 6.0, "")], 4.0),
    (agg.Paired("covar_samp", X, F), [(1, 2.0, ""), (3, None, "")], None),
    (agg.VarSamp(X), [(1, None, ""), (3, None, "")], 2.0),
    (agg.VarSamp(X), [(7, None, "")], None),
    (agg.StddevSamp(X), [(1, None, ""), (1, None, ""), (4, None, "")], math.sqrt(3.0)),
    (agg.CountDistinct(X, (F,)), [(1, 2.0, ""), (1, 2.0, ""), (1, 3.0, ""), (1, None, "")], 2),
    (agg.CountDistinct(X), [(1, 2.0, ""), (1, 3.0, ""), (2, None, "")], 2),
    (agg.ExtremeBy(T, X, greatest=False), [(1, None, "b"), (1, None, "a"), (None, None, "c")], "a"),
    (agg.ExtremeBy(T, X, greatest=True), [(1, None, "b"), (1, None, "a"), (0, None, "z")], "b"),
    (agg.Mode(X), [(2, None, ""), (1, None, ""), (2, None, ""), (1, None, "")], 1),
    (agg.Percentile(X, Fraction(1, 4)), [(1, None, ""), (2, None, ""), (4, None, "")], 1.5),
    (agg.Percentile(X, Fraction(1, 4), discrete=True), [(1, None, ""), (2, None, ""), (4, None, "")], 1),
    (agg.Bitwise("xor", X), [(5, None, ""), (5, None, ""), (6, None, "")], 6),
    (agg.OfDistinct(agg.Bitwise("xor", X)), [(5, None, ""), (5, None, ""), (6, None, "")], 3),
    (
        agg.Listed(T, "-", (X,), (SortKey(1, descending=True),)),
        [(1, None, "a"), (3, None, "b"), (2, None, "c")],
        "b-c-a",
    ),
]


@pytest.mark.parametrize(("function", "drawn", "expected"), PAIRS)
def test_aggregates_by_hand_and_in_parts(function: agg.Aggregate, drawn: list[Row], expected: Value) -> None:
    snapshot = Multiset(drawn)
    assert (identical(agg.aggregate(function, snapshot)),) == (identical(expected),)
    assert (identical(folded(function, agg.taken(function, snapshot))),) == (identical(expected),)


def test_what_every_engine_is_expected_to_know() -> None:
    assert agg.is_basic(agg.CountDistinct(X))
    assert not agg.is_basic(agg.CountDistinct(X, (F,)))
    assert not agg.is_basic(agg.VarSamp(X))


@pytest.mark.parametrize(
    "function", [agg.Sum(X), agg.Listed(T, ","), agg.Paired("corr", X, F), agg.Percentile(X, Fraction(1))]
)
def test_a_filter_of_nothing_leaves_nothing(function: agg.Aggregate) -> None:
    never = Constant(False, Type.BOOL)
    assert agg.aggregate(agg.filtered(function, never), Multiset([(1, 2.0, "a"), (2, 3.0, "b")])) is None
