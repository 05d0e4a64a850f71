"""Equality of snapshots up to a relative error of floats."""

import math

from semantics import Multiset, Row


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
