"""Filter, map, and the windows that treat one chronon at a time."""

import numpy as np

from physical.columns import expressions
from physical.columns.column import ColumnVector
from physical.columns.stream import PhysicalStream
from physical.engines.interval.operator import StatelessOperator
from physical.kernels.types import ENDLESS, Ints
from semantics import FOREVER, StreamError, Type
from semantics.now_in_expressions import now_as_column
from semantics.plan import Filter, LandmarkWindow, Map, TimeWindow


class IntervalFilter(StatelessOperator):
    """σ: the elements whose row satisfies the predicate."""

    def __init__(self, node: Filter) -> None:
        super().__init__("Filter", (node.input.schema,), node.schema)
        self.predicate = now_as_column(node.predicate, len(node.input.schema))
        self.asks_for_now = node.mentions_now

    def apply(self, batch: PhysicalStream) -> PhysicalStream:
        return batch.take(expressions.holds(self.predicate, _columns(self, batch), len(batch)))


class IntervalMap(StatelessOperator):
    """μ: every element with a new row."""

    def __init__(self, node: Map) -> None:
        super().__init__("Map", (node.input.schema,), node.schema)
        self.expressions = tuple(now_as_column(expression, len(node.input.schema)) for expression in node.expressions)
        self.asks_for_now = node.mentions_now

    def apply(self, batch: PhysicalStream) -> PhysicalStream:
        columns = _columns(self, batch)
        made = [expressions.evaluate(expression, columns, len(batch)) for expression in self.expressions]
        return batch.with_columns(self.schema, made)


def _columns(operator: IntervalFilter | IntervalMap, batch: PhysicalStream) -> tuple[ColumnVector, ...]:
    """What expressions are evaluated over: the columns, and the instants if they ask for now.

    An element that lasts must have been cut before so that its first instant stands for all of them.
    """
    return (*batch.columns, ColumnVector(Type.INT, batch.start)) if operator.asks_for_now else batch.columns


class IntervalTimeWindow(StatelessOperator):
    """ω_{w,s} on chronons (Algorithm 4): t is replaced by the slide boundary at or after t, and t + w likewise."""

    def __init__(self, node: TimeWindow) -> None:
        super().__init__("TimeWindow", (node.input.schema,), node.schema)
        self.size = ENDLESS if node.size == FOREVER else int(node.size)
        self.slide = node.slide

    def apply(self, batch: PhysicalStream) -> PhysicalStream:
        check_chronons(self.name, batch)
        if len(batch) and batch.start[-1] > ENDLESS - self.slide:  # the next boundary may lie beyond the end of time
            batch = batch.take(batch.start < ENDLESS - -batch.start % self.slide)
        start = self._boundary(batch.start)
        endless = batch.start > ENDLESS - self.size - self.slide
        end = np.where(endless, ENDLESS, self._boundary(np.where(endless, 0, batch.start) + self.size))
        windowed = batch.valid_during(start, end)
        return windowed if self.slide == 1 else windowed.take(start < end)

    def promised(self, watermark: int) -> int:
        return watermark if watermark > ENDLESS - self.slide else int(self._boundary(np.int64(watermark)))

    def _boundary(self, t: "Ints | np.int64") -> "Ints":
        """The first multiple of the slide at or after t."""
        return -(-t // self.slide) * self.slide  # type: ignore[return-value]  # an array or one number


class IntervalLandmarkWindow(StatelessOperator):
    """ω_[a,∞) on chronons: an element at or after the first landmark is valid until the next one."""

    def __init__(self, node: LandmarkWindow) -> None:
        super().__init__("LandmarkWindow", (node.input.schema,), node.schema)
        self.first = node.start
        self.reset = node.reset

    def apply(self, batch: PhysicalStream) -> PhysicalStream:
        check_chronons(self.name, batch)
        batch = batch.take(batch.start >= self.first)
        if self.reset is None:
            return batch.valid_during(batch.start, np.full_like(batch.start, ENDLESS))
        left = self.reset - (batch.start - self.first) % self.reset
        return batch.valid_during(batch.start, batch.start + np.minimum(left, ENDLESS - batch.start))


def check_chronons(name: str, batch: PhysicalStream) -> None:
    """Raise an error unless every element is valid for one instant only; others must be split before a window."""
    if bool((batch.end - batch.start != 1).any()):
        raise StreamError(f"{name}: elements must be valid for one instant each, split them first")
