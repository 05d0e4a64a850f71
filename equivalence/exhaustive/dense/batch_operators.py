"""Filter, map, distinct and the set operations on batches, as `semantics.algebra` defines them."""

from collections.abc import Sequence

import numpy as np

from equivalence.exhaustive.dense.counts import Counts, Rows
from equivalence.exhaustive.dense.failures import Failures
from semantics import Expression, Row
from semantics.algebra import unnested
from semantics.expression import evaluate, holds


def filter(failures: Failures, predicate: Expression, rows: Rows) -> Rows:
    """σ_p: the predicate is evaluated once per row, whatever the number of cases."""
    return {
        row: counts
        for row, counts in rows.items()
        if failures.attempt(lambda: holds(predicate, row), lambda: counts > 0)
    }


def map(failures: Failures, expressions: Sequence[Expression], rows: Rows) -> Rows:
    """μ_f: n̂(y) = Σ { n(e) : f(e) = y }."""
    images: dict[Row, Counts] = {}
    for row, counts in rows.items():
        image = failures.attempt(lambda: tuple(evaluate(e, row) for e in expressions), lambda: counts > 0)
        if image is not None:
            images[image] = images[image] + counts if image in images else counts
    return images


def unnest(failures: Failures, array: Expression, numbered: bool, outer: bool, rows: Rows) -> Rows:
    """υ: n̂(e∘x) = Σ n(e) over the places at which x stands in e's array."""
    found: dict[Row, Counts] = {}
    for row, counts in rows.items():
        held = failures.attempt(lambda: (evaluate(array, row),), lambda: counts > 0)
        for behind in unnested(held[0], numbered, outer) if held is not None else []:
            made = row + behind
            found[made] = found[made] + counts if made in found else counts
    return found


def distinct(rows: Rows) -> Rows:
    """δ: min(n(e), 1)."""
    return {row: np.minimum(counts, 1) for row, counts in rows.items()}


def union(left: Rows, right: Rows) -> Rows:
    """∪: n₁(e) + n₂(e)."""
    return {**left, **right, **{row: left[row] + right[row] for row in left if row in right}}


def difference(left: Rows, right: Rows) -> Rows:
    """−: max(n₁(e) − n₂(e), 0)."""
    return {row: monus(counts, right[row]) if row in right else counts for row, counts in left.items()}


def intersection(left: Rows, right: Rows) -> Rows:
    """∩: min(n₁(e), n₂(e))."""
    return {row: np.minimum(counts, right[row]) for row, counts in left.items() if row in right}


def monus(left: Counts, right: Counts) -> Counts:
    """Subtraction that stops at 0."""
    clipped: Counts = np.maximum(left - right, 0)
    return clipped
