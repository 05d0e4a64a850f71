"""Seeded streams: elements that start anywhere and are all valid for the same time, as a time window leaves them."""

import numpy as np

from benchmarks.harness.table import Table


def uniform(size: int, seed: int, *, length: int, span: int | None = None, **domains: int) -> Table:
    """Values uniform over 0 … domain − 1 in every column, starts uniform over the span (default: the size)."""
    random = np.random.default_rng(seed)
    start = np.sort(random.integers(0, span or size, size))
    columns = {name: random.integers(0, domain, size) for name, domain in domains.items()}
    return Table.once(columns, start, start + length)


def cut_in_two(table: Table, seed: int) -> Table:
    """An equivalent stream: about half the elements are cut into two pieces, at any instant inside them."""
    random = np.random.default_rng(seed)
    cut = random.integers(table.start, table.end)
    tails = np.flatnonzero((cut > table.start) & random.integers(0, 2, len(table), dtype=np.bool_))
    end = table.end.copy()
    end[tails] = cut[tails]
    start = np.concatenate([table.start, cut[tails]])
    order = np.argsort(start, kind="stable")
    columns = {name: np.concatenate([column, column[tails]])[order] for name, column in table.columns.items()}
    return Table.once(columns, start[order], np.concatenate([end, table.end[tails]])[order])
