"""Frames of OVER over rows in any order, as conditions on other rows: how far before and behind its row each lies."""

from typing import TYPE_CHECKING

from sqlglot import exp

from semantics.sql.dialects.refusals import Refused
from semantics.sql.dialects.writing import written

if TYPE_CHECKING:
    from semantics.sql.dialects.over_tables import Key, OverTable

Bound = tuple[exp.Expr | None, int]
"""How far from the row, and to which side: −1 is before it, 1 behind it; no distance with a side is no bound at all."""
REASON = "frames of ROWS by constant numbers, and in one order those of RANGE by a distance, are read"


def is_whole(spec: exp.WindowSpec | None) -> bool:
    """Does the frame reach from the first row to the last?"""
    return spec is not None and all(bound[0] is None and bound[1] != 0 for bound in _bounds(spec))


def condition_of(spec: exp.WindowSpec, over: "OverTable", offset: int) -> list[str]:
    """What other rows must fulfil to be in the frame."""
    (low, low_side), (high, high_side) = _bounds(spec)
    by_rows = str(spec.args.get("kind")).upper() == "ROWS"
    if low is None and high is None:
        upper = [] if high_side else [over.upto(by_rows=by_rows)]
        return [*([] if low_side else [over.from_on(by_rows=by_rows)]), *upper]
    if by_rows and all(distance is None or distance.is_int for distance in (low, high)):
        return over.between_places(_steps(low, low_side), _steps(high, high_side))
    by_groups = str(spec.args.get("kind")).upper() == "GROUPS" and (low or high) is not None
    if by_rows or by_groups or len(over.order) != 1:
        raise Refused("this frame in an order that is not the time of a stream", REASON, offset)
    return [_near(over.order[0], (low, low_side), (high, high_side))]


def excluded(spec: exp.WindowSpec | None, offset: int) -> bool:
    """Is the row itself left out of its frame?"""
    said = spec.args.get("exclude") if spec is not None else None
    words = "" if said is None else str(said.name if isinstance(said, exp.Expr) else said).upper()
    if words not in ("", "NO OTHERS", "CURRENT ROW"):
        raise Refused(f"EXCLUDE {words}", "EXCLUDE CURRENT ROW is read", offset)
    return words == "CURRENT ROW"


def _steps(distance: exp.Expr | None, side: int) -> int | None:
    """How many places the bound is behind the row; None if there is no bound."""
    if distance is None:
        return None if side else 0
    return side * int(distance.name)


def _near(key: "Key", low: Bound, high: Bound) -> str:
    """Is the value of the other row within two distances of this one's? NULLs are near each other only."""
    parts = [_compared(key, bound, is_low=is_low) for bound, is_low in ((low, True), (high, False))]
    within = " AND ".join(part for part in parts if part)
    return f"(({within}) IS TRUE OR ({key.other} IS NULL AND {key.own} IS NULL))"


def _compared(key: "Key", bound: Bound, *, is_low: bool) -> str:
    distance, side = bound
    if distance is None and side:
        return ""
    at_least = is_low != key.down
    plus = (side > 0) != key.down
    shift = "" if distance is None else f" {'+' if plus else '-'} {written(distance)}"
    return f"{key.other} {'>=' if at_least else '<='} {key.own}{shift}"


def _bounds(spec: exp.WindowSpec) -> tuple[Bound, Bound]:
    start = _bound(spec.args.get("start"), spec.args.get("start_side") or "PRECEDING")
    end = _bound(spec.args.get("end") or "CURRENT ROW", spec.args.get("end_side") or "FOLLOWING")
    return start, end


def _bound(value: "exp.Expr | str | None", side: str) -> Bound:
    sign = -1 if side.upper() == "PRECEDING" else 1
    if isinstance(value, exp.Expr):
        distance = exp.Interval(this=value.copy()) if isinstance(value, exp.Literal) and value.is_string else value
        return distance, sign
    return (None, 0) if str(value).upper() == "CURRENT ROW" else (None, sign)
