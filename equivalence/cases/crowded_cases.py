"""Cases in which much meets: few values, and everything is there at the same time.

Whether rows of several streams are alike in all but one column hardly ever shows where values and times are free.
"""

from collections.abc import Collection, Mapping
from typing import Final

from equivalence.cases.choices import Choices
from equivalence.cases.random_cases import Case, kept, targets_first
from equivalence.cases.random_rows import COMMON_VALUES
from semantics import Interval, IntervalStream, Row, Schema, Stream, Type, Value
from semantics.constraint import Constraint

MOST_ELEMENTS: Final = 6
LASTING: Final = Interval(0, 2)
_VALUES: Final[dict[Type, tuple[Value, Value]]] = {
    Type.INT: (0, 1),
    Type.FLOAT: (0.0, 1.0),
    Type.BOOL: (False, True),
    Type.STR: ("", "a"),
}


def choose_crowded_case(
    choices: Choices, schemas: Mapping[str, Schema], constraints: Collection[Constraint] = ()
) -> Case:
    """Streams of up to six elements that are valid at the same time and hold two values of each type.

    >>> from equivalence.cases.choices import SeededChoices
    >>> case = choose_crowded_case(SeededChoices(0), {"S": Schema.of(x=int, y=int)})
    >>> {value for row, _ in case["S"].elements for value in row} <= {0, 1}
    True
    """
    case: dict[str, Stream] = {}
    for name in targets_first(schemas, constraints):
        known = [constraint for constraint in constraints if constraint.source == name]
        rows = [_row(choices, schemas[name]) for _ in range(choices.between(2, MOST_ELEMENTS))]
        drawn = IntervalStream(schemas[name], [(row, LASTING) for row in rows])
        case[name] = kept(choices, drawn, known, {**case, name: drawn}) if known else drawn
    return {name: case[name] for name in sorted(case)}


def _row(choices: Choices, schema: Schema) -> Row:
    return tuple(choices.of(_VALUES.get(type_) or COMMON_VALUES[type_][:2]) for type_ in schema.types)
