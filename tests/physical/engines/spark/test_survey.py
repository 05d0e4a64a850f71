"""What a sample tells of how rows are spread does not depend on who looked at which part of it."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from physical.engines.spark import survey
from physical.engines.spark.survey import Goal, PutTogether, RowsKept, Sample, Survey, samples, united
from physical.kernels.types import Ints

ROWS = 20_000
KEPT = 1000


def looked_at(parts: "list[list[tuple[int, int]]]", kept: int = ROWS) -> Iterator[pa.RecordBatch]:
    """What a worker for each part keeps of its rows, which have a hash and a start each."""
    for part in parts:
        yield from RowsKept(kept)(iter(batches(part)))


def sample_of(parts: "list[list[tuple[int, int]]]", kept: int = ROWS) -> Sample:
    return united(samples(looked_at(parts, kept)))


def batches(rows: "list[tuple[int, int]]") -> list[pa.RecordBatch]:
    columns = np.array(rows, np.int64).reshape(-1, 2).T
    whole = pa.RecordBatch.from_arrays([pa.array(column) for column in columns], ["_hash", "_start"])
    return [whole.slice(at, 1000) for at in range(0, len(rows), 1000)]


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.tuples(st.integers(-(2**63), 2**63 - 1), st.integers(0, 2**40)), max_size=60),
    st.lists(st.integers(0, 60)),
)
def test_few_rows_are_told_exactly(rows: "list[tuple[int, int]]", cuts: list[int]) -> None:
    bounds = [0, *sorted(min(cut, len(rows)) for cut in cuts), len(rows)]
    found = sample_of([rows[a:b] for a, b in pairwise(bounds)])
    assert list(zip(found.hashes.tolist(), found.starts.tolist(), strict=True)) == rows
    assert found.weights.tolist() == [1.0] * len(rows)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 30)), min_size=1, max_size=60), st.integers(2, 9))
def test_oracle_the_answer_of_the_last_worker(rows: "list[tuple[int, int]]", partitions: int) -> None:
    """It is sent as it is: the heavy keys of all rows, and cuts at starts of rows."""
    goal = Goal(partitions, 1.0)
    (answer,) = PutTogether(goal, 1.0)(looked_at([rows[::2], rows[1::2]]))
    heavy, cuts, heavy_cuts = (column.to_pylist()[0] for column in answer.columns)
    hashes = [key for key, _ in rows]
    share = goal.largest_share(len(set(hashes)))
    assert heavy == sorted(key for key in set(hashes) if hashes.count(key) > share * len(rows))
    assert set(cuts) <= {start for _, start in rows} - {0}
    assert set(heavy_cuts) <= {start for key, start in rows if key in heavy} - {0}


@pytest.mark.parametrize("parts", [1, 2, 7])
def test_slices_of_many_rows_are_even(parts: int) -> None:
    """Most rows start late, and the parts have different times and sizes."""
    starts = sorted(int(i**0.5 * 1000) for i in range(ROWS))
    rows = [(i % 10, start) for i, start in enumerate(starts)]
    bounds = [ROWS * i * i // parts**2 for i in range(parts + 1)]
    found = sample_of([rows[a:b] for a, b in pairwise(bounds)], KEPT)
    assert len(found.starts) <= KEPT * parts
    sizes = np.diff([0, *np.searchsorted(starts, found.surveyed(Goal(5)).slices.cuts), ROWS])
    assert len(sizes) == 5
    assert abs(sizes - ROWS / 5).max() < ROWS / 20


def test_a_sample_of_rows_in_a_rhythm_is_as_likely_as_any() -> None:
    """Every tenth row has the key 1, and so has a tenth of the sample."""
    found = sample_of([[(int(i % 10 == 0), i) for i in range(ROWS)]], KEPT)
    assert 0.07 < found.hashes.mean() < 0.13


def test_heavy_is_what_has_more_than_its_part() -> None:
    rows = sample_of([[(7, 0)] * 30 + [(8, 1)] * 20, [(9, 2)] * 50])
    assert rows.heavy(Goal(10, 1.0)).tolist() == [7, 9]
    assert rows.heavy(Goal(10, 2.0)).tolist() == [9]
    assert rows.heavy(Goal(10)).tolist() == []
    found = rows.surveyed(Goal(3, 1.0))
    assert (found.heavy, found.slices.cuts, found.heavy_slices.cuts) == ((9,), (1, 2), (2,))


def uniform(keys: int, rows: int) -> Ints:
    return np.arange(rows) % keys * 2_654_435_761


def survey_of(hashes: Ints, partitions: int, rows: float) -> Survey:
    """The survey of a sample that stands for this many rows, whose starts are spread evenly."""
    weights = np.full(len(hashes), rows / len(hashes))
    return Sample(hashes, np.arange(len(hashes)) + 1, weights).surveyed(Goal(partitions, 1.5))


@pytest.mark.parametrize(
    ("keys", "partitions"), [(500, 1000), (500, 400), (1000, 1000), (10_000, 5000), (30_000, 50_000)]
)
def test_keys_of_equal_weight_are_not_heavy(keys: int, partitions: int) -> None:
    """Also if there are fewer of them than partitions: more than every other partition has something to do."""
    sample = np.random.default_rng(7).permutation(uniform(keys, 1_000_000))[:400_000]
    assert survey_of(sample, partitions, 1e10).heavy == ()


@pytest.mark.parametrize("partitions", [2, 3, 8, 1000, 5000, 50_000])
def test_a_key_of_most_of_the_rows_is_heavy(partitions: int) -> None:
    hashes = uniform(10_000, 400_000)
    hashes[np.arange(len(hashes)) % 5 > 0] = 17
    found = survey_of(hashes, partitions, 1e10)
    assert found.heavy == (17,)
    for slices in (found.slices, found.heavy_slices):
        assert len(slices.cuts) == partitions - 1
        assert np.ptp(np.diff([0, *slices.cuts])) <= 2


@pytest.mark.parametrize(("keys", "partitions"), [(1, 2), (1, 8), (2, 8), (2, 1000), (100, 5000)])
def test_keys_that_leave_most_partitions_empty_are_heavy(keys: int, partitions: int) -> None:
    assert len(survey_of(uniform(keys, 400_000), partitions, 1e10).heavy) == keys


@pytest.mark.parametrize("partitions", [1, 8, 400, 1000, 5000, 50_000])
def test_what_comes_together_is_bounded(partitions: int) -> None:
    """About as many workers as partitions send their rows to one, which answers with less than the driver can hold."""
    together = partitions * Goal(partitions).rows_of_a_worker
    assert together <= max(4 * survey.ROWS_OF_ALL_WORKERS, 256 * partitions)
    assert together >= 256 * partitions


def test_nothing_is_cut_where_nothing_starts() -> None:
    assert sample_of([[]]).surveyed(Goal(4)).slices.cuts == ()
    assert sample_of([[(1, 0), (2, 0), (3, 0)]]).surveyed(Goal(4)).slices.cuts == ()
    assert sample_of([[(1, 5)] * 10]).surveyed(Goal(4)).slices.cuts == (5,)


def test_a_planted_fault_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row of a sample stands for one row, however many its worker had."""
    monkeypatch.setattr(np, "full", lambda length, _: np.ones(length))
    with pytest.raises(AssertionError):
        test_slices_of_many_rows_are_even(7)
