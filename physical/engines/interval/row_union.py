"""The twins of union and split: elements wait in a heap until their turn comes."""

from heapq import heappop, heappush

from physical.columns.row_batch import from_rows
from physical.columns.stream import Element
from physical.engines.interval.split_and_coalesce import IntervalSplit
from physical.engines.interval.union import IntervalUnion
from physical.kernels.types import ENDLESS
from physical.runtime.row_operator import RowOperator
from semantics import StreamError


class Waiting:
    """Elements by start; those that start together come out in the order in which they came."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, Element]] = []
        self._number = 0

    def __len__(self) -> int:
        return len(self._heap)

    def add(self, element: Element) -> None:
        self._number += 1
        heappush(self._heap, (element[1], self._number, element))

    def until(self, t: int) -> list[Element]:
        """Take out the elements that start at t or before."""
        due = []
        while self._heap and self._heap[0][0] <= t:
            due.append(heappop(self._heap)[2])
        return due


class RowUnion(RowOperator[IntervalUnion]):
    """∪: every element of both inputs, as soon as no earlier one can come."""

    def __init__(self, operator: IntervalUnion) -> None:
        super().__init__(operator)
        self.waiting = Waiting()

    def accept(self, elements: list[Element], port: int) -> None:  # noqa: ARG002  # both ports are alike
        for element in elements:
            self.waiting.add(element)

    def release(self, watermark: int) -> list[Element]:
        return self.waiting.until(watermark)

    def load(self) -> None:
        self.accept(self.operator.waiting.to_elements(), 0)

    def unload(self) -> None:
        self.operator.waiting = from_rows(self.operator.schema, self.waiting.until(ENDLESS))

    @property
    def size(self) -> int:
        return len(self.waiting)


class RowSplit(RowOperator[IntervalSplit]):
    """Cuts every interval into instants; each comes out when the watermark has reached it."""

    def __init__(self, operator: IntervalSplit) -> None:
        super().__init__(operator)
        self.open: list[Element] = []

    def accept(self, elements: list[Element], port: int) -> None:  # noqa: ARG002  # there is one port only
        self.open += elements

    def release(self, watermark: int) -> list[Element]:
        if not self.open:
            return []
        if watermark == ENDLESS and any(end == ENDLESS for _, _, end in self.open):
            raise StreamError("Split: an element that is valid for ever has no end of pieces; give a horizon")
        after = min(watermark + 1, ENDLESS)
        pieces = [(row, t, t + 1) for row, start, end in self.open for t in range(start, min(end, after))]
        self.open = [(row, max(start, after), end) for row, start, end in self.open if end > after]
        pieces.sort(key=_start)
        return pieces

    def load(self) -> None:
        self.open = [element for batch in self.operator.waiting[0] for element in batch.to_elements()]

    def unload(self) -> None:
        self.operator.hold([from_rows(self.operator.schema, sorted(self.open, key=_start))])
        self.open = []

    @property
    def size(self) -> int:
        return len(self.open)


def _start(element: Element) -> int:
    return element[1]
