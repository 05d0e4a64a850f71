"""Elements in plain arrays: what generators make and what every contestant's answer is read into."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Table:
    """Columns by name, the validity interval of every element, and how often each element counts."""

    columns: Mapping[str, Array]
    start: Ints
    end: Ints
    count: Ints

    @classmethod
    def once(cls, columns: Mapping[str, Array], start: Ints, end: Ints) -> "Table":
        """Every element counts once."""
        return cls(columns, start, end, np.ones(len(start), np.int64))

    @classmethod
    def facts(cls, columns: Mapping[str, Array]) -> "Table":
        """Rows without time, all valid at the instant 0: to compare answers row by row."""
        size = len(next(iter(columns.values())))
        return cls.once(columns, np.zeros(size, np.int64), np.ones(size, np.int64))

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Array]) -> "Table":
        """Arrays by name, with the interval as `_start`, `_end` and perhaps a multiplicity as `_count`."""
        columns = {name: array for name, array in arrays.items() if not name.startswith("_")}
        table = cls.once(columns, arrays["_start"].astype(np.int64), arrays["_end"].astype(np.int64))
        return cls(columns, table.start, table.end, arrays.get("_count", table.count).astype(np.int64))

    def to_arrays(self) -> dict[str, Array]:
        """The columns, then `_start` and `_end`: as peers get to see a stream."""
        return {**self.columns, "_start": self.start, "_end": self.end}

    def until(self, horizon: int) -> "Table":
        """What is valid before the horizon."""
        before = self.start < horizon
        columns = {name: column[before] for name, column in self.columns.items()}
        return Table(columns, self.start[before], np.minimum(self.end[before], horizon), self.count[before])

    def __len__(self) -> int:
        return len(self.start)


Inputs = Mapping[str, Table]
Answer = Table | bool
"""What a contestant gives: a stream, or the verdict whether two are equivalent."""
