"""The strategies that users import: tame by default, awkward on request."""

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from equivalence.cases import strategies
from semantics import Schema, Stream, evaluate
from semantics.constraint import elements_of

FINDING = settings(max_examples=500, database=None)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_by_default_nothing_overflows(data: st.DataObject) -> None:
    plan = data.draw(strategies.plans())
    case = data.draw(strategies.cases(plan))
    result = evaluate(plan, case, strategies.CASE_HORIZON)
    assert len(result.snapshots) == strategies.CASE_HORIZON


def holds_a_large_integer(stream: Stream) -> bool:
    return any(isinstance(row[0], int) and abs(row[0]) > 2**53 for row, _ in elements_of(stream))


def test_large_integers_come_on_request_only() -> None:
    schema = Schema.of(x=int)
    found = find(strategies.streams(schema, awkward=True), holds_a_large_integer, settings=FINDING)
    assert len(elements_of(found)) == 1
    with pytest.raises(NoSuchExample):
        find(strategies.streams(schema), holds_a_large_integer, settings=FINDING)
