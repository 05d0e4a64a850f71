"""Limit on batches: per group the rows whose places in the declared order are kept."""

from itertools import groupby

import numpy as np

from equivalence.exhaustive.dense.batch_windows import groups
from equivalence.exhaustive.dense.counts import Counts, Rows
from semantics import Row
from semantics.ordering import in_order
from semantics.plan import Limit


def limit(node: Limit, rows: Rows) -> Rows:
    """λ: groups have no row in common."""
    result: dict[Row, Counts] = {}
    for members in groups(node.keys, rows).values():
        result |= _limited(node, members)
    return result


def _limited(node: Limit, rows: Rows) -> Rows:
    """All rows of one group, one after the other in the declared order, with the places taken before them."""
    ordered = in_order(node.order, list(rows))
    nothing = np.zeros_like(rows[ordered[0]])
    before = {"rows": nothing, "rank": nothing, "dense": nothing}
    kept: dict[Row, Counts] = {}
    for _, peers in groupby(ordered, key=lambda row: tuple(row[key.column] for key in node.order)):
        before["rank"] = before["rows"]
        for row in peers:
            kept[row] = _kept(node, before[node.ranking], rows[row])
            before["rows"] = before["rows"] + rows[row]
        before["dense"] = before["dense"] + np.minimum(before["rows"] - before["rank"], 1)
    return kept


def _kept(node: Limit, place: Counts, counts: Counts) -> Counts:
    most = int(np.iinfo(counts.dtype).max)
    first, stop = min(node.offset, most), most if node.count is None else min(node.offset + node.count, most)
    if node.ranking != "rows":
        return np.where((place >= first) & (place < stop), counts, 0).astype(counts.dtype)
    inside: Counts = np.maximum(np.minimum(place + counts, stop) - np.maximum(place, first), 0)
    return inside
