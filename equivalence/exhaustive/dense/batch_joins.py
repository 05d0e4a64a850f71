"""Product and joins on batches; a condition is evaluated once for every pair of rows."""

from collections.abc import Iterable

import numpy as np

from equivalence.exhaustive.dense.batch_operators import union
from equivalence.exhaustive.dense.counts import Mask, Rows
from equivalence.exhaustive.dense.failures import Failures
from semantics import NULL, Expression, Row
from semantics.expression import holds

Pairs = list[tuple[Row, Row]]


def product(left: Rows, right: Rows) -> Rows:
    """× (3): n₁(e₁) · n₂(e₂)."""
    return _multiplied([(row, other) for row in left for other in right], left, right)


def join(failures: Failures, condition: Expression, left: Rows, right: Rows) -> Rows:
    """⋈_θ: filter over product."""
    return _multiplied(_pairs(failures, condition, left, right), left, right)


def semijoin(failures: Failures, condition: Expression, left: Rows, right: Rows) -> Rows:
    """⋉_θ: the left rows where a partner is present."""
    return _with_partner(_pairs(failures, condition, left, right), left, right)


def antijoin(failures: Failures, condition: Expression, left: Rows, right: Rows) -> Rows:
    """▷_θ: the left rows where no partner is present."""
    return _without_partner(_pairs(failures, condition, left, right), left, right)


def left_join(failures: Failures, condition: Expression, width: int, left: Rows, right: Rows) -> Rows:
    """⟕_θ: join ∪ (antijoin, the right side's `width` columns NULL)."""
    pairs = _pairs(failures, condition, left, right)
    return union(_multiplied(pairs, left, right), _padded_left(pairs, width, left, right))


def right_join(failures: Failures, condition: Expression, width: int, left: Rows, right: Rows) -> Rows:
    """⟖_θ: join ∪ (the right rows without a partner, the left side's `width` columns NULL)."""
    pairs = _pairs(failures, condition, left, right)
    return union(_multiplied(pairs, left, right), _padded_right(pairs, width, left, right))


def full_join(failures: Failures, condition: Expression, widths: tuple[int, int], left: Rows, right: Rows) -> Rows:
    """⟗_θ: what the left and the right outer join hold, the join itself once."""
    pairs = _pairs(failures, condition, left, right)
    left_alone = _padded_left(pairs, widths[1], left, right)
    right_alone = _padded_right(pairs, widths[0], left, right)
    return union(union(_multiplied(pairs, left, right), left_alone), right_alone)


def _pairs(failures: Failures, condition: Expression, left: Rows, right: Rows) -> Pairs:
    """The pairs of rows for which the condition is TRUE."""
    return [
        (row, other)
        for row, n in left.items()
        for other, m in right.items()
        if failures.attempt(lambda: holds(condition, row + other), lambda: (n > 0) & (m > 0))
    ]


def _multiplied(pairs: Pairs, left: Rows, right: Rows) -> Rows:
    return {row + other: left[row] * right[other] for row, other in pairs}


def _with_partner(pairs: Pairs, left: Rows, right: Rows) -> Rows:
    met = _met(pairs, right)
    return {row: counts * met[row] for row, counts in left.items() if row in met}


def _without_partner(pairs: Pairs, left: Rows, right: Rows) -> Rows:
    met = _met(pairs, right)
    return {row: counts * ~met[row] if row in met else counts for row, counts in left.items()}


def _padded_left(pairs: Pairs, width: int, left: Rows, right: Rows) -> Rows:
    """The left rows without a partner, before `width` NULLs."""
    return {row + (NULL,) * width: counts for row, counts in _without_partner(pairs, left, right).items()}


def _padded_right(pairs: Pairs, width: int, left: Rows, right: Rows) -> Rows:
    """The right rows without a partner, after `width` NULLs."""
    alone = _without_partner([(other, row) for row, other in pairs], right, left)
    return {(NULL,) * width + row: counts for row, counts in alone.items()}


def _met(pairs: Iterable[tuple[Row, Row]], partners: Rows) -> dict[Row, Mask]:
    """For every first row of a pair: where is one of its partners present?"""
    met: dict[Row, Mask] = {}
    for row, other in pairs:
        present = partners[other] > 0
        met[row] = np.logical_or(met[row], present) if row in met else present
    return met
