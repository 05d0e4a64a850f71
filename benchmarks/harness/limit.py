"""How far from the limit: the time of one plain sorted pass over the same bytes."""

from typing import Literal

import numpy as np

from benchmarks.harness.table import Inputs
from benchmarks.harness.timing import Lap

Kind = Literal["stable", "quicksort"]


def limit(inputs: Inputs, repeat: int) -> float:
    """Seconds to copy every array once and to sort the interval bounds of all elements, in the quicker of two ways."""
    return min(_best(inputs, kind, repeat) for kind in ("stable", "quicksort"))


def _best(inputs: Inputs, kind: Kind, repeat: int) -> float:
    lap = Lap()
    for _ in range(repeat + 1):
        lap.time(lambda: _pass(inputs, kind))
    return lap.best


def _pass(inputs: Inputs, kind: Kind) -> None:
    for table in inputs.values():
        for array in table.to_arrays().values():
            array.copy()
    np.sort(np.concatenate([bound for table in inputs.values() for bound in (table.start, table.end)]), kind=kind)
