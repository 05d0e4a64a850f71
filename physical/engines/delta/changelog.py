"""Signed elements as the changelog that streaming SQL engines write: rows are inserted, updated and deleted.

An update is a pair at one instant: the row before it (−U) and the row after it (+U), equal in the key columns. A change
without such a partner is an insertion (+I) or a deletion (−D). A row that comes and goes at one instant does not
appear.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from physical.columns.column import rows
from physical.columns.row_numbers import row_numbers
from physical.engines.delta.delta_stream import DeltaStream
from physical.engines.delta.retraction import net
from physical.kernels.types import Array, Bools, Ints
from semantics import SchemaError
from semantics.value import Row

KINDS: Final = ("+I", "-U", "+U", "-D")
INSERT, BEFORE_UPDATE, AFTER_UPDATE, DELETE = range(4)


@dataclass(frozen=True, eq=False)
class Changelog:
    """The changes, and for each of them its kind, as its number in KINDS."""

    changes: DeltaStream
    kind: Array

    def to_rows(self) -> list[tuple[str, Row, int]]:
        """Kind, row and instant: for small results and tests."""
        kinds = [KINDS[kind] for kind in self.kind.tolist()]
        return list(zip(kinds, rows(self.changes.columns), self.changes.time.tolist(), strict=True))

    def to_deltas(self) -> DeltaStream:
        """The signed elements again: an update is a retraction and the row that replaces it."""
        signs = np.array([1, -1, 1, -1], np.int8)[self.kind]
        return self.changes.with_sign(signs)


def changelog(stream: DeltaStream, key: Sequence[str] = ()) -> Changelog:
    """The changes of a stream, instant by instant; without key columns there are no updates.

    >>> from semantics import Schema
    >>> changes = [("+", ("a", 1), 0), ("-", ("a", 1), 4), ("+", ("a", 2), 4), ("-", ("a", 2), 9)]
    >>> stream = DeltaStream.from_elements(Schema.of(k=str, n=int), changes)
    >>> changelog(stream, ["k"]).to_rows()
    [('+I', ('a', 1), 0), ('-U', ('a', 1), 4), ('+U', ('a', 2), 4), ('-D', ('a', 2), 9)]
    """
    changes = net(stream)
    columns = [changes.columns[_position(changes, name)] for name in key]
    if not columns or not len(changes):
        return Changelog(changes, np.where(changes.negative, DELETE, INSERT))
    groups = _groups(changes.time, row_numbers(columns)[0])
    rank = _ranks(groups, changes.negative)
    order = np.lexsort((~changes.negative, rank, groups))
    changes, groups, rank = changes.take(order), groups[order], rank[order]
    updated = _paired(groups, rank)
    plain = np.where(changes.negative, DELETE, INSERT)
    return Changelog(changes, np.where(updated, np.where(changes.negative, BEFORE_UPDATE, AFTER_UPDATE), plain))


def _position(stream: DeltaStream, name: str) -> int:
    if name not in stream.schema.names:
        raise SchemaError(f"changelog: key {name!r} must be a column, got columns {stream.schema}")
    return stream.schema.names.index(name)


def _groups(time: Ints, keys: Ints) -> Ints:
    """A number for every key and instant, in the order of time."""
    order = np.lexsort((keys, time))
    new = np.append(True, (np.diff(time[order]) != 0) | (np.diff(keys[order]) != 0))
    groups = np.empty(len(time), np.int64)
    groups[order] = np.cumsum(new)
    return groups


def _ranks(groups: Ints, negative: Array) -> Ints:
    """How many elements of the same sign precede each element of a group."""
    order = np.lexsort((negative, groups))
    mixed = groups[order] << 1 | negative[order]
    first = np.searchsorted(mixed, mixed)
    ranks = np.empty(len(groups), np.int64)
    ranks[order] = np.arange(len(groups)) - first
    return ranks


def _paired(groups: Ints, rank: Ints) -> Bools:
    """Which elements have a neighbour of the other sign, in the same group and with the same rank."""
    same = np.append((np.diff(groups) == 0) & (np.diff(rank) == 0), False)
    paired: Bools = same | np.append(False, same[:-1])
    return paired
