"""Constraints on the sources of whole batches: which cases are admissible?"""

from collections.abc import Callable, Iterable, Mapping
from typing import assert_never

import numpy as np

from equivalence.exhaustive.dense.batch_windows import groups
from equivalence.exhaustive.dense.counts import CaseBatch, Counts, Mask, Rows, total
from semantics import Schema
from semantics import constraint as known
from semantics.evaluate import key_of

Admissible = Callable[[CaseBatch], Mask]


def admissible_under(constraint: known.Constraint, schemas: Mapping[str, Schema]) -> Admissible:
    """The test that says, for a batch, in which cases a constraint holds."""
    source = constraint.source

    def at(columns: tuple[str, ...], of: str = source) -> tuple[int, ...]:
        return tuple(schemas[of].index(column, "Constraint") for column in columns)

    match constraint:
        case known.NotNull(columns=columns):
            return not_null(source, *at(columns))
        case known.Key(columns=columns):
            return all_of(not_null(source, *at(columns)), key(source, *at(columns)))
        case known.Unique(columns=columns):
            return key(source, *at(columns), nulls=True)
        case known.Once(columns=columns):
            return all_of(not_null(source, *at(columns)), once(source, *at(columns)))
        case known.DuplicateFree():
            return key(source, *range(len(schemas[source])))
        case known.UniqueInstants():
            return unique_instants(source)
        case known.Lasting():
            return lambda batch: _all([np.equal(n, n[0]).all(axis=0) for n in batch.sources[source].values()], batch)
        case known.References(columns=columns, target=target, target_columns=there):
            return references(source, at(columns), target, at(there, target))
        case _:
            assert_never(constraint)


def unique_instants(source: str) -> Admissible:
    """At no instant does the source hold more than one element."""
    return lambda batch: _at_most_one(batch.sources[source], batch)


def key(source: str, *columns: int, nulls: bool = False) -> Admissible:
    """In no snapshot of the source do two elements agree on these columns; where one is NULL they may, if allowed."""

    def admissible(batch: CaseBatch) -> Mask:
        members = groups(columns, batch.sources[source]).items()
        return _all([_at_most_one(rows, batch) for value, rows in members if not (nulls and None in value)], batch)

    return admissible


def once(source: str, *columns: int) -> Admissible:
    """In the whole stream no two elements agree on these columns."""

    def admissible(batch: CaseBatch) -> Mask:
        members = groups(columns, batch.sources[source]).values()
        return _all([np.less_equal(total(rows, batch).sum(axis=0), 1) for rows in members], batch)

    return admissible


def not_null(source: str, *columns: int) -> Admissible:
    """None of these columns is NULL."""

    def admissible(batch: CaseBatch) -> Mask:
        absent = [np.equal(n, 0) for row, n in batch.sources[source].items() if None in key_of(columns)(row)]
        return _all([np.all(mask, axis=0) for mask in absent], batch)

    return admissible


def references(source: str, columns: tuple[int, ...], target: str, targets: tuple[int, ...]) -> Admissible:
    """Wherever an element is there, one of the target's agrees with it, unless a column is NULL."""

    def admissible(batch: CaseBatch) -> Mask:
        there = groups(targets, batch.sources[target])
        led = ((key_of(columns)(row), counts) for row, counts in batch.sources[source].items())
        return _all(_covered(((total(there.get(k, {}), batch), n) for k, n in led if None not in k)), batch)

    return admissible


def all_of(*constraints: Admissible) -> Admissible:
    """Every one of these conditions."""
    if len(constraints) == 1:
        return constraints[0]
    return lambda batch: _all([constraint(batch) for constraint in constraints], batch)


def _covered(pairs: Iterable[tuple[Counts, Counts]]) -> list[Mask]:
    return [((counts == 0) | (there > 0)).all(axis=0) for there, counts in pairs]


def _at_most_one(rows: Rows, batch: CaseBatch) -> Mask:
    most: Counts = total(rows, batch).max(axis=0, initial=0)
    return np.less_equal(most, 1)


def _all(masks: list[Mask], batch: CaseBatch) -> Mask:
    result: Mask = np.ones(batch.shape[1], np.bool_)
    for mask in masks:
        result &= mask
    return result
