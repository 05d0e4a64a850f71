"""OVER on batches: the rows of a group have numbers in the order of time, which differ from case to case."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby, product
from typing import assert_never

import numpy as np

from equivalence.exhaustive.dense.batch_aggregation import BatchAggregation
from equivalence.exhaustive.dense.batch_windows import groups
from equivalence.exhaustive.dense.counts import CaseBatch, Counts, Mask, Rows
from equivalence.exhaustive.dense.failures import Failures
from semantics import FOREVER, Expression, Row, Value
from semantics.expression import evaluate
from semantics.ordering import in_order
from semantics.over import EdgeValue, Frame, FrameAggregate, NeighbourValue, OverFunction, RowPlace
from semantics.plan import Over

Values = Mapping[Value, Mask]
"""The values that a function has, and in which instants and cases it has each."""


def over(node: Over, batch: CaseBatch, failures: Failures, rows: Rows) -> Rows:
    """Every row at its own instant, with what the functions give; equal rows are told apart by their numbers."""
    result: dict[Row, Counts] = {}
    for members in groups(node.keys, rows).values():
        group = _Group(node, {row: members[row] for row in in_order(node.order, list(members))}, batch, failures)
        for row, counts in group.made():
            result[row] = result[row] + counts if row in result else counts
    return result


@dataclass
class _Group:
    node: Over
    rows: Rows
    batch: CaseBatch
    failures: Failures

    def __post_init__(self) -> None:
        counts = np.stack(list(self.rows.values()), axis=1).astype(np.int64)
        instants, rows, cases = counts.shape
        running = np.cumsum(counts.reshape(instants * rows, cases), axis=0).reshape(counts.shape)
        self._first: dict[Row, Counts] = dict(zip(self.rows, np.moveaxis(running - counts, 1, 0), strict=True))
        self._so_far = running[:, -1]
        """The number of rows up to and with each instant."""

    def made(self) -> Iterator[tuple[Row, Counts]]:
        for row, counts in self.rows.items():
            for copy in range(int(counts.max(initial=0))):
                number = self._first[row] + copy
                columns = [self._values(f, row, number).items() for f in self.node.functions]
                for chosen in product(*columns):
                    here = np.logical_and.reduce([counts > copy, *(mask for _, mask in chosen)])
                    yield (*row, *(value for value, _ in chosen)), here.astype(self.batch.width)

    def _values(self, function: OverFunction, row: Row, number: Counts) -> Values:
        match function:
            case FrameAggregate(aggregate=aggregate, frame=frame):
                seen = {e: self._seen(frame, number, e).astype(self.batch.width) for e in self.rows}
                found = BatchAggregation(self.batch, self.failures).aggregation([aggregate], True, seen)
                return {value: counts > 0 for (value,), counts in found.items()}
            case EdgeValue(argument=argument, frame=frame, edge="first"):
                return self._at(self._first_of(frame, number), argument)
            case EdgeValue(argument=argument, frame=frame):
                return self._at(number if frame.unit == "rows" else self._so_far - 1, argument)
            case NeighbourValue(argument=argument, distance=distance):
                return self._at(number + distance, argument)
            case RowPlace():
                return _told_apart(self._place(function, row, number) + 1)
            case _:
                assert_never(function)

    def _seen(self, frame: Frame, number: Counts, row: Row) -> Counts:
        """How often a row is in the frame of the row with this number, at every instant."""
        start, stop = self._first_of(frame, number), (number + 1 if frame.unit == "rows" else self._so_far)
        first, total = self._first[row], np.zeros_like(number)
        for u in range(self.batch.shape[0]):
            end = first[u] + self.rows[row][u]
            total += np.maximum(np.minimum(end, stop) - np.maximum(first[u], start), 0)
        return total

    def _first_of(self, frame: Frame, number: Counts) -> Counts:
        if frame.preceding == FOREVER:
            return np.zeros_like(number)
        if frame.unit == "rows":
            return np.maximum(number - int(frame.preceding), 0)
        starts = [t - int(frame.preceding) for t in range(self.batch.shape[0])]
        return np.stack([self._so_far[t - 1] if t > 0 else np.zeros_like(self._so_far[0]) for t in starts])

    def _at(self, number: Counts, argument: Expression) -> Values:
        """What the row with this number has, at every instant; NULL if there is none."""
        found: dict[Value, Mask] = {}
        nowhere: Mask = np.ones(number.shape, np.bool_)
        for row, first in self._first.items():
            stops = first + self.rows[row]
            here = np.any([(a <= number) & (number < b) for a, b in zip(first, stops, strict=True)], axis=0)
            value = evaluate(argument, row)
            found[value] = found.get(value, False) | here
            nowhere &= ~here
        found[None] = found.get(None, False) | nowhere
        return found

    def _place(self, function: RowPlace, row: Row, number: Counts) -> Counts:
        """How many rows are before this one, or before its peers, or how many sets of peers."""
        if function.ranking == "rows":
            return number
        peers = {key: list(rows) for key, rows in groupby(self.rows, key=self._sort_key)}
        which = list(peers).index(self._sort_key(row))
        if function.ranking == "rank":
            return self._first[peers[self._sort_key(row)][0]]
        there = np.stack([np.any([self.rows[e] > 0 for e in rows], axis=0) for rows in peers.values()], axis=1)
        running = np.cumsum(there.reshape(-1, there.shape[2]), axis=0).reshape(there.shape)
        before: Counts = running[:, which] - there[:, which]
        return before

    def _sort_key(self, row: Row) -> Row:
        return tuple(row[key.column] for key in self.node.order)


def _told_apart(numbers: Counts) -> Values:
    return {int(n): numbers == n for n in np.unique(numbers)}
