"""The canonical form by several threads is the canonical form."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from physical.columns import stream_parts
from physical.columns.canonical import canonical, whole_canonical
from physical.columns.column import ColumnVector
from physical.columns.stream import PhysicalStream
from semantics import FOREVER, Interval, Schema, Type
from semantics import canonical as reference_canonical

SCHEMA = Schema.of(x=int, s=str)
ELEMENTS = st.lists(
    st.tuples(st.sampled_from((0, 1, None)), st.sampled_from("ab"), st.integers(0, 12), st.integers(1, 8)), max_size=20
)


def stream_of(elements: list[tuple[int | None, str, int, int]]) -> PhysicalStream:
    ordered = sorted(elements, key=lambda element: element[2])
    ends = [FOREVER if length == 8 else start + length for _, _, start, length in ordered]
    return PhysicalStream.from_elements(
        SCHEMA, [((x, s), Interval(start, end)) for (x, s, start, _), end in zip(ordered, ends, strict=True)]
    )


@given(ELEMENTS, st.integers(1, 5))
@example([(0, "a", 0, 7), (0, "a", 3, 2), (1, "b", 5, 8), (1, "b", 6, 1)], 1)
@example([(0, "a", t, 1) for t in range(6)], 2)
@example([(0, "a", 0, 7), *((1, "b", t, 1) for t in range(1, 6))], 1)
def test_differential_parts_and_whole(elements: list[tuple[int | None, str, int, int]], size: int) -> None:
    stream = stream_of(elements)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stream_parts, "CHUNK", size)
        patch.setattr(stream_parts, "MAX_SHARE_TREATED_TWICE", 1000)
        found = canonical(stream, threads=6)
    assert found.to_runs() == whole_canonical(stream).to_runs()


def test_a_long_stream_of_numbers_is_copied_by_threads() -> None:
    start = np.sort(np.random.default_rng(1).integers(0, 500, 400))
    whole = stream_of([(int(t) % 3, "a", int(t), 1 + int(t) % 5) for t in start])
    stream = PhysicalStream(Schema.of(x=int), whole.columns[:1], whole.start, whole.end)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stream_parts, "CHUNK", 50)
        found = canonical(stream, threads=2)
    assert found.to_runs() == whole_canonical(stream).to_runs()


def test_many_rows_that_start_together_in_the_wrong_order() -> None:
    """Insertion gives up on them, in the middle of a part as at its beginning."""
    start = np.concatenate([np.arange(100), np.full(100, 100), np.arange(101, 200), np.full(100, 200)])
    values = np.concatenate([np.arange(100), np.arange(100)[::-1], np.arange(99), np.arange(100)[::-1]])
    stream = PhysicalStream(Schema.of(x=int), (ColumnVector(Type.INT, values),), start, start + 5)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stream_parts, "CHUNK", 150)
        found = canonical(stream, threads=2)
    assert found.to_runs() == whole_canonical(stream).to_runs() == reference_canonical(stream.to_interval())
