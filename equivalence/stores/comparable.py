"""Items in a form in which Python's `==` says whether a store counts them as the same, and how values compare."""

from collections.abc import Callable
from typing import Final

from semantics.value import Row, Value, identical_row, order

COMPARE: Final[dict[str, Callable[[object, object], bool]]] = {
    "=": lambda x, y: x == y,
    "<": lambda x, y: x < y,  # type: ignore[operator]  # sort keys of one type
    ">": lambda x, y: x > y,  # type: ignore[operator]  # sort keys of one type
    ">=": lambda x, y: x >= y,  # type: ignore[operator]  # sort keys of one type
}


def compares(value: Value, symbol: str, limit: Value) -> bool:
    """Does `value symbol limit` hold? NULL compares with nothing."""
    return value is not None and limit is not None and COMPARE[symbol](order(value), order(limit))


def comparable_row(found: object) -> object:
    """An item in comparable form; an answer that is no item stays as it is."""
    return identical_row(found) if isinstance(found, tuple) else found


def comparable_entry(found: tuple[int, Row] | None) -> object:
    """An item with its id in comparable form."""
    return None if found is None else (found[0], identical_row(found[1]))
