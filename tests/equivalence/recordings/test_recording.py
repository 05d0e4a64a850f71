"""A recording in memory: what it claims, and where it is judged."""

from equivalence.recordings.recording import EveryInstant, LastInstants, OneInstant, Recording, is_judged
from physical.columns.stream import PhysicalStream
from physical.files.counted import counted_schema
from semantics import FOREVER, Interval, Multiset, Schema


def test_a_recording_as_the_reference_writes_it() -> None:
    schema = Schema.of(x=int)
    elements = [((7, 2), Interval(1, 3)), ((7, 1), Interval(2, FOREVER))]
    recording = Recording("retract", PhysicalStream.from_elements(counted_schema(schema), elements), EveryInstant())
    assert recording.schema == schema
    assert [recording.sparse().at(t)[(7,)] for t in range(4)] == [0, 2, 3, 1]
    assert recording.sparse().at(0) == Multiset()


def test_where_it_is_judged() -> None:
    assert [t for t in range(6) if is_judged(EveryInstant(3), t)] == [0, 1, 2]
    assert [t for t in range(12) if is_judged(LastInstants(5, 2, 10), t)] == [1, 6]
    assert [t for t in range(6) if is_judged(OneInstant(4), t)] == [4]
