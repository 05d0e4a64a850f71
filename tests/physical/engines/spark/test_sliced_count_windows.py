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
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from equivalence.cases.random_cases import CASE_HORIZON
from physical import PhysicalStream, run
from physical.columns.column import ColumnVector
from physical.columns.stream import in_order, joined
from physical.engines.spark import compile as compiling
from physical.engines.spark import sliced_count_windows
from physical.engines.spark.compile import Compiler
from physical.engines.spark.engine import SparkEngine
from physical.engines.spark.exchange import Spread, by_slices, time_of
from physical.engines.spark.frame import from_batches, to_frame, to_table
from physical.engines.spark.last_rows import AnyRows, LastRows, LastRowsOfSlices, RowsBeforeBlocks, keys_of
from physical.engines.spark.sliced_count_windows import with_slices, with_the_past
from physical.engines.spark.spark_session import session
from physical.engines.spark.worker_tasks import Batches
from physical.kernels.types import ENDLESS
from physical.runtime.run_whole import clipped
from semantics import Interval, Plan, RawStream, Schema, Type, evaluate, parse, parse_plan
from tests.physical.engines.spark.lookahead import asked_ahead
from tests.physical.engines.spark.plans import works_on_one_task

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


def slice_by_slice(
    plan: AnyRows, stream: PhysicalStream, cuts: list[int], workers: int, blocks: int = 2
) -> PhysicalStream:
    """What the window gives slice by slice, the rows being with some workers in no order of time."""
    last, bounds = LastRows.of(plan), list(pairwise([0, *cuts, ENDLESS]))
    numbers = ColumnVector(Type.INT, np.searchsorted(cuts, stream.start, "right"))
    rows = stream.with_columns(last.schema, (*stream.columns, numbers))
    tails = [worked(LastRowsOfSlices(last), rows.take(slice(w, None, workers)), last.schema) for w in range(workers)]
    given = in_order(joined([rows, before(last, joined(tails), len(bounds), blocks)]))
    shown = run(with_slices(plan), {"0": given}, HORIZON)
    slices = shown.columns[-1].values
    inside = [clip(shown.take(slices == number), *bound) for number, bound in enumerate(bounds)]
    return in_order(joined([part.with_columns(plan.schema, part.columns[:-1]) for part in inside]))


def before(
    last: LastRows, tails: PhysicalStream, slices: int, blocks: int, given: list[int] | None = None
) -> PhysicalStream:
    """The rows before each slice, level by level; on a level every block has a worker of its own."""
    kept = worked(LastRowsOfSlices(last), tails, last.schema)
    stop, climbs = (ColumnVector(Type.INT, one) for one in (kept.columns[-1].values + 1, np.ones(len(kept), np.int64)))
    found, width = kept.with_columns(last.climbing, (*kept.columns, stop, climbs)), 1
    while width < slices:
        level = RowsBeforeBlocks(last, width, slices, blocks)
        worker = found.columns[last.slice].values // (width * blocks)
        parts = [found.take(worker == number) for number in range(slices)]
        given = [] if given is None else given
        given += [int(part.columns[-1].values.sum()) for part in parts]
        found, width = joined([worked(level, part, last.climbing) for part in parts]), width * blocks
    *_, number, stop, climbs = found.columns
    assert not len(kept) or slices == 1 or not climbs.values.any()
    needed = np.maximum(stop.values - number.values, 0) * (climbs.values == 0)
    offsets = np.concatenate([np.arange(n) for n in needed] or [np.zeros(0, np.int64)])
    again = found.take(np.repeat(np.arange(len(found)), needed))
    there = ColumnVector(Type.INT, again.columns[-3].values + offsets)
    return again.with_columns(last.schema, (*again.columns[:-3], there))


def worked(task: Callable[[Batches], Batches], stream: PhysicalStream, schema: Schema) -> PhysicalStream:
    """What a worker makes of its rows."""
    made = [pa.Table.from_batches([batch]) for batch in task(iter(to_table(stream).to_batches()))]
    return joined([PhysicalStream.empty(schema), *(from_batches(table, schema) for table in made)])


def clip(stream: PhysicalStream, begin: int, end: int) -> PhysicalStream:
    """What is valid in a slice of time."""
    before = clipped(stream, end)
    after = before.take(before.end > begin)
    return after.valid_during(after.start.clip(begin), after.end)


@settings(deadline=None, max_examples=150)
@given(
    elements,
    windows,
    st.lists(st.integers(1, 9), unique=True, max_size=9).map(sorted),
    st.integers(1, 3),
    st.integers(2, 4),
)
def test_oracle_slices_together_show_what_the_window_shows(
    listed: "list[tuple[tuple[int | None, ...], int]]",
    chosen: tuple[str, int, bool],
    cuts: list[int],
    workers: int,
    blocks: int,
) -> None:
    plan, raw = window(*chosen), RawStream(SCHEMA, listed)
    found = slice_by_slice(plan, PhysicalStream.of(raw), cuts, workers, blocks)
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
    f"{S} | window(rows 3) | map(x as x)",
    f"{S} | window(rows 2) | filter(x > 1) | map(x + 1 as y, k as k)",
    f"{S} | window(partition by k rows 2) | map(x as x, k as k)",
    f"{S} | window(partition by k rows 2 with ties) | map(x as x) | map(x * 2 as y)",
]
STREAM = "raw(k int, x int): (1, 2)@0 (1, 1)@1 (0, 5)@1 (1, 3)@2 (1, 3)@2 (null, 1)@4 (1, 4)@4 (1, 0)@6 (0, 7)@9"


def on_spark(text: str) -> PhysicalStream:
    return SparkEngine(spread=CUT).run(parse_plan(text), {"S": parse(STREAM)}, CASE_HORIZON)


def right(text: str, found: PhysicalStream) -> bool:
    return found.to_logical(CASE_HORIZON) == evaluate(parse_plan(text), {"S": parse(STREAM)}, CASE_HORIZON)


answered = asked_ahead(on_spark, PLANS)


REPEATED = (PLANS[2], PLANS[7], PLANS[9], PLANS[12])
"""Each is put together from what others show."""


@pytest.mark.parametrize(
    "text", [pytest.param(text, marks=pytest.mark.full if text in REPEATED else ()) for text in PLANS]
)
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


def test_no_worker_needs_many_rows_before_slices() -> None:
    """Rows in any order: every worker has rows of all slices, and yet only some come together at once."""
    plan, order = window("", 5, False), np.random.default_rng(3).permutation(4000)
    stream = PhysicalStream.from_elements(SCHEMA, [((0, i), Interval(i, i + 1)) for i in range(4000)]).take(order)
    last, slices, workers, blocks = LastRows.of(plan), 64, 16, 4
    numbers = ColumnVector(Type.INT, stream.start * slices // 4000)
    rows = stream.with_columns(last.schema, (*stream.columns, numbers))
    tails = [worked(LastRowsOfSlices(last), rows.take(slice(w, None, workers)), last.schema) for w in range(workers)]
    assert sum(map(len, tails)) > 3500
    given: list[int] = []
    found = before(last, joined(tails), slices, blocks, given)
    assert len(found) == 5 * (slices - 1)
    assert max(given) == 5 * blocks


def sizes_of(data: DataFrame) -> list[int]:
    """How many rows each task has."""
    return list(Counter(row[0] for row in data.select(f.spark_partition_id()).collect()).values())


@pytest.mark.parametrize(
    ("by", "above"),
    [("", "map(x as x)"), ("partition by k ", "map(x as x)"), ("", "filter(x > 3) | map(x + 1 as x, k as k)")],
)
def test_what_chooses_columns_does_not_undo_the_cut(spark: SparkSession, by: str, above: str) -> None:
    """Nine of ten rows have one key."""
    rows = [((0 if i % 10 else i, i), Interval(i, i + 1)) for i in range(800)]
    stream, plan = PhysicalStream.from_elements(SCHEMA, rows), parse_plan(f"{S} | window({by}rows 5) | {above}")
    found = Compiler({"S": to_frame(spark, stream)}, Spread(4)).frame(plan)
    data = found.data.persist()
    sizes = sizes_of(data)
    assert not works_on_one_task(found.data)
    assert max(sizes) < 0.45 * sum(sizes)
    assert found.of(data).collected().equivalent(run(plan, {"S": stream}))
    data.unpersist()


@pytest.mark.usefixtures("spark")
@pytest.mark.parametrize("text", [f"{S} | window(rows 3)", f"{S} | window(partition by k rows 2 with ties)"])
def test_oracle_on_many_levels(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Slices of one instant each, and two blocks become one."""
    monkeypatch.setattr(sliced_count_windows, "BLOCKS_OF_A_BLOCK", 2)
    spread = Spread(3, cuts=tuple(range(1, 10)), heaviest=0.0)
    assert right(text, SparkEngine(spread=spread).run(parse_plan(text), {"S": parse(STREAM)}, CASE_HORIZON))


@pytest.mark.parametrize(
    "text", [f"{S} | window(partition by k rows 5)", pytest.param(f"{S} | window(rows 5)", marks=pytest.mark.full)]
)
def test_no_task_gets_everything(spark: SparkSession, text: str) -> None:
    """Nine of ten rows have one key, and a window that has no key is computed by all, too."""
    rows = [((0 if i % 10 else i, i), Interval(i, i + 1)) for i in range(2000)]
    stream, spread = PhysicalStream.from_elements(SCHEMA, rows), Spread(4)
    plan, frame = parse_plan(text), to_frame(spark, stream)
    assert isinstance(plan, AnyRows)
    slices, where = time_of(frame, keys_of(plan), spread)
    together = by_slices(with_the_past(frame, plan, slices, where, spread), keys_of(plan), spread)
    sizes = sizes_of(together)
    assert len(sizes) == 4
    assert sum(sizes) < 2200
    assert max(sizes) < 0.45 * sum(sizes)
    assert Compiler({"S": frame}, spread).frame(plan).collected().equivalent(run(plan, {"S": stream}))


def test_one_task_is_enough_for_what_is_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody asks whether keys are heavy, or there are few partitions, nothing is cut."""

    def never(*_: object) -> None:
        raise AssertionError("cut")

    monkeypatch.setattr(Compiler, "_cut", never)
    plan: Plan = parse_plan(PLANS[0])
    for spread in (Spread(3), Spread(8, heaviest=None)):
        assert Compiler({"S": to_frame(session(), PhysicalStream.of(parse(STREAM)))}, spread).frame(plan) is not None
