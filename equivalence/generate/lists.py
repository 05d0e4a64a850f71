"""Lists of elements in any order, in which elements repeat, overlap, touch and stand before earlier ones."""

from collections.abc import Collection, Mapping

from equivalence.constraint import Constraint, admits
from equivalence.generate.choices import Choices
from equivalence.generate.rows import a_row
from equivalence.lists import Listed, at
from semantics import IntervalStream, Schema
from semantics.stream import IntervalElement
from semantics.value import identical_row

MAX_SIZE = 6
LATEST_START = 4
LONGEST = 4


def a_list(choices: Choices, schema: Schema, *, awkward: bool = True) -> Listed:
    """A list, seldom empty, whose intervals all end; half of the elements are akin to one before."""
    elements: list[IntervalElement] = []
    while len(elements) < MAX_SIZE and choices.chance(7, 8):
        akin = choices.below(4) if elements else 0
        before = choices.of(elements) if akin else None
        elements.append(_element(choices, schema, awkward) if before is None else _akin(choices, before, akin))
    return tuple(elements)


def a_case_of_lists(
    choices: Choices, schemas: Mapping[str, Schema], constraints: Collection[Constraint] = (), *, awkward: bool = True
) -> Mapping[str, Listed]:
    """A list for every name, less the elements that would break a constraint on it."""
    return {
        name: _kept(a_list(choices, schema, awkward=awkward), schema, [c for c in constraints if c.source == name])
        for name, schema in sorted(schemas.items())
    }


def _element(choices: Choices, schema: Schema, awkward: bool) -> IntervalElement:
    row, start = identical_row(a_row(choices, schema, awkward)), choices.below(LATEST_START)
    return at(row, start, start + choices.between(1, LONGEST))


def _akin(choices: Choices, before: IntervalElement, how: int) -> IntervalElement:
    """The same element again, the same row just after it, or the same row at any time."""
    row, valid = before
    if how == 1:
        return before
    start = int(valid.end) if how == 2 else choices.below(LATEST_START)
    return at(row, start, start + choices.between(1, LONGEST))


def _kept(elements: Listed, schema: Schema, constraints: list[Constraint]) -> Listed:
    kept: list[IntervalElement] = []
    for element in elements:
        known = {constraint.source: IntervalStream(schema) for constraint in constraints}
        if all(admits(constraint, element, kept, known) for constraint in constraints):
            kept.append(element)
    return tuple(kept)
