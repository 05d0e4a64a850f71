"""Conditions on the sources that whole batches can be asked for: which cases are admissible?"""

from collections.abc import Callable

import numpy as np

from equivalence.dense.counts import Batch, Counts, Mask, Rows, total
from equivalence.dense.windows import groups

Constraint = Callable[[Batch], Mask]


def unique_instants(source: str) -> Constraint:
    """At no instant does the source hold more than one element."""
    return lambda batch: _at_most_one(batch.sources[source], batch)


def key(source: str, *columns: int) -> Constraint:
    """In no snapshot of the source do two elements agree on these columns."""

    def admissible(batch: Batch) -> Mask:
        members = groups(columns, batch.sources[source]).values()
        return _all([_at_most_one(rows, batch) for rows in members], batch)

    return admissible


def all_of(*constraints: Constraint) -> Constraint:
    """Every one of these conditions."""
    return lambda batch: _all([constraint(batch) for constraint in constraints], batch)


def _at_most_one(rows: Rows, batch: Batch) -> Mask:
    most: Counts = total(rows, batch).max(axis=0, initial=0)
    return np.less_equal(most, 1)


def _all(masks: list[Mask], batch: Batch) -> Mask:
    result: Mask = np.ones(batch.shape[1], np.bool_)
    for mask in masks:
        result &= mask
    return result
