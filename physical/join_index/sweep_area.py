"""The abstract data type SweepArea (Section 7.3.1), for batches instead of single elements.

Three parameters tailor an area. The *order* is that of `ordered`, of iteration and of `extract`. The *query predicate*
is what `query` looks for: overlap in time, and what an index can decide of a join condition. The *remove predicate* is
that of Table V for all operators with time intervals: an element goes when it has ended at the time of the reference
element. Operators whose table row has another predicate (count windows, coalesce) keep state of their own.
"""

from collections.abc import Iterator
from typing import Literal, Protocol

from physical.columns.stream import PhysicalStream
from physical.kernels.types import Ints
from semantics.value import Row

Pairs = tuple[Ints, Ints]
"""Positions of probes, and of the stored elements that they meet."""
Element = tuple[Row, int, int]
"""A row, from when and until when it is valid."""
Order = Literal["start", "end"]
"""≤ on start timestamps, or on end timestamps."""


class SweepArea(Protocol):
    """The elements of one input that may still meet elements of the other."""

    order: Order

    @property
    def elements(self) -> PhysicalStream:
        """All elements by start, as they lie; positions in other methods mean places here."""

    def insert(self, batch: PhysicalStream) -> None:
        """Store the elements of a batch; they start no earlier than the stored ones."""

    def replace(self, positions: Ints, batch: PhysicalStream) -> None:
        """Put new elements in the place of stored ones, one for each; later positions may be others."""

    def remove(self, positions: Ints) -> None:
        """Drop elements that a query has found."""

    def query(self, probes: PhysicalStream) -> Iterator[Pairs]:
        """All pairs of a probe and a stored element that overlap and may satisfy the join."""

    def extract(self, t: int) -> PhysicalStream:
        """Drop the elements that end at t or before, and give them in the order of the area."""

    def purge(self, t: int) -> None:
        """Drop the elements that end at t or before."""

    def ordered(self) -> PhysicalStream:
        """All elements in the order of the area."""

    def __iter__(self) -> Iterator[Element]:
        """All elements in the order of the area, one by one."""

    def __len__(self) -> int:
        """How many elements there are."""
