"""Where time is cut by a job that nobody prepared: it depends on the rows alone, and slices are about equal."""

import numpy as np
import pyarrow as pa
import pytest

from physical.engines.spark.lazy_slices import CutsOfSample, LowestHashes
from physical.kernels.types import Ints


def sampled(starts: Ints, batches: int) -> pa.RecordBatch:
    """The sample of one worker."""
    cut = [
        pa.RecordBatch.from_arrays([pa.array(one), pa.array(np.ones(len(one), np.int64))], ["start", "rows"])
        for one in np.array_split(starts, batches)
    ]
    return next(iter(LowestHashes()(iter(cut))))


def cuts(starts: Ints, workers: int, batches: int = 3) -> list[int]:
    samples = [sampled(part, batches) for part in np.array_split(starts, workers)]
    found: list[int] = next(iter(CutsOfSample(8)(iter(samples)))).column(0).to_pylist()[0]
    return found


@pytest.mark.parametrize("workers", [1, 2, 7])
def test_neither_order_nor_workers_matter(workers: int) -> None:
    chance = np.random.default_rng(workers)
    starts = chance.integers(0, 100_000, 50_000)
    assert cuts(starts, 1, 1) == cuts(chance.permutation(starts), workers)


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
