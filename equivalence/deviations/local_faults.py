"""Faults in single places, which nobody can enumerate: they are read off what differs."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from equivalence.deviations.cells import Cell
from equivalence.deviations.outcome import outcome
from equivalence.deviations.situation import Situation
from equivalence.recordings.recording import EveryInstant, LastInstants, OneInstant
from semantics import Instant, Row
from semantics.sparse.row_steps import Counts, Totals

MOST_SHARE: Final = 0.25
"""Of an output: what goes wrong more often than this is no fault in a single place."""
SHOWN_PLACES: Final = 3


@dataclass(frozen=True)
class LocalFault:
    """What happened in some places, and in how many."""

    name: str
    sentence: str
    places: int


Reading = Callable[[Situation, Counts, Counts, list[Cell]], LocalFault | None]


def local_fault(situation: Situation, wanted: Counts, got: Counts, cells: list[Cell]) -> LocalFault | None:
    """The one kind of fault that explains all cells, if there is one and it is rare."""
    total = sum(1 for steps in wanted.values() for _, n in steps if n)
    if not cells or len(cells) > max(1, MOST_SHARE * total):
        return None
    found = (reading(situation, wanted, got, cells) for reading in _READINGS)
    return next((fault for fault in found if fault is not None), None)


def _panes_twice(situation: Situation, wanted: Counts, got: Counts, cells: list[Cell]) -> LocalFault | None:
    panes = isinstance(situation.judged, LastInstants)
    if not panes or any(cell.got != 2 * cell.wanted for cell in cells):
        return None
    times = _times(cells)
    whole = {(row, t) for t in times for row in rows_at(wanted, t)} == {(cell.row, cell.start) for cell in cells}
    name = "some panes twice" if whole else "some rows twice"
    return LocalFault(name, f"{name[5:]}: {_places(times, situation)}", len(times if whole else cells))


def _panes_missing(situation: Situation, wanted: Counts, got: Counts, cells: list[Cell]) -> LocalFault | None:
    if not isinstance(situation.judged, LastInstants) or any(cell.got for cell in cells):
        return None
    times = _times(cells)
    whole = all(not rows_at(got, t) for t in times)
    name = "some panes missing" if whole else "some rows missing"
    return LocalFault(name, f"{name[5:]}: {_places(times, situation)}", len(times if whole else cells))


def _retractions_lost(situation: Situation, wanted: Counts, got: Counts, cells: list[Cell]) -> LocalFault | None:
    """A row stays for a while after it should have gone."""
    if isinstance(situation.judged, LastInstants) or any(cell.surplus <= 0 for cell in cells):
        return None
    before = _before(situation, wanted)
    if any(cell.got > before(cell) for cell in cells):
        return None
    return LocalFault("some retractions lost", f"retractions lost at {_places(_times(cells), situation)}", len(cells))


def _before(situation: Situation, wanted: Counts) -> Callable[[Cell], int]:
    """How often a row was rightly there just before; where one instant is judged, at most at any time before."""
    if not isinstance(situation.judged, OneInstant):
        return lambda cell: Totals(wanted.get(cell.row, [])).at(cell.start - 1)
    earlier = outcome(replace(situation, judged=EveryInstant(situation.judged.at)))
    return lambda cell: max((n for _, n in earlier.get(cell.row, [])), default=0)


def _insertions_lost(situation: Situation, wanted: Counts, got: Counts, cells: list[Cell]) -> LocalFault | None:
    """A row is not there, though it should come at that instant."""
    if isinstance(situation.judged, LastInstants) or not all(_never_came(cell, wanted) for cell in cells):
        return None
    return LocalFault("some rows missing", f"rows missing at {_places(_times(cells), situation)}", len(cells))


def _never_came(cell: Cell, wanted: Counts) -> bool:
    before = Totals(wanted.get(cell.row, [])).at(cell.start - 1)
    return cell.surplus < 0 and cell.wanted > before


def _doubled(situation: Situation, wanted: Counts, got: Counts, cells: list[Cell]) -> LocalFault | None:
    if any(cell.got != 2 * cell.wanted for cell in cells):
        return None
    return LocalFault("some rows twice", f"rows twice at {_places(_times(cells), situation)}", len(cells))


def _ghosts(situation: Situation, wanted: Counts, got: Counts, cells: list[Cell]) -> LocalFault | None:
    """Rows that are nowhere in the right output."""
    if any(cell.row in wanted or cell.surplus < 0 for cell in cells):
        return None
    return LocalFault(
        "some rows invented", f"rows that should never be there, at {_places(_times(cells), situation)}", len(cells)
    )


_READINGS: Final[tuple[Reading, ...]] = (
    _panes_twice,
    _panes_missing,
    _retractions_lost,
    _insertions_lost,
    _doubled,
    _ghosts,
)


def rows_at(counts: Counts, t: Instant) -> dict[Row, int]:
    """The snapshot of an output."""
    there = {row: Totals(steps).at(t) for row, steps in counts.items()}
    return {row: n for row, n in there.items() if n}


def _times(cells: list[Cell]) -> list[Instant]:
    return sorted({cell.start for cell in cells})


def _places(times: list[Instant], situation: Situation) -> str:
    more = f" and {len(times) - SHOWN_PLACES} more" if len(times) > SHOWN_PLACES else ""
    return ", ".join(f"instant {situation.calendar.show(t)}" for t in times[:SHOWN_PLACES]) + more
