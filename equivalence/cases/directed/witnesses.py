"""Rows that pass as many conditions as possible: changed in one column, they put one condition alone to the test."""

from collections.abc import Mapping, Sequence

from equivalence.cases.directed.clues import Clues
from semantics import Row, Schema, SnapeqError, Value
from semantics.expression import Expression, holds

Pools = Mapping[tuple[str, int], Sequence[Value]]
"""The values that a column of a source may get, the simplest first."""


def witness(name: str, schema: Schema, clues: Clues, pools: Pools) -> Row | None:
    """A row of a source that passes most of the conditions on it; None if there are none.

    Column by column the first value that passes most is taken, until no column can be improved: conditions are mostly
    about one column each, so that this finds what passes all of them if there is such a row.
    """
    conditions = [condition.expression for condition in clues.conditions if condition.source == name]
    if not conditions:
        return None
    row: Row = tuple(pools[name, i][0] for i in range(len(schema)))
    while (better := _improved(name, row, conditions, pools)) != row:
        row = better
    return row


def _improved(name: str, row: Row, conditions: Sequence[Expression], pools: Pools) -> Row:
    """The row after one round over its columns; another row only if it passes more."""
    best = row
    for i in range(len(row)):
        changed = [(*best[:i], value, *best[i + 1 :]) for value in pools[name, i]]
        best = max([best, *changed], key=lambda candidate: _passed(candidate, conditions))
    return best


def _passed(row: Row, conditions: Sequence[Expression]) -> int:
    return sum(_holds(condition, row) for condition in conditions)


def _holds(condition: Expression, row: Row) -> bool:
    try:
        return holds(condition, row)
    except SnapeqError:
        return False
