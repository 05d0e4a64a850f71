"""Rows that pass as many conditions as possible, and rows next to them at which one condition changes its mind."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from equivalence.cases.directed.clues import Clues
from equivalence.cases.directed.solutions import passes, solutions, with_value
from semantics import Row, Schema, Value
from semantics.expression import Expression, refs

Pools = Mapping[tuple[str, int], Sequence[Value]]
"""The values that a column of a source may get, the simplest first."""
MOST_BOUNDARY_ROWS: Final = 60
ROWS_IMPROVED: Final = 6


def conditions_on(name: str, clues: Clues) -> list[Expression]:
    """The conditions on single rows of a source."""
    return [condition.expression for condition in clues.conditions if condition.sources == (name,)]


def witness(name: str, schema: Schema, clues: Clues, pools: Pools) -> Row | None:
    """A row of a source that passes most of the conditions on it; None if there are none.

    Column by column the first value that passes most is taken, until no column can be improved. Conditions on several
    columns may need more than one change, so this begins at several rows.
    """
    conditions = conditions_on(name, clues)
    if not conditions:
        return None
    starts = [tuple(pools[name, i][n % len(pools[name, i])] for i in range(len(schema))) for n in range(ROWS_IMPROVED)]
    return max((_best(name, row, conditions, pools) for row in starts), key=lambda row: _passed(row, conditions))


def _best(name: str, row: Row, conditions: Sequence[Expression], pools: Pools) -> Row:
    while _passed(row, conditions) < len(conditions):
        better = _improved(name, row, conditions, pools)
        if better == row:
            break
        row = better
    return row


def boundary_rows(row: Row, conditions: Sequence[Expression]) -> tuple[Row, ...]:
    """The row with one value at or around which a condition changes, if the other columns stay.

    >>> from semantics import parse
    >>> boundary_rows((1, 300), [parse("$0:int * $1:int > 90000")])[:3]
    ((299, 300), (300, 300), (301, 300))
    """
    found = dict.fromkeys(with_value(row, i, value) for i, value in _near(row, conditions))
    return tuple(found)[:MOST_BOUNDARY_ROWS]


def _near(row: Row, conditions: Sequence[Expression]) -> Iterator[tuple[int, Value]]:
    for condition in conditions:
        for column in dict.fromkeys(refs(condition)):
            yield from ((column.index, value) for value in solutions(condition, row, column))


def _improved(name: str, row: Row, conditions: Sequence[Expression], pools: Pools) -> Row:
    """The row after one round over its columns; another row only if it passes more."""
    best = row
    for i in range(len(row)):
        values = [*pools[name, i], *_solving(best, conditions, i)]
        changed = [with_value(best, i, value) for value in values]
        best = max([best, *changed], key=lambda candidate: _passed(candidate, conditions))
    return best


def _solving(row: Row, conditions: Sequence[Expression], column: int) -> Iterator[Value]:
    """Values of a column near which a condition that fails changes."""
    for condition in conditions:
        if not passes(condition, row):
            for ref in dict.fromkeys(refs(condition)):
                yield from solutions(condition, row, ref) if ref.index == column else ()


def _passed(row: Row, conditions: Sequence[Expression]) -> int:
    return sum(passes(condition, row) for condition in conditions)
