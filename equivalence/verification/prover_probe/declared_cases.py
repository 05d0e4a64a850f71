"""Random streams of two columns that keep what is declared of them, thousands at once."""

from collections.abc import Collection, Sequence
from typing import Final, assert_never

import numpy as np

from equivalence.exhaustive.dense import CaseBatch, Counts, Mask, Rows
from equivalence.verification.prover_probe.fingerprints import DENSITIES, random_counts
from semantics import Row
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
    picked,
)
from semantics.schema import Schema

VALUES: Final = (None, 0, 1, 2)


def declared_cases(
    number: int, seed: int, instants: int, schemas: dict[str, Schema], declared: Collection[Constraint]
) -> CaseBatch:
    """Random cases; what breaks a constraint is left out, references last, because keys take targets away.

    What lasts is what the first instant holds, after all that is about single instants.
    """
    random = np.random.default_rng(seed)
    density, shape = random.choice(DENSITIES, number), (instants, number)
    pairs = [(k, v) for k in VALUES for v in VALUES]
    sources: dict[str, Rows] = {name: {p: random_counts(random, density, shape) for p in pairs} for name in schemas}
    for constraint in sorted(declared, key=lambda c: 2 * isinstance(c, References) + isinstance(c, Lasting)):
        sources[constraint.source] = _kept(constraint, sources, schemas, random)
    return CaseBatch(sources, shape, np.int32)


def _kept(
    constraint: Constraint, sources: dict[str, Rows], schemas: dict[str, Schema], random: np.random.Generator
) -> Rows:
    rows = sources[constraint.source]
    match constraint:
        case NotNull(source=source, columns=columns):
            return {row: n for row, n in rows.items() if None not in picked(schemas[source], columns, row)}
        case Key(source=source, columns=columns):
            return _one_per_key(rows, schemas[source], columns, random)
        case References(source=source, columns=columns, target=target, target_columns=target_columns):
            there = _there(sources[target], schemas[target], target_columns)
            keys = {row: picked(schemas[source], columns, row) for row in rows}
            return {
                row: n if None in keys[row] else np.where(there[keys[row]], n, 0).astype(n.dtype)
                for row, n in rows.items()
                if None in keys[row] or keys[row] in there
            }
        case Unique(source=source, columns=columns):
            free = {row: n for row, n in rows.items() if None in picked(schemas[source], columns, row)}
            return {**free, **_one_per_key(rows, schemas[source], columns, random)}
        case Once(source=source, columns=columns):
            return _one_instant_per_key(_one_per_key(rows, schemas[source], columns, random), schemas[source], columns)
        case DuplicateFree():
            return {row: np.minimum(n, 1) for row, n in rows.items()}
        case UniqueInstants():
            return _one_of(list(rows), rows, random)
        case Lasting():
            return {row: np.broadcast_to(n[:1], n.shape).copy() for row, n in rows.items()}
        case _:
            assert_never(constraint)


def _one_instant_per_key(rows: Rows, schema: Schema, columns: Sequence[str]) -> Rows:
    """Of the rows with one key only those of the first instant at which there is one."""
    first = {key: there & (there.cumsum(axis=0) == 1) for key, there in _there(rows, schema, columns).items()}
    return {row: np.where(first[picked(schema, columns, row)], n, 0).astype(n.dtype) for row, n in rows.items()}


def _one_per_key(rows: Rows, schema: Schema, columns: Sequence[str], random: np.random.Generator) -> Rows:
    """Of the rows with one key a random one, once."""
    groups: dict[Row, list[Row]] = {}
    for row in rows:
        groups.setdefault(picked(schema, columns, row), []).append(row)
    kept: dict[Row, Counts] = {}
    for key, group in groups.items():
        if None not in key:
            kept |= _one_of(group, rows, random)
    return kept


def _one_of(group: Sequence[Row], rows: Rows, random: np.random.Generator) -> Rows:
    """Of several rows a random one of those that are there, once."""
    there = np.stack([rows[row] > 0 for row in group])
    chosen = (random.random(there.shape) * there).argmax(axis=0)
    return {row: (there[i] & (chosen == i)).astype(rows[row].dtype) for i, row in enumerate(group)}


def _there(rows: Rows, schema: Schema, columns: Sequence[str]) -> dict[Row, Mask]:
    """Where there is a row with these values."""
    found: dict[Row, Mask] = {}
    for row, counts in rows.items():
        key = picked(schema, columns, row)
        found[key] = found.get(key, np.zeros(counts.shape, bool)) | (counts > 0)
    return found
