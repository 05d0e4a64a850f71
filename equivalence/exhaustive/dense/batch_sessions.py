"""Sessions on batches: every two instants may be the first and the last of one, in some of the cases."""

from itertools import combinations_with_replacement

import numpy as np

from equivalence.exhaustive.dense.batch_windows import groups
from equivalence.exhaustive.dense.counts import CaseBatch, Counts, Mask, Rows
from semantics import Row
from semantics.plan import SessionWindow


def session_window(node: SessionWindow, batch: CaseBatch, rows: Rows) -> Rows:
    """ω^gap_P: after the last instant of the batch nothing comes that would prolong a session."""
    result: dict[Row, Counts] = {}
    spans = list(combinations_with_replacement(range(batch.shape[0]), 2))
    for members in groups(node.keys, rows).values():
        there = np.any([counts > 0 for counts in members.values()], axis=0)
        for first, last in spans:
            found = _is_session(there, first, last, node.gap + node.touching)
            if found.any():
                result |= _held(node, members, first, last, found)
    return result


def _held(node: SessionWindow, members: Rows, first: int, last: int, found: Mask) -> Rows:
    """The rows of a session, from its first instant until it has ended."""
    result: dict[Row, Counts] = {}
    for row, counts in members.items():
        held = np.zeros_like(counts)
        held[first : last + node.gap] = counts[first : last + 1].sum(axis=0, dtype=counts.dtype) * found
        result[(*row, first, last + node.gap)] = held
    return result


def _is_session(there: Mask, first: int, last: int, apart: int) -> Mask:
    """In which cases a group has a session with these bounds."""
    near = there[max(first - apart + 1, 0) : first].any(axis=0) | there[last + 1 : last + apart].any(axis=0)
    goes_on = [~there[t] | there[t + 1 : min(t + apart, last + 1)].any(axis=0) for t in range(first, last)]
    found: Mask = np.logical_and.reduce([there[first], there[last], ~near, *goes_on])
    return found
