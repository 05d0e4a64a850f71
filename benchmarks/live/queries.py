"""What runs while data arrives, and the elements that arrive: one per instant and source, ten keys."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from physical.columns.column import ColumnVector
from physical.columns.stream import PhysicalStream
from semantics import Query, RawStream, Schema, Type, col, count, source

KEYS: Final = 10
WINDOW: Final = 100
A = source("A", k=int, v=int)
B = source("B", l=int, w=int)
SCHEMAS: Final[dict[str, Schema]] = {"A": A.schema, "B": B.schema}


@dataclass(frozen=True)
class LiveQuery:
    """A query, and the rate that it must reach with one element per push."""

    query: Query
    goal: int

    @property
    def sources(self) -> list[str]:
        return list(self.query.plan.sources())


QUERIES: Final[dict[str, LiveQuery]] = {
    "filter": LiveQuery(A.filter(col("v") < 500), 50_000),
    "window": LiveQuery(A.window(WINDOW), 50_000),
    "grouped count": LiveQuery(A.window(WINDOW).group_by("k").aggregate(n=count()), 50_000),
    "join": LiveQuery(A.window(WINDOW).join(B.window(WINDOW), (col("k") == col("l")) & (col("v") == col("w"))), 20_000),
}


def arriving(name: str, size: int, batch: int) -> list[PhysicalStream]:
    """Elements in batches, as they come from Arrow."""
    random = np.random.default_rng(ord(name))
    start = np.arange(size, dtype=np.int64)
    columns = (random.integers(0, KEYS, size), random.integers(0, 1000, size))
    return [
        PhysicalStream(
            SCHEMAS[name],
            tuple(ColumnVector(Type.INT, column[i : i + batch]) for column in columns),
            start[i : i + batch],
            start[i : i + batch] + 1,
        )
        for i in range(0, size, batch)
    ]


def as_rows(batch: PhysicalStream) -> RawStream:
    """The same batch as Python rows."""
    return RawStream(batch.schema, [(row, start) for row, start, _ in batch.to_elements()])
