"""What flows between operators of any algebra: elements in columns, ordered by time."""

from typing import Protocol

from physical.columns.column import ColumnVector
from physical.kernels.types import Ints


class Batch(Protocol):
    """Elements in columns, in the order of time."""

    @property
    def columns(self) -> tuple[ColumnVector, ...]: ...

    @property
    def start(self) -> Ints: ...

    def __len__(self) -> int: ...


def batch_bytes(batch: Batch) -> int:
    """The size of the times and values; an end or a sign counts as much as a start."""
    arrays = [batch.start, batch.start, *(column.values for column in batch.columns)]
    masks = [column.valid for column in batch.columns if column.valid is not None]
    return sum(int(array.nbytes) for array in [*arrays, *masks])
