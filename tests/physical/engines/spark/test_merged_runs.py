"""Runs that were found slice by slice become the runs of the whole."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from physical import PhysicalStream
from physical.columns.stream import in_order
from physical.engines.spark.merged_runs import merged_runs
from physical.files.counted import counted_schema
from semantics import Interval, Schema

elements = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 11), st.integers(1, 9)), max_size=12).map(
    lambda listed: sorted(listed, key=lambda one: one[1])
)


@settings(deadline=None, max_examples=200)
@given(elements, st.sets(st.integers(1, 12)))
def test_oracle_runs_within_slices_are_put_together(listed: list[tuple[int, int, int]], cuts: set[int]) -> None:
    stream = PhysicalStream.from_elements(Schema.of(x=int), [((x,), Interval(a, a + n)) for x, a, n in listed])
    pieces = [
        ((x, n), Interval(a, b))
        for low, high in pairwise([0, *sorted(cuts), 100])
        for (x,), span, n in inside(stream, low, high).canonical().to_runs()
        for a, b in [(int(span.start), int(span.end))]
    ]
    found = merged_runs(PhysicalStream.from_elements(counted_schema(stream.schema), pieces))
    whole = [((*row, n), span) for row, span, n in stream.canonical().to_runs()]
    assert sorted(map(repr, in_order(found).to_interval().elements)) == sorted(map(repr, whole))


def inside(stream: PhysicalStream, low: int, high: int) -> PhysicalStream:
    """What is valid in a slice."""
    there = stream.take((stream.start < high) & (stream.end > low))
    return there.valid_during(there.start.clip(low), there.end.clip(max=high))
