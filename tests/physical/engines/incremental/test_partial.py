"""Partial results: whatever the basic windows, their merged parts are the aggregates of all rows."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from physical.columns.column import from_values, rows
from physical.engines.incremental.expiring_rows import ExpiringRows, together
from physical.engines.incremental.finish_aggregates import finished
from physical.engines.incremental.live_rows import LiveRows
from physical.engines.incremental.partial import PartialResult, merged, part_of, whatever_lifetime
from physical.engines.incremental.partial_layout import PartialLayout
from physical.kernels.partial_aggregates import exact_parts
from semantics import Multiset, Type
from semantics import aggregate as agg
from semantics.expression import Ref
from semantics.value import Row

X, F = Ref(1, Type.INT), Ref(2, Type.FLOAT)
AGGREGATES = (
    agg.CountRows(), agg.Count(X), agg.Sum(X), agg.Avg(X), agg.Min(X), agg.Max(F), agg.CountDistinct(F), agg.Sum(F),
    agg.Avg(F), agg.Median(X), agg.VarPop(F), agg.StddevPop(X), agg.Largest(X, 2),
)  # fmt: skip
LAYOUT = PartialLayout.of(1, AGGREGATES)
FLOATS = st.floats(allow_nan=True, allow_infinity=True)
ROWS = st.tuples(st.integers(0, 2), st.none() | st.integers(-(2**62), 2**62), st.none() | FLOATS)
TYPES = (Type.INT, Type.INT, Type.FLOAT)


def batch(given_rows: list[Any], end: int) -> ExpiringRows:
    columns = [from_values([row[i] for row in given_rows], t) for i, t in enumerate(TYPES)]
    return ExpiringRows(tuple(columns), len(given_rows), end)


def shown(value: object) -> str:
    """Zero has one sign, and NaN equals NaN."""
    return str(value + 0.0) if isinstance(value, float) else str(value)


@given(st.lists(st.lists(ROWS, min_size=1, max_size=6), min_size=1, max_size=4))
@settings(max_examples=150, deadline=None)
def test_merged_parts_are_the_aggregates_of_all_rows(basic_windows: list[list[Any]]) -> None:
    everything = [row for window in basic_windows for row in window]
    assume(all(abs(sum(row[1] or 0 for row in everything if row[0] == key)) < 2**63 for key in range(3)))
    parts = [part_of(LAYOUT, [0], batch(window, end)) for end, window in enumerate(basic_windows)]
    details = tuple(together([part.details[i] for part in parts]) for i in range(len(LAYOUT.details)))
    whole = merged(LAYOUT, PartialResult(together([part.summary for part in parts]), details), whatever_lifetime)
    got = rows([whole.summary.columns[0], *finished(LAYOUT, AGGREGATES, whole)])
    for key, *values in got:
        snapshot = Multiset(row for row in everything if row[0] == key)
        expected = [agg.aggregate(function, snapshot) for function in AGGREGATES]
        assert list(map(shown, values)) == list(map(shown, expected))
    assert len(got) == len({row[0] for row in everything})


@given(st.lists(st.tuples(st.integers(0, 2), FLOATS), max_size=12))
@settings(max_examples=200, deadline=None)
def test_exact_parts_are_few_and_lose_nothing(values: list[tuple[int, float]]) -> None:
    groups, numbers = np.array([g for g, _ in values], np.int64), np.array([v for _, v in values], np.float64)
    owner, parts = exact_parts(groups, 3, numbers)
    assert len(parts) <= len(values)
    for group in range(3):
        own, kept = numbers[groups == group], parts[owner == group]
        finite = [sum(map(Fraction, array[np.isfinite(array)].tolist())) for array in (own, kept)]
        assert finite[0] == finite[1]
        special = [sorted(map(str, array[~np.isfinite(array)].tolist())) for array in (own, kept)]
        assert special[0] == special[1]


def test_a_million_small_floats_are_few_parts() -> None:
    numbers = np.full(10**6, 0.1)
    owner, parts = exact_parts(np.zeros(10**6, np.int64), 1, numbers)
    assert len(parts) <= 3
    assert math.fsum(parts.tolist()) == math.fsum(numbers.tolist())
    assert owner.tolist() == [0] * len(parts)


WORDS = st.lists(st.none() | st.sampled_from("abcdef"), max_size=4)
STEPS = st.lists(st.tuples(WORDS, st.integers(0, 12), st.integers(0, 3)), max_size=12)


@given(STEPS)
@settings(max_examples=200, deadline=None)
def test_a_basket_holds_what_has_not_expired(steps: list[tuple[list[str | None], int, int]]) -> None:
    """In lockstep with a list; what was shown before is never changed."""
    basket, model, now = LiveRows([Type.STR]), list[tuple[str | None, int]](), 0
    views: list[tuple[ExpiringRows, list[Row]]] = []
    for words, lasting, passing in steps:
        basket.append(ExpiringRows((from_values(words, Type.STR),), len(words), now + lasting))
        model += [(word, now + lasting) for word in words]
        now += passing
        before = [end for _, end in model]
        model = [(word, end) for word, end in model if end > now]
        assert basket.expire(now) == (len(before) > len(model))
        assert list(zip(basket.rows.columns[0].to_values(), basket.rows.ends().tolist(), strict=True)) == model
        views.append((basket.rows, rows(basket.rows.columns)))
    assert all(rows(batch_.columns) == seen for batch_, seen in views)
