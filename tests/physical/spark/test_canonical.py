"""Canonical form and equivalence as Spark jobs, against those of one machine."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from equivalence import strategies
from physical import PhysicalStream
from physical.canonical import first_difference as here
from physical.spark.canonical import canonical, counted, first_difference
from physical.spark.exchange import Spread
from physical.spark.frame import to_frame
from semantics import IntervalStream, Schema, parse

SPREAD = Spread(2, heaviest=None)
STREAMS = strategies.streams(Schema.of(x=int, f=float, s=str))


def of(text: str) -> PhysicalStream:
    stream = parse(text)
    assert isinstance(stream, IntervalStream)
    return PhysicalStream.of(stream)


@settings(max_examples=4)
@given(data=st.data())
def test_oracle_canonical_form_and_first_difference(spark: SparkSession, data: st.DataObject) -> None:
    left, right = (PhysicalStream.of(data.draw(STREAMS)) for _ in range(2))
    frame = to_frame(spark, left)
    runs = canonical(frame, SPREAD)
    found = sorted(map(repr, runs.collected().to_interval().elements))
    assert found == sorted(repr(((*row, n), span)) for row, span, n in left.canonical().to_runs())
    assert first_difference(runs, counted(frame), SPREAD) is None
    difference = first_difference(counted(frame), counted(to_frame(spark, right)), SPREAD)
    assert (None if difference is None else difference.instant) == here(left, right)


def test_the_rows_that_differ_are_told(spark: SparkSession) -> None:
    left = counted(to_frame(spark, of("interval(x float): (1.0)@[0,9) (-0.0)@[2,5) (2.0)@[3,∞)")))
    right = counted(to_frame(spark, of("interval(x float): (1.0)@[0,4) (0.0)@[2,5) (3.0)@[3,5) (1.0)@[4,9)")))
    found = first_difference(left, right, SPREAD)
    assert found is not None
    assert (found.instant, found.sizes) == (3, (3, 3))
    assert (list(found.left), list(found.right)) == ([(2.0,)], [(3.0,)])


@pytest.mark.parametrize("rows", [0, 1])
def test_streams_without_rows(spark: SparkSession, rows: int) -> None:
    empty = counted(to_frame(spark, of("interval(x int):")))
    other = counted(to_frame(spark, of("interval(x int):" + " (1)@[4,5)" * rows)))
    found = first_difference(empty, other, SPREAD)
    assert (None if found is None else found.instant) == (4 if rows else None)
