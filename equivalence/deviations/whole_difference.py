"""The whole difference between a right output and a recorded one, and the input rows behind the first of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from equivalence.deviations.catalogue.outputs import key_columns
from equivalence.deviations.cells import Cell, differing_cells
from equivalence.deviations.clues import suspects_of
from equivalence.deviations.situation import Arrival, Situation
from equivalence.recordings.recording import LastInstants
from semantics import FOREVER, Instant, SnapeqError
from semantics.sparse.row_steps import Counts
from semantics.time import End

FIRST_FEW: Final = 5
MOST_RESPONSIBLE: Final = 20


@dataclass(frozen=True)
class ResponsibleRow:
    """An input row that decides the first difference: its source, its number in the order of arrival, the row."""

    source: str
    number: int
    arrival: Arrival


@dataclass(frozen=True)
class WholeDifference:
    """How much differs, and the first of it."""

    instants: End
    panes: int | None
    """None if the output has no panes."""
    keys: int | None
    """None if the output has no key."""
    missing: int
    extra: int
    miscounted: int
    """Rows that both have, but not equally often."""
    first: tuple[Cell, ...]
    responsible: tuple[ResponsibleRow, ...] = ()
    left_out: int = 0
    """Responsible rows that are not listed."""
    behind: tuple[ResponsibleRow, ...] = ()
    """The rows responsible for any of the first cells that differ at the first instant."""
    pane_length: int | None = None

    @property
    def rows(self) -> int:
        return self.missing + self.extra + self.miscounted

    @property
    def at_first_instant(self) -> tuple[Cell, ...]:
        """The first few cells that differ at the first instant."""
        return _at_first_instant(self.first)


def whole_difference(situation: Situation, wanted: Counts, got: Counts) -> WholeDifference | None:
    """All that differs; None if nothing does.

    >>> from equivalence.deviations.situation import situation_of
    >>> from semantics import parse, parse_plan
    >>> plan = parse_plan("S(x int) | window(range 3)")
    >>> here = situation_of(plan, {"S": parse("raw(x int): (7)@2")})
    >>> found = whole_difference(here, {(7,): [(2, 1), (5, 0)]}, {(7,): [(2, 1), (4, 0)], (8,): [(9, 1), (10, 0)]})
    >>> found.missing, found.extra, found.instants, found.responsible[0].arrival.row
    (1, 1, 2, (7,))
    """
    cells = differing_cells(wanted, got)
    if not cells:
        return None
    step = situation.judged.step if isinstance(situation.judged, LastInstants) else None
    keys = key_columns(situation.plan)
    found = _responsible(situation, cells)
    first = next(filter(None, found), [])
    return WholeDifference(
        _instants(cells),
        None if step is None else len({cell.start for cell in cells}),
        None if keys is None else len({tuple(cell.row[key] for key in keys) for cell in cells}),
        sum(1 for cell in cells if not cell.got),
        sum(1 for cell in cells if not cell.wanted),
        sum(1 for cell in cells if cell.wanted and cell.got),
        tuple(cells[:FIRST_FEW]),
        tuple(first[:MOST_RESPONSIBLE]),
        max(len(first) - MOST_RESPONSIBLE, 0),
        tuple({(row.source, row.number): row for rows in found for row in rows[:MOST_RESPONSIBLE]}.values()),
        step,
    )


def _instants(cells: Sequence[Cell]) -> End:
    """How many instants some cell covers."""
    total, until = 0, 0
    for cell in cells:
        if cell.valid.end == FOREVER:
            return FOREVER
        start: Instant = max(cell.start, until)
        until = max(until, int(cell.valid.end))
        total += max(until - start, 0)
    return total


def _at_first_instant(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    return tuple(cell for cell in cells[:FIRST_FEW] if cell.start == cells[0].start)


def _responsible(situation: Situation, cells: list[Cell]) -> list[list[ResponsibleRow]]:
    """For each of the first cells: one with a row that should not be there at all may have none, and hides no other."""
    try:
        found = [suspects_of(situation, cell) for cell in _at_first_instant(cells)]
    except SnapeqError:
        return []
    return [[ResponsibleRow(n, i, situation.inputs[n].arrivals[i]) for n, i in places] for places in found]
