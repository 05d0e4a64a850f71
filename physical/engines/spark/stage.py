"""Stages: the largest parts of a plan that can be computed without an exchange, each partition by itself.

A stage is partitioned by key, or over time if there is no key: at an instant, a snapshot-reducible operator needs only
what is valid then. The plans below a stage are computed first, and their rows are brought together as it needs them.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace

from physical.engines.spark.native import Stateless
from physical.engines.spark.worker_tasks import source
from physical.planning.partition_keys import AnyJoin, Keys, equal_pairs, pushed, ways_apart
from semantics import Expression, Plan, Schema, Type
from semantics import plan as op
from semantics.expression import Constant, Ref

TRUE: Expression = Constant(True, Type.BOOL)
SLICE_SCHEMA = Schema.of(slice=int)
"""The slices of a worker: one row for each, valid during the slice."""


@dataclass(frozen=True)
class SparkStage:
    """A plan for every partition, over sources called 0, 1, 2, …; and their plans with the keys of the partition."""

    plan: Plan
    inputs: tuple[tuple[Plan, Keys], ...]
    over_time: bool = False
    """May it be partitioned over time, with or without keys?"""
    wants_slices: bool = False
    """Is the last source of the plan the slices of the worker?"""

    @property
    def keyed(self) -> bool:
        return all(keys for _, keys in self.inputs)


@dataclass
class _Builder:
    """Collects the inputs of a stage, each once; a subplan that is computed already is an input."""

    made: Collection[Plan] = ()
    inputs: list[tuple[Plan, Keys]] = field(default_factory=list)

    def leaf(self, plan: Plan, keys: Keys) -> Plan:
        if (plan, keys) not in self.inputs:
            self.inputs.append((plan, keys))
        return source(self.inputs.index((plan, keys)), plan.schema)

    def fused(self, plan: Plan, ways: tuple[Keys, ...]) -> Plan:
        """The plan with all operators below it that fit into the same stage."""
        return plan.with_inputs(*(self._below(c, keys) for c, keys in zip(plan.inputs, ways, strict=True)))

    def _below(self, plan: Plan, keys: Keys) -> Plan:
        ways = None if plan in self.made else pushed(plan, keys)
        return self.leaf(plan, keys) if ways is None or not gain(plan, keys) else self.fused(plan, ways)

    def timed(self, plan: Plan) -> Plan:
        """The same for a stage that is partitioned over time."""
        below = [self.timed(c) if _fits_over_time(c) else self.leaf(c, ()) for c in plan.inputs]
        return plan.with_inputs(*below)


def stage(plan: Plan, made: Collection[Plan] = ()) -> SparkStage:
    """The stage with this last operator: a stateful one, or a map that only chooses columns of one.

    It does not go below plans that are made already.
    """
    if isinstance(plan, op.Map):
        found = stage(plan.input, made)
        return replace(found, plan=plan.with_inputs(found.plan))
    ways = ways_apart(plan)
    if ways:
        best = max(ways, key=lambda way: (_gains(plan, way), len(way[0])))
        builder = _Builder(made)
        fused = builder.fused(plan, best)
        return SparkStage(fused, tuple(builder.inputs), over_time=all(node.reducible for node in fused.walk()))
    builder = _Builder()
    if not plan.reducible:
        return SparkStage(plan.with_inputs(*(builder.leaf(child, ()) for child in plan.inputs)), tuple(builder.inputs))
    timed = builder.timed(plan)
    here = source(len(builder.inputs), SLICE_SCHEMA)
    within = _within_slices(timed, here)
    return SparkStage(within, tuple(builder.inputs), over_time=True, wants_slices=within != timed)


def chooses_results(plan: op.Map) -> bool:
    """Does it only choose columns of a stage? Then other columns need not leave the worker."""
    outside = Stateless | op.Unnest | op.Union | op.Source | op.Istream | op.Dstream
    return all(isinstance(one, Ref) for one in plan.expressions) and not isinstance(plan.input, outside)


def is_without_stage(plan: Plan) -> bool:
    """Are there only operators that need no exchange?"""
    return all(isinstance(node, Stateless | op.Unnest | op.Union | op.Source) for node in plan.walk())


def gain(plan: Plan, keys: Keys) -> int:
    """How many exchanges a stage saves if it includes this plan."""
    ways = pushed(plan, keys)
    return 0 if ways is None else (not isinstance(plan, Stateless | op.Unnest | op.Union)) + _gains(plan, ways)


def _gains(plan: Plan, ways: tuple[Keys, ...]) -> int:
    return sum(gain(child, keys) for child, keys in zip(plan.inputs, ways, strict=True))


def keyless(plan: Plan) -> bool:
    """Can a stateful operator be partitioned only over time?"""
    if isinstance(plan, op.Aggregation | op.Product):
        return True
    return isinstance(plan, AnyJoin) and not equal_pairs(plan)


def _fits_over_time(plan: Plan) -> bool:
    """Is it without a key, or a stateless operator above such operators?"""
    if keyless(plan):
        return True
    inner = isinstance(plan, op.Filter | op.Map | op.Rstream | op.Union)
    return inner and any(map(_fits_over_time, plan.inputs))


def _within_slices(plan: Plan, here: Plan) -> Plan:
    """Total aggregation has results where nothing is valid; a worker must give only those in its own slices."""
    inside = plan.with_inputs(*(_within_slices(child, here) for child in plan.inputs))
    total = isinstance(plan, op.Aggregation) and plan.on_empty
    return op.Semijoin(inside, here, TRUE) if total else inside


def within(plan: Plan, found: SparkStage) -> Iterator[Plan]:
    """The operators of a plan that its stage computes, the lowest first."""
    if all(plan != below for below, _ in found.inputs):
        for child in plan.inputs:
            yield from within(child, found)
        yield plan
