"""Windows over the last rows, taken apart over time: every slice shows what the window shows then."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession
from pyspark.sql import functions as f

from equivalence.cases.random_cases import CASE_HORIZON
from physical import PhysicalStream, run
from physical.columns.column import ColumnVector
from physical.columns.stream import in_order, joined
from physical.engines.spark import compile as compiling
from physical.engines.spark.compile import Compiler
from physical.engines.spark.engine import SparkEngine
from physical.engines.spark.exchange import Spread, by_slices, time_of
from physical.engines.spark.frame import from_batches, to_frame, to_table
from physical.engines.spark.sliced_count_windows import (
    AnyRows,
    LastRows,
    LastRowsOfSlices,
    RowsBeforeSlices,
    keys_of,
    with_slices,
    with_the_past,
)
from physical.engines.spark.spark_session import session
from physical.kernels.types import ENDLESS
from physical.runtime.run_whole import clipped
from semantics import Interval, Plan, RawStream, Schema, Type, evaluate, parse, parse_plan
from tests.physical.engines.spark.lookahead import asked_ahead

SCHEMA = Schema.of(k=int, x=int)
S = "S(k int, x int)"
HORIZON = 14
CUT = Spread(3, cuts=(2, 5), heaviest=0.0)
"""Every key is heavy."""

small = st.one_of(st.none(), st.integers(0, 2))
elements = st.lists(st.tuples(st.tuples(small, small), st.integers(0, 9)), max_size=14).map(
    lambda listed: sorted(listed, key=lambda element: element[1])
)
windows = st.tuples(st.sampled_from(["", "partition by k ", "partition by x, k "]), st.integers(1, 4), st.booleans())


def window(by: str, rows: int, ties: bool) -> AnyRows:
    plan = parse_plan(f"{S} | window({by}rows {rows}{' with ties' if ties else ''})")
    assert isinstance(plan, AnyRows)
    return plan


def slice_by_slice(plan: AnyRows, stream: PhysicalStream, cuts: list[int], workers: int) -> PhysicalStream:
    """What the window gives slice by slice, the rows being with some workers in no order of time."""
    last, bounds = LastRows.of(plan), list(pairwise([0, *cuts, ENDLESS]))
    numbers = ColumnVector(Type.INT, np.searchsorted(cuts, stream.start, "right"))
    rows = stream.with_columns(last.schema, (*stream.columns, numbers))
    tails = [
        batch
        for w in range(workers)
        for batch in LastRowsOfSlices(last)(iter(to_table(rows.take(slice(w, None, workers))).to_batches()))
    ]
    made = [pa.Table.from_batches([batch]) for batch in RowsBeforeSlices(last, len(bounds))(iter(tails))]
    before = [from_batches(table, last.schema) for table in made]
    given = in_order(joined([rows, *before]))
    shown = run(with_slices(plan), {"0": given}, HORIZON)
    slices = shown.columns[-1].values
    inside = [clip(shown.take(slices == number), *bound) for number, bound in enumerate(bounds)]
    return in_order(joined([part.with_columns(plan.schema, part.columns[:-1]) for part in inside]))


def clip(stream: PhysicalStream, begin: int, end: int) -> PhysicalStream:
    """What is valid in a slice of time."""
    before = clipped(stream, end)
    after = before.take(before.end > begin)
    return after.valid_during(after.start.clip(begin), after.end)


@settings(deadline=None, max_examples=150)
@given(elements, windows, st.lists(st.integers(1, 9), unique=True, max_size=4).map(sorted), st.integers(1, 3))
def test_oracle_slices_together_show_what_the_window_shows(
    listed: "list[tuple[tuple[int | None, ...], int]]", chosen: tuple[str, int, bool], cuts: list[int], workers: int
) -> None:
    plan, raw = window(*chosen), RawStream(SCHEMA, listed)
    found = slice_by_slice(plan, PhysicalStream.of(raw), cuts, workers)
    assert found.to_logical(HORIZON) == evaluate(plan, {"S": raw}, HORIZON)


PLANS = [
    f"{S} | window(rows 3)",
    f"{S} | window(rows 2 with ties)",
    f"{S} | filter(x > 0) | window(rows 2) | aggregate(sum(x) as s)",
    f"{S} | window(range 2) | window(rows 4)",
    f"{S} | window(rows 4 slide 3)",
    f"{S} | window(partition by k rows 2)",
    f"{S} | window(partition by k rows 2 with ties) | group(k; count(*) as n)",
    f"{S} | distinct | window(partition by k rows 1) | map(x as x)",
    f"{S} | window(partition by k rows 3 slide 2)",
]
STREAM = "raw(k int, x int): (1, 2)@0 (1, 1)@1 (0, 5)@1 (1, 3)@2 (1, 3)@2 (null, 1)@4 (1, 4)@4 (1, 0)@6 (0, 7)@9"


def on_spark(text: str) -> PhysicalStream:
    return SparkEngine(spread=CUT).run(parse_plan(text), {"S": parse(STREAM)}, CASE_HORIZON)


def right(text: str, found: PhysicalStream) -> bool:
    return found.to_logical(CASE_HORIZON) == evaluate(parse_plan(text), {"S": parse(STREAM)}, CASE_HORIZON)


answered = asked_ahead(on_spark, PLANS)


@pytest.mark.parametrize("text", PLANS)
def test_oracle_on_spark(answered: Callable[[str], PhysicalStream], text: str) -> None:
    assert len(answered(text)) > 1
    assert right(text, answered(text))


@pytest.mark.usefixtures("spark")
@pytest.mark.parametrize("text", [PLANS[0], PLANS[5]])
def test_a_planted_fault_is_caught(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slice gets one row too few of those before it."""

    def fewer(frame: object, plan: AnyRows, *more: object) -> object:
        return with_the_past(frame, replace(plan, rows=plan.rows - 1), *more)  # type: ignore[arg-type]

    monkeypatch.setattr(compiling, "with_the_past", fewer)
    assert not right(text, on_spark(text))


@pytest.mark.parametrize("text", [f"{S} | window(rows 5)", f"{S} | window(partition by k rows 5)"])
def test_no_task_gets_everything(spark: SparkSession, text: str) -> None:
    """Nine of ten rows have one key, and a window that has no key is computed by all, too."""
    rows = [((0 if i % 10 else i, i), Interval(i, i + 1)) for i in range(2000)]
    stream, spread = PhysicalStream.from_elements(SCHEMA, rows), Spread(4)
    plan, frame = parse_plan(text), to_frame(spark, stream)
    assert isinstance(plan, AnyRows)
    slices, where = time_of(frame, keys_of(plan), spread)
    together = by_slices(with_the_past(frame, plan, slices, where, spread), keys_of(plan), spread)
    sizes = Counter(row[0] for row in together.select(f.spark_partition_id()).collect())
    assert len(sizes) == 4
    assert sum(sizes.values()) < 2200
    assert max(sizes.values()) < 0.45 * sum(sizes.values())
    assert Compiler({"S": frame}, spread).frame(plan).collected().equivalent(run(plan, {"S": stream}))


def test_one_task_is_enough_for_what_is_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody asks whether keys are heavy, or there are few partitions, nothing is cut."""

    def never(*_: object) -> None:
        raise AssertionError("cut")

    monkeypatch.setattr(Compiler, "_cut", never)
    plan: Plan = parse_plan(PLANS[0])
    for spread in (Spread(3), Spread(8, heaviest=None)):
        assert Compiler({"S": to_frame(session(), PhysicalStream.of(parse(STREAM)))}, spread).frame(plan) is not None
