"""Constants that only say how much is done at once or how long something waits: with any value the results are the same.

So they are not mutated. But with small values, few elements are enough to reach code that is there for many: trials run
with such values too.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Final

from physical.aggregation import timeline
from physical.columns import arrow_buffers, stream_parts
from physical.engines.delta import join_pairs
from physical.engines.interval import join, slice_by_slice
from physical.engines.interval.split_and_coalesce import IntervalCoalesce
from physical.files import run_in_batches, spill, stream_difference
from physical.files.canonical_runs import RunsOperator
from physical.join_index import list_area, ordered_area
from physical.runtime import entrance, row_operator, run_whole


@dataclass(frozen=True)
class Tuned:
    """A constant of a module or a class, and a small value for it."""

    owner: ModuleType | type
    attribute: str
    small: int

    @property
    def name(self) -> str:
        """The full name of the constant."""
        if isinstance(self.owner, ModuleType):
            return f"{self.owner.__name__}.{self.attribute}"
        return f"{self.owner.__module__}.{self.owner.__qualname__}.{self.attribute}"


TUNED: Final = (
    Tuned(run_whole, "CHUNK", 3),
    Tuned(stream_parts, "CHUNK", 3),
    # With them it is decided who treats a batch, an operator or its twin for rows, and what advice is computed from.
    Tuned(row_operator, "FEW_ELEMENTS", 2),
    Tuned(row_operator, "LARGE_FACTOR", 1),
    Tuned(row_operator, "ELEMENTS_PER_MOVE", 1),
    Tuned(entrance, "RECENT_ELEMENTS", 3),
    # Cutting may not pay, but whatever is cut gives the same.
    Tuned(stream_parts, "MAX_SHARE_TREATED_TWICE", 9),
    Tuned(run_in_batches, "PATIENCE", 2),
    Tuned(IntervalCoalesce, "patience", 3),
    Tuned(join, "ELEMENTS_PER_STEP", 3),
    Tuned(join, "LARGE_SLICE", 2),
    Tuned(slice_by_slice, "LARGE_SLICE", 2),
    Tuned(join_pairs, "MAX_PAIRS_AT_ONCE", 4),
    Tuned(list_area, "MAX_PAIRS_AT_ONCE", 4),
    Tuned(ordered_area, "PROBES_PER_SORT", 3),
    Tuned(arrow_buffers, "WORDS_WORTH_PANDAS", 1),
    Tuned(RunsOperator, "patience", 2),
    Tuned(spill, "ELEMENTS_IN_MEMORY", 4),
    Tuned(spill, "ROWS_PER_BATCH", 2),
    Tuned(stream_difference, "CHANGES_WORTH_SETTLING", 0),
    # More elements than this are refused, before a sum could overflow. No trial has a thousand million elements.
    Tuned(timeline, "MAX_ELEMENTS", 1 << 20),
)
NAMES: Final = frozenset(tuned.name for tuned in TUNED)


@contextmanager
def in_small_steps() -> Iterator[None]:
    """All constants with their small values."""
    before = [(tuned, getattr(tuned.owner, tuned.attribute)) for tuned in TUNED]
    try:
        for tuned in TUNED:
            setattr(tuned.owner, tuned.attribute, tuned.small)
        yield
    finally:
        for tuned, value in before:
            setattr(tuned.owner, tuned.attribute, value)
