"""Lists of elements in any order, in which elements repeat, overlap, touch and stand before earlier ones."""

from collections.abc import Collection, Mapping
from typing import Final, Literal, get_args

from equivalence.cases.choices import Choices
from equivalence.cases.random_rows import a_row, a_value
from equivalence.lists.operators import Listed, at
from semantics import IntervalStream, Row, Schema
from semantics.constraint import Constraint, admits
from semantics.stream import IntervalElement
from semantics.value import identical, identical_row

MAX_SIZE: Final = 6
LATEST_START: Final = 4
LONGEST: Final = 4
Kinship = Literal["none", "same", "just after", "same row", "changed"]
KINSHIPS: Final[tuple[Kinship, ...]] = get_args(Kinship)


def a_list(choices: Choices, schema: Schema, *, awkward: bool = True) -> Listed:
    """A list, seldom empty, whose intervals all end; most elements are akin to one before."""
    elements: list[IntervalElement] = []
    while len(elements) < MAX_SIZE and choices.chance(7, 8):
        kinship = choices.of(KINSHIPS) if elements else "none"
        before = None if kinship == "none" else choices.of(elements)
        elements.append(_akin(choices, schema, awkward, kinship, before))
    return tuple(elements)


def a_case_of_lists(
    choices: Choices, schemas: Mapping[str, Schema], constraints: Collection[Constraint] = (), *, awkward: bool = True
) -> Mapping[str, Listed]:
    """A list for every name, less the elements that would break a constraint on it."""
    return {
        name: _kept(a_list(choices, schema, awkward=awkward), schema, [c for c in constraints if c.source == name])
        for name, schema in sorted(schemas.items())
    }


def _akin(
    choices: Choices, schema: Schema, awkward: bool, kinship: Kinship, before: IntervalElement | None
) -> IntervalElement:
    """An element; akin to one before: the same, its row just after it or at any time, or its row changed."""
    if before is None:
        return _sometime(choices, identical_row(a_row(choices, schema, awkward)))
    row, valid = before
    match kinship:
        case "same":
            return before
        case "just after":
            return at(row, int(valid.end), int(valid.end) + choices.between(1, LONGEST))
        case "changed":
            changed = choices.below(len(schema))
            value = identical(a_value(choices, schema.columns[changed].type, awkward))
            return _sometime(choices, (*row[:changed], value, *row[changed + 1 :]))
        case _:
            return _sometime(choices, row)


def _sometime(choices: Choices, row: Row) -> IntervalElement:
    start = choices.below(LATEST_START)
    return at(row, start, start + choices.between(1, LONGEST))


def _kept(elements: Listed, schema: Schema, constraints: list[Constraint]) -> Listed:
    kept: list[IntervalElement] = []
    for element in elements:
        known = {constraint.source: IntervalStream(schema) for constraint in constraints}
        if all(admits(constraint, element, kept, known) for constraint in constraints):
            kept.append(element)
    return tuple(kept)
