"""How rows come to a streaming job: nothing is lost, nothing comes later than the slack, and batches end badly."""

from itertools import pairwise

import numpy as np
import pytest

from equivalence.dataframes.job_arrival import BATCHES, BORDERS_IN_DISORDER, Arrival
from physical.columns.stream import PhysicalStream, joined
from semantics import Interval, Schema

STARTS = np.sort(np.random.default_rng(5).integers(0, 1000, 300))
ROWS = [((i,), Interval(int(t), int(t) + 1)) for i, t in enumerate(STARTS)]
STREAM = PhysicalStream.from_elements(Schema.of(x=int), ROWS)


def numbers(stream: PhysicalStream) -> list[int]:
    found: list[int] = stream.columns[0].values.tolist()
    return found


@pytest.mark.parametrize("slack", [0, 7, 100])
def test_all_rows_come_within_the_slack(slack: int) -> None:
    batches = Arrival(slack).batches({"S": STREAM}, 1000)["S"].on_time
    assert BATCHES <= len(batches) <= 2 * BORDERS_IN_DISORDER + 1
    whole = joined(batches)
    assert sorted(numbers(whole)) == numbers(STREAM)
    behind = np.maximum.accumulate(whole.start) - whole.start
    assert behind.max() <= slack
    assert (behind.max() > slack // 2) == (slack > 0)


def test_batches_end_between_rows_that_have_changed_places() -> None:
    batches = Arrival(100).batches({"S": STREAM}, 1000)["S"].on_time
    assert {len(batch) for batch in batches[1::2]} == {0}, "an empty batch follows where it hurts"
    batches = batches[::2]
    latest = np.maximum.accumulate([batch.start.max() for batch in batches])
    behind = [latest[i] - min(rest.start.min() for rest in batches[i + 1 :]) for i in range(len(batches) - 1)]
    assert min(behind) > 80


def test_batches_end_where_a_window_does() -> None:
    batches = Arrival(30).batches({"S": STREAM}, 1000, step=500)["S"].on_time[::2]
    latest = np.maximum.accumulate([batch.start.max() for batch in batches])
    assert any(latest[i] >= 500 > batches[i + 1].start.min() for i in range(len(batches) - 1))


@pytest.mark.parametrize(("late", "copies"), [("dropped", 2), ("counted", 1)])
def test_late_rows_are_copies_or_the_only_ones(late: str, copies: int) -> None:
    arrived = Arrival(5, "dropped" if late == "dropped" else "counted").batches({"S": STREAM}, 1000)["S"]
    assert arrived.late is not None
    on_time, after = numbers(joined(arrived.on_time)), numbers(arrived.late)
    assert 100 < len(after) < 200
    assert {*on_time, *after} == {*range(300)}
    assert len(on_time) + len(after) == 300 + (len(after) if copies == 2 else 0)


def test_the_same_seed_gives_the_same_order() -> None:
    orders = [numbers(joined(Arrival(50, seed=seed).batches({"S": STREAM}, 1000)["S"].on_time)) for seed in (1, 1, 2)]
    assert orders[0] == orders[1] != orders[2]


def test_streams_may_be_empty() -> None:
    empty = PhysicalStream.empty(Schema.of(x=int))
    arrived = Arrival(5, "dropped").batches({"S": empty}, 10)["S"]
    assert [len(batch) for batch in arrived.on_time] == [0]


def test_batches_in_order_end_within_a_case_and_a_pane() -> None:
    """A job that counts each batch by itself gives two counts for a pane then."""
    starts = [case * 10_000 + at for case in range(40) for at in (0, 20, 59, 70)]
    stream = PhysicalStream.from_elements(Schema.of(x=int), [((i,), Interval(t, t + 1)) for i, t in enumerate(starts)])
    batches = Arrival().batches({"S": stream}, 400_000, step=60)["S"].on_time
    assert len(batches) == BATCHES
    assert all(batch.start[-1] // 60 == later.start[0] // 60 for batch, later in pairwise(batches))
