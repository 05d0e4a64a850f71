"""Other cases made from one: moved, cut, split, glued, divided. What a plan gives for them is known from the first."""

from collections.abc import Callable, Iterable

from equivalence.cases.choices import Choices
from equivalence.cases.random_cases import Case
from semantics import FOREVER, Interval, IntervalStream, Row, Stream, canonical
from semantics.constraint import elements_of
from semantics.stream import IntervalElement
from semantics.time import End


def rebuilt(stream: Stream, elements: Iterable[IntervalElement]) -> IntervalStream:
    """A stream of the same columns with these elements, in the order of their starts."""
    return IntervalStream(stream.schema, sorted(elements, key=lambda element: element[1].start))


def shifted(case: Case, by: int) -> Case:
    """Everything later, by this many instants."""
    return _each(
        case, lambda row, i: [(row, Interval(i.start + by, i.end + by if i.end == FOREVER else int(i.end) + by))]
    )


def until(case: Case, t: int) -> Case:
    """What is known before an instant: no element has started later, none is known to end later."""
    return during(case, 0, t)


def since(case: Case, t: int) -> Case:
    """What is valid from an instant on."""
    return during(case, t, FOREVER)


def during(case: Case, start: int, end: End) -> Case:
    """What is valid from start up to but not including end."""
    return _each(case, lambda row, i: _clipped(row, max(i.start, start), min(i.end, end)))


def shortened(case: Case, longest: int) -> Case:
    """No element is valid for longer than this."""
    return _each(case, lambda row, i: [(row, Interval(i.start, int(min(i.end, i.start + longest))))])


def parted(case: Case, choose: Callable[[Row], bool]) -> tuple[Case, Case]:
    """The elements whose rows are chosen, and the others."""
    return (
        _each(case, lambda row, i: [(row, i)] if choose(row) else []),
        _each(case, lambda row, i: [] if choose(row) else [(row, i)]),
    )


def with_ties_permuted(choices: Choices, case: Case) -> Case:
    """Elements that start together in another order."""

    def permuted(stream: Stream) -> Stream:
        waiting, drawn = list(elements_of(stream)), []
        while waiting:
            drawn.append(waiting.pop(choices.below(len(waiting))))
        return rebuilt(stream, drawn)

    return {name: permuted(stream) for name, stream in case.items()}


def split(choices: Choices, case: Case) -> Case:
    """Some intervals cut in two."""

    def pieces(row: Row, i: Interval) -> list[IntervalElement]:
        at = i.start + choices.between(1, 4)
        if at >= i.end or choices.below(3) == 0:
            return [(row, i)]
        return [(row, Interval(i.start, at)), (row, Interval(at, i.end))]

    return _each(case, pieces)


def coalesced(case: Case) -> Case:
    """The fewest intervals that mean the same."""
    return {
        name: rebuilt(stream, [(row, interval) for row, interval, n in canonical(stream) for _ in range(n)])
        for name, stream in case.items()
    }


def _each(case: Case, change: Callable[[Row, Interval], list[IntervalElement]]) -> Case:
    return {
        name: rebuilt(stream, [made for row, interval in elements_of(stream) for made in change(row, interval)])
        for name, stream in case.items()
    }


def _clipped(row: Row, start: int, end: End) -> list[IntervalElement]:
    return [(row, Interval(start, end))] if start < end else []
