"""When values and items count as the same, and when values compare."""

from collections.abc import Callable
from typing import Final

from semantics.value import Row, Value, identical_row, order

COMPARE: Final[dict[str, Callable[[object, object], bool]]] = {
    "=": lambda x, y: x == y,
    "<": lambda x, y: x < y,  # type: ignore[operator]  # sort keys of one type
    ">": lambda x, y: x > y,  # type: ignore[operator]
    ">=": lambda x, y: x >= y,  # type: ignore[operator]
}


def holds(value: Value, symbol: str, limit: Value) -> bool:
    """Does a value compare so with a limit? NULL compares with nothing."""
    return value is not None and limit is not None and COMPARE[symbol](order(value), order(limit))


def row_of(found: object) -> object:
    """An item so that equal ones are equal in Python, too; anything else as it is."""
    return identical_row(found) if isinstance(found, tuple) else found


def entry_of(found: tuple[int, Row] | None) -> object:
    """An item with its id, so that equal ones are equal in Python, too."""
    return None if found is None else (found[0], identical_row(found[1]))
