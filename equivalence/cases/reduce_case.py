"""Make the case of a failure smaller by itself, once the choices that it was generated from are as small as they get.

Fewer choices are not always fewer elements: a generator may need more choices to leave something out. Here elements go
one by one, those that stay become earlier and shorter, and their values simpler.

Guarantees, as long as the trials and a few seconds last:
- The result fails, and its constraints hold.
- Without any one of its elements, without any two of different streams if they are few, or with any one of them at 0,
  one instant earlier, one instant shorter or with a simplest value, it is no failure or breaks a constraint.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from decimal import Decimal
from functools import partial
from itertools import combinations, product
from time import process_time
from typing import Final, TypeVar

from equivalence.cases.random_cases import Case
from equivalence.cases.random_rows import COMMON_VALUES
from semantics import FOREVER, Interval, IntervalStream, RawStream, Row, Schema, Stream, Value
from semantics.constraint import Constraint, broken, elements_of
from semantics.decimals import scaled
from semantics.stream import IntervalElement
from semantics.types import PLAIN_TYPES

T = TypeVar("T")
REDUCTION_TRIALS: Final = 300
"""Cases that are tried; small ones need a few dozen."""
SECONDS: Final = 4.0
"""Of processor time: a window over elements that last may take a second for each trial."""
PAIRS_TRIED: Final = 25
"""Pairs of elements of two streams that are left out together; of more, single ones must do."""
_SIMPLEST_OF: Final[dict[type, Value]] = {type_.python: COMMON_VALUES[type_][0] for type_ in PLAIN_TYPES}


def reduced(
    find: Callable[[Case], T | None],
    case: Case,
    failure: T,
    constraints: Collection[Constraint] = (),
    trials: int = REDUCTION_TRIALS,
) -> T:
    """The failure of the smallest case that is reached from this one, within this many trials."""
    left, since = trials, process_time()
    while True:
        for smaller in smaller_cases(case):
            if any(broken(constraint, smaller) is not None for constraint in constraints):
                continue
            if not left or process_time() - since > SECONDS:
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
    yield from _simpler_together(case)
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


def _simpler_together(case: Case) -> Iterator[Case]:
    """All elements earlier, none longer than a bound, or a value simpler wherever it is: faults may need equal ones."""
    elements = [element for stream in case.values() for element in elements_of(stream)]
    earliest = min((valid.start for _, valid in elements), default=0)
    if earliest:
        yield {name: _changed(stream, lambda e: (e[0], _moved(e[1], earliest))) for name, stream in case.items()}
    longest = max((int(valid.end) - valid.start for _, valid in elements if valid.end != FOREVER), default=1)
    for bound in _smaller(longest - 1):
        yield {name: _changed(stream, partial(_cut, bound + 1)) for name, stream in case.items()}
    counts = Counter((type(value), value) for row, _ in elements for value in row if value is not None)
    for (_, value), count in counts.items():
        if count > 1 and value != _simplest(value):
            yield {name: _changed(stream, partial(_replaced, value)) for name, stream in case.items()}


def _simplest(value: Value) -> Value:
    """The simplest value of the same type; arrays and rows stay."""
    if isinstance(value, Decimal):
        return scaled(0, -int(value.as_tuple().exponent))
    return _SIMPLEST_OF.get(type(value), value)


def _changed(stream: Stream, change: Callable[[IntervalElement], IntervalElement]) -> Stream:
    return _like(stream, [change(element) for element in elements_of(stream)])


def _moved(valid: Interval, earlier: int) -> Interval:
    return Interval(valid.start - earlier, FOREVER if valid.end == FOREVER else int(valid.end) - earlier)


def _cut(length: int, element: IntervalElement) -> IntervalElement:
    row, valid = element
    return (
        (row, valid)
        if valid.end == FOREVER
        else (row, Interval(valid.start, min(int(valid.end), valid.start + length)))
    )


def _replaced(old: Value, element: IntervalElement) -> IntervalElement:
    row, valid = element
    same = [type(value) is type(old) and value == old for value in row]
    return tuple(_simplest(v) if alike else v for v, alike in zip(row, same, strict=True)), valid


def _simpler(stream: Stream) -> Iterator[Stream]:
    """An element for another, in time or in one value."""
    elements = elements_of(stream)
    for i, (row, valid) in enumerate(elements):
        rows = [(other, valid) for other in _simpler_rows(stream.schema, row)]
        times = [(row, other) for other in _simpler_intervals(valid)]
        for element in (*times, *rows):
            yield _like(stream, [*elements[:i], element, *elements[i + 1 :]])


def _simpler_intervals(valid: Interval) -> list[Interval]:
    """At 0, for one instant, and everything in between that a search by halves needs; the length stays or the start."""
    if valid.end == FOREVER:
        return [*(Interval(start, FOREVER) for start in _smaller(valid.start)), Interval(valid.start, valid.start + 1)]
    length = int(valid.end) - valid.start
    earlier = [Interval(start, start + length) for start in _smaller(valid.start)]
    return [*earlier, *(Interval(valid.start, valid.start + less + 1) for less in _smaller(length - 1))]


def _smaller(number: int) -> list[int]:
    """
    >>> _smaller(10)
    [0, 5, 8, 9]
    """
    return [number - (number >> halves) for halves in range(number.bit_length())]


def _simpler_rows(schema: Schema, row: Row) -> list[Row]:
    """One value at a time; NULL is not made anything else, nor anything else NULL: neither is simpler."""
    simplest = [COMMON_VALUES[type_][0] for type_ in schema.types]
    places = [i for i, value in enumerate(row) if value is not None and value != simplest[i]]
    return [(*row[:i], simplest[i], *row[i + 1 :]) for i in places]


def _like(stream: Stream, elements: list[IntervalElement]) -> Stream:
    """A stream of the same kind, with these elements in the order of time."""
    ordered = sorted(elements, key=lambda element: element[1].start)
    if isinstance(stream, RawStream):
        return RawStream(stream.schema, [(row, valid.start) for row, valid in ordered])
    return IntervalStream(stream.schema, ordered)
