"""What plans give on ten thousand cases at once, in numbers: equal ones for equal outputs, by all odds no others."""

from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import blake2b
from typing import Final

import numpy as np
from numpy.typing import NDArray

from equivalence.exhaustive.dense import CaseBatch, Counts, Failures, Rows
from equivalence.exhaustive.dense.batch_evaluation import apply
from semantics import Plan, Row

Print = NDArray[np.uint64]
"""A number for every case."""
VALUES: Final = (None, -1, 0, 1, 2)
TIMES: Final = (1, 1, 2, 3)
"""How often a row is there at an instant, if it is: ties, duplicates and different multiplicities."""
DENSITIES: Final = (0.1, 0.3, 0.6)
"""How likely a row is there at all, in one case or another."""
INSTANTS: Final = 4
KEPT: Final = 200
"""So many outputs are kept at a time, for plans that have parts in common."""


def cases(number: int, seed: int, instants: int = INSTANTS) -> CaseBatch:
    """So many cases of two streams, chosen at random."""
    return streams(number, seed, VALUES, instants, DENSITIES)


def streams(
    number: int, seed: int, values: Sequence[int | None], instants: int, densities: Sequence[float]
) -> CaseBatch:
    """The same with these values, so many instants, and rows that are there so often."""
    random = np.random.default_rng(seed)
    density, shape = random.choice(densities, number), (instants, number)
    sources: dict[str, Rows] = {name: {(value,): _counts(random, density, shape) for value in values} for name in "AB"}
    return CaseBatch(sources, shape, np.int32)


def _counts(random: np.random.Generator, density: NDArray[np.float64], shape: tuple[int, int]) -> Counts:
    there = random.random(shape) < density
    counts: Counts = np.where(there, random.choice(TIMES, shape), 0).astype(np.int32)
    return counts


def prints(plans: Sequence[Plan], batch: CaseBatch) -> Iterator[Print]:
    """The number of each case, for each plan; plans that have parts in common come close together."""
    known: dict[Plan, Rows] = {}

    def output(plan: Plan) -> Rows:
        if plan not in known:
            made = apply(plan, [output(child) for child in plan.inputs], batch, Failures(batch.shape[1]))
            known[plan] = {row: counts for row, counts in made.items() if counts.any()}
        return known[plan]

    for plan in plans:
        yield _print(output(plan), batch)
        if len(known) > KEPT:
            known.clear()


def _print(rows: Rows, batch: CaseBatch) -> Print:
    """Σ over rows and instants of a random number for each, as often as the row is there, modulo 2⁶⁴."""
    total: Print = np.zeros(batch.shape[1], np.uint64)
    for row, counts in rows.items():
        total += _weights(row, batch.shape[0]) @ counts.astype(np.uint64)
    return total


@cache
def _weights(row: Row, instants: int) -> Print:
    """A random number for every instant."""
    digests = (blake2b(repr((row, t)).encode(), digest_size=8).digest() for t in range(instants))
    return np.array([int.from_bytes(digest, "little") for digest in digests], np.uint64)
