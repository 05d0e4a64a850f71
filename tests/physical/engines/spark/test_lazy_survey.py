"""What a job finds out that nobody prepared: it depends on the rows alone, slices are even, heavy keys are cut."""

from collections import Counter
from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as f

from physical import PhysicalStream, run
from physical.engines.spark.compile import Compiler
from physical.engines.spark.exchange import Spread
from physical.engines.spark.frame import to_frame
from physical.engines.spark.lazy_survey import PAIRS, LazySurvey, LowestHashes, SurveyOfSample
from physical.engines.spark.survey import Goal
from physical.kernels.types import Ints
from semantics import Interval, Schema, parse_plan
from tests.physical.engines.spark.lookahead import asked_ahead
from tests.physical.engines.spark.test_canonical_result import A, B, expected, runs


def sampled(keys: Ints, starts: Ints, batches: int) -> pa.RecordBatch:
    """The sample of one worker."""
    cut = [
        pa.RecordBatch.from_arrays([pa.array(k), pa.array(s), pa.array(np.ones(len(s), np.int64))], ["k", "s", "n"])
        for k, s in zip(np.array_split(keys, batches), np.array_split(starts, batches), strict=True)
    ]
    return next(iter(LowestHashes()(iter(cut))))


def surveyed(keys: Ints, starts: Ints, workers: int, batches: int = 3) -> list[list[int]]:
    """Heavy keys, cuts, and the cuts of heavy keys."""
    parts = zip(np.array_split(keys, workers), np.array_split(starts, workers), strict=True)
    samples = [sampled(k, s, batches) for k, s in parts]
    found = next(iter(SurveyOfSample(Goal(8, 1.5))(iter(samples))))
    return [column.to_pylist()[0] for column in found.columns]


def cuts(starts: Ints, workers: int) -> list[int]:
    return surveyed(np.zeros(len(starts), np.int64), starts, workers)[1]


@pytest.mark.parametrize("workers", [1, 2, 7])
def test_neither_order_nor_workers_matter(workers: int) -> None:
    chance = np.random.default_rng(workers)
    starts, keys = chance.integers(0, 100_000, 50_000), chance.geometric(0.3, 50_000)
    order = chance.permutation(50_000)
    assert surveyed(keys, starts, 1, 1) == surveyed(keys[order], starts[order], workers)


CHANCE = np.random.default_rng(1)


@pytest.mark.parametrize(
    "starts",
    [CHANCE.integers(0, 1 << 40, 60_000), np.arange(60_000), CHANCE.exponential(1000, 60_000).astype(np.int64)],
    ids=["uniform", "every instant", "exponential"],
)
def test_slices_have_about_equally_many_rows(starts: Ints) -> None:
    ordered = np.sort(starts)
    sizes = np.diff([0, *np.searchsorted(ordered, cuts(starts, 2)), len(starts)])
    assert len(sizes) == 8
    assert max(sizes) < 1.4 * len(starts) / 8


def test_nothing_is_not_cut() -> None:
    assert cuts(np.zeros(0, np.int64), 2) == []
    assert cuts(np.zeros(50, np.int64), 2) == []


@pytest.mark.parametrize("rows", [PAIRS // 2, 50_000], ids=["all are seen", "a sample"])
def test_the_key_of_half_of_the_rows_is_heavy_and_others_are_not(rows: int) -> None:
    starts, keys = CHANCE.integers(0, 1 << 30, rows), CHANCE.integers(0, 1000, rows)
    keys[CHANCE.random(rows) < 0.5] = 77
    heavy, _, heavy_cuts = surveyed(keys, starts, 3)
    assert heavy == [77]
    sizes = np.diff([0, *np.searchsorted(np.sort(starts[keys == 77]), heavy_cuts), np.sum(keys == 77)])
    assert len(sizes) == 8
    assert max(sizes) < 1.5 * np.sum(keys == 77) / 8


def test_ties_count_and_chance_makes_no_key_heavy() -> None:
    """A key with many rows at few instants is heavy, too; of many equal keys none is."""
    keys, starts = np.repeat([1, *range(100, 600)], [5000, *[10] * 500]), np.arange(10_000) // 100
    assert surveyed(keys, starts, 2)[0] == [1]
    assert surveyed(CHANCE.integers(0, 500, 50_000), np.arange(50_000), 2)[0] == []


EVERY_KEY_IS_HEAVY = Spread(4, heaviest=0.0, lazy=True)
PLANS = [
    f"{A} | group(k; sum(x) as s)",
    f"join({A}, {B}; k = l) | map(x as x, y as y)",
    f"{A} | filter(k > 9) | group(k; count(*) as n)",
    f"{A} | window(rows 3)",
    f"{A} | window(rows 2 with ties) | map(x as x)",
    f"{A} | window(partition by k rows 2) | group(k; count(*) as n)",
    f"{A} | window(partition by x rows 2 with ties) | map(k as k)",
    f"{A} | filter(k > 9) | window(rows 3)",
]
answered = asked_ahead(lambda text: runs(parse_plan(text), EVERY_KEY_IS_HEAVY), PLANS)


@pytest.mark.parametrize("text", PLANS)
def test_oracle_what_a_job_cuts_by_itself_is_the_same(answered: Callable[[str], list[str]], text: str) -> None:
    assert answered(text) == expected(parse_plan(text))


@pytest.mark.parametrize(
    ("text", "skewed"),
    [
        ("S(k int, x int) | group(k; sum(x) as s)", True),
        ("S(k int, x int) | window(partition by k rows 5) | map(x as x)", True),
        ("S(k int, x int) | window(rows 5) | map(x as x)", False),
    ],
)
def test_no_task_has_everything_though_nobody_looked_before(spark: SparkSession, text: str, skewed: bool) -> None:
    """Nine of ten rows have one key."""
    rows = [((0 if i % 10 else i, i), Interval(i, i + 1)) for i in range(800)]
    stream, plan = PhysicalStream.from_elements(Schema.of(k=int, x=int), rows), parse_plan(text)
    spread = Spread(4, heaviest=1.5 if skewed else None, lazy=True)
    found = Compiler({"S": to_frame(spark, stream)}, spread).frame(plan)
    data = found.data.persist()
    sizes = Counter(row[0] for row in data.select(f.spark_partition_id()).collect())
    assert max(sizes.values()) < 0.45 * sum(sizes.values())
    assert found.of(data).collected().equivalent(run(plan, {"S": stream}))
    data.unpersist()


@pytest.mark.usefixtures("spark")
def test_a_planted_fault_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both sides of a join must agree which keys are heavy."""
    plan = parse_plan(PLANS[1])
    monkeypatch.setattr(LazySurvey, "is_heavy", lambda _, hashed: (hashed % 2 == 0) & (f.col("_start") % 2 == 0))
    assert runs(plan, EVERY_KEY_IS_HEAVY) != expected(plan)


def test_only_the_lowest_hashes_are_kept_whatever_comes_first() -> None:
    """A pair that was dropped and comes again would be counted too low."""
    keys, starts = np.tile(np.arange(50), 40), np.zeros(2000, np.int64)
    batch = pa.RecordBatch.from_arrays(
        [pa.array(keys), pa.array(starts), pa.array(np.ones(2000, np.int64))], list("ksn")
    )
    for size in (7, 50, 2000):
        parts = [batch.slice(at, size) for at in range(0, 2000, size)]
        assert LowestHashes(4).lowest(iter(parts))[2].tolist() == [40] * 4
