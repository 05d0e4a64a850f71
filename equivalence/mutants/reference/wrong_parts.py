"""Wrong UNNEST, wrong functions of arrays, rows and JSON: as other engines, or somebody in a hurry, would have them."""

from dataclasses import replace
from typing import Any, Final

from equivalence.mutants.mutant import Mutant
from equivalence.mutants.reference.wrong_functions import WrongFunctions, wrong
from equivalence.mutants.reference.wrong_reference import WrongOperator, at
from semantics import Multiset, Row, Value
from semantics.functions import json_texts
from semantics.plan import Unnest


def _of_sets(node: Unnest, rows: Multiset) -> Multiset:
    return at(node, Multiset(rows.support))


def _elements_once(node: Unnest, rows: Multiset) -> Multiset:
    """Of each row, equal elements as one; numbers tell them apart."""
    return Multiset.sum((made, n) for row, n in rows.pairs() for made in at(node, Multiset([row])).support)


def _known_elements(node: Unnest, rows: Multiset) -> Multiset:
    return at(node, rows).filter(lambda row: node.outer or row[len(node.input.schema)] is not None)


def _from_zero(node: Unnest, rows: Multiset) -> Multiset:
    def renumbered(row: Row) -> Row:
        number: Any = row[-1]
        return row if number is None else (*row[:-1], number - 1)

    return at(node, rows).map(renumbered) if node.numbered else at(node, rows)


def _first_elements(node: Unnest, rows: Multiset) -> Multiset:
    return Multiset.sum((next(iter(made)), n) for row, n in rows.pairs() if (made := at(node, Multiset([row]))))


def _contains(array: tuple[Value, ...], value: Value) -> bool:
    return value in array


def _any_text(text: str, path: str) -> Value:
    """Objects and arrays, too."""
    return json_texts._any(text, path)


_OPERATORS: Final[tuple[tuple[str, WrongOperator], ...]] = (
    ("unnest forgets rows without elements", lambda node, s: at(replace(node, outer=False), s)),
    ("unnest keeps rows without elements", lambda node, s: at(replace(node, outer=True), s)),
    ("unnest takes equal elements once", _elements_once),
    ("unnest drops elements that are NULL", _known_elements),
    ("unnest loses copies of rows", _of_sets),
    ("unnest numbers from 0", _from_zero),
    ("unnest takes one element", _first_elements),
)
PARTS: Final = (
    *(Mutant(WrongFunctions(name, {Unnest: meaning}), "operator") for name, meaning in _OPERATORS),
    wrong("positions count from 0", "array_get", lambda a, i: a[i] if 0 <= i < len(a) else None),
    wrong("a negative position is the first element", "element_at", lambda a, i: a[0] if a and i < 0 else None if not 0 < i <= len(a) else a[i - 1]),
    wrong("ARRAY_CONTAINS is never unknown", "array_contains", _contains),
    wrong("CARDINALITY leaves NULL out", "cardinality", lambda a: sum(x is not None for x in a)),
    wrong("ARRAY_CONCAT turns its sides around", "array_concat", lambda a, b: b + a),
    wrong("ARRAY_APPEND puts it in front", "array_append", lambda a, x: (x, *(a or ())), strict=False),
    wrong("ARRAY_DISTINCT drops NULL", "array_distinct", lambda a: tuple(x for x in dict.fromkeys(a) if x is not None)),
    wrong("ARRAY_MAX is the last element", "array_max", lambda a: a[-1] if a else None),
    wrong("ARRAY_JOIN writes NULL", "array_join", lambda a, s, n="null": s.join(n if x is None else x for x in a)),
    wrong("JSON_VALUE gives objects", "json_value", _any_text),
    wrong("JSON_EXISTS is false for null", "json_exists", lambda text, path: json_texts._any(text, path) is not None),
)  # fmt: skip
