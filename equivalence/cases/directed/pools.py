"""The values, times, lengths and numbers of copies that a directed case chooses from, the simplest first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from equivalence.cases.directed.around import fitting
from equivalence.cases.directed.clues import Clues, Column
from equivalence.cases.directed.witnesses import boundary_rows, conditions_on, witness
from equivalence.cases.random_rows import AWKWARD_VALUES, COMMON_VALUES
from semantics import FOREVER, Row, Schema, Type, Value
from semantics.time import End

LATEST_START: Final = 2**62
"""Elements start before it, whatever the windows are."""
SHORT: Final = 24
"""Where all spans are at most this long, intervals below windows may be as long as they are."""
PLAIN_VARIETY: Final[Mapping[Type, Sequence[Value]]] = {
    Type.INT: (40_000, -40_000, 3_000_000_000),
    Type.FLOAT: (0.501, 0.503, -2e6, 3e9),
    Type.STR: ("A", "a ", "ä", " a", "a" * 30, "a" * 30 + "b", "b" * 300),
}
"""Large numbers, numbers that lie close together, texts that look alike or are long: nothing overflows."""
COMPUTED_VARIETY: Final = (9, 10, -10, 40_000, 2**24 + 1, 3_000_000_000)
"""Integers of columns that programs compute with: as texts they have another order, and 32 bits do not hold them."""
SHORT_STEPS: Final = (0, 1, 2, 3)
SHORT_LENGTHS: Final[tuple[End, ...]] = (1,) * 12 + (2, 3)


@dataclass(frozen=True)
class Pools:
    """What a case over some sources chooses from."""

    values: Mapping[Column, tuple[Value, ...]]
    """All values for a column: common ones, those of its clues, NULL, and awkward ones."""
    telling: Mapping[Column, tuple[Value, ...]]
    """Those of its clues, or all if there are none."""
    witnesses: Mapping[str, Row]
    boundaries: Mapping[str, tuple[Row, ...]]
    """Rows next to a witness, at which one condition changes."""
    instants: tuple[int, ...]
    steps: tuple[int, ...]
    """How far elements lie apart."""
    reach: int
    """Elements may also lie anywhere in between, so far apart at most; only where spans are long, for programs."""
    lengths: Mapping[str, tuple[End, ...]]
    copies: tuple[int, ...]


@lru_cache(maxsize=256)
def pools_of(
    clues: Clues, schemas: tuple[tuple[str, Schema], ...], awkward: bool = True, varied: bool = False
) -> Pools:
    """What cases are chosen from, for these clues and sources; with or without awkward values of no clue."""
    columns = [((name, i), column.type) for name, schema in schemas for i, column in enumerate(schema.columns)]
    own = {column: fitting(clues.columns.get(column, ()), type_) for column, type_ in columns}
    values, telling = {}, {}
    for column, type_ in columns:
        common, shared = COMMON_VALUES[type_], fitting(clues.types.get(type_, ()), type_)
        hints = own[column] or shared or common
        values[column] = (
            *common,
            *hints,
            *hints,
            *([None] * (1 + len(hints) // 4)),
            *shared,
            *_unusual(column in clues.computed, type_, awkward, varied),
        )
        telling[column] = (*hints, None)
    rows = {name: witness(name, schema, clues, telling) for name, schema in schemas}
    return Pools(
        values,
        telling,
        {name: row for name, row in rows.items() if row is not None},
        {name: boundary_rows(row, conditions_on(name, clues)) for name, row in rows.items() if row is not None},
        _instants(clues),
        _steps(clues),
        _reach(clues) if varied else 0,
        {name: _lengths(clues, name) for name, _ in schemas},
        _copies(clues),
    )


def _unusual(computed: bool, type_: Type, awkward: bool, varied: bool) -> Sequence[Value]:
    """Awkward values, or others that programs treat wrong; none that overflow in what is computed."""
    if type_ is Type.INT and computed:
        return COMPUTED_VARIETY if varied else []
    if awkward:
        return AWKWARD_VALUES[type_]
    return PLAIN_VARIETY.get(type_, []) if varied else []


def _instants(clues: Clues) -> tuple[int, ...]:
    """Where the first element starts: mostly early, else around an instant at which a window moves."""
    anchors = sorted({anchor + shift for anchor in clues.anchors for shift in (-1, 0, 1)} - {-1, 0, 1, 2, 3})
    return (0, 0, 1, 2, 3, *(anchor for anchor in anchors if anchor < LATEST_START))


def _steps(clues: Clues) -> tuple[int, ...]:
    near = {span + shift for span in clues.spans for shift in (-1, 0, 1)} - set(SHORT_STEPS)
    return (*SHORT_STEPS, *sorted(step for step in near if 0 < step < LATEST_START))


def _reach(clues: Clues) -> int:
    longest = max((span for span in clues.spans if span < LATEST_START), default=0)
    return longest if longest > SHORT else 0


def _lengths(clues: Clues, name: str) -> tuple[End, ...]:
    """Mostly one instant; below a window nothing that lasts, since each instant there would be a change."""
    if name in clues.windowed and max(clues.spans, default=0) > SHORT:
        return SHORT_LENGTHS
    if name in clues.windowed:
        return (*SHORT_LENGTHS, *clues.spans)
    return (*SHORT_LENGTHS, *clues.spans, FOREVER, FOREVER)


def _copies(clues: Clues) -> tuple[int, ...]:
    """Mostly one; else 2, or as many as a threshold says, or one more or less."""
    many = sorted({count + shift for count in clues.counts for shift in (-1, 0, 1)} - {0, 1, 2})
    return (*([1] * max(8, 4 * len(many))), 2, *many)
