"""Arrays, rows and JSON that hold what a query speaks of, or are as long."""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle, islice
from typing import Final

from equivalence.cases.directed.around import around, fitting
from equivalence.cases.random_rows import COMMON_VALUES
from semantics import Type, Value
from semantics.functions.json_texts import steps

LONGEST: Final = 100
INSIDE: Final = (1, "x", None, {"k": 1}, [1, 2])
"""What stands at a path: of all kinds that functions of JSON treat apart."""


def parts_holding(type_: Type, values: Iterable[Value]) -> set[Value]:
    """Arrays with these values and those around them in their first, a middle and their last place; or such rows.

    >>> from semantics import array_of, row_of
    >>> sorted(parts_holding(array_of(Type.INT), [7]))
    [(6,), (6, 7, 8), (7,), (8,), (8, 7, 6)]
    >>> sorted(parts_holding(row_of(("n", Type.INT), ("s", Type.STR)), [7]))
    [(6, ''), (7, ''), (8, '')]
    """
    near = {close for value in values for close in around(value)}
    if type_.element is not None:
        held = fitting(near, type_.element)
        arrays: set[Value] = {(value,) for value in held}
        return arrays | ({tuple(held), tuple(reversed(held))} if held else set())
    fields = [field for _, field in type_.fields or ()]
    usual = [COMMON_VALUES[field][0] for field in fields]
    return set[Value](
        (*usual[:i], value, *usual[i + 1 :]) for i, field in enumerate(fields) for value in fitting(near, field)
    )


def arrays_as_long_as(type_: Type, lengths: Iterable[Value]) -> set[Value]:
    """Arrays of these lengths, and one more or less; where the type has them, different elements at all places.

    >>> from semantics import array_of
    >>> sorted(arrays_as_long_as(array_of(Type.INT), [2]))
    [(1,), (1, 2), (1, 2, 3)]
    """
    if type_.element is None:
        return set()
    whole = {n + step for n in lengths if type(n) is int for step in (-1, 0, 1)}
    return {_of_length(type_.element, n) for n in whole if 0 <= n <= LONGEST}


def repeated_as_long(values: Iterable[Value]) -> set[Value]:
    """The arrays among these values, repeated until they are as long as the longest: what one condition asks for, past
    another on numbers of elements.

    >>> sorted(repeated_as_long({(7, 8), (1, 2, 3), 5}))
    [(1, 2, 3), (7, 8, 7)]
    """
    arrays = [value for value in values if isinstance(value, tuple) and value]
    longest = max(map(len, arrays), default=0)
    return {tuple(islice(cycle(array), longest)) for array in arrays}


def documents_at(path: str) -> Iterator[str]:
    """JSON in which something stands at this path, and at each beginning of it.

    >>> list(documents_at("$.a[1]"))[:4]
    ['1', '{"a": 1}', '{"a": [0, 1]}', '{"a": [0, "x"]}']
    """
    found = steps(path) or ()
    yield from (_document(found[:i], 1) for i in range(len(found)))
    yield from (_document(found, inside) for inside in INSIDE)


def _document(way: Sequence[str | int], inside: object) -> str:
    made = inside
    for step in reversed(way):
        made = {step: made} if isinstance(step, str) else [*range(min(step, LONGEST)), made]
    return json.dumps(made)


def _of_length(element: Type, length: int) -> tuple[Value, ...]:
    numbers = fitting(range(1, length + 1), element) if element.is_number or element.is_counted else []
    texts: list[Value] = [f"{i}" for i in range(length)] if element is Type.STR else []
    return tuple(islice(cycle(numbers or texts or COMMON_VALUES[element]), length))
