"""Cases: a stream for every source, such that all constraints on the sources hold.

A case is what plans are compared on. Its streams are small (8 elements at most, unless asked otherwise), nearly all
elements start before `HORIZON`, and values come from small pools.
"""

from collections.abc import Collection, Mapping
from typing import Final

from equivalence.cases.choices import Choices
from equivalence.cases.random_rows import RowGenerator
from equivalence.cases.random_streams import HORIZON, choose_stream, choose_table
from semantics import Interval, IntervalStream, Schema, Stream
from semantics.constraint import Constraint, Lasting, References, admits, elements_of, picked
from semantics.stream import IntervalElement

Case = Mapping[str, Stream]
CASE_HORIZON: Final = HORIZON + 4
"""Far enough to see most windows run empty."""


def choose_case(
    choices: Choices,
    schemas: Mapping[str, Schema],
    constraints: Collection[Constraint] = (),
    *,
    max_size: int = 8,
    awkward: bool = True,
) -> Case:
    """Streams for these sources that satisfy the constraints; sources that others refer to are generated first."""
    case: dict[str, Stream] = {}
    rows = RowGenerator(choices, awkward)
    for name in targets_first(schemas, constraints):
        known = [constraint for constraint in constraints if constraint.source == name]
        draw = choose_table if Lasting(name) in known else choose_stream
        drawn = draw(choices, schemas[name], max_size, rows)
        case[name] = kept(choices, drawn, known, {**case, name: drawn}) if known else drawn
    return {name: case[name] for name in sorted(case)}


def targets_first(schemas: Mapping[str, Schema], constraints: Collection[Constraint]) -> list[str]:
    """The sources, each after those that it refers to."""
    waiting = {name: set[str]() for name in sorted(schemas)}
    for constraint in constraints:
        if isinstance(constraint, References) and constraint.target != constraint.source:
            waiting[constraint.source].add(constraint.target)
    ordered: list[str] = []
    while len(ordered) < len(waiting):
        ordered += [name for name in waiting if name not in ordered and waiting[name] <= set(ordered)][:1]
    return ordered


def kept(choices: Choices, stream: Stream, constraints: list[Constraint], case: Case) -> Stream:
    """The stream without the elements that break a constraint.

    Elements that refer to another stream first get the key of an element there, in seven of eight cases. Otherwise
    nearly all of them would be dropped.
    """
    admitted: list[IntervalElement] = []
    for element in elements_of(stream):
        for constraint in constraints:
            if isinstance(constraint, References) and choices.below(8) < 7:
                element = _led(choices, element, constraint, case)
        if all(admits(constraint, element, admitted, case) for constraint in constraints):
            admitted.append(element)
    return IntervalStream(stream.schema, sorted(admitted, key=lambda element: element[1].start))


def _led(choices: Choices, element: IntervalElement, reference: References, case: Case) -> IntervalElement:
    """The element with the key of a target, valid while both are."""
    targets = elements_of(case[reference.target])
    if not targets:
        return element
    row, interval = element
    target, valid = choices.of(targets)
    key = picked(case[reference.target].schema, reference.target_columns, target)
    schema = case[reference.source].schema
    positions = {
        schema.index(column, "References"): value for column, value in zip(reference.columns, key, strict=True)
    }
    start, end = max(interval.start, valid.start), min(interval.end, valid.end)
    held = Interval(start, end) if start < end else valid
    return tuple(positions.get(i, value) for i, value in enumerate(row)), held
