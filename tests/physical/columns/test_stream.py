"""Columnar streams: lossless conversions, and the canonical form against the reference."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equivalence.cases.random_cases import CASE_HORIZON
from equivalence.cases.strategies import interval_streams, raw_streams, schemas, streams
from physical.columns.stream import PhysicalStream
from physical.kernels.types import ENDLESS
from semantics import IntervalStream, RawStream, Schema, Stream, StreamError, canonical, equivalent, to_logical

PAIRS = schemas().flatmap(
    lambda schema: st.tuples(interval_streams(schema, awkward=True), interval_streams(schema, awkward=True))
)


@given(schemas().flatmap(partial(interval_streams, awkward=True)))
def test_interval_streams_come_back(stream: IntervalStream) -> None:
    assert PhysicalStream.of(stream).to_interval() == stream


@given(schemas().flatmap(partial(streams, awkward=True)))
def test_oracle_conversions_keep_every_snapshot(stream: Stream) -> None:
    expected = to_logical(stream, CASE_HORIZON)
    assert PhysicalStream.of(stream).to_logical(CASE_HORIZON) == expected
    assert PhysicalStream.of(expected).to_logical(CASE_HORIZON) == expected


@given(schemas().flatmap(partial(raw_streams, awkward=True)))
def test_what_happens_at_an_instant_is_valid_for_one(stream: RawStream) -> None:
    physical = PhysicalStream.from_raw(stream)
    assert [(row, interval.start) for row, interval in physical.to_interval().elements] == list(stream.elements)
    assert (physical.end == physical.start + 1).all()


@given(schemas().flatmap(partial(streams, awkward=True)))
def test_oracle_canonical_form(stream: Stream) -> None:
    assert PhysicalStream.of(stream).canonical().to_runs() == canonical(stream)


@given(PAIRS)
def test_oracle_equivalence(pair: tuple[IntervalStream, IntervalStream]) -> None:
    left, right = map(PhysicalStream.of, pair)
    assert left.equivalent(right) == equivalent(*pair)
    assert left.equivalent(left)


def test_one_element_more_is_noticed() -> None:
    schema = Schema.of(x=str)
    few = PhysicalStream.of(RawStream(schema, [(("a",), 0), (("b",), 5)]))
    more = PhysicalStream.of(RawStream(schema, [(("a",), 0), (("b",), 5), (("b",), 5)]))
    assert not few.equivalent(more)
    assert not more.equivalent(few)


@pytest.mark.parametrize(
    ("start", "end", "message"),
    [
        ([3, 1], [4, 4], "here: element 1 must have a start at or after the one before, got [1, 4)"),
        ([3], [3], "here: element 0 must have an end after its start, got [3, 3)"),
        ([-1], [3], "here: element 0 must have a start ≥ 0, got [-1, 3)"),
    ],
)
def test_wrong_times_are_named(start: list[int], end: list[int], message: str) -> None:
    right = PhysicalStream.of(RawStream(Schema.of(x=int), [((1,), 0)] * len(start)))
    with pytest.raises(StreamError) as caught:
        right.valid_during(np.array(start), np.array(end)).checked("here")
    assert str(caught.value) == message


def test_for_ever_is_the_last_code() -> None:
    stream = PhysicalStream.of(IntervalStream(Schema.of(x=int)))
    assert len(stream) == 0
    assert np.iinfo(np.int64).max == ENDLESS
