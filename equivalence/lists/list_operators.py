"""Operators on physical streams as lists, in which order, duplicates and the cutting of intervals can be seen.

After Slivinskas, Jensen & Snodgrass 2001. An element is a row with its interval, and elements stand in any order. The
functions below are the definition of what each operator does to order, duplicates and intervals, so that all six
equivalences can be decided. In the examples a and b are rows.
"""

from collections.abc import Callable, Iterator

from semantics import Interval, Row
from semantics.notation.show import show_interval
from semantics.notation.show_expression import show_row
from semantics.stream import IntervalElement
from semantics.time import End

ElementList = tuple[IntervalElement, ...]


def at(row: Row, start: int, end: int) -> IntervalElement:
    """The element with this row that is valid from start until end."""
    return row, Interval(start, end)


def show_elements(elements: ElementList) -> str:
    """All elements in their order, as in the notation of streams.

    >>> show_elements((at(a, 0, 2), at(b, 1, 2)))
    "('a')@[0,2) ('b')@[1,2)"
    """
    return " ".join(f"{show_row(row)}@{show_interval(valid)}" for row, valid in elements) or "nothing"


def keep(wanted: Callable[[Row], bool], elements: ElementList) -> ElementList:
    """σ: the elements whose row is wanted, in their order."""
    return tuple((row, valid) for row, valid in elements if wanted(row))


def change(function: Callable[[Row], Row], elements: ElementList) -> ElementList:
    """μ: every row changed, order and intervals kept."""
    return tuple((function(row), valid) for row, valid in elements)


def append(first: ElementList, second: ElementList) -> ElementList:
    """⧺ (UNION ALL): one list, then the other."""
    return first + second


def pair(left: ElementList, right: ElementList) -> ElementList:
    """×: for each left element all right ones in their order, where both are valid.

    >>> show_elements(pair((at(a, 0, 2),), (at(b, 1, 3), at(b, 2, 3))))
    "('a', 'b')@[1,2)"
    """
    return tuple((one + other, both) for one, i in left for other, j in right for both in _common(i, j))


def sort(key: Callable[[IntervalElement], object], elements: ElementList) -> ElementList:
    """sort: by a key; elements with the same key keep their order."""
    return tuple(sorted(elements, key=key))  # type: ignore[arg-type]  # keys are tuples of what has an order


def rdup(elements: ElementList) -> ElementList:
    """Regular duplicate elimination: of elements with the same row and the same interval, the first.

    >>> show_elements(rdup((at(a, 0, 2), at(a, 1, 2), at(a, 0, 2))))
    "('a')@[0,2) ('a')@[1,2)"
    """
    return tuple(dict.fromkeys(elements))


def rdup_t(elements: ElementList) -> ElementList:
    """Temporal duplicate elimination: of each element what no earlier one with the same row covers.

    >>> show_elements(rdup_t((at(a, 1, 2), at(a, 0, 3))))
    "('a')@[1,2) ('a')@[0,1) ('a')@[2,3)"
    """
    return tuple(
        (row, piece)
        for i, (row, valid) in enumerate(elements)
        for piece in _uncovered(valid, [other for same, other in elements[:i] if same == row])
    )


def coalesce(longest: End, elements: ElementList) -> ElementList:
    """Merges two adjacent elements with the same row, the first such pair first, into the place of the earlier one.

    It goes on until no two are left that together would be no longer than the longest allowed.

    >>> show_elements(coalesce(9, (at(a, 1, 2), at(b, 0, 1), at(a, 2, 4))))
    "('a')@[1,4) ('b')@[0,1)"
    """
    while found := next(_adjacent(longest, elements), None):
        i, j, merged = found
        elements = (*elements[:i], (elements[i][0], merged), *elements[i + 1 : j], *elements[j + 1 :])
    return elements


def split(longest: int, elements: ElementList) -> ElementList:
    """Cuts every interval, from its start on, into pieces no longer than this, in place of the element.

    >>> show_elements(split(2, (at(a, 0, 5),)))
    "('a')@[0,2) ('a')@[2,4) ('a')@[4,5)"
    """
    return tuple(
        (row, Interval(start, min(start + longest, int(valid.end))))
        for row, valid in elements
        for start in range(valid.start, int(valid.end), longest)
    )


def _common(one: Interval, other: Interval) -> list[Interval]:
    start, end = max(one.start, other.start), min(one.end, other.end)
    return [Interval(start, end)] if start < end else []


def _uncovered(valid: Interval, others: list[Interval]) -> Iterator[Interval]:
    """The longest parts of an interval that none of the others overlaps."""
    start = valid.start
    for other in sorted(others, key=lambda other: other.start):
        if start < min(other.start, valid.end):
            yield Interval(start, min(other.start, valid.end))
        start = max(start, int(min(other.end, valid.end)))
    if start < valid.end:
        yield Interval(start, valid.end)


def _adjacent(longest: End, elements: ElementList) -> Iterator[tuple[int, int, Interval]]:
    """Places of two elements that may be merged, with the interval of both."""
    for i, (row, valid) in enumerate(elements):
        for j, (other, after) in enumerate(elements[i + 1 :], i + 1):
            if row == other and (valid.end == after.start or after.end == valid.start):
                both = Interval(min(valid.start, after.start), max(valid.end, after.end))
                if both.end - both.start <= longest:
                    yield i, j, both
