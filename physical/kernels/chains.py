"""Chains of equal keys over rows that come and go in order: the newest first, so that rows that are gone end a chain.

Rows have numbers that never change. A chain is cut where it comes to a row that is gone: all behind it came earlier.
"""

import numpy as np

from physical.kernels.dense_numbers import mixed
from physical.kernels.jit import jit
from physical.kernels.pairs import grown
from physical.kernels.types import Bools, Ints

Chains = tuple[Ints, Ints, int]
"""The newest row of each bucket, the next older one of each row, and the number of the first row in these."""


@jit
def link(chains: Chains, codes: Ints, usable: Bools, gone: int, first: int) -> None:
    """Put rows from the first number on into their chains; usable may be empty: then all are."""
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
