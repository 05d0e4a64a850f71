"""OVER: each row with what functions make of the rows of its group, in the order of time.

Rows are numbered group by group; a frame is then a range of places. Aggregates of frames are those of a stream whose
instants are the places, so all aggregates are there, as exact as over snapshots.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

import numpy as np

from physical.columns import expressions
from physical.columns.column import ColumnVector, taken
from physical.columns.row_numbers import row_numbers
from physical.columns.stream import PhysicalStream, joined
from physical.engines.interval.aggregation import IntervalAggregation
from physical.engines.interval.limit import sort_codes
from physical.engines.interval.operator import IntervalOperator
from physical.engines.interval.stateless import check_chronons
from physical.kernels import frames
from physical.kernels.multiplicity import bucketed
from physical.kernels.types import ENDLESS, Array, Bools, Ints
from semantics import FOREVER, Type
from semantics.ordering import Ranking, SortKey
from semantics.over import EdgeValue, Frame, FrameAggregate, NeighbourValue, OverFunction, RowPlace
from semantics.plan import Aggregation, Over


@dataclass(frozen=True)
class Lookback:
    """What earlier rows later ones need: so many of their group, and those of so many instants; −1 means all."""

    rows: int
    instants: int

    @classmethod
    def of(cls, functions: Sequence[OverFunction]) -> "Lookback":
        rows, instants = [0], [0]
        for function in functions:
            match function:
                case FrameAggregate(frame=frame) | EdgeValue(frame=frame):
                    (rows if frame.unit == "rows" else instants).append(_preceding(frame))
                case NeighbourValue(distance=distance):
                    rows.append(max(-distance, 0))
                case RowPlace():
                    rows.append(-1)
                case _:
                    assert_never(function)
        return cls(*(-1 if -1 in found else max(found) for found in (rows, instants)))


class IntervalOver(IntervalOperator):
    """Over on chronons: a row is out when its instant is complete, and with LEAD when enough rows have followed."""

    def __init__(self, node: Over, horizon: int = ENDLESS) -> None:
        super().__init__(node.operator, (node.input.schema,), node.schema)
        self.node = node
        self.horizon = horizon
        self.lookback = Lookback.of(node.functions)
        self.waiting = [PhysicalStream.empty(node.input.schema)]
        self.known = PhysicalStream.empty(node.input.schema)
        """Rows whose instants are complete: those that later ones need, and those that wait for others."""
        self.given = np.empty(0, np.bool_)
        """Which of the known rows are out."""
        self.fresh = 0

    def accept(self, batch: PhysicalStream, port: int) -> None:  # noqa: ARG002  # there is one port only
        check_chronons(self.name, batch)
        self.waiting.append(batch)
        self.fresh += len(batch)

    def release(self, watermark: int, force: bool) -> tuple[PhysicalStream, int]:
        if watermark <= self.progress or (not force and self.waits(self.fresh, len(self.known))):
            return PhysicalStream.empty(self.schema), self.progress
        fresh = joined(self.waiting)
        complete = int(np.searchsorted(fresh.start, watermark, side="left"))
        self.waiting, self.fresh = [fresh.take(np.s_[complete:])], len(fresh) - complete
        rows = joined([self.known, fresh.take(np.s_[:complete])])
        given = np.concatenate([self.given, np.zeros(complete, np.bool_)])
        return self._output(rows, given, watermark)

    def _output(self, rows: PhysicalStream, given: Bools, watermark: int) -> tuple[PhysicalStream, int]:
        placed = self.placed(rows)
        final = watermark >= self.horizon
        ready = placed.followers >= self.node.reach if not final else np.full(len(rows), True)
        waits = ~(ready[placed.place] | given)
        progress = min(watermark, int(rows.start[waits].min()) if waits.any() else watermark)
        due = ~given & ready[placed.place] & ((rows.start <= progress) | final)
        made = [column.take(placed.place[due]) for column in placed.computed(self.node)] if due.any() else []
        output = PhysicalStream.empty(self.schema)
        if due.any():
            shown = rows.take(due)
            output = PhysicalStream(self.schema, (*shown.columns, *made), shown.start, shown.end)
        if watermark == ENDLESS:
            self.known, self.given = rows.take(np.s_[:0]), given[:0]
            return output, progress
        keep = self.needed(placed, given | due, progress)
        self.known, self.given = rows.take(keep), (given | due)[keep]
        return output, progress

    def placed(self, rows: PhysicalStream) -> "PlacedRows":
        """Rows by group, in the order of time."""
        return PlacedRows.of(self.node, rows)

    def needed(self, placed: "PlacedRows", given: Bools, progress: int) -> Bools:
        """The rows that are not out, and those that they or later ones need."""
        out = given[placed.at]
        if -1 in (self.lookback.rows, self.lookback.instants):
            return np.full(len(out), True)
        next_place = np.arange(len(out))
        ends = placed.begin[placed.group + 1]
        waiting = np.where(out, ends, next_place)
        # the first place of the group that is not out, seen from each place
        first = np.minimum.accumulate(waiting[::-1])[::-1]
        first = np.minimum(first, ends)
        kept = ~out | (first - next_place <= self.lookback.rows) | (placed.times >= progress - self.lookback.instants)
        return kept[placed.place]

    def held(self) -> list[PhysicalStream]:
        return [*self.waiting, self.known]


@dataclass(frozen=True)
class PlacedRows:
    """Rows by group, and in a group in the order of time."""

    rows: PhysicalStream
    at: Ints
    """The row at each place."""
    place: Ints
    """The place of each row."""
    begin: Ints
    """Where the places of each group begin, and where they end."""
    group: Ints
    """The group of each place."""
    peer: Ints
    """The number of the peers at each place; peers have the same instant and the same sort keys."""

    @classmethod
    def of(cls, node: Over, rows: PhysicalStream) -> "PlacedRows":
        groups, number = np.zeros(len(rows), np.int64), 1
        if node.keys and len(rows):
            groups, first = row_numbers([rows.columns[key] for key in node.keys])
            number = len(first)
        at, begin = bucketed(groups, number)
        at, peer = _ties_in_order(node.order, rows, groups, at)
        place = np.empty(len(rows), np.int64)
        place[at] = np.arange(len(rows))
        return cls(rows, at, place, begin, groups[at], peer)

    @property
    def times(self) -> Ints:
        return self.rows.start[self.at]

    @property
    def followers(self) -> Ints:
        """How many rows of its group follow each place."""
        return self.begin[self.group + 1] - 1 - np.arange(len(self.at))

    def computed(self, node: Over) -> list[ColumnVector]:
        """What the functions give at each place."""
        columns = taken(self.rows.columns, self.at)
        ranges = {frame: self._frame(frame) for frame in _frames(node.functions)}
        found: dict[OverFunction, ColumnVector] = {}
        for frame, (first, stop) in ranges.items():
            asked = [f for f in node.functions if isinstance(f, FrameAggregate) and f.frame == frame]
            if asked:
                found |= zip(asked, self._aggregates(node, asked, columns, first, stop), strict=True)
        for function in node.functions:
            match function:
                case FrameAggregate():
                    pass
                case EdgeValue(edge=edge, argument=argument, frame=frame):
                    first, stop = ranges[frame]
                    values = expressions.evaluate(argument, columns, len(self.at))
                    found[function] = values.take(first if edge == "first" else stop - 1)
                case NeighbourValue(argument=argument, distance=distance):
                    found[function] = self._neighbours(expressions.evaluate(argument, columns, len(self.at)), distance)
                case RowPlace(ranking=ranking):
                    found[function] = ColumnVector(Type.INT, self._places(ranking))
                case _:
                    assert_never(function)
        return [found[function] for function in node.functions]

    def _frame(self, frame: Frame) -> tuple[Ints, Ints]:
        if frame.unit == "rows":
            return frames.row_frames(self.begin, _preceding(frame))
        return frames.range_frames(self.times, self.begin, _preceding(frame))

    def _aggregates(
        self, node: Over, asked: Sequence[FrameAggregate], columns: Sequence[ColumnVector], first: Ints, stop: Ints
    ) -> tuple[ColumnVector, ...]:
        """Aggregates of frames: a stream whose instants are the places, each row valid where it is seen."""
        names = tuple(f"a{i}" for i in range(len(asked)))
        operator = IntervalAggregation(Aggregation(node.input, tuple(f.aggregate for f in asked), names))
        schema = node.input.schema
        result = operator.slice([PhysicalStream(schema, tuple(columns), *frames.seen(first, stop))], 0, len(self.at))
        piece = np.repeat(np.arange(len(result)), result.end - result.start)
        return tuple(column.take(piece) for column in result.columns)

    def _neighbours(self, values: ColumnVector, distance: int) -> ColumnVector:
        """The value so many places further in the group, or NULL."""
        size = len(self.at)
        other = np.arange(size) + min(max(distance, -size), size)
        inside = (other >= self.begin[self.group]) & (other < self.begin[self.group + 1])
        found = values.take(np.where(inside, other, 0))
        valid = found.mask() & inside
        return ColumnVector(found.type, np.where(valid, found.values, found.values.dtype.type(0)), valid, found.words)

    def _places(self, ranking: Ranking) -> Ints:
        places, since = np.arange(len(self.at)), self.begin[self.group]
        if ranking == "rows":
            return places - since + 1
        if ranking == "dense":
            return self.peer - self.peer[since] + 1
        changes = np.diff(self.peer, prepend=-1) != 0
        return np.maximum.accumulate(np.where(changes, places, 0)) - since + 1


def _ties_in_order(order: Sequence[SortKey], rows: PhysicalStream, groups: Ints, at: Ints) -> tuple[Ints, Ints]:
    """The rows of one group and instant in the declared order, then that on rows; and the numbers of peers."""
    differs = np.ones(len(at), np.bool_)
    times, group = rows.start[at], groups[at]
    differs[1:] = (times[1:] != times[:-1]) | (group[1:] != group[:-1])
    moments = np.cumsum(differs) - 1
    tied = ~differs
    tied[:-1] |= tied[1:]
    if not tied.any():
        return at, moments
    among = at[tied]
    columns = taken(rows.columns, among)
    declared: list[Array] = [code for key in order for code in sort_codes(key, columns[key.column])]
    rest: list[Array] = [code for column in columns for code in sort_codes(SortKey(0), column)]
    sorted_ = np.lexsort([*reversed([moments[tied], *declared, *rest])])
    at = at.copy()
    at[tied] = among[sorted_]
    begins = differs.copy()
    for code in declared:
        changed = np.zeros(len(sorted_), np.bool_)
        changed[1:] = code[sorted_][1:] != code[sorted_][:-1]
        begins[np.flatnonzero(tied)] |= changed
    return at, np.cumsum(begins) - 1


def _frames(functions: Sequence[OverFunction]) -> list[Frame]:
    return list(dict.fromkeys(f.frame for f in functions if isinstance(f, FrameAggregate | EdgeValue)))


def _preceding(frame: Frame) -> int:
    return -1 if frame.preceding == FOREVER else min(int(frame.preceding), ENDLESS)
