"""The first difference of two streams in batches, against the definition on whole streams."""

from collections.abc import Iterator

import numpy as np
import pytest

from physical.columns import canonical
from physical.columns.column import ColumnVector
from physical.columns.stream import PhysicalStream
from physical.files import stream_difference
from physical.files.counted import counted_schema
from physical.files.stream_difference import first_difference
from semantics import Type
from tests.physical.files.random_streams import SCHEMA, batches, drawn, pieces

WHOLE = counted_schema(SCHEMA)


def counted(stream: PhysicalStream, size: int) -> Iterator[PhysicalStream]:
    ones = ColumnVector(Type.INT, np.ones(len(stream), np.int64))
    return batches(stream.with_columns(WHOLE, (*stream.columns, ones)), size)


@pytest.fixture(autouse=True, params=[0, 10**6])
def patience(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_difference, "CHANGES_WORTH_SETTLING", request.param)


@pytest.mark.parametrize("seed", range(60))
def test_differential_first_difference(seed: int) -> None:
    left = drawn(seed, variety=seed % 4)
    right = pieces(left, seed)
    if seed % 3 and len(right):
        right = right.take(np.arange(len(right)) != seed % len(right))
    sizes = 1 + seed % 5, 1 + seed % 7
    found = first_difference(counted(left, sizes[0]), counted(right, sizes[1]), WHOLE)
    assert found == canonical.first_difference(left, right)


def test_elements_that_are_alike_cost_no_balance() -> None:
    stream = drawn(3, 200)
    whole = next(counted(stream, 1000))
    for differing, beyond in stream_difference.unmatched(whole, whole):
        assert len(differing) == len(beyond) == 0


def test_counts_stand_for_rows() -> None:
    one = drawn(5, variety=0).take(np.s_[:1])
    twice = one.with_columns(WHOLE, (*one.columns, ColumnVector(Type.INT, np.array([2]))))
    pair = counted(PhysicalStream.from_elements(SCHEMA, one.to_interval().elements * 2), 1)
    assert first_difference(iter([twice]), pair, WHOLE) is None
    assert first_difference(iter([twice]), counted(one, 1), WHOLE) == one.start[0]
