"""Work that is left in time."""

from collections.abc import Callable

import pytest

from equivalence.comparison.time_limit import OutOfTime, time_limit


class Slow:
    """An object that is forgotten slowly."""

    ended = False

    def __del__(self) -> None:
        for _ in range(2_000_000):
            pass
        Slow.ended = True


def for_ever(seconds: float, make: Callable[[], object]) -> None:
    """Make objects, and forget them at once."""
    with time_limit(seconds):
        while True:
            make()


def test_work_that_takes_too_long_is_left() -> None:
    with pytest.raises(OutOfTime):
        for_ever(0.01, list)


def test_a_destructor_is_not_left_halfway() -> None:
    with pytest.raises(OutOfTime):
        for_ever(0.001, Slow)
    assert Slow.ended


def test_work_in_time_is_done() -> None:
    with time_limit(60):
        done = True
    assert done
