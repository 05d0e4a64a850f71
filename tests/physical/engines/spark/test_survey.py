"""What a sample tells of how rows are spread does not depend on who looked at which part of it."""

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from physical.engines.spark import survey
from physical.engines.spark.survey import KEY_BUCKETS, STARTS_KEPT, Survey, looked_at, put_together

ROWS = 3 * STARTS_KEPT


def survey_of(parts: "list[list[tuple[int, int]]]") -> Survey:
    """What is said of rows with a bucket and a start each, by a worker for each part and one that puts it together."""
    looked = [batch for part in parts for batch in looked_at(iter(batches(part)))]
    (both,) = survey._surveys(put_together(iter(looked)))
    return both


def batches(rows: "list[tuple[int, int]]") -> list[pa.RecordBatch]:
    columns = np.array(rows, np.int64).reshape(-1, 2).T
    whole = pa.RecordBatch.from_arrays([pa.array(column) for column in columns], ["_bucket", "_start"])
    return [whole.slice(at, 1000) for at in range(0, len(rows), 1000)]


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.tuples(st.integers(0, KEY_BUCKETS - 1), st.integers(0, 2**40)), max_size=60),
    st.lists(st.integers(0, 60)),
)
def test_few_rows_are_told_exactly(rows: "list[tuple[int, int]]", cuts: list[int]) -> None:
    bounds = [0, *sorted(min(cut, len(rows)) for cut in cuts), len(rows)]
    found = survey_of([rows[a:b] for a, b in pairwise(bounds)])
    assert found.rows == len(rows)
    assert found.starts.tolist() == sorted(start for _, start in rows)
    assert found.counts.tolist() == np.bincount([bucket for bucket, _ in rows], minlength=KEY_BUCKETS).tolist()


@pytest.mark.parametrize("parts", [1, 2, 7])
def test_slices_of_many_rows_are_even(parts: int) -> None:
    """Most rows start late, and the parts have different times and sizes."""
    starts = sorted(int(i**0.5 * 1000) for i in range(ROWS))
    rows = [(i % 10, start) for i, start in enumerate(starts)]
    bounds = [ROWS * i * i // parts**2 for i in range(parts + 1)]
    found = survey_of([rows[a:b] for a, b in pairwise(bounds)])
    assert len(found.starts) == STARTS_KEPT
    sizes = np.diff([0, *np.searchsorted(starts, found.slices(5).cuts), ROWS])
    assert len(sizes) == 5
    assert abs(sizes - ROWS / 5).max() < ROWS / 200


def test_heavy_is_what_has_more_than_its_part() -> None:
    found = survey_of([[(7, 0)] * 30 + [(8, 1)] * 20, [(9, 2)] * 50])
    assert found.heavy(0.2) == [7, 9]
    assert found.heavy(0.5) == []


def test_nothing_is_cut_where_nothing_starts() -> None:
    assert survey_of([[]]).slices(4).cuts == ()
    assert survey_of([[(1, 0), (2, 0), (3, 0)]]).slices(4).cuts == ()
    assert survey_of([[(1, 5)] * 10]).slices(4).cuts == (5,)


def test_a_planted_fault_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A part counts as much as any other, however few rows it has."""
    monkeypatch.setattr(
        survey, "_points", lambda starts, _: starts[np.arange(STARTS_KEPT) * len(starts) // STARTS_KEPT]
    )
    with pytest.raises(AssertionError):
        test_slices_of_many_rows_are_even(7)
