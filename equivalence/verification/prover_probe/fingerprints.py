"""Fingerprints of outputs on thousands of cases at once: equal for equal outputs, and almost never for others."""

from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import blake2b
from typing import Final

import numpy as np
from numpy.typing import NDArray

from equivalence.exhaustive.dense import CaseBatch, Counts, Failures, Rows
from equivalence.exhaustive.dense.batch_evaluation import apply
from semantics import Plan, Row

Fingerprint = NDArray[np.uint64]
"""A number for every case."""
VALUES: Final = (None, -1, 0, 1, 2)
TIMES: Final = (1, 1, 2, 3)
"""Multiplicities of a row that is there at all: ties, duplicates and different multiplicities come up."""
DENSITIES: Final = (0.1, 0.3, 0.6)
"""Probabilities that a row is there at all; each case has one of them."""
INSTANTS: Final = 4
OUTPUTS_CACHED: Final = 200
"""Outputs in the cache; plans that share parts come close together."""


def cases(number: int, seed: int, instants: int = INSTANTS) -> CaseBatch:
    """Random cases of two streams."""
    return streams(number, seed, VALUES, instants, DENSITIES)


def streams(
    number: int, seed: int, values: Sequence[int | None], instants: int, densities: Sequence[float]
) -> CaseBatch:
    """Random cases of two streams with these values, instants and densities."""
    random = np.random.default_rng(seed)
    density, shape = random.choice(densities, number), (instants, number)
    sources: dict[str, Rows] = {
        name: {(value,): random_counts(random, density, shape) for value in values} for name in "AB"
    }
    return CaseBatch(sources, shape, np.int32)


def random_counts(random: np.random.Generator, density: NDArray[np.float64], shape: tuple[int, int]) -> Counts:
    there = random.random(shape) < density
    counts: Counts = np.where(there, random.choice(TIMES, shape), 0).astype(np.int32)
    return counts


def fingerprints(plans: Sequence[Plan], batch: CaseBatch) -> Iterator[Fingerprint]:
    """The fingerprints of each plan; fastest where plans that share parts come close together."""
    known: dict[Plan, Rows] = {}

    def output(plan: Plan) -> Rows:
        if plan not in known:
            made = apply(plan, [output(child) for child in plan.inputs], batch, Failures(batch.shape[1]))
            known[plan] = {row: counts for row, counts in made.items() if counts.any()}
        return known[plan]

    for plan in plans:
        yield _fingerprint(output(plan), batch)
        if len(known) > OUTPUTS_CACHED:
            known.clear()


def _fingerprint(rows: Rows, batch: CaseBatch) -> Fingerprint:
    """Σ over rows and instants of a random number for each, as often as the row is there, modulo 2⁶⁴."""
    total: Fingerprint = np.zeros(batch.shape[1], np.uint64)
    for row, counts in rows.items():
        total += _weights(row, batch.shape[0]) @ counts.astype(np.uint64)
    return total


@cache
def _weights(row: Row, instants: int) -> Fingerprint:
    """A random number for every instant."""
    digests = (blake2b(repr((row, t)).encode(), digest_size=8).digest() for t in range(instants))
    return np.array([int.from_bytes(digest, "little") for digest in digests], np.uint64)
