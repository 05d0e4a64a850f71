"""Make the case of a failure smaller by itself, once the choices that it was generated from are as small as they get.

Fewer choices are not always fewer elements: a generator may need more choices to leave something out. Here elements go
one by one, those that stay become earlier and shorter, and their values simpler.

Guarantees, as long as the trials last:
- The result fails, and its constraints hold.
- Without any one of its elements, without any two of different streams if they are few, or with any one of them at 0,
  for one instant or with a simplest value, it is no failure or breaks a constraint.
"""

from collections.abc import Callable, Collection, Iterator
from itertools import combinations, product
from typing import Final, TypeVar

from equivalence.cases.random_cases import Case
from semantics import FOREVER, Interval, IntervalStream, RawStream, Row, Schema, Stream, Type, Value
from semantics.constraint import Constraint, broken, elements_of
from semantics.stream import IntervalElement

T = TypeVar("T")
REDUCTION_TRIALS: Final = 300
"""Cases that are tried; small ones need a few dozen."""
PAIRS_TRIED: Final = 25
"""Pairs of elements of two streams that are left out together; of more, single ones must do."""
_SIMPLEST: Final[dict[Type, Value]] = {Type.INT: 0, Type.FLOAT: 0.0, Type.BOOL: False, Type.STR: ""}


def reduced(
    find: Callable[[Case], T | None],
    case: Case,
    failure: T,
    constraints: Collection[Constraint] = (),
    trials: int = REDUCTION_TRIALS,
) -> T:
    """The failure of the smallest case that is reached from this one, within this many trials."""
    left = trials
    while True:
        for smaller in smaller_cases(case):
            if any(broken(constraint, smaller) is not None for constraint in constraints):
                continue
            if not left:
                return failure
            left -= 1
            found = find(smaller)
            if found is not None:
                case, failure = smaller, found
                break
        else:
            return failure


def smaller_cases(case: Case) -> Iterator[Case]:
    """Cases with one element less, many elements first; then those with one element that is simpler."""
    for name, stream in case.items():
        for less in _shorter(stream):
            yield {**case, name: less}
    yield from _without_pairs(case)
    for name, stream in case.items():
        for simpler in _simpler(stream):
            yield {**case, name: simpler}


def _without_pairs(case: Case) -> Iterator[Case]:
    """Cases with one element less in two streams each: some faults need equally many on both sides."""
    for (one, stream), (other, beside) in combinations(case.items(), 2):
        if len(elements_of(stream)) * len(elements_of(beside)) <= PAIRS_TRIED:
            for less, fewer in product(_without_one(stream), _without_one(beside)):
                yield {**case, one: less, other: fewer}


def _without_one(stream: Stream) -> Iterator[Stream]:
    elements = elements_of(stream)
    return (_like(stream, [*elements[:i], *elements[i + 1 :]]) for i in range(len(elements)))


def _shorter(stream: Stream) -> Iterator[Stream]:
    elements = elements_of(stream)
    size = len(elements) // 2
    while size:
        for start in range(0, len(elements), size):
            yield _like(stream, [*elements[:start], *elements[start + size :]])
        size //= 2
    if len(elements) == 1:
        yield _like(stream, [])


def _simpler(stream: Stream) -> Iterator[Stream]:
    """An element for another, in time or in one value."""
    elements = elements_of(stream)
    for i, (row, valid) in enumerate(elements):
        rows = [(other, valid) for other in _simpler_rows(stream.schema, row)]
        times = [(row, other) for other in _simpler_intervals(valid)]
        for element in (*times, *rows):
            yield _like(stream, [*elements[:i], element, *elements[i + 1 :]])


def _simpler_intervals(valid: Interval) -> list[Interval]:
    length = valid.end - valid.start
    earliest = Interval(0, FOREVER if valid.end == FOREVER else int(length))
    shortest = Interval(valid.start, valid.start + 1)
    return [other for other in (earliest, shortest) if other != valid]


def _simpler_rows(schema: Schema, row: Row) -> list[Row]:
    """One value at a time; NULL is not made anything else, nor anything else NULL: neither is simpler."""
    simplest = [_SIMPLEST[type_] for type_ in schema.types]
    places = [i for i, value in enumerate(row) if value is not None and value != simplest[i]]
    return [(*row[:i], simplest[i], *row[i + 1 :]) for i in places]


def _like(stream: Stream, elements: list[IntervalElement]) -> Stream:
    """A stream of the same kind, with these elements in the order of time."""
    ordered = sorted(elements, key=lambda element: element[1].start)
    if isinstance(stream, RawStream):
        return RawStream(stream.schema, [(row, valid.start) for row, valid in ordered])
    return IntervalStream(stream.schema, ordered)
