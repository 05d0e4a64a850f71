"""Work that is left in time."""

import gc

import pytest

from equivalence.comparison.time_limit import OutOfTime, time_limit


class Slow:
    """An object that is forgotten slowly."""

    ended = False

    def __del__(self) -> None:
        for _ in range(2_000_000):
            pass
        Slow.ended = True


def test_work_that_takes_too_long_is_left() -> None:
    with pytest.raises(OutOfTime), time_limit(0.01):
        while True:
            pass


def test_a_destructor_is_not_left_halfway() -> None:
    with pytest.raises(OutOfTime), time_limit(0.001):
        while True:
            one = Slow()
            del one
            gc.collect()
    assert Slow.ended


def test_work_in_time_is_done() -> None:
    with time_limit(60):
        done = True
    assert done
