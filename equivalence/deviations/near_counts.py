"""Outputs whose floats are right within a tolerance: their rows as the other output has them."""

from math import isclose

from equivalence.deviations.outcome import added
from semantics import Row, Value
from semantics.sparse.row_steps import Counts, Steps


def near(got: Counts, wanted: Counts, tolerance: float) -> Counts:
    """What was got, each row replaced by the nearest wanted one that is within the relative tolerance.

    >>> near({(1, 2.04): [(0, 1)]}, {(1, 2.0): [(0, 1)], (1, 2.1): [(5, 1)]}, 0.05)
    {(1, 2.0): [(0, 1)]}
    """
    if not tolerance:
        return got
    alike: dict[Row, list[Row]] = {}
    for row in wanted:
        alike.setdefault(_exact_part(row), []).append(row)
    found: dict[Row, list[Steps]] = {}
    for row, steps in got.items():
        same = row if row in wanted else _nearest(row, alike.get(_exact_part(row), []), tolerance)
        found.setdefault(same, []).append(steps)
    return {row: parts[0] if len(parts) == 1 else added(parts) for row, parts in found.items()}


def _exact_part(row: Row) -> Row:
    """What must be equal: everything but floats, and where floats are."""
    return tuple("float" if isinstance(value, float) else value for value in row)


def _nearest(row: Row, others: list[Row], tolerance: float) -> Row:
    close = [other for other in others if all(map(lambda a, b: _is_close(a, b, tolerance), row, other))]
    return min(close, key=lambda other: _distance(row, other), default=row)


def _is_close(a: Value, b: Value, tolerance: float) -> bool:
    return isclose(a, b, rel_tol=tolerance) if isinstance(a, float) and isinstance(b, float) else a == b


def _distance(row: Row, other: Row) -> float:
    return sum(abs(a - b) for a, b in zip(row, other, strict=True) if isinstance(a, float) and isinstance(b, float))
