"""Constraints on batches against their definition, element by element; and that generated cases keep them."""

from collections.abc import Mapping
from random import Random

import numpy as np
import pytest

from equivalence.cases.choices import SeededChoices
from equivalence.cases.random_cases import Case, choose_case
from equivalence.exhaustive.dense import CaseBatch, admissible_under, stack
from semantics import FOREVER, Interval, IntervalStream, LogicalStream, Row, Schema, to_logical
from semantics.constraint import (
    Constraint,
    DuplicateFree,
    Key,
    Lasting,
    NotNull,
    Once,
    References,
    Unique,
    UniqueInstants,
    broken,
)

SCHEMAS = {"A": Schema.of(x=int, y=int), "B": Schema.of(z=int)}
HORIZON = 3
CASES = 2000
CONSTRAINTS: list[Constraint] = [
    NotNull("A", ("x",)),
    Key("A", ("x",)),
    Key("A", ("x", "y")),
    Unique("A", ("x", "y")),
    Unique("A", ("y",)),
    Once("A", ("y",)),
    DuplicateFree("A"),
    UniqueInstants("A"),
    References("A", ("x",), "B", ("z",)),
    Lasting("B"),
]


def small_case(random: Random) -> Case:
    """Few rows at few instants, so that constraints are kept about as often as not; some are valid throughout."""

    def element(schema: Schema) -> tuple[Row, Interval]:
        start = random.choice((0, 0, 0, 1, 2))
        row = tuple(random.choice((None, 0, 1)) for _ in schema.columns)
        return row, Interval(start, random.choice((start + 1, FOREVER)))

    def stream(schema: Schema, size: int) -> IntervalStream:
        elements = [element(schema) for _ in range(random.randint(0, size))]
        return IntervalStream(schema, sorted(elements, key=lambda element: element[1].start))

    return {"A": stream(SCHEMAS["A"], 3), "B": stream(SCHEMAS["B"], 3)}


def holds(constraint: Constraint, case: Mapping[str, LogicalStream]) -> bool:
    if isinstance(constraint, Lasting):  # as far as can be seen: streams are known up to the horizon only
        return len(set(case[constraint.source].snapshots)) == 1
    return broken(constraint, case) is None


@pytest.mark.parametrize("constraint", CONSTRAINTS, ids=str)
def test_oracle_admissible_cases_are_those_that_keep_the_constraint(constraint: Constraint) -> None:
    random = Random(str(constraint))
    cases = [small_case(random) for _ in range(CASES)]
    logical = {name: [to_logical(case[name], HORIZON) for case in cases] for name in SCHEMAS}
    batch = CaseBatch({name: stack(streams, np.int8) for name, streams in logical.items()}, (HORIZON, CASES), np.int8)
    until = [{name: logical[name][i] for name in SCHEMAS} for i in range(CASES)]
    expected = [holds(constraint, case) for case in until]
    assert admissible_under(constraint, SCHEMAS)(batch).tolist() == expected
    assert 20 < sum(expected) < CASES - 20


@pytest.mark.parametrize("constraint", CONSTRAINTS, ids=str)
def test_generated_cases_keep_the_constraint(constraint: Constraint) -> None:
    sizes = []
    for seed in range(200):
        case = choose_case(SeededChoices(seed), SCHEMAS, [constraint])
        assert broken(constraint, case) is None
        sizes.append(len(list(to_logical(case[constraint.source], 8).snapshots[7])))
    assert max(sizes) > (1 if not isinstance(constraint, Once | UniqueInstants) else 0)
