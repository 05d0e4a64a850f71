"""Functions of arrays and rows: they make them, take them apart, and look into them."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from semantics.errors import ArithmeticOverflow
from semantics.functions.definition import ANY, Derived, Family, Function, Overload, Own, Word
from semantics.scalar_operations import comparison
from semantics.temporal import DayInterval, Timestamp
from semantics.types import Type, array_of, row_of
from semantics.value import Value, identical, order

Types = Sequence[Type | None]
ARRAY: Final = Family("ARRAY<T>", lambda type_: type_.element is not None)
ARRAYS_IN_TURN: Final = Own("ARRAY<T>", lambda type_: type_.element is not None)
ROW: Final = Own("ROW<…>", lambda type_: type_.fields is not None)
FIELD: Final = Word("field", ("a", "b"), bool)


def _element(types: Types, _: Sequence[str]) -> Type | None:
    """What the first argument is an array of."""
    first = types[0] if types else None
    return None if first is None else first.element


def _array_of_first(types: Types, _: Sequence[str]) -> Type | None:
    return None if types[0] is None else array_of(types[0])


def _named_row(types: Types, words: Sequence[str]) -> Type | None:
    fields = tuple(zip(words, types[1::2], strict=False))
    if len(words) * 2 != len(types) or len(set(words)) < len(words):
        return None
    return row_of(*((name, type_) for name, type_ in fields if type_ is not None))


def _field_type(types: Types, words: Sequence[str]) -> Type | None:
    fields = types[0].fields if types and types[0] is not None else None
    return dict(fields or ()).get(words[0]) if words else None


ELEMENT: Final = Derived("T", _element)


def _array(*values: Value) -> Value:
    return tuple(values)


def _row(*parts: Value) -> Value:
    """Names and values, one after the other; the names are those of the type."""
    return tuple(parts[1::2])


def _field(type_: Type, row: tuple[Value, ...], name: str) -> Value:
    return row[[field for field, _ in type_.fields or ()].index(name)]


def _get(array: tuple[Value, ...], position: int) -> Value:
    return array[position - 1] if 1 <= position <= len(array) else None


def _element_at(array: tuple[Value, ...], position: int) -> Value:
    return _get(array, position if position > 0 else len(array) + 1 + position) if position else None


def _contains(array: tuple[Value, ...], value: Value) -> bool | None:
    """As IN: unknown if it is not found and a NULL might be it."""
    found = [comparison("=", element, value) for element in array]
    return True if True in found else None if None in found else False


def _distinct(array: tuple[Value, ...]) -> Value:
    return tuple(dict.fromkeys(identical(value) for value in array))


def _extreme(of: Callable[..., Any]) -> Callable[[tuple[Value, ...]], Value]:
    def extreme(array: tuple[Value, ...]) -> Value:
        known = [value for value in array if value is not None]
        found: Value = of(known, key=order) if known else None
        return found

    return extreme


def _joined(array: tuple[str | None, ...], separator: str, missing: str | None = None) -> str:
    shown = [missing if text is None else text for text in array]
    return separator.join(text for text in shown if text is not None)


def _split(text: str, separator: str) -> Value:
    if not text:
        return ()
    return tuple(text.split(separator)) if separator else (text,)


def _sorted(array: tuple[Value, ...]) -> Value:
    return tuple(sorted(array, key=order))


def _position(array: tuple[Value, ...], value: Value) -> int:
    return next((i for i, element in enumerate(array, 1) if comparison("=", element, value) is True), 0)


def _removed(array: tuple[Value, ...], value: Value) -> Value:
    return tuple(element for element in array if element is None or comparison("=", element, value) is not True)


def _kept(array: tuple[Value, ...], other: tuple[Value, ...], *, common: bool) -> Value:
    there = {identical(value) for value in other}
    return tuple(dict.fromkeys(v for v in map(identical, array) if (v in there) == common))


def _slice(array: tuple[Value, ...], first: int, last: int | None = None) -> Value:
    size = len(array)
    start, stop = (p + 1 + size if p < 0 else p for p in (first, size if last is None else last))
    return array[max(start, 1) - 1 : max(stop, 0)]


def _checked_size(name: str, size: int) -> int:
    if size > MOST_ELEMENTS:
        raise ArithmeticOverflow(f"{name}: an array may have up to {MOST_ELEMENTS:,} elements, got {size:,}")
    return max(size, 0)


def _repeated(value: Value, times: int | None) -> Value:
    return None if times is None else (value,) * _checked_size("ARRAY_REPEAT", times)


def _sequence(first: int, last: int, step: int | None = None) -> tuple[int, ...]:
    by = step if step is not None else 1 if first <= last else -1
    if by == 0:
        return ()
    return tuple(range(first, first + by * _checked_size("SEQUENCE", (last - first) // by + 1), by))


def _points(first: Timestamp, last: Timestamp, step: DayInterval) -> Value:
    return tuple(map(Timestamp, _sequence(int(first), int(last), int(step))))


def _flat(arrays: tuple[tuple[Value, ...] | None, ...]) -> Value:
    return None if None in arrays else tuple(value for array in arrays for value in array or ())


def _element_type(types: Types, _: Sequence[str]) -> Type | None:
    """What an array of arrays is an array of."""
    inner = _element(types, ())
    return inner if inner is not None and inner.element is not None else None


MOST_ELEMENTS: Final = 1_000_000
"""Elements that a function may make."""
STRINGS: Final = array_of(Type.STR)
NESTED: Final = (
    Function(("array", "make_array", "list_value"), (Overload((ANY,), Derived("ARRAY<T>", _array_of_first), _array, repeats=1, strict=False),), "The array of these values; `ARRAY[a, b]` is the same.", (("ARRAY[1, NULL]", "[1, null]"), ("ARRAY['a']", "['a']"))),
    Function(("named_row", "named_struct"), (Overload((FIELD, Own("any type")), Derived("ROW<…>", _named_row, from_words=True), _row, repeats=2, strict=False),), "The row of these fields: a name and a value, one after the other. `ROW(a, b)` has the fields f1, f2.", (("NAMED_ROW('a', 1, 'b', 'x')", "[1, 'x']"), ("ROW(1, NULL)", "[1, null]"))),
    Function(("field",), (Overload((ROW, FIELD), Derived("its type", _field_type, from_words=True), _field, nullable=True, typed=True),), "The value of a field of a row; `(r).a` is the same, and so is `r.a` if no stream is called r.", (("FIELD(NAMED_ROW('a', 1, 'b', 'x'), 'b')", "'x'"), ("(NAMED_ROW('a', 1)).a", "1"))),
    Function(("cardinality", "size", "array_length", "array_size", "list_length"), (Overload((ARRAYS_IN_TURN,), Type.INT, len),), "How many elements an array has.", (("CARDINALITY(ARRAY[1, NULL])", "2"),)),
    Function(("array_get",), (Overload((ARRAYS_IN_TURN, Type.INT), ELEMENT, _get, nullable=True),), "The element with this number, from 1; NULL if there is none. `a[1]` is the same.", (("(ARRAY[5, 6])[1]", "5"), ("ARRAY_GET(ARRAY[5, 6], 3)", "null"))),
    Function(("element_at", "list_extract"), (Overload((ARRAYS_IN_TURN, Type.INT), ELEMENT, _element_at, nullable=True),), "The same; a negative number counts from the end.", (("ELEMENT_AT(ARRAY[5, 6], -1)", "6"), ("ELEMENT_AT(ARRAY[5, 6], 0)", "null"))),
    Function(("array_contains", "list_contains", "list_has"), (Overload((ARRAYS_IN_TURN, ELEMENT), Type.BOOL, _contains, nullable=True),), "Is it one of the elements? As with IN, unknown if only a NULL might be it.", (("ARRAY_CONTAINS(ARRAY[5, 6], 6)", "true"), ("ARRAY_CONTAINS(ARRAY[5, NULL], 6)", "null"))),
    Function(("array_concat", "array_cat", "list_concat"), (Overload((ARRAY, ARRAY), ARRAY, lambda a, b: a + b),), "The elements of one array, then those of the other.", (("ARRAY_CONCAT(ARRAY[1], ARRAY[2, 1])", "[1, 2, 1]"),)),
    Function(("array_append", "list_append"), (Overload((ARRAYS_IN_TURN, ELEMENT), Derived("ARRAY<T>", lambda types, _: types[0]), lambda a, x: (*(a or ()), x), strict=False),), "The array with one more element behind; NULL is an array without elements here.", (("ARRAY_APPEND(ARRAY[1], NULL)", "[1, null]"),)),
    Function(("array_distinct",), (Overload((ARRAY,), ARRAY, _distinct),), "Every element once, where it comes first; NULL too.", (("ARRAY_DISTINCT(ARRAY[2, 1, 2])", "[2, 1]"),)),
    Function(("array_reverse", "list_reverse"), (Overload((ARRAY,), ARRAY, lambda a: a[::-1]),), "The elements from the last to the first.", (("ARRAY_REVERSE(ARRAY[1, 2])", "[2, 1]"),)),
    Function(("array_max", "list_max"), (Overload((ARRAYS_IN_TURN,), ELEMENT, _extreme(max), nullable=True),), "The greatest element that is not NULL.", (("ARRAY_MAX(ARRAY[1, NULL, 2])", "2"),)),
    Function(("array_min", "list_min"), (Overload((ARRAYS_IN_TURN,), ELEMENT, _extreme(min), nullable=True),), "The least element that is not NULL.", (("ARRAY_MIN(ARRAY[1, NULL, 2])", "1"),)),
    Function(("array_sort", "sort_array"), (Overload((ARRAY,), ARRAY, _sorted),), "The elements in their order, NULL first.", (("ARRAY_SORT(ARRAY[2, NULL, 1])", "[null, 1, 2]"),)),
    Function(("array_position",), (Overload((ARRAYS_IN_TURN, ELEMENT), Type.INT, _position),), "The number of the first element that is equal, 0 if there is none.", (("ARRAY_POSITION(ARRAY[5, 6, 6], 6)", "2"), ("ARRAY_POSITION(ARRAY[5], 6)", "0"))),
    Function(("array_remove",), (Overload((ARRAYS_IN_TURN, ELEMENT), Derived("ARRAY<T>", lambda types, _: types[0]), _removed),), "The array without the elements that are equal.", (("ARRAY_REMOVE(ARRAY[1, 2, 1], 1)", "[2]"),)),
    Function(("array_prepend",), (Overload((ARRAYS_IN_TURN, ELEMENT), Derived("ARRAY<T>", lambda types, _: types[0]), lambda a, x: (x, *(a or ())), strict=False),), "The array with one more element before all others.", (("ARRAY_PREPEND(ARRAY[1], 2)", "[2, 1]"),)),
    Function(("array_union",), (Overload((ARRAY, ARRAY), ARRAY, lambda a, b: _distinct(a + b)),), "Every element of one of two arrays once.", (("ARRAY_UNION(ARRAY[1, 2], ARRAY[2, 3])", "[1, 2, 3]"),)),
    Function(("array_intersect", "list_intersect"), (Overload((ARRAY, ARRAY), ARRAY, lambda a, b: _kept(a, b, common=True)),), "Every element of the first array that is in the second one, once.", (("ARRAY_INTERSECT(ARRAY[1, 2, 2], ARRAY[2, 3])", "[2]"),)),
    Function(("array_except",), (Overload((ARRAY, ARRAY), ARRAY, lambda a, b: _kept(a, b, common=False)),), "Every element of the first array that is not in the second one, once.", (("ARRAY_EXCEPT(ARRAY[1, 2, 1], ARRAY[2])", "[1]"),)),
    Function(("array_slice", "list_slice"), (Overload((ARRAY, Type.INT, Type.INT), ARRAY, _slice, optional=1),), "The elements from one number to another, or to the end; negative numbers count from the end.", (("ARRAY_SLICE(ARRAY[5, 6, 7, 8], 2, 3)", "[6, 7]"), ("ARRAY_SLICE(ARRAY[5, 6, 7], -2)", "[6, 7]"))),
    Function(("array_repeat",), (Overload((ANY, Type.INT), Derived("ARRAY<T>", _array_of_first), _repeated, strict=False, total=False, nullable=True),), "The value so many times.", (("ARRAY_REPEAT('a', 2)", "['a', 'a']"),)),
    Function(("flatten",), (Overload((ARRAYS_IN_TURN,), Derived("ARRAY<T>", _element_type), _flat, nullable=True),), "The elements of the arrays in an array; NULL if one of these is.", (("FLATTEN(ARRAY[ARRAY[1, 2], ARRAY[3]])", "[1, 2, 3]"),)),
    Function(("sequence",), (Overload((Type.INT, Type.INT, Type.INT), array_of(Type.INT), _sequence, optional=1, total=False), Overload((Type.TIMESTAMP, Type.TIMESTAMP, Type.DAY_INTERVAL), array_of(Type.TIMESTAMP), _points, total=False)), "The numbers from the first to the second, by steps of 1, −1 or the third argument; of points in time it is the span between them.", (("SEQUENCE(2, 4)", "[2, 3, 4]"), ("SEQUENCE(5, 1, -2)", "[5, 3, 1]"))),
    Function(("array_join", "array_to_string"), (Overload((STRINGS, Type.STR, Type.STR), Type.STR, _joined, optional=1),), "The texts with a separator between them; NULL is left out, or written as the third argument.", (("ARRAY_JOIN(ARRAY['a', NULL, 'b'], '-')", "'a-b'"),)),
    Function(("string_to_array",), (Overload((Type.STR, Type.STR), STRINGS, _split),), "The parts of a text between separators; the empty text has none.", (("STRING_TO_ARRAY('a,b', ',')", "['a', 'b']"),)),
    Function(("split",), (Overload((Type.STR, Type.STR), STRINGS, lambda text, by: tuple(text.split(by)) if by else (text,)),), "The same, but the empty text is one part.", (("SPLIT('', ',')", "['']"),)),
)  # fmt: skip
