"""Engines with bugs that hide from small cases: several keys, long texts, large numbers, late instants, many rows."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial, reduce

import numpy as np

from equivalence.conformance.subject.in_process import AnyEngine
from equivalence.mutants.mutant import MutatedEngine
from physical.columns.column import ColumnVector, rows
from physical.columns.stream import PhysicalStream, in_order
from physical.engines.interval.engine import IntervalEngine
from physical.kernels.types import ENDLESS
from physical.runtime.graph_session import GraphSession
from physical.runtime.operator_graph import OperatorGraph
from physical.runtime.run_whole import AnyStream
from semantics import FOREVER, Plan, Schema, Type
from semantics.expression import And, conjuncts
from semantics.plan import (
    Antijoin,
    CountWindow,
    Grouping,
    Intersection,
    Join,
    LandmarkWindow,
    PartitionedWindow,
    TimeWindow,
)

RIGHT = IntervalEngine()


class WrongPlan(MutatedEngine):
    """The interval engine, which takes one operator for another."""

    def __init__(self, name: str, change: Callable[[Plan], Plan]) -> None:
        super().__init__(name)
        self.change = change

    def run(self, plan: Plan, sources: Mapping[str, AnyStream], horizon: int) -> PhysicalStream:
        return RIGHT.run(self.changed(plan), sources, horizon)

    def changed(self, plan: Plan) -> Plan:
        inputs = [self.changed(child) for child in plan.inputs]
        return self.change(plan.with_inputs(*inputs) if inputs else plan)


class WrongStream(MutatedEngine):
    """The interval engine, which reads its inputs wrongly."""

    def __init__(self, name: str, change: Callable[[PhysicalStream], PhysicalStream]) -> None:
        super().__init__(name)
        self.change = change

    def run(self, plan: Plan, sources: Mapping[str, AnyStream], horizon: int) -> PhysicalStream:
        changed = {name: self.change(PhysicalStream.of(stream)) for name, stream in sources.items()}
        return RIGHT.run(plan, changed, horizon)


def two_conjuncts(plan: Plan) -> Plan:
    return replace(plan, condition=reduce(And, list(conjuncts(plan.condition))[:2])) if isinstance(plan, Join) else plan


def two_keys(plan: Plan) -> Plan:
    return replace(plan, keys=plan.keys[:2]) if isinstance(plan, PartitionedWindow) else plan


def windows_of_31_bits(plan: Plan) -> Plan:
    if isinstance(plan, TimeWindow) and plan.size != FOREVER:
        return replace(plan, size=min(plan.size, 2**31 - 1))
    return plan


def at_most_sixty_rows(plan: Plan) -> Plan:
    return replace(plan, rows=min(plan.rows, 60)) if isinstance(plan, CountWindow | PartitionedWindow) else plan


def slides_divide_their_window(plan: Plan) -> Plan:
    if isinstance(plan, TimeWindow) and plan.size != FOREVER and 1 < plan.slide < plan.size:
        return replace(plan, size=plan.size - plan.size % plan.slide)
    return plan


def resets_before_the_landmark(plan: Plan) -> Plan:
    if isinstance(plan, LandmarkWindow) and plan.reset is not None:
        return replace(plan, start=plan.start % plan.reset)
    return plan


def with_values(kind: Type, change: Callable[[ColumnVector], object]) -> Callable[[PhysicalStream], PhysicalStream]:
    """Every column of a type with other values."""

    def changed(stream: PhysicalStream) -> PhysicalStream:
        columns = [
            ColumnVector(c.type, np.asarray(change(c), dtype=c.values.dtype), c.valid) if c.type is kind else c
            for c in stream.columns
        ]
        return stream.with_columns(stream.schema, columns)

    return changed


def first_sixty_four(column: ColumnVector) -> list[object]:
    return [text[:64] if isinstance(text, str) else text for text in column.values.tolist()]


def times_as_doubles(stream: PhysicalStream) -> PhysicalStream:
    start = stream.start.astype(np.float64).astype(np.int64)
    return in_order(stream.valid_during(start, start + (stream.end - stream.start)))


def lasting_at_most(length: int) -> Callable[[PhysicalStream], PhysicalStream]:
    """Every element that ends, with an end that is no later than this."""

    def changed(stream: PhysicalStream) -> PhysicalStream:
        ends = np.where(stream.end == ENDLESS, ENDLESS, np.minimum(stream.end, stream.start + length))
        return stream.valid_during(stream.start, ends)

    return changed


def without_what_comes_late(stream: PhysicalStream) -> PhysicalStream:
    """An element that comes 4,096 instants after the one before it is lost."""
    return stream.take(np.diff(stream.start, prepend=stream.start[:1]) < 4096)


def at_most_256_rows(plan: Plan) -> Plan:
    return replace(plan, rows=min(plan.rows, 256)) if isinstance(plan, PartitionedWindow) else plan


def resets_of_31_bits(plan: Plan) -> Plan:
    if isinstance(plan, LandmarkWindow) and plan.reset is not None:
        return replace(plan, reset=min(plan.reset, 2**31 - 1))
    return plan


class WrongBelow(WrongStream):
    """The interval engine, which reads the inputs of one operator wrongly."""

    def __init__(self, name: str, below: type[Plan], change: Callable[[PhysicalStream], PhysicalStream]) -> None:
        super().__init__(name, change)
        self.below = below

    def run(self, plan: Plan, sources: Mapping[str, AnyStream], horizon: int) -> PhysicalStream:
        wrong = isinstance(plan, self.below)
        return super().run(plan, sources, horizon) if wrong else RIGHT.run(plan, sources, horizon)


def at_most_256_copies(stream: PhysicalStream) -> PhysicalStream:
    seen: Counter[object] = Counter()
    keep = []
    for element in zip(rows(stream.columns), stream.start.tolist(), stream.end.tolist(), strict=True):
        seen[element] += 1
        keep.append(seen[element] <= 256)
    return stream.take(np.array(keep, bool))


class TakesOthersAlong(GraphSession):
    """Removing a query ends all that have the same root."""

    def remove(self, name: str) -> None:
        root = self.queries[name].running.root
        super().remove(name)
        root.subscribers.clear()


class ForgetfulSessions(IntervalEngine):
    name = "removing a query ends its twins"

    def session(self, sources: Mapping[str, Schema], slack: int = 0, patience: int = 0) -> GraphSession:
        graph = partial(OperatorGraph, self.algebra(), patience=patience)
        return TakesOthersAlong(dict(sources), graph, slack=slack, allow_unbounded=True)


FRESH_BUGS: tuple[AnyEngine, ...] = (
    WrongPlan("joins compare two keys", two_conjuncts),
    WrongPlan("partitions by two keys", two_keys),
    WrongPlan("windows of 31 bits", windows_of_31_bits),
    WrongPlan("at most sixty rows", at_most_sixty_rows),
    WrongPlan("slides divide their window", slides_divide_their_window),
    WrongPlan("resets before the landmark", resets_before_the_landmark),
    WrongStream("texts of 64 characters", with_values(Type.STR, first_sixty_four)),
    WrongStream("integers of 32 bits", with_values(Type.INT, lambda c: c.values.astype(np.int32))),
    WrongStream("integers as doubles", with_values(Type.INT, lambda c: c.values.astype(np.float64).astype(np.int64))),
    WrongStream("floats of 32 bits", with_values(Type.FLOAT, lambda c: c.values.astype(np.float32))),
    WrongStream("times as doubles", times_as_doubles),
    WrongStream("batches of 512 elements", lambda stream: stream.take(np.s_[:512])),
    ForgetfulSessions(),
    *(WrongStream(f"intervals of {n} instants", lasting_at_most(n)) for n in (300, 1000, 4096, 65_536, 10**6, 2**31)),
    WrongBelow("windows see 300 instants", TimeWindow, lasting_at_most(300)),
    WrongBelow("antijoins see 65,536 instants", Antijoin, lasting_at_most(65_536)),
    WrongBelow("groups forget after 4,096 instants", Grouping, without_what_comes_late),
    WrongBelow("intersections count 256 copies", Intersection, at_most_256_copies),
    WrongPlan("at most 256 rows of a group", at_most_256_rows),
    WrongPlan("resets of 31 bits", resets_of_31_bits),
)
