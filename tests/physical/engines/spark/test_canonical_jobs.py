"""Canonical form and equivalence as Spark jobs, against those of one machine."""

from unittest.mock import patch

import pytest
from pyspark.sql import SparkSession

from equivalence.cases.case_column import lift_cases
from equivalence.cases.choices import SeededChoices
from equivalence.cases.random_cases import choose_case
from physical import PhysicalStream
from physical.columns.canonical import first_difference as here
from physical.engines.spark.canonical_jobs import canonical, counted, first_difference
from physical.engines.spark.exchange import Spread
from physical.engines.spark.frame import to_frame
from physical.engines.spark.slices import Slices
from semantics import Interval, IntervalStream, Schema, parse, parse_plan

SPREAD = Spread(2, heaviest=None)
BOTH = parse_plan("union(A(x int, f float, s str), B(x int, f float, s str))")
CASES = 24


def of(text: str) -> PhysicalStream:
    stream = parse(text)
    assert isinstance(stream, IntervalStream)
    return PhysicalStream.of(stream)


def test_oracle_canonical_form_and_first_difference(spark: SparkSession) -> None:
    """Many cases in one stream, told apart by a column: a job costs more than they do."""
    left, right = many_cases(1)
    frame = to_frame(spark, left)
    runs = canonical(frame, SPREAD)
    found = sorted(map(repr, runs.collected().to_interval().elements))
    assert len(found) > CASES
    assert found == sorted(repr(((*row, n), span)) for row, span, n in left.canonical().to_runs())
    assert first_difference(runs, counted(frame), SPREAD) is None
    difference = first_difference(counted(frame), counted(to_frame(spark, right)), SPREAD)
    assert difference is not None
    assert difference.instant == here(left, right)


@pytest.mark.parametrize("missing", [250, 30, None])
def test_oracle_streams_of_one_row_that_dominates(spark: SparkSession, missing: int | None) -> None:
    """They are compared slice by slice, and the first difference is the first of all slices."""
    rows = [((1,), Interval(i, i + 2 + i % 3)) for i in range(300)]
    both = [rows, [row for i, row in enumerate(rows) if i != missing]]
    left, right = (PhysicalStream.from_elements(Schema.of(x=int), one) for one in both)
    frames = [counted(to_frame(spark, one)) for one in (left, right)]
    with patch.object(Slices, "cut", autospec=True, side_effect=Slices.cut) as cut:
        found = first_difference(frames[0], frames[1], Spread(4))
    assert (None if found is None else found.instant) == here(left, right)
    assert len(cut.call_args.args[0].cuts) == 3


def many_cases(seed: int) -> tuple[PhysicalStream, PhysicalStream]:
    """Two streams for each case; only in the last one they differ."""
    choices = SeededChoices(seed)
    cases = [choose_case(choices, BOTH.sources(), max_size=5) for _ in range(CASES)]
    same = [{"A": case["A"], "B": case["A"]} for case in cases[:-1]]
    streams = lift_cases(BOTH, [*same, cases[-1]])
    return PhysicalStream.of(streams["A"]), PhysicalStream.of(streams["B"])


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
