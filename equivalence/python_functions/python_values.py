"""Values and times as Python programs write them, as values and instants of a stream."""

from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from semantics import FOREVER, Type, Value
from semantics.time import End
from semantics.value import brief

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
EXACT_FLOATS: Final = 2**53
"""Integers up to here are floats, too."""
_MISSING: Final = ("NAType", "NaTType")
"""How pandas writes NULL."""


class UnfitValue(Exception):
    """A value that is not what it should be, and why."""


class UnfitValidity(UnfitValue):
    """Times that no row can have."""


def is_null(given: Any, nan_is_null: bool) -> bool:
    """Is this how Python writes NULL? NaN is, where it comes from pandas."""
    if given is None or type(given).__name__ in _MISSING:
        return True
    return nan_is_null and isinstance(given, float) and given != given


def value_of(given: Any, type_: Type, nan_is_null: bool) -> Value:
    """A value of this type.

    >>> value_of(3.0, Type.INT, nan_is_null=False), value_of(float("nan"), Type.INT, nan_is_null=True)
    (3, None)
    """
    plain = _plain(given)
    if is_null(plain, nan_is_null):
        return None
    match type_, plain:
        case Type.BOOL, bool():
            return bool(plain)
        case Type.INT, int() | float() if not isinstance(plain, bool) and plain == plain // 1:
            return int(plain)
        case Type.FLOAT, int() if not isinstance(plain, bool) and abs(plain) <= EXACT_FLOATS:
            return float(plain)
        case Type.FLOAT, float():
            return float(plain)
        case Type.STR, str():
            return str(plain)
    raise UnfitValue(f"is {brief(plain)} ({type(given).__name__}); expected {type_.name} or None")


def _plain(given: Any) -> Any:
    """A number of numpy, or a decimal number, as one of Python."""
    from decimal import Decimal

    if isinstance(given, Decimal):
        return int(given) if given == given.to_integral_value() else float(given)
    module = type(given).__module__
    return given.item() if module == "numpy" and hasattr(given, "item") else given


def instant_of(given: Any, milliseconds: int, endless: bool = False) -> End:
    """The instant of a time: a whole number, a date and time (UTC, if it does not say), or ISO 8601 text.

    >>> instant_of(datetime(1970, 1, 1, 0, 1), 1000), instant_of("1970-01-01T01:00Z", 60_000), instant_of(7, 1000)
    (60, 60, 7)
    """
    if is_null(given, nan_is_null=True):
        if endless:
            return FOREVER
        raise UnfitValue("is NULL; expected a time")
    plain = _moment(given)
    if isinstance(plain, datetime):
        return _whole(plain, int((plain - EPOCH) // timedelta(microseconds=1)), milliseconds)
    if isinstance(plain, float) and plain != plain // 1:
        raise UnfitValue(f"is {plain}; expected a whole number of units of {milliseconds} ms")
    if isinstance(plain, int | float) and not isinstance(plain, bool):
        return int(plain)
    raise UnfitValue(f"is {brief(plain)} ({type(given).__name__}); expected a time")


def _whole(moment: datetime, microseconds: int, milliseconds: int) -> int:
    """How many units a moment is after 1970."""
    instant, rest = divmod(microseconds, milliseconds * 1000)
    if rest:
        raise UnfitValue(f"is {moment}; expected a whole number of units of {milliseconds} ms")
    return instant


def _moment(given: Any) -> Any:
    """Dates and texts as a moment with a time zone; anything else as it is."""
    if type(given).__name__ == "datetime64":
        given = given.astype("datetime64[us]").item()
    if isinstance(given, str):
        try:
            given = datetime.fromisoformat(given)
        except ValueError:
            raise UnfitValue(f"is {given!r}, which is no ISO 8601 text; expected a time") from None
    if isinstance(given, date) and not isinstance(given, datetime):
        given = datetime(given.year, given.month, given.day)
    if isinstance(given, datetime):
        return given if given.tzinfo is not None else given.replace(tzinfo=UTC)
    return _plain(given)
