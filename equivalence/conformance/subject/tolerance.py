"""Equality of snapshots up to a relative error of floats."""

import math

from semantics import Multiset, Row, SnapeqError


class BadTolerance(SnapeqError):
    """A tolerance that is no relative error."""


def checked_tolerance(tolerance: float | None) -> float | None:
    """The tolerance, if it is one: a number from 0 on.

    >>> checked_tolerance(-0.5)
    Traceback (most recent call last):
    equivalence.conformance.subject.tolerance.BadTolerance: tolerance: expected a number ≥ 0, got -0.5
    """
    number = isinstance(tolerance, int | float) and not isinstance(tolerance, bool)
    if tolerance is not None and not (number and 0 <= tolerance < math.inf):
        raise BadTolerance(f"tolerance: expected a number ≥ 0, got {tolerance!r}")
    return tolerance


def close(left: Multiset, right: Multiset, tolerance: float) -> bool:
    """Can the rows be paired such that floats differ by no more than this, relatively, and nothing else does?"""
    lonely, others = list(left - right), list(right - left)
    for row in lonely:
        partner = next((other for other in others if _near(row, other, tolerance)), None)
        if partner is None:
            return False
        others.remove(partner)
    return not others


def _near(left: Row, right: Row, tolerance: float) -> bool:
    return all(
        math.isclose(a, b, rel_tol=tolerance)
        if isinstance(a, float) and isinstance(b, float) and a == a
        else a is b or a == b
        for a, b in zip(left, right, strict=True)
    )
