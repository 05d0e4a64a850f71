"""A time limit for work in this process, which must be left within it."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType
from typing import Final

SECONDS_UNTIL_ASKED_AGAIN: Final = 0.01
INNERMOST: Final = 3
"""So many calls may an object of a solver make while it is made."""


class OutOfTime(BaseException):
    """The work took longer than its limit; no handler of the work itself should catch it."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise OutOfTime inside if it is not left in time; where the system has no such clock, there is no limit.

    Compiled code is not interrupted: it is raised as soon as that returns.
    """
    if not hasattr(signal, "setitimer") or current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _out_of_time)
    left = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *left)
        signal.signal(signal.SIGALRM, before)


def _out_of_time(number: int, frame: FrameType | None) -> None:  # noqa: ARG001  # the signature of a handler
    if _is_delicate(frame):
        signal.setitimer(signal.ITIMER_REAL, SECONDS_UNTIL_ASKED_AGAIN)
        return
    raise OutOfTime


def _is_delicate(frame: FrameType | None) -> bool:
    """Is Python about to forget an object, or to make one? What is raised there is lost, or leaves half an object."""
    names = []
    while frame is not None:
        names.append(frame.f_code.co_name)
        frame = frame.f_back
    return "__del__" in names or "__init__" in names[:INNERMOST]
