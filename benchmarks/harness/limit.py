"""How far from the limit: the time of one plain sorted pass over the same bytes."""

from collections.abc import Callable
from functools import partial
from typing import Final, Literal

import numpy as np

from benchmarks.harness.table import Inputs
from benchmarks.harness.timing import Lap, race

Kind = Literal["stable", "quicksort"]
KINDS: Final[tuple[Kind, ...]] = ("stable", "quicksort")


def limit(inputs: Inputs, repeat: int) -> float:
    """Seconds to copy every array once and to sort the interval bounds of all elements, in the quicker of two ways."""
    return min(lap.best for lap in laps(inputs, repeat))


def limit_by_cpu(inputs: Inputs, repeat: int) -> float:
    """The same in processor time, which a busy machine disturbs less."""
    return min(lap.best_cpu for lap in laps(inputs, repeat))


def laps(inputs: Inputs, repeat: int) -> list[Lap]:
    """Both ways, one after the other."""
    ways: list[Callable[[], None]] = [partial(_pass, inputs, kind) for kind in KINDS]
    return race(ways, repeat + 1)


def _pass(inputs: Inputs, kind: Kind) -> None:
    for table in inputs.values():
        for array in table.to_arrays().values():
            array.copy()
    np.sort(np.concatenate([bound for table in inputs.values() for bound in (table.start, table.end)]), kind=kind)
