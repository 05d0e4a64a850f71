"""Changelogs: updates where a key has one row before and one after, and the way back."""

import pytest
from hypothesis import given

from equivalence.cases.strategies import interval_streams
from physical.columns.canonical import first_difference
from physical.columns.stream import PhysicalStream
from physical.engines.delta.algebra import run_deltas
from physical.engines.delta.changelog import changelog
from physical.engines.delta.convert import to_deltas, to_intervals
from physical.engines.delta.delta_stream import DeltaStream
from semantics import IntervalStream, Schema, SchemaError, parse, parse_plan

SCHEMA = Schema.of(k=int, n=int)


def test_an_aggregation_updates_its_row() -> None:
    plan = parse_plan("S(x int) | window(range 3) | aggregate(sum(x) as s)")
    changes = run_deltas(plan, {"S": parse("raw(x int): (1)@0 (2)@1")})
    rows = changelog(changes, ["s"]).to_rows()
    assert rows == [
        ("+I", (1,), 0),
        ("-D", (1,), 1),
        ("+I", (3,), 1),
        ("-D", (3,), 3),
        ("+I", (2,), 3),
        ("-D", (2,), 4),
    ]


def test_a_group_is_inserted_updated_and_deleted() -> None:
    plan = parse_plan("S(k int, x int) | window(range 3) | group(k; sum(x) as s)")
    changes = run_deltas(plan, {"S": parse("raw(k int, x int): (1, 1)@0 (2, 9)@0 (1, 2)@1")})
    assert changelog(changes, ["k"]).to_rows() == [
        ("+I", (1, 1), 0),
        ("+I", (2, 9), 0),
        ("-U", (1, 1), 1),
        ("+U", (1, 3), 1),
        ("-U", (1, 3), 3),
        ("+U", (1, 2), 3),
        ("-D", (2, 9), 3),
        ("-D", (1, 2), 4),
    ]


def test_more_rows_than_before_are_updates_and_inserts() -> None:
    elements = [("+", (1, 1), 0), ("-", (1, 1), 2), ("+", (1, 2), 2), ("+", (1, 3), 2)]
    log = changelog(DeltaStream.from_elements(SCHEMA, elements), ["k"])  # type: ignore[arg-type]  # signs
    assert [kind for kind, _, _ in log.to_rows()] == ["+I", "-U", "+U", "+I"]


@given(interval_streams(SCHEMA, max_size=12, awkward=True))
def test_a_changelog_says_the_same(stream: IntervalStream) -> None:
    given_ = PhysicalStream.of(stream)
    log = changelog(to_deltas(given_), ["k"])
    assert first_difference(to_intervals(log.to_deltas()), given_) is None
    kinds = [kind for kind, _, _ in log.to_rows()]
    assert kinds.count("-U") == kinds.count("+U")


def test_a_key_must_be_a_column() -> None:
    with pytest.raises(SchemaError, match="key 'z' must be a column, got columns"):
        changelog(DeltaStream.empty(SCHEMA), ["z"])
