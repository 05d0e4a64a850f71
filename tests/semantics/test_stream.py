"""Conversions between streams and the canonical form."""

import pickle
from functools import partial
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from equivalence.cases.random_cases import CASE_HORIZON
from equivalence.cases.strategies import interval_streams, raw_streams, schemas, streams
from semantics import (
    FOREVER,
    Interval,
    IntervalStream,
    Multiset,
    RawStream,
    Schema,
    Stream,
    canonical,
    equivalent,
    physical_to_logical,
    raw_to_logical,
    raw_to_physical,
    to_logical,
)

ANY_STREAM = schemas().flatmap(partial(streams, awkward=True))


@given(ANY_STREAM)
def test_runs_are_maximal_disjoint_and_sorted(stream: Stream) -> None:
    runs = canonical(stream)
    assert list(runs) == sorted(runs, key=lambda run: run[1].start)
    for row in {row for row, _, _ in runs}:
        own = [(interval, n) for other, interval, n in runs if other == row]
        for (before, n), (after, m) in pairwise(own):
            assert before.end < after.start or (before.end == after.start and n != m)


@given(schemas().flatmap(partial(raw_streams, awkward=True)))
def test_raw_streams_mean_the_same_by_both_ways(stream: RawStream) -> None:
    assert raw_to_logical(stream, CASE_HORIZON) == physical_to_logical(raw_to_physical(stream), CASE_HORIZON)
    assert equivalent(stream, raw_to_physical(stream))


@given(schemas().flatmap(partial(interval_streams, awkward=True)), st.integers(1, 5))
def test_splitting_changes_no_snapshot(stream: IntervalStream, cut: int) -> None:
    pieces = [
        (row, piece)
        for row, interval in stream.elements
        for piece in (
            [Interval(interval.start, cut), Interval(cut, interval.end)]
            if interval.start < cut < interval.end
            else [interval]
        )
    ]
    split = IntervalStream(stream.schema, sorted(pieces, key=lambda element: element[1].start))
    assert equivalent(stream, split)
    assert to_logical(stream, CASE_HORIZON) == to_logical(split, CASE_HORIZON)


@given(
    schemas().flatmap(
        lambda schema: st.tuples(interval_streams(schema, awkward=True), interval_streams(schema, awkward=True))
    )
)
def test_equivalence_is_equality_of_all_snapshots(pair: tuple[IntervalStream, IntervalStream]) -> None:
    left, right = pair
    beyond_all_ends = 20
    same = to_logical(left, beyond_all_ends) == to_logical(right, beyond_all_ends)
    assert equivalent(left, right) == same


def test_one_element_more_is_not_equivalent() -> None:
    schema = Schema.of(x=int)
    once = IntervalStream(schema, [((1,), Interval(0, FOREVER))])
    twice = IntervalStream(schema, [((1,), Interval(0, FOREVER)), ((1,), Interval(7, 8))])
    assert not equivalent(once, twice)


def test_a_canonical_run_may_last_for_ever() -> None:
    stream = IntervalStream(Schema.of(x=int), [((1,), Interval(2, 5)), ((1,), Interval(5, FOREVER))])
    assert canonical(stream) == (((1,), Interval(2, FOREVER), 1),)


def test_identity_of_values_decides_equivalence() -> None:
    schema = Schema.of(f=float)
    left = RawStream(schema, [((float("nan"),), 0), ((-0.0,), 0), ((None,), 0)])
    right = RawStream(schema, [((None,), 0), ((0,), 0), ((float("-nan"),), 0)])
    assert equivalent(left, right)


@given(ANY_STREAM)
def test_streams_survive_copies(stream: Stream) -> None:
    assert pickle.loads(pickle.dumps(stream)) == stream


def test_a_row_is_in_a_multiset_if_it_counts_there() -> None:
    counted = Multiset({(1,): 2, (2,): 0})
    assert (1,) in counted
    assert (2,) not in counted
    assert counted == Multiset([(1,), (1,)])
