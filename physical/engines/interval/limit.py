"""Limit: per group the first rows in a declared order, for as long as they are among the first."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, assert_never

import numpy as np

from physical.columns.column import ColumnVector, order_codes, taken
from physical.columns.interval_bounds import bounds
from physical.columns.row_numbers import row_numbers
from physical.columns.stream import PhysicalStream, in_order
from physical.engines.interval.set_operations import repeated
from physical.engines.interval.slice_by_slice import SlicedOperator
from physical.kernels import limits, multiplicity
from physical.kernels.types import Array, Bools, Ints
from semantics.ordering import SortKey
from semantics.plan import Limit

NO_LIMIT: Final = 2**62
"""More places than there are rows."""


FEW: Final = 64
"""So many places are found without sorting."""


class IntervalLimit(SlicedOperator):
    """λ: keeps rows by their places, which change whenever a row of their group comes or goes."""

    def __init__(self, node: Limit) -> None:
        super().__init__(node.operator, (node.input.schema,), node.schema)
        self.node = node
        self.first = min(node.offset, NO_LIMIT)
        self.stop = min(NO_LIMIT if node.count is None else node.offset + node.count, NO_LIMIT)

    def slice(self, parts: list[PhysicalStream], since: int, until: int) -> PhysicalStream:  # noqa: ARG002
        (part,) = parts
        if not len(part):
            return part
        if bool((part.end - part.start == 1).all()):
            return self._of_instants(part)
        numbers, first = row_numbers(part.columns)
        ranked = RankedRows.of(self.node, taken(part.columns, first))
        if self.node.ranking == "rows":
            return self._copies(part, first, ranked, ranked.place[numbers])
        return self._peers(part, ranked.peer_of[ranked.place[numbers]], ranked)

    def _of_instants(self, part: PhysicalStream) -> PhysicalStream:
        """Rows that are there for one instant only meet those of their instant: one sort places them."""
        part = self._candidates(part)
        groups = row_numbers([part.columns[key] for key in self.node.keys])[0] if self.node.keys else None
        moments = [part.start] if groups is None else [part.start, groups]
        sorted_by = {key.column for key in self.node.order}
        declared = [code for key in self.node.order for code in sort_codes(key, part.columns[key.column])]
        others = [column for i, column in enumerate(part.columns) if i not in sorted_by]
        rest = [code for column in others for code in sort_codes(SortKey(0), column)]
        order = np.lexsort([*reversed([*moments, *declared, *rest])])
        groups_begin, peers_begin = _begins(moments, order), _begins([*moments, *declared], order)
        places = np.arange(len(order))
        match self.node.ranking:
            case "rows":
                place = places - _last_at(groups_begin)
            case "rank":
                place = _last_at(peers_begin) - _last_at(groups_begin)
            case "dense":
                peers = np.cumsum(peers_begin)
                place = peers - peers[_last_at(groups_begin)]
            case _:
                assert_never(self.node.ranking)
        kept = order[(self.first <= place) & (place < self.stop)]
        return part.take(np.sort(kept))

    def _candidates(self, part: PhysicalStream) -> PhysicalStream:
        """Without the rows that the first column of the order rules out: where few are kept, few are sorted."""
        if self.node.keys or not self.node.order or self.stop > FEW or self.node.ranking == "dense":
            return part
        key = self.node.order[0]
        codes = sort_codes(key, part.columns[key.column])
        return part if len(codes) > 1 else part.take(limits.among_first(part.start, codes[0], self.stop))

    def _copies(self, part: PhysicalStream, first: Ints, ranked: "RankedRows", places: Ints) -> PhysicalStream:
        happens = bounds(places, part)
        unit, start, end, count = limits.kept_copies(*happens, ranked.group_of, ranked.begin, self.first, self.stop)
        rows = taken(part.columns, first[ranked.row_at[unit]])
        return repeated(PhysicalStream(self.schema, rows, start, end), count)

    def _peers(self, part: PhysicalStream, peers: Ints, ranked: "RankedRows") -> PhysicalStream:
        """The elements whose peers, which share a place, are kept."""
        groups, begin = ranked.groups_of_peers
        if self.node.ranking == "dense":
            peers_there, *there = multiplicity.covered_runs(peers, len(groups), part.start, part.end)
            happens = bounds(peers_there, Runs(*there))
            unit, start, end, _ = limits.kept_copies(*happens, groups, begin, self.first, self.stop)
        else:
            unit, start, end = limits.kept_peers(*bounds(peers, part), groups, begin, self.first, self.stop)
        order, key_begin = multiplicity.bucketed(unit, len(groups))
        element, since, until = limits.common_times(peers, part.start, part.end, key_begin, start[order], end[order])
        return in_order(part.take(element).valid_during(since, until))


@dataclass(frozen=True)
class Runs:
    """When something is there, by start."""

    start: Ints
    end: Ints


@dataclass(frozen=True)
class RankedRows:
    """Different rows, placed by group and then in the declared order."""

    place: Ints
    """The place of each row, among those of all groups."""
    row_at: Ints
    group_of: Ints
    """The group of the row at each place."""
    begin: Ints
    """Where the places of each group begin, and where they end."""
    peer_of: Ints
    """The number of the peers of the row at each place; peers have equal sort keys."""

    @classmethod
    def of(cls, node: Limit, columns: Sequence[ColumnVector]) -> "RankedRows":
        size = len(columns[0])
        groups = row_numbers([columns[key] for key in node.keys])[0] if node.keys else np.zeros(size, np.int64)
        declared = [code for key in node.order for code in sort_codes(key, columns[key.column])]
        rest = [code for column in columns for code in sort_codes(SortKey(0), column)]
        row_at = np.lexsort([*reversed([groups, *declared, *rest])])
        place = np.empty(size, np.int64)
        place[row_at] = np.arange(size)
        begin = np.concatenate([[0], np.cumsum(np.bincount(groups))])
        return cls(place, row_at, groups[row_at], begin, _peers([groups, *declared], row_at))

    @property
    def groups_of_peers(self) -> tuple[Ints, Ints]:
        """The group of each set of peers, and where those of each group begin."""
        _, first = np.unique(self.peer_of, return_index=True)
        groups = self.group_of[first]
        return groups, np.concatenate([[0], np.cumsum(np.bincount(groups))])


def sort_codes(key: SortKey, column: ColumnVector) -> list[Array]:
    """Integers by which values are sorted: whether they are NULL, and their order."""
    codes, valid = order_codes(column)
    directed = ~codes if key.descending else codes
    if valid is None:
        return [directed]
    return [valid != key.ends_with_nulls, np.where(valid, directed, 0)]


def _begins(codes: Sequence[Array], order: Ints) -> Bools:
    """Where in the order a code differs from that before."""
    begins = np.zeros(len(order), np.bool_)
    begins[:1] = True
    for code in codes:
        sorted_ = code[order]
        begins[1:] |= sorted_[1:] != sorted_[:-1]
    return begins


def _last_at(begins: Bools) -> Ints:
    """The place of the last beginning up to each place."""
    return np.maximum.accumulate(np.where(begins, np.arange(len(begins)), 0))


def _peers(codes: Sequence[Array], order: Ints) -> Ints:
    """For each place the number of its peers: it goes up where a code differs from that before."""
    differs = np.zeros(len(order), np.bool_)
    for code in codes:
        sorted_ = code[order]
        differs[1:] |= sorted_[1:] != sorted_[:-1]
    return np.cumsum(differs)
