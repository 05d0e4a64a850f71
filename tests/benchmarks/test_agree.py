"""Answers are compared by what they say at every instant, exactly if small and by fingerprint if large."""

import numpy as np
import pytest

from benchmarks.harness import agree
from benchmarks.harness.agree import Disagreement, check_agreement, compare
from benchmarks.harness.data import cut_in_two, uniform
from benchmarks.harness.table import Ints, Table
from benchmarks.peers.reference import stream
from semantics import equivalent


def ints(*values: int) -> Ints:
    return np.array(values, np.int64)


WHOLE = Table.once({"k": ints(7)}, ints(0), ints(9))
PIECES = Table.once({"k": ints(7, 7)}, ints(0, 4), ints(4, 9))
TWICE = Table({"k": ints(7)}, ints(0), ints(9), ints(2))


@pytest.fixture(params=["exact", "fingerprint"])
def method(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agree, "EXACT_UP_TO", 10**9 if request.param == "exact" else 0)


@pytest.mark.usefixtures("method")
def test_pieces_say_the_same_as_the_whole() -> None:
    assert compare(WHOLE, PIECES) is None


@pytest.mark.usefixtures("method")
def test_two_elements_say_the_same_as_one_that_counts_twice() -> None:
    assert compare(TWICE, Table.once({"k": ints(7, 7)}, ints(0, 0), ints(9, 9))) is None


@pytest.mark.usefixtures("method")
@pytest.mark.parametrize(
    "other",
    [
        TWICE,
        Table.once({"k": ints(8)}, ints(0), ints(9)),
        Table.once({"k": ints(7)}, ints(1), ints(9)),
        Table.once({"k": ints(7)}, ints(0), ints(10)),
        Table.once({"k": ints(7, 7)}, ints(0, 5), ints(4, 9)),
        Table.once({"k": ints()}, ints(), ints()),
        Table.once({"l": ints(7)}, ints(0), ints(9)),
    ],
)
def test_different_streams_differ(other: Table) -> None:
    assert compare(WHOLE, other) is not None
    assert compare(other, WHOLE) is not None


@pytest.mark.usefixtures("method")
def test_columns_are_told_by_name_and_not_by_place() -> None:
    left = Table.facts({"a": ints(1, 2), "b": ints(3, 4)})
    assert compare(left, Table.facts({"b": ints(4, 3), "a": ints(2, 1)})) is None
    assert compare(left, Table.facts({"b": ints(3, 4), "a": ints(2, 1)})) is not None


@pytest.mark.usefixtures("method")
@pytest.mark.parametrize("seed", range(20))
def test_a_stream_cut_in_two_is_equivalent(seed: int) -> None:
    whole = uniform(30, seed, length=4, k=2)
    pieces = cut_in_two(whole, seed)
    assert len(pieces) > len(whole)
    assert equivalent(stream(whole), stream(pieces))
    assert compare(whole, pieces) is None


@pytest.mark.usefixtures("method")
@pytest.mark.parametrize(
    "flawed",
    [
        Table.once({"k": ints(7, 7)}, ints(0, 5), ints(9, 5)),
        Table.once({"k": ints(7, 7, 7)}, ints(0, 5, 2), ints(9, 2, 5)),
        Table({"k": ints(7, 7)}, ints(0, 2), ints(9, 5), ints(1, 0)),
    ],
    ids=["empty interval", "interval backwards", "no times"],
)
def test_elements_that_would_cancel_out_are_seen(flawed: Table) -> None:
    assert "element 1 is valid during" in (compare(WHOLE, flawed) or "")


def test_verdicts_are_compared_as_they_are() -> None:
    assert compare(True, True) is None
    assert compare(True, False) == "True against False"
    assert compare(True, WHOLE) == "True against 1 elements"


def test_a_disagreement_names_both_sides_and_the_first_difference() -> None:
    with pytest.raises(
        Disagreement, match=r"w at 1: snapeq and peer disagree: run \[7, 0, 9, 1\] against \[7, 0, 9, 2\]"
    ):
        check_agreement("w at 1", {"snapeq": WHOLE, "peer": TWICE})


def test_what_lies_beyond_the_horizon_does_not_count() -> None:
    assert compare(WHOLE.until(4), PIECES.until(4)) is None
    assert len(PIECES.until(4)) == 1
