"""Temporal aggregation against the definition at every instant, and exact sums against fractions."""

import math
import sys
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equivalence.cases.random_aggregates import LONGEST, SPREAD
from equivalence.cases.strategies import intervals, rows
from physical.aggregation.segments import Segments, aggregate_segments
from physical.aggregation.timeline import MAX_ELEMENTS, given_of
from physical.columns.column import from_values
from physical.kernels.exact import MAX_LIMBS, SAFE_BASE, deposit, int_mean, rounded
from physical.kernels.types import ENDLESS, Ints
from semantics import FOREVER, ArithmeticOverflow, Interval, Multiset, Row, Schema, StreamError, Type, Value
from semantics import aggregate as agg
from semantics.expression import Ref
from semantics.ordering import SortKey
from semantics.value import identical_row

SCHEMA = Schema.of(x=int, f=float, b=bool, s=str, y=int)
X, F, B, S, Y = (Ref(i, type_) for i, type_ in enumerate(SCHEMA.types))
SYMBOLS: tuple[agg.BitSymbol, ...] = ("and", "or", "xor")
NAMES: tuple[agg.PairedName, ...] = ("covar_pop", "covar_samp", "corr")
SAFE: list[agg.Aggregate] = [
    agg.CountRows(),
    *(kind(ref) for kind in (agg.Count, agg.CountDistinct, agg.Min, agg.Max) for ref in (X, F, B, S)),
    *(kind(ref) for kind in (agg.Avg, agg.VarPop, agg.StddevPop, agg.Median) for ref in (X, F)),
    *(agg.Largest(ref, rank) for ref in (X, F, B, S) for rank in (1, 2, 3)),
    agg.Sum(F),
    agg.UserDefined(SPREAD, F),
    agg.UserDefined(LONGEST, S),
]
FURTHER: list[agg.Aggregate] = [
    *(kind(ref) for kind in (agg.VarSamp, agg.StddevSamp) for ref in (X, F)),
    *(agg.Percentile(ref, part) for ref in (X, F) for part in (Fraction(0), Fraction(1, 4), Fraction(9, 10))),
    *(agg.Percentile(ref, part, True) for ref in (X, F, B, S) for part in (Fraction(0), Fraction(2, 5), Fraction(1))),
    *(agg.Mode(ref) for ref in (X, F, B, S)),
    *(agg.Bitwise(symbol, X) for symbol in SYMBOLS),
    *(agg.Paired(name, one, other) for name in NAMES for one, other in ((X, Y), (F, X))),
    *(agg.ExtremeBy(one, by, most) for most in (True, False) for one, by in ((X, F), (F, S), (B, X), (S, F))),
    agg.Listed(S, ", "),
    agg.Listed(F, None),
    agg.OfDistinct(agg.Listed(X, None)),
    agg.Listed(S, "", (X, F), (SortKey(1, descending=True), SortKey(0), SortKey(2, nulls_last=True))),
    *(agg.CountDistinct(*columns) for columns in ((X, (S,)), (F, (B, S)))),
    *(agg.OfDistinct(kind(ref)) for kind in (agg.Avg, agg.VarPop, agg.StddevSamp, agg.Median) for ref in (X, F)),
    *(agg.OfDistinct(agg.Largest(ref, rank)) for ref in (X, F, B, S) for rank in (2, 3)),
    *(agg.OfDistinct(agg.Percentile(X, Fraction(3, 4), discrete)) for discrete in (True, False)),
    agg.OfDistinct(agg.Sum(F)),
    agg.OfDistinct(agg.Bitwise("xor", X)),
    agg.OfDistinct(agg.Paired("covar_pop", X, F)),
    agg.OfDistinct(agg.Listed(S, "-", (), (SortKey(0, descending=True),))),
    agg.OfDistinct(agg.UserDefined(LONGEST, S)),
]
"""All aggregates that never overflow, over all types that they take."""

GROUPS = 3
Element = tuple[Row, int, Interval]
Line = tuple[int, int, int, Row]
"""A start, a group, an end, and the values of aggregates."""

_ROWS_IN_GROUPS = st.tuples(rows(SCHEMA, awkward=True), st.integers(0, GROUPS - 1))
_AT_RANDOM = st.tuples(_ROWS_IN_GROUPS, intervals())
_IN_A_WINDOW = st.tuples(_ROWS_IN_GROUPS, st.integers(0, 7).map(lambda t: Interval(t, t + 3)))
ELEMENTS = st.one_of(
    st.lists(_AT_RANDOM, max_size=8), *(st.lists(kind, min_size=6, max_size=14) for kind in (_AT_RANDOM, _IN_A_WINDOW))
).map(lambda drawn: sorted(((*pair, span) for pair, span in drawn), key=lambda element: element[2].start))
FLOATS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([1e308, -1e308, sys.float_info.max, 5e-324, -5e-324, sys.float_info.min, 1.0, -1.0]),
    st.builds(math.ldexp, st.sampled_from([1, -1, 3, 2**53 - 1]), st.sampled_from([-1074, -1022, -54, -53, 0, 1, 970])),
)
"""Over all exponents, and many whose sums are halfway between two doubles."""


LIMBS = st.one_of(st.just(0), st.integers(-5, 5), st.integers(-(2**62), 2**62))


def aggregated(functions: Sequence[agg.Aggregate], elements: Sequence[Element]) -> Segments:
    columns = [from_values([row[i] for row, _, _ in elements], t) for i, t in enumerate(SCHEMA.types)]
    arguments = [
        given_of([columns[argument.index] for argument in agg.arguments_of(f) if isinstance(argument, Ref)])
        for f in functions
    ]
    ends = [ENDLESS if span.end == FOREVER else span.end for _, _, span in elements]
    groups, start, end = (
        np.array(numbers, np.int64)
        for numbers in ([group for _, group, _ in elements], [span.start for _, _, span in elements], ends)
    )
    return aggregate_segments(functions, arguments, groups, GROUPS, start, end)


def lines(segments: Segments) -> list[Line]:
    values = zip(*(column.to_values() for column in segments.columns), strict=True)
    spans = zip(segments.start.tolist(), segments.group.tolist(), segments.end.tolist(), values, strict=True)
    return [(start, group, end, identical_row(row)) for start, group, end, row in spans]


def defined(functions: Sequence[agg.Aggregate], elements: Sequence[Element]) -> list[Line]:
    """The lines that the definition gives, for every group from one of its changes to the next."""
    pieces = []
    for group in range(GROUPS):
        spans = [span for _, g, span in elements if g == group]
        bounds = sorted({span.start for span in spans} | {span.end for span in spans})
        pieces += [(int(t), group, ENDLESS if u == FOREVER else int(u)) for t, u in pairwise(bounds)]
    found = []
    for t, group, u in sorted(pieces):
        snapshot = Multiset(row for row, g, span in elements if g == group and t in span)
        if len(snapshot):
            found.append((t, group, u, identical_row(tuple(agg.aggregate(f, snapshot) for f in functions))))
    return found


def outcome(compute: Callable[[], list[Line]]) -> list[Line] | str:
    """What is computed, or the message that there is too much of it."""
    try:
        return compute()
    except ArithmeticOverflow as overflow:
        return str(overflow)


def column_of(values: Iterable[float], function: agg.Aggregate, ends: Sequence[int]) -> list[Value]:
    """One aggregate over values that enter at 0, 1, 2, … and leave at these ends, all in one group."""
    column = from_values(list(values), Type.FLOAT)
    n = len(column)
    arguments = (np.zeros(n, np.int64), 1, np.arange(n), np.array(ends, np.int64))
    return aggregate_segments([function], [column], *arguments).columns[0].to_values()


def nearest(number: Fraction) -> float:
    try:
        return float(number) + 0.0
    except OverflowError:
        return math.inf if number > 0 else -math.inf


@given(ELEMENTS)
def test_differential_every_row_is_what_the_definition_says(elements: list[Element]) -> None:
    assert lines(aggregated(SAFE, elements)) == defined(SAFE, elements)


@given(ELEMENTS)
def test_differential_every_row_of_the_further_aggregates_is_what_the_definition_says(elements: list[Element]) -> None:
    assert lines(aggregated(FURTHER, elements)) == defined(FURTHER, elements)


@given(ELEMENTS, st.permutations([agg.Sum(X), agg.Sum(Y), agg.OfDistinct(agg.Sum(X)), agg.Sum(F), agg.CountRows()]))
def test_differential_sums_of_ints_are_exact_or_raise_for_the_earliest_row(
    elements: list[Element], functions: list[agg.Aggregate]
) -> None:
    assert outcome(lambda: lines(aggregated(functions, elements))) == outcome(lambda: defined(functions, elements))


@given(ELEMENTS)
def test_oracle_rows_are_in_order_and_disjoint_in_a_group(elements: list[Element]) -> None:
    found = [(start, group, end) for start, group, end, _ in lines(aggregated([agg.CountRows()], elements))]
    assert found == sorted(found)
    for group in range(GROUPS):
        spans = [(start, end) for start, g, end in found if g == group]
        assert all(start < end for start, end in spans)
        assert all(end <= start for (_, end), (start, _) in pairwise(spans))


@given(ELEMENTS)
def test_oracle_columns_keep_their_promises(elements: list[Element]) -> None:
    for function, column in zip(SAFE, aggregated(SAFE, elements).columns, strict=True):
        assert column.type is function.type
        assert (column.words is not None) == (column.type is Type.STR)
        assert column.valid is None or not column.values[~column.valid].any()
        assert column.values.dtype == from_values([], column.type).values.dtype


@pytest.mark.parametrize("group_count", [0, 5])
def test_nothing_gives_no_rows(group_count: int) -> None:
    none = np.empty(0, np.int64)
    arguments = [None if f.argument is None else from_values([], f.argument.type) for f in SAFE]
    segments = aggregate_segments(SAFE, arguments, none, group_count, none, none)
    assert [len(column) for column in segments.columns] == [0] * len(SAFE)


def test_too_many_elements_are_refused() -> None:
    many = np.broadcast_to(np.int64(0), MAX_ELEMENTS)
    with pytest.raises(StreamError, match="aggregation: expected fewer than 1073741824 elements, got 1073741824"):
        aggregate_segments([agg.CountRows()], [None], many, 1, many, many)


def held(values: Iterable[float], removed: Iterable[float]) -> Ints:
    limbs = np.zeros(MAX_LIMBS, np.int64)
    for sign, numbers in ((1, values), (-1, removed)):
        for bits in np.array(list(numbers), np.float64).view(np.int64):
            deposit(limbs, 0, 0, bits, sign)
    return limbs


def read(limbs: Ints, divisor: int = 1) -> float:
    return rounded(limbs, 0, MAX_LIMBS, 0, divisor, np.empty(MAX_LIMBS + 1, np.int64))


@given(
    st.lists(LIMBS, min_size=3, max_size=6),
    st.one_of(st.just(0), st.integers(SAFE_BASE, SAFE_BASE + 40), st.integers(SAFE_BASE, 2045)),
    st.one_of(st.integers(1, 9), st.integers(1, 2**30)),
)
def test_oracle_a_number_is_rounded_once(limbs: list[int], base: int, divisor: int) -> None:
    exact = sum(limb * 2 ** (32 * place) for place, limb in enumerate(limbs)) * Fraction(2) ** (base - 1074)
    number = (np.array(limbs), 0, len(limbs), base)
    for by in (1, divisor):
        assert str(float(rounded(*number, by, np.empty(9, np.int64)))) == str(nearest(exact / by))


@given(st.lists(FLOATS), st.lists(FLOATS), st.integers(1, 2**30))
def test_oracle_a_number_is_the_sum_of_what_was_not_removed(kept: list[float], gone: list[float], divisor: int) -> None:
    limbs = held([*kept, *gone], gone)
    exact = sum(map(Fraction, kept), Fraction(0))
    assert read(limbs) == nearest(exact)
    assert read(limbs, divisor) == nearest(exact / divisor)


@given(st.lists(FLOATS), st.lists(FLOATS))
def test_oracle_a_number_forgets_what_was_removed(kept: list[float], gone: list[float]) -> None:
    assert (held([*gone, *kept], gone) == held(kept, [])).all()


@given(st.integers(-(2**93), 2**93), st.integers(1, 2**30))
def test_oracle_a_mean_of_ints_is_rounded_once(total: int, count: int) -> None:
    assert int_mean(total >> 32, total & (2**32 - 1), count, np.empty(3, np.int64)) == nearest(Fraction(total, count))


@given(st.lists(st.tuples(FLOATS, st.integers(1, 6)), max_size=20))
def test_oracle_sums_and_means_stay_exact_while_values_come_and_go(drawn: list[tuple[float, int]]) -> None:
    values, lengths = [value for value, _ in drawn], [length for _, length in drawn]
    ends = [t + length for t, length in enumerate(lengths)]
    instants = sorted({*range(len(values)), *ends})
    present = [[Fraction(v) for s, v in enumerate(values) if s <= t < ends[s]] for t in instants]
    sums = [(sum(numbers), len(numbers)) for numbers in present if numbers]
    assert column_of(values, agg.Sum(F), ends) == [nearest(Fraction(total)) for total, _ in sums]
    assert column_of(values, agg.Avg(F), ends) == [nearest(Fraction(total) / n) for total, n in sums]


@pytest.mark.parametrize("exponent", range(-1074, -1068))
@pytest.mark.parametrize("count", [3, 5, 7, 100])
def test_means_with_fewer_bits_than_their_values(exponent: int, count: int) -> None:
    for mantissa in range(2**52, 2**52 + 20):
        values = [math.ldexp(mantissa, exponent), *[0.0] * (count - 1)]
        assert column_of(values, agg.Avg(F), [count] * count)[-1] == nearest(Fraction(values[0]) / count)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("spread", [0, 20, 300])
def test_sums_are_those_of_fsum(seed: int, spread: int) -> None:
    random = np.random.default_rng(seed)
    values = random.normal(size=500) * 2.0 ** random.integers(-spread, spread + 1, 500)
    ends = np.arange(500) + (40 if seed % 2 else random.integers(1, 80, 500))
    instants = np.union1d(np.arange(500), ends)
    present = [values[(np.arange(500) <= t) & (t < ends)] for t in instants]
    assert column_of(values.tolist(), agg.Sum(F), ends.tolist()) == [math.fsum(some) for some in present if len(some)]


@pytest.mark.parametrize("seed", range(4))
def test_many_values_in_order(seed: int) -> None:
    """Heaps, queues and trees of some size."""
    random = np.random.default_rng(seed)
    values = random.integers(0, 60, 300)
    ends = np.arange(300) + (50 if seed % 2 else random.integers(1, 100, 300))
    elements = [
        ((int(v), None, None, None, 0), int(t) % 2, Interval(int(t), int(end)))
        for t, (v, end) in enumerate(zip(values, ends, strict=True))
    ]
    functions: list[agg.Aggregate] = [
        agg.Min(X),
        agg.Max(X),
        agg.Median(X),
        agg.Largest(X, 7),
        agg.CountDistinct(X),
        agg.Avg(X),
    ]
    assert lines(aggregated(functions, elements)) == defined(functions, elements)


@pytest.mark.parametrize(
    ("values", "total"),
    [
        ([1e308, 1.0, -1e308], 1.0),
        ([1e308, 1e308, -1e308], 1e308),
        ([1e308, 1e308], math.inf),
        ([-1e308, -1e308], -math.inf),
        ([sys.float_info.max, 2.0**969], sys.float_info.max),
        ([sys.float_info.max, 2.0**970], math.inf),
        ([1.0, 2.0**-53], 1.0),
        ([1.0, 2.0**-53, 5e-324], 1.0 + 2.0**-52),
        ([1.0, 5e-324, -1.0], 5e-324),
        ([0.1] * 10, 1.0),
        ([math.inf, -1e308], math.inf),
        ([math.inf, 1.0, -math.inf], math.nan),
        ([math.nan, math.inf], math.nan),
    ],
)
def test_cancellation_and_corners(values: list[float], total: float) -> None:
    """The sum when all have entered, and again when others have come and gone."""
    late = len(values)
    ends = [late + 1] * len(values)
    (*_, last) = column_of([*values[::-1]], agg.Sum(F), ends)
    assert identical_row((last,)) == identical_row((total,))
    visited = column_of([math.inf, math.nan, -1e308, *values], agg.Sum(F), [1, 2, 3, *[late + 9] * late])
    assert identical_row((visited[-1],)) == identical_row((total,))


@pytest.mark.parametrize(
    ("values", "middle"),
    [
        ([sys.float_info.max, sys.float_info.max], sys.float_info.max),
        ([sys.float_info.max, 2.0**970], nearest(Fraction(sys.float_info.max) / 2 + 2**969)),
        ([0.0, -5e-324], 0.0),
        ([5e-324, 1e-323], 1e-323),
        ([math.inf, -math.inf], math.nan),
        ([1.0, math.nan], math.nan),
    ],
)
def test_medians_between_two_values(values: list[float], middle: float) -> None:
    found = column_of(values, agg.Median(F), [9, 9])[-1]
    assert identical_row((found,)) == identical_row((middle,))
    assert found != 0.0 or math.copysign(1, found) == 1
