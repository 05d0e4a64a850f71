"""What a wrong output gives away before anything is tried."""

from collections import Counter, defaultdict
from dataclasses import replace
from typing import Final

from equivalence.deviations.cells import Cell
from equivalence.deviations.deviation import Clue
from equivalence.deviations.lineage import Place, responsible
from equivalence.deviations.situation import Situation
from semantics import FOREVER, Instant, Interval, Row
from semantics.sparse.row_steps import Counts

MOST_LAGS: Final = 6
MOST_SUSPECTS: Final = 24
MOST_PAIRS: Final = 20
"""Of cells with the same row that are compared in time."""


def clue_of(cells: list[Cell], got: Counts) -> Clue:
    """Where an output differs first, by how much rows seem to be moved, and where it ends."""
    ends = [steps[-1] for steps in got.values() if steps]
    finite = all(n == 0 for _, n in ends)
    last = max((t for t, _ in ends), default=0) - 1
    return Clue(cells[0].start, lags(cells), last if finite and ends else None)


def lags(cells: list[Cell]) -> tuple[int, ...]:
    """The commonest distances from a row that is missing to the same row where it should not be."""
    missing: dict[Row, list[Instant]] = defaultdict(list)
    extra: dict[Row, list[Instant]] = defaultdict(list)
    for cell in cells:
        (extra if cell.surplus > 0 else missing)[cell.row].append(cell.start)
    found = Counter(
        later - earlier
        for row, times in missing.items()
        for earlier in times[:MOST_PAIRS]
        for later in extra.get(row, [])[:MOST_PAIRS]
    )
    ordered = sorted(found, key=lambda lag: (-found[lag], abs(lag), lag))
    return tuple(ordered[:MOST_LAGS])


def with_suspects(situation: Situation, cells: list[Cell], clue: Clue) -> Clue:
    """The clue with the rows that are responsible for the first differences."""
    suspects: dict[Place, None] = {}
    for cell in cells:
        if cell.start > cells[0].start or len(suspects) >= MOST_SUSPECTS:
            break
        suspects |= dict.fromkeys(suspects_of(situation, cell))
    return replace(clue, suspects=tuple(suspects)[:MOST_SUSPECTS])


def suspects_of(situation: Situation, cell: Cell) -> list[Place]:
    """The rows that decide a cell when it begins."""
    end = cell.start + 1 if cell.valid.end == FOREVER else cell.valid.end
    return responsible(situation, cell.row, Interval(cell.start, min(end, cell.start + 1)))
