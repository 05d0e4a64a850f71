"""Intervals as signed elements, and back: nothing is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equivalence.cases.strategies import interval_streams
from physical.columns.canonical import first_difference
from physical.columns.stream import PhysicalStream
from physical.engines.delta.convert import to_deltas, to_intervals
from physical.engines.delta.delta_stream import DeltaStream, Sign, in_order
from physical.engines.delta.retraction import net
from semantics import IntervalStream, Schema, StreamError, parse

SCHEMA = Schema.of(x=int, s=str, f=float)
ONE = Schema.of(x=int)
STREAMS = interval_streams(SCHEMA, max_size=12, awkward=True)
CHANGES = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 6), st.integers(1, 4)), max_size=12)


def signed(*elements: tuple[Sign, int, int]) -> DeltaStream:
    return DeltaStream.from_elements(ONE, [(sign, (x,), t) for sign, x, t in elements])


@given(STREAMS)
def test_every_snapshot_survives_the_way_there_and_back(stream: IntervalStream) -> None:
    given_ = PhysicalStream.of(stream)
    deltas = to_deltas(given_).checked("there")
    back = to_intervals(deltas).checked("back")
    assert first_difference(given_, back) is None
    assert len(back) == len(given_)


@given(STREAMS)
def test_intervals_come_back_as_they_were_unless_equal_rows_are_nested(stream: IntervalStream) -> None:
    ends: dict[object, list[object]] = {}
    for row, interval in stream.elements:
        ends.setdefault(tuple(map(str, row)), []).append(interval.end)
    back = to_intervals(to_deltas(PhysicalStream.of(stream))).to_interval()
    if all(found == sorted(found) for found in ends.values()):  # type: ignore[type-var]  # instants
        assert back.elements == stream.elements


@given(CHANGES)
def test_signed_elements_come_back_up_to_what_undoes_itself_at_one_instant(lives: list[tuple[int, int, int]]) -> None:
    elements = [element for x, t, n in lives for element in (("+", (x,), t), ("-", (x,), t + n - 1))]
    deltas = in_order(DeltaStream.from_elements(ONE, elements))  # type: ignore[arg-type]  # signs
    back = to_deltas(to_intervals(deltas))
    assert sorted(net(back).to_elements()) == sorted(net(deltas).to_elements())


def test_of_equal_rows_the_oldest_goes_first() -> None:
    deltas = signed(("+", 7, 0), ("+", 7, 2), ("-", 7, 5), ("-", 7, 9))
    assert to_intervals(deltas).to_interval() == parse("interval(x int): (7)@[0, 5) (7)@[2, 9)")


def test_what_comes_and_goes_at_one_instant_was_never_there() -> None:
    assert len(to_intervals(signed(("+", 7, 3), ("-", 7, 3)))) == 0
    assert len(net(signed(("+", 7, 3), ("-", 7, 3)))) == 0


def test_ends_come_before_starts_at_one_instant() -> None:
    deltas = to_deltas(PhysicalStream.of(parse("interval(x int): (7)@[0, 3) (8)@[3, ∞)")))
    assert deltas.to_elements() == [("+", (7,), 0), ("-", (7,), 3), ("+", (8,), 3)]


def test_zero_has_one_sign_and_nan_is_nan() -> None:
    schema = Schema.of(f=float)
    deltas = DeltaStream.from_elements(
        schema, [("+", (0.0,), 0), ("+", (float("nan"),), 0), ("-", (float("nan"),), 1), ("-", (-0.0,), 2)]
    )
    assert to_intervals(deltas).end.tolist() == [2, 1]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (signed(("-", 7, 0)), "element 0 must take back a row that is there, got (7,)"),
        (signed(("+", 7, 0), ("-", 7, 1), ("-", 7, 2)), "element 2 must take back"),
        (signed(("+", 7, 2), ("-", 7, 1)), "element 1 must be at 2 or later, got 1"),
    ],
)
def test_a_retraction_of_nothing_and_wrong_order_are_errors(wrong: DeltaStream, message: str) -> None:
    with pytest.raises(StreamError, match=message.replace("(", r"\(").replace(")", r"\)")):
        to_intervals(wrong)
