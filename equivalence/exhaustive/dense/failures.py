"""Cases that mean nothing, because a number overflows in them; they are set apart, the others go on."""

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from equivalence.exhaustive.dense.counts import Mask
from semantics import ArithmeticOverflow, SnapeqError

T = TypeVar("T")


class Failures:
    """Which cases have overflowed so far; any other error is raised, if it happens in a case at all, or ignored."""

    def __init__(self, cases: int, *, raising: bool = True) -> None:
        self.cases: Mask = np.zeros(cases, np.bool_)
        self.raising = raising

    def attempt(self, compute: Callable[[], T], present: Callable[[], Mask]) -> T | None:
        """The result, or None if there is none: then all cases fail in which the operands are present."""
        try:
            return compute()
        except SnapeqError as error:
            self.blame(error, present())
            return None

    def blame(self, error: SnapeqError, present: Mask) -> None:
        """The error happens in all cases in which the operands are present at some instant."""
        struck = present.any(axis=0) & ~self.cases
        if isinstance(error, ArithmeticOverflow):
            self.cases |= struck
        elif self.raising and struck.any():
            raise error
