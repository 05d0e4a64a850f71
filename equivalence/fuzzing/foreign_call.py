"""Calls of functions that somebody else wrote: they may raise, print, hang, or want to end the program."""

import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Any, Final

from equivalence.comparison.time_limit import OutOfTime, time_limit

SECONDS: Final = 10
TIMEOUT: Final = "Timeout"


class CallFailed(Exception):
    """There is no result; the message is the kind of error, a colon, and what it says."""


def called(function: Callable[[Any], Any], argument: object) -> Any:
    """What the function gives; what it prints goes to stderr, since a report may be on stdout.

    >>> called(str.upper, "a")
    'A'
    """
    try:
        with redirect_stdout(sys.stderr), time_limit(SECONDS):
            return function(argument)
    except OutOfTime:
        raise CallFailed(f"{TIMEOUT}: no answer in {SECONDS} s") from None
    except (Exception, SystemExit) as error:
        raise CallFailed(f"{type(error).__name__}: {error}") from None
