"""Position reports as boxes see them."""

from typing import Final

from physical.columns.stream import PhysicalStream
from physical.storage.stored_elements import items_of
from semantics.value import Row

Report = tuple[int, int, int, int, int, int, int, int]
"""Car, speed, expressway, lane, direction, segment, position, time."""
Place = tuple[int, int, int]
"""Expressway, direction, segment."""
SECONDS_BETWEEN_REPORTS: Final = 30
"""Seconds between two reports of a car."""


def reports_of(positions: PhysicalStream) -> list[Report]:
    """The stream of positions as reports."""
    return [as_report(item[:-1]) for item in items_of(positions)]


def as_report(item: Row) -> Report:
    return item  # type: ignore[return-value]  # only reports are in these stores
