"""Lists of elements in any order, in which elements repeat, overlap, touch, and precede elements that start earlier."""

from collections.abc import Collection, Mapping
from typing import Final, Literal, get_args

from equivalence.cases.choices import Choices
from equivalence.cases.random_rows import choose_row, choose_value
from equivalence.lists.list_operators import ElementList, at
from semantics import IntervalStream, Row, Schema
from semantics.constraint import Constraint, admits
from semantics.stream import IntervalElement
from semantics.value import identical, identical_row

LONGEST_LIST: Final = 6
LATEST_START: Final = 4
LONGEST_INTERVAL: Final = 4
Kinship = Literal["none", "same", "just after", "same row", "changed"]
KINSHIPS: Final[tuple[Kinship, ...]] = get_args(Kinship)


def choose_list(choices: Choices, schema: Schema, *, awkward: bool = True) -> ElementList:
    """A list, seldom empty, whose intervals all end; most elements are derived from an earlier one."""
    elements: list[IntervalElement] = []
    while len(elements) < LONGEST_LIST and choices.chance(7, 8):
        kinship = choices.of(KINSHIPS) if elements else "none"
        before = None if kinship == "none" else choices.of(elements)
        elements.append(_akin(choices, schema, awkward, kinship, before))
    return tuple(elements)


def choose_lists(
    choices: Choices, schemas: Mapping[str, Schema], constraints: Collection[Constraint] = (), *, awkward: bool = True
) -> Mapping[str, ElementList]:
    """A list for every name, without the elements that would break a constraint on it."""
    return {
        name: _kept(choose_list(choices, schema, awkward=awkward), schema, [c for c in constraints if c.source == name])
        for name, schema in sorted(schemas.items())
    }


def _akin(
    choices: Choices, schema: Schema, awkward: bool, kinship: Kinship, before: IntervalElement | None
) -> IntervalElement:
    """A new element; or an earlier one again, its row right after it or any time, or its row with a value changed."""
    if before is None:
        return _sometime(choices, identical_row(choose_row(choices, schema, awkward)))
    row, valid = before
    match kinship:
        case "same":
            return before
        case "just after":
            return at(row, int(valid.end), int(valid.end) + choices.between(1, LONGEST_INTERVAL))
        case "changed":
            changed = choices.below(len(schema))
            value = identical(choose_value(choices, schema.columns[changed].type, awkward))
            return _sometime(choices, (*row[:changed], value, *row[changed + 1 :]))
        case _:
            return _sometime(choices, row)


def _sometime(choices: Choices, row: Row) -> IntervalElement:
    start = choices.below(LATEST_START)
    return at(row, start, start + choices.between(1, LONGEST_INTERVAL))


def _kept(elements: ElementList, schema: Schema, constraints: list[Constraint]) -> ElementList:
    kept: list[IntervalElement] = []
    for element in elements:
        known = {constraint.source: IntervalStream(schema) for constraint in constraints}
        if all(admits(constraint, element, kept, known) for constraint in constraints):
            kept.append(element)
    return tuple(kept)
