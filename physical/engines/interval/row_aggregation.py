"""The twin of aggregation and distinct: groups with running aggregates, changed by every element that comes or goes.

A distinct is a grouping by all columns without aggregates.
"""

from collections import deque
from collections.abc import Callable
from heapq import heappop, heappush
from operator import itemgetter
from typing import Any

from physical.aggregation.request import AggregationRequest
from physical.aggregation.running import RunningAggregate, running
from physical.columns.row_batch import from_rows
from physical.columns.row_expressions import columns_getter, row_function
from physical.columns.stream import Element
from physical.engines.interval.aggregation import IntervalAggregation
from physical.engines.interval.set_operations import IntervalDistinct
from physical.kernels.types import ENDLESS
from physical.runtime.row_operator import RowOperator
from semantics.aggregate import Aggregate, arguments_of, needed_of
from semantics.value import Row

_start = itemgetter(1)


class Group:
    """The live elements of one group: how many, and their running aggregates."""

    __slots__ = ("aggregates", "count")

    def __init__(self, aggregates: list[RunningAggregate]) -> None:
        self.count = 0
        self.aggregates = aggregates


class RowAggregation(RowOperator[IntervalAggregation | IntervalDistinct]):
    """α, γ and δ: at a watermark, the row of every group for the time since the one before, cut where it changed."""

    def __init__(self, operator: IntervalAggregation | IntervalDistinct) -> None:
        super().__init__(operator)
        self.request = _request(operator)
        self._key = columns_getter(self.request.keys)
        self._arguments = [_taken(function) for function in self.request.aggregates]
        self._reset()

    def _reset(self) -> None:
        self.coming: deque[Element] = deque()
        """Elements that start at the watermark or later, by start."""
        self.live: list[tuple[int, int, Row]] = []
        """Elements that have started, as a heap by end; the number keeps rows from being compared."""
        self.groups: dict[Row, Group] = {}
        self.rows: dict[Row, Row] = {}
        """The row that each group shows now."""
        self._number = 0
        if self.request.on_empty:
            self._change((), 0)
            self._show([()])

    def accept(self, elements: list[Element], port: int) -> None:  # noqa: ARG002  # there is one port only
        self.coming.extend(elements)

    def release(self, watermark: int) -> list[Element]:
        since = self.operator.progress
        if watermark <= since:
            return []
        shown: list[Element] = []
        changed: dict[Row, int] = {}
        while (t := self._next()) < watermark:
            self._step(t, since, changed, shown)
        if changed:
            shown += [(row, changed.get(key, since), watermark) for key, row in self.rows.items()]
            shown.sort(key=_start)
        else:
            shown = [(row, since, watermark) for row in self.rows.values()]
        return shown

    def load(self) -> None:
        self._reset()
        held = [element for batch in self.operator.waiting[0] for element in batch.to_elements()]
        self.coming.extend(sorted(held, key=_start))

    def unload(self) -> None:
        now = self.operator.progress
        held = [*((row, now, end) for end, _, row in sorted(self.live) if end > now), *self.coming]
        self.operator.hold([from_rows(self.operator.inputs[0], held)])
        self._reset()

    @property
    def size(self) -> int:
        return len(self.coming) + len(self.live)

    def _next(self) -> int:
        """When something comes or goes next."""
        first = self.coming[0][1] if self.coming else ENDLESS
        return min(first, self.live[0][0]) if self.live else first

    def _step(self, t: int, since: int, changed: dict[Row, int], shown: list[Element]) -> None:
        """All that comes and goes at one instant; groups that change show the row that they had until then."""
        touched: dict[Row, None] = {}
        while self.live and self.live[0][0] == t:
            row = heappop(self.live)[2]
            touched[self._enter(row, -1)] = None
        while self.coming and self.coming[0][1] == t:
            row, _, end = self.coming.popleft()
            touched[self._enter(row, 1)] = None
            self._number += 1
            heappush(self.live, (end, self._number, row))
        if t > since:
            for key in touched:
                begun = changed.get(key, since)
                if key in self.rows and begun < t:
                    shown.append((self.rows[key], begun, t))
                changed[key] = t
        self._show(list(touched))

    def _enter(self, row: Row, sign: int) -> Row:
        """Let an element enter its group, or leave it; gives the key."""
        key = self._key(row)
        group = self._change(key, sign)
        for aggregate, argument in zip(group.aggregates, self._arguments, strict=True):
            if argument is None or (value := argument(row)) is None:
                continue
            if sign > 0:
                aggregate.add(value)
            else:
                aggregate.remove(value)
        return key

    def _change(self, key: Row, sign: int) -> Group:
        group = self.groups.get(key)
        if group is None:
            group = self.groups[key] = Group([running(function) for function in self.request.aggregates])
        group.count += sign
        return group

    def _show(self, keys: list[Row]) -> None:
        """Compute the rows of these groups anew; a group without elements shows none and is forgotten."""
        for key in keys:
            group = self.groups[key]
            if group.count or self.request.on_empty:
                self.rows[key] = (*key, *[aggregate.value(group.count) for aggregate in group.aggregates])
            else:
                del self.groups[key]
                self.rows.pop(key, None)


def _taken(function: Aggregate) -> Callable[[Row], Any] | None:
    """What an aggregate takes in of a row: a value, or a row of values; None if a NULL is in its way."""
    parts = [row_function(argument) for argument in arguments_of(function)]
    if len(parts) < 2:
        return parts[0] if parts else None
    needed = needed_of(function)

    def taken(row: Row) -> Row | None:
        values = tuple([part(row) for part in parts])
        return None if None in values[:needed] else values

    return taken


def _request(operator: IntervalAggregation | IntervalDistinct) -> AggregationRequest:
    if isinstance(operator, IntervalAggregation):
        return operator.request
    return AggregationRequest(tuple(range(len(operator.schema))), (), on_empty=False)
