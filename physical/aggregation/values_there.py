"""Aggregates of the values that are there: by their definition, or of the most frequent one."""

from bisect import bisect_left, insort
from heapq import heappop, heappush

import numpy as np

from physical.aggregation.timeline import Argument
from physical.kernels.aggregation_script import ENTER, READ
from physical.kernels.types import Ints
from semantics import Value
from semantics import aggregate as agg


def folded(function: agg.Aggregate, x: Argument) -> list[Value]:
    """The aggregate of each row by its definition, from all values in their order."""
    place, code_at, _ = x.places
    values = x.values_at(code_at)
    places, groups, row_group = place.tolist(), x.timeline.groups.tolist(), x.timeline.row_group.tolist()
    present: list[list[int]] = [[] for _ in range(x.timeline.group_count)]
    results = []
    for step in x.script.tolist():
        i, what = step >> 2, step & 3
        if what == READ:
            results.append(agg.aggregate_values(function, [values[p] for p in present[row_group[i]]]))
        elif what == ENTER:
            insort(present[groups[i]], places[i])
        else:
            del present[groups[i]][bisect_left(present[groups[i]], places[i])]
    return results


class Frequencies:
    """How often each value of a group is there, and which is there most often."""

    __slots__ = ("at", "copies", "most", "number")

    def __init__(self) -> None:
        self.copies: dict[int, int] = {}
        self.at: dict[int, list[int]] = {}
        """For every number of copies, a heap of the places that have had so many."""
        self.number: dict[int, int] = {0: 0}
        """For every number of copies, how many places have so many now."""
        self.most = 0

    def change(self, place: int, sign: int) -> None:
        before = self.copies.get(place, 0)
        now = self.copies[place] = before + sign
        self.number[before] = self.number.get(before, 0) - 1
        self.number[now] = self.number.get(now, 0) + 1
        heappush(self.at.setdefault(now, []), place)
        if now > self.most or (before == self.most and not self.number[before]):
            self.most = now

    def mode(self) -> int:
        """The least place of those with most copies."""
        heap = self.at[self.most]
        while self.copies[heap[0]] != self.most:
            heappop(heap)
        return heap[0]


def modes(x: Argument) -> Ints:
    """The code of the most frequent value of each row, the least of several; 0 in a row without values."""
    place, code_at, _ = x.places
    places, groups, row_group = place.tolist(), x.timeline.groups.tolist(), x.timeline.row_group.tolist()
    frequencies = [Frequencies() for _ in range(x.timeline.group_count)]
    found = np.zeros(len(row_group), np.int64)
    for step in x.script.tolist():
        i, what = step >> 2, step & 3
        if what != READ:
            frequencies[groups[i]].change(places[i], 1 - 2 * what)
        elif frequencies[row_group[i]].most:
            found[i] = code_at[frequencies[row_group[i]].mode()]
    return found
