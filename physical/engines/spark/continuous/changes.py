"""A result as a log of its changes: which rows come and go at which instant.

Every change is a row that comes (+) or goes (−) at one instant, as often as its count says. The sum of all changes up
to t is the snapshot at t. If the plan has a key, a row that goes when another one with the same key comes is an update.
As in streaming SQL engines, changes are called `+I`, `-D`, `-U` and `+U`.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pyarrow as pa

from physical.columns.column import ColumnVector
from physical.columns.row_numbers import row_numbers
from physical.columns.stream import PhysicalStream
from physical.engines.spark.continuous.packed_rows import CHANGE, COUNT
from physical.engines.spark.frame import to_table
from physical.files.canonical_runs import by_row, runs_of
from physical.files.counted import counted_schema
from physical.kernels.types import ENDLESS, Ints
from semantics import Plan, Schema, Type
from semantics.plan import Aggregation, Filter, Grouping

INSERT, DELETE, BEFORE_UPDATE, AFTER_UPDATE = "+I", "-D", "-U", "+U"
CHANGE_KINDS: Final = np.array([DELETE, INSERT, BEFORE_UPDATE, AFTER_UPDATE])
"""Kinds of changes: deletion and insertion, then the two halves of an update."""


def key_of(plan: Plan) -> tuple[int, ...] | None:
    """Columns in which no two rows of a result agree at any instant; () if there is one row, None if not known.

    >>> from semantics import parse_plan
    >>> key_of(parse_plan("S(x int, y int) | window(range 2) | group(y; count(*) as n) | filter(n > 1)"))
    (0,)
    """
    match plan:
        case Grouping(keys=keys):
            return tuple(range(len(keys)))
        case Aggregation():
            return ()
        case Filter(input=below):
            return key_of(below)
        case _:
            return None


def changes(results: PhysicalStream, since: int, until: int) -> PhysicalStream:
    """The net change of every row at each instant since ≤ t < until, in the last column; each is valid at its instant.

    >>> from semantics import parse
    >>> pieces = PhysicalStream.of(parse("interval(x int): (7)@[0, 2) (7)@[0, 5) (7)@[2, 4)"))
    >>> [(row, span.start) for row, span in changes(pieces, 0, 5).to_interval().elements]
    [((7, 2), 0), ((7, -1), 4)]
    """
    schema = counted_schema(results.schema)
    runs = runs_of(results, schema)
    numbers, first = row_numbers(runs.columns[:-1])
    counts = np.asarray(runs.columns[-1].values, np.int64)
    bounds = np.concatenate([runs.start, runs.end])
    due = (bounds >= since) & (bounds < until)
    times, which = bounds[due], np.concatenate([numbers, numbers])[due]
    time, row, net = _summed(times, which, np.concatenate([counts, -counts])[due])
    rows = runs.take(first[row])
    return by_row(PhysicalStream(schema, (*rows.columns[:-1], ColumnVector(Type.INT, net)), time, time + 1))


def _summed(times: Ints, which: Ints, change: Ints) -> tuple[Ints, Ints, Ints]:
    """Times, rows and the sums of their changes, if not zero."""
    order = np.lexsort((which, times))
    time, row = times[order], which[order]
    fresh = np.append(True, (np.diff(time) != 0) | (np.diff(row) != 0))[: len(order)]
    first = np.flatnonzero(fresh)
    net = np.add.reduceat(change[order], first) if len(first) else change
    kept = net != 0
    return time[first][kept], row[first][kept], net[kept]


def still_open(results: PhysicalStream, until: int) -> PhysicalStream:
    """The results on which changes at `until` or later depend: those that begin or end then."""
    return results.take((results.start >= until) | ((results.end >= until) & (results.end < ENDLESS)))


def log(changed: PhysicalStream, key: Sequence[int] | None) -> pa.Table:
    """Changes as rows of a log, in the order of time; for each key, rows that go precede rows that come."""
    net = np.asarray(changed.columns[-1].values, np.int64)
    owners = _owners([changed.columns[i] for i in key or ()], len(net))
    order = np.lexsort((net > 0, owners, changed.start))
    updates = np.zeros(len(net), np.int64) if key is None else _updates(owners, changed.start, net)
    kinds = CHANGE_KINDS[2 * updates + (net > 0)]
    rows = PhysicalStream(Schema(changed.schema.columns[:-1]), changed.columns[:-1], changed.start, changed.end)
    return _table(rows.take(order), np.abs(net)[order], pa.array(kinds[order].tolist(), pa.string()))


def _owners(key: Sequence[ColumnVector], length: int) -> Ints:
    """The same number for changes with the same key."""
    return row_numbers(key)[0] if key and length else np.zeros(length, np.int64)


def _updates(owners: Ints, times: Ints, net: Ints) -> Ints:
    """1 where at one instant a row of an owner goes and another one comes, otherwise 0."""
    _, group = np.unique(np.stack([times, owners]), axis=1, return_inverse=True)
    group = group.reshape(-1)
    comes, goes = np.bincount(group, net > 0) > 0, np.bincount(group, net < 0) > 0
    return (comes & goes)[group].astype(np.int64)


def whole(results: PhysicalStream) -> pa.Table:
    """Results themselves, in the columns of a log; the kind of change is NULL."""
    return _table(results, np.ones(len(results), np.int64), pa.nulls(len(results), pa.string()))


def _table(rows: PhysicalStream, counts: Ints, kinds: pa.Array) -> pa.Table:
    return to_table(rows).append_column(CHANGE, kinds).append_column(COUNT, pa.array(counts, pa.int64()))
