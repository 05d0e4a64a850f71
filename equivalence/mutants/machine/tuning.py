"""Constants that only say how much is done at once or how long something waits: with any value the results are the same.

So they are not mutated. But with small values, few elements are enough to reach code that is there for many: trials run
with such values too.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Final


@dataclass(frozen=True)
class Tuned:
    """A constant of a module, or of a class in it, and a small value for it."""

    module: str
    name: str
    small: int

    @property
    def owner(self) -> object:
        """Where the constant is looked up."""
        found: object = import_module(self.module)
        for part in self.name.split(".")[:-1]:
            found = getattr(found, part)
        return found

    @property
    def attribute(self) -> str:
        return self.name.rpartition(".")[2]


TUNED: Final = (
    Tuned("physical.runtime.run_whole", "CHUNK", 3),
    Tuned("physical.runtime.operator", "Operator.patience", 2),
    Tuned("physical.engines.interval.split_and_coalesce", "IntervalCoalesce.patience", 3),
    Tuned("physical.engines.interval.join", "ELEMENTS_PER_STEP", 3),
    Tuned("physical.engines.delta.join_pairs", "MAX_PAIRS_AT_ONCE", 4),
    Tuned("physical.join_index.list_area", "MAX_PAIRS_AT_ONCE", 4),
    Tuned("physical.join_index.ordered_area", "PROBES_PER_SORT", 3),
    Tuned("physical.columns.arrow_buffers", "WORDS_WORTH_PANDAS", 1),
    Tuned("physical.files.canonical_runs", "RunsOperator.patience", 2),
    Tuned("physical.files.spill", "ELEMENTS_IN_MEMORY", 4),
    Tuned("physical.files.spill", "ROWS_PER_BATCH", 2),
    Tuned("physical.files.stream_difference", "CHANGES_WORTH_SETTLING", 0),
    # More elements than this are refused, before a sum could overflow. No trial has a thousand million elements.
    Tuned("physical.aggregation.segments", "MAX_ELEMENTS", 1 << 20),
)
NAMES: Final = frozenset(f"{tuned.module}.{tuned.name}" for tuned in TUNED)


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
