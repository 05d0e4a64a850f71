"""The twin of the equijoin: each side has its live elements in a dictionary by key."""

from collections.abc import Callable
from heapq import heappop, heappush
from operator import itemgetter

from physical.columns.row_batch import from_rows
from physical.columns.row_expressions import columns_getter, row_function
from physical.columns.stream import Element
from physical.engines.interval.join import IntervalEquijoin
from physical.engines.interval.row_union import Waiting
from physical.runtime.row_operator import RowOperator
from semantics.value import Row

_start = itemgetter(1)


class KeyedElements:
    """Live elements of one side, by key; a key that contains NULL equals no other, but its elements are kept too."""

    def __init__(self, key: Callable[[Row], Row]) -> None:
        self.key = key
        self.by_key: dict[Row, list[Element]] = {}
        self._ends: list[tuple[int, int, Row]] = []
        self._number = 0

    def __len__(self) -> int:
        return len(self._ends)

    def insert(self, element: Element, key: Row) -> None:
        self.by_key.setdefault(key, []).append(element)
        self._number += 1
        heappush(self._ends, (element[2], self._number, key))

    def purge(self, t: int) -> None:
        """Drop the elements that end at t or before."""
        while self._ends and self._ends[0][0] <= t:
            key = heappop(self._ends)[2]
            left = [element for element in self.by_key.get(key, ()) if element[2] > t]
            if left:
                self.by_key[key] = left
            else:
                self.by_key.pop(key, None)

    def elements(self) -> list[Element]:
        """All of them, by start."""
        return sorted((element for elements in self.by_key.values() for element in elements), key=_start)


class RowEquijoin(RowOperator[IntervalEquijoin]):
    """⋈ with equal keys: every new element meets the live elements of the other side with its key.

    An element is kept until the watermark of both sides has passed its end. The operator needs it that long: there, an
    element of the side that is ahead meets its partners only when the other side has come as far.
    """

    def __init__(self, operator: IntervalEquijoin) -> None:
        super().__init__(operator)
        condition = operator.condition
        self._keys = [columns_getter([pair[side] for pair in condition.equal_columns]) for side in (0, 1)]
        self._holds = None if condition.predicate is None else row_function(condition.predicate)
        self._reset()

    def _reset(self) -> None:
        self.sides = [KeyedElements(key) for key in self._keys]
        self.results = Waiting()

    def accept(self, elements: list[Element], port: int) -> None:
        own, other = self.sides[port], self.sides[1 - port]
        for element in elements:
            key = own.key(element[0])
            if None not in key:
                self._meet(element, other.by_key.get(key, ()), port)
            own.insert(element, key)

    def release(self, watermark: int) -> list[Element]:
        for side in self.sides:
            side.purge(watermark)
        return self.results.until(watermark)

    def load(self) -> None:
        self._reset()
        for side, area in zip(self.sides, self.operator.areas, strict=True):
            for element in area.elements.to_elements():
                side.insert(element, side.key(element[0]))
        for port, waiting in enumerate(self.operator.waiting):
            self.accept(waiting.to_elements(), port)

    def unload(self) -> None:
        """Elements that start after the watermark wait to meet again: no result that they are in is out yet."""
        self.operator.hold(
            [from_rows(schema, side.elements()) for schema, side in zip(self.operator.inputs, self.sides, strict=True)]
        )
        self._reset()

    @property
    def size(self) -> int:
        return sum(map(len, self.sides))

    def _meet(self, element: Element, partners: "list[Element] | tuple[()]", port: int) -> None:
        row, start, end = element
        for other, other_start, other_end in partners:
            first, last = max(start, other_start), min(end, other_end)
            if first < last:
                both = row + other if port == 0 else other + row
                if self._holds is None or self._holds(both) is True:
                    self.results.add((both, first, last))
