"""The distribution of rows over keys and over time, from a sample, with one job for everything.

Every worker keeps some of its rows, each of them as likely as any other. One worker puts these together and says what
a plan needs to know: which keys are heavy, and where to cut time. So the driver gets a few numbers for each partition.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from physical.engines.spark.errors import readable_errors
from physical.engines.spark.frame import START
from physical.engines.spark.slices import Slices
from physical.engines.spark.worker_tasks import Batches
from physical.kernels.types import Ints

SAMPLE_SEED: Final = 1
MOST_ROWS_OF_A_WORKER: Final = 4096
LEAST_ROWS_OF_A_WORKER: Final = 256
ROWS_OF_ALL_WORKERS: Final = 1 << 22
"""About as many rows come together if there are as many workers as partitions, unless each keeps the least number."""
DEVIATIONS: Final = 3.0
"""By how many standard deviations a key must be above the threshold; otherwise chance makes some keys heavy."""
MOST_IDLE: Final = 2.0
"""With fewer keys than partitions, a key may be heavier, but at most by this factor: more partitions may not idle."""
LARGEST_SHARE: Final = 0.75
"""A key with more of the rows than this is always heavy, however few partitions there are."""
HASH: Final = "_hash"
SAMPLE_COLUMNS: Final = "hashes array<bigint>, starts array<bigint>, rows bigint"
SURVEY_COLUMNS: Final = "heavy array<bigint>, cuts array<bigint>, heavy_cuts array<bigint>"


@dataclass(frozen=True)
class Goal:
    """The number of partitions; and how many average partitions the rows of a key may fill, None means any number."""

    partitions: int
    heaviest: float | None = None

    def largest_share(self, keys: int) -> float:
        """The fraction of all rows that a key may have if there are this many keys.

        >>> [Goal(1000, 1.5).largest_share(keys) for keys in (10_000, 500, 2)]
        [0.0015, 0.003, 0.003]
        """
        if self.heaviest is None or self.partitions == 1:
            return 1.0
        idle = min(max(self.partitions / max(keys, 1), 1.0), MOST_IDLE)
        return min(self.heaviest * idle / self.partitions, LARGEST_SHARE)

    @property
    def rows_of_a_worker(self) -> int:
        return min(max(ROWS_OF_ALL_WORKERS // self.partitions, LEAST_ROWS_OF_A_WORKER), MOST_ROWS_OF_A_WORKER)


@dataclass(frozen=True)
class Survey:
    """The hashes of heavy keys, and slices of time with about equally many rows: of all rows, and of heavy keys."""

    heavy: tuple[int, ...]
    slices: Slices
    heavy_slices: Slices

    @property
    def may_cut(self) -> bool:
        """Is any key cut over time, as far as is known?"""
        return bool(self.heavy)

    def is_heavy(self, hashed: Column) -> Column:
        """Is the key with this hash one of the heavy ones?"""
        return hashed.isin(list(self.heavy))


@dataclass(frozen=True)
class Sample:
    """Some rows: the hash of the key and the start of each, and how many rows it stands for."""

    hashes: Ints
    starts: Ints
    weights: NDArray[np.float64]

    def surveyed(self, goal: Goal, part: float = 1.0) -> Survey:
        """What the sample says of all rows; it is one of this part of them."""
        heavy = self.heavy(goal, part)
        of_heavy = np.isin(self.hashes, heavy)
        return Survey(
            tuple(heavy.tolist()),
            Slices(cuts_at(self.starts, self.weights, goal.partitions)),
            Slices(cuts_at(self.starts[of_heavy], self.weights[of_heavy], goal.partitions)),
        )

    def heavy(self, goal: Goal, part: float = 1.0) -> Ints:
        """The keys that surely have more rows than they may have."""
        keys, places, seen = np.unique(self.hashes, return_inverse=True, return_counts=True)
        all_ = self.weights.sum()
        share = np.bincount(places, self.weights, len(keys)) / max(all_, 1.0)
        unseen = 1 - part * len(self.starts) / max(all_, 1.0)
        surely = share * (1 - DEVIATIONS * np.sqrt(max(unseen, 0.0) / np.maximum(seen, 1)))
        found: Ints = keys[surely > goal.largest_share(len(keys))]
        return found


def cuts_at(starts: Ints, weights: NDArray[np.float64], number: int) -> tuple[int, ...]:
    """Where time is cut into about this many slices with about equally many starts."""
    if number < 2 or not len(starts):
        return ()
    order = np.argsort(starts, kind="stable")
    reached = np.cumsum(weights[order])
    places = np.searchsorted(reached, np.arange(1, number) * (reached[-1] / number), "right")
    cuts = np.unique(starts[order][np.minimum(places, len(starts) - 1)])
    return tuple(cuts[cuts > 0].tolist())


def surveyed(data: DataFrame, goal: Goal, part: float = 1.0, hashed: Column | None = None) -> Survey:
    """Survey a fraction of the rows, always the same for the same data; without a hash there are no keys."""
    goal = goal if hashed is not None else Goal(goal.partitions)
    hashes = (f.lit(0) if hashed is None else hashed).cast("bigint").alias(HASH)
    sample = data if part >= 1 else data.sample(part, SAMPLE_SEED)
    parts = sample.select(hashes, START).mapInArrow(RowsKept(goal.rows_of_a_worker), SAMPLE_COLUMNS)
    with readable_errors():
        table = parts.repartition(1).mapInArrow(PutTogether(goal, min(part, 1.0)), SURVEY_COLUMNS).toArrow()
    heavy, cuts, heavy_cuts = (tuple(column.to_pylist()[0]) for column in table.columns)
    return Survey(heavy, Slices(cuts), Slices(heavy_cuts))


@dataclass(frozen=True)
class RowsKept:
    """A worker's part of the sample: some of its rows, and how many it had."""

    most: int

    def __call__(self, batches: Batches) -> Batches:
        chance, rows = np.random.default_rng(SAMPLE_SEED), 0
        kept = np.zeros((3, 0), np.int64)
        for batch in batches:
            rows += len(batch)
            lot = chance.integers(1 << 62, size=len(batch))
            more = np.stack([lot, *(batch.column(i).to_numpy() for i in (0, 1))])
            kept = self._lowest(np.concatenate([kept, more], axis=1))
        yield list_batch({"hashes": kept[1], "starts": kept[2]}, rows=rows)

    def _lowest(self, rows: Ints) -> Ints:
        """The rows with the lowest lots: they are a random choice, however the rows come in batches."""
        if rows.shape[1] <= self.most:
            return rows
        return rows[:, np.argpartition(rows[0], self.most)[: self.most]]


@dataclass(frozen=True)
class PutTogether:
    """One worker surveys the samples of all others."""

    goal: Goal
    part: float

    def __call__(self, batches: Batches) -> Batches:
        yield survey_batch(united(samples(batches)).surveyed(self.goal, self.part))


def survey_batch(found: Survey) -> pa.RecordBatch:
    """A survey as one row."""
    lists = {"heavy": found.heavy, "cuts": found.slices.cuts, "heavy_cuts": found.heavy_slices.cuts}
    return list_batch({name: np.array(one, np.int64) for name, one in lists.items()})


def samples(batches: Iterable[pa.RecordBatch]) -> Iterator[Sample]:
    """The samples of workers; every row of a sample stands for equally many rows of its worker."""
    for batch in batches:
        for hashes, starts, rows in zip(*batch.columns, strict=True):
            both = [one.values.to_numpy() for one in (hashes, starts)]
            yield Sample(both[0], both[1], np.full(len(both[0]), rows.as_py() / max(len(both[0]), 1)))


def united(parts: Iterable[Sample]) -> Sample:
    """One sample from several."""
    nothing = Sample(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
    all_ = [nothing, *parts]
    return Sample(*(np.concatenate([getattr(one, name) for one in all_]) for name in ("hashes", "starts", "weights")))


def list_batch(lists: dict[str, Ints], **numbers: int) -> pa.RecordBatch:
    """One row: a list for each of these arrays, and some numbers."""
    ones = [pa.ListArray.from_arrays([0, len(values)], pa.array(values)) for values in lists.values()]
    return pa.RecordBatch.from_arrays([*ones, *(pa.array([n]) for n in numbers.values())], [*lists, *numbers])
