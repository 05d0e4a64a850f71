"""Chains of equal keys over rows that come and go in order. The newest row comes first, so a chain ends at a gone row.

Rows have numbers that never change. Behind a row that is gone there are only older rows, which are gone too, so no row
is ever taken out of a chain.
"""

import numpy as np

from physical.kernels.dense_numbers import mixed
from physical.kernels.jit import jit
from physical.kernels.pairs import grown
from physical.kernels.types import Bools, Ints

Chains = tuple[Ints, Ints, int]
"""The newest row of each bucket, the next older row of each row, and the number of the first row in these arrays."""


@jit
def link(chains: Chains, codes: Ints, usable: Bools, gone: int, first: int) -> None:
    """Add the rows from the first number on to their chains; an empty `usable` means all rows."""
    head, older, base = chains
    for number in range(first, gone + len(codes)):
        at = number - gone
        if len(usable) == 0 or usable[at]:
            bucket = mixed(codes[at]) & (len(head) - 1)
            older[number - base] = head[bucket]
            head[bucket] = number


@jit
def linked_pairs(chains: Chains, codes: Ints, gone: int, wanted: Ints, usable: Bools) -> tuple[Ints, Ints]:
    """Positions (probe, row) with equal codes, among the rows that are not gone."""
    head, older, base = chains
    probes, rows = np.empty(len(wanted) + 16, np.int64), np.empty(len(wanted) + 16, np.int64)
    n = 0
    for i in range(len(wanted)):
        if len(usable) > 0 and not usable[i]:
            continue
        number = head[mixed(wanted[i]) & (len(head) - 1)]
        while number >= gone:
            if codes[number - gone] == wanted[i]:
                if n == len(probes):
                    probes, rows = grown(probes), grown(rows)
                probes[n], rows[n] = i, number - gone
                n += 1
            number = older[number - base]
    return probes[:n], rows[:n]
