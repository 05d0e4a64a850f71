"""Snapshots that look alike to an aggregate have the same aggregate; those that do not are told apart."""

from collections.abc import Sequence

import numpy as np
import pytest

from equivalence.exhaustive.dense import CaseBatch, Failures, Rows
from equivalence.exhaustive.dense.batch_aggregation import BatchAggregation
from equivalence.exhaustive.dense.statistics import statistics
from semantics import ArithmeticOverflow, Multiset, Row, Type
from semantics.aggregate import (
    Aggregate,
    AggregateFunction,
    Avg,
    Count,
    CountDistinct,
    CountRows,
    Largest,
    Max,
    Median,
    Min,
    StddevPop,
    Sum,
    UserDefined,
    VarPop,
)
from semantics.algebra import aggregation
from semantics.expression import Ref
from semantics.value import INT_MAX, NAN

SHAPE = (4, 150)
LONGEST = AggregateFunction("longest", Type.INT, Type.INT, lambda x: x, max, lambda x: x + 1)


def functions(type_: Type) -> list[Aggregate]:
    x = Ref(0, type_)
    numeric: tuple[Aggregate, ...] = (Sum(x), Avg(x), VarPop(x), StddevPop(x), Median(x))
    any_type: tuple[Aggregate, ...] = (
        CountRows(),
        Count(x),
        CountDistinct(x),
        Min(x),
        Max(x),
        *(Largest(x, rank) for rank in (1, 2, 3)),
    )
    return [*any_type, *numeric, *([UserDefined(LONGEST, x)] if type_ is Type.INT else [])]


COLUMNS: dict[str, tuple[Type, Sequence[object]]] = {
    "few": (Type.INT, (None, -2, 0, 1)),
    "large": (Type.INT, (None, INT_MAX, INT_MAX - 1, -1)),
    "halves": (Type.FLOAT, (None, -0.5, 0.0, 1.5)),
    "not finite": (Type.FLOAT, (NAN, float("inf"), -float("inf"), 1.0)),
}
CASES = [(name, function) for name, (type_, _) in COLUMNS.items() for function in functions(type_)]


def counts(rows: Sequence[Row], seed: int) -> Rows:
    random = np.random.default_rng(seed)
    density = random.choice((0.2, 0.5, 0.9), SHAPE[1])
    return {
        row: np.where(random.random(SHAPE) < density, random.integers(1, 4, SHAPE), 0).astype(np.int8) for row in rows
    }


def snapshot(rows: Rows, t: int, case: int) -> Multiset:
    return Multiset({row: int(n[t, case]) for row, n in rows.items()})


@pytest.mark.parametrize(
    ("column", "function"), CASES, ids=lambda part: part if isinstance(part, str) else type(part).__name__
)
@pytest.mark.parametrize("on_empty", [False, True])
def test_oracle_every_snapshot_by_itself(column: str, function: Aggregate, on_empty: bool) -> None:
    """Two rows have each value, so that rows that differ look alike."""
    rows = counts([(value, y) for value in COLUMNS[column][1] for y in (0, 1)], len(column))  # type: ignore[misc]
    failures = Failures(SHAPE[1])
    both = [function, CountRows()]
    made = BatchAggregation(CaseBatch({}, SHAPE, np.int8), failures).aggregation(both, on_empty, rows)
    for case in range(SHAPE[1]):
        try:
            expected = [aggregation(both, on_empty, snapshot(rows, t, case)) for t in range(SHAPE[0])]
        except ArithmeticOverflow:
            assert failures.cases[case]
        else:
            assert not failures.cases[case]
            assert [snapshot(made, t, case) for t in range(SHAPE[0])] == expected


def test_few_snapshots_are_told_apart() -> None:
    rows = counts([(x,) for x in range(5)], 0)
    different = {tuple(int(n.flat[i]) for n in rows.values()) for i in range(SHAPE[0] * SHAPE[1])}
    x = Ref(0, Type.INT)
    for function in (CountRows(), CountDistinct(x), Max(x), Sum(x), Median(x)):
        numbers = statistics(function, rows, SHAPE)
        assert 4 * len({tuple(int(n.flat[i]) for n in numbers) for i in range(numbers[0].size)}) < len(different)
