"""Stages: the largest parts of a plan that can be computed in one go, each part of the data on its own.

A stage is taken apart by key, or over time where there is no key: a snapshot-reducible operator needs at an instant
only what is valid then. What is below a stage is computed first, and brought together as the stage wants it.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace

from physical.engines.spark.native import Stateless
from physical.engines.spark.partition_keys import AnyJoin, Keys, equal_pairs, pushed, ways_apart
from physical.engines.spark.worker_tasks import source
from semantics import Expression, Plan, Schema, Type
from semantics import plan as op
from semantics.expression import Constant, Ref

TRUE: Expression = Constant(True, Type.BOOL)
SLICE_SCHEMA = Schema.of(slice=int)
"""The slices that a worker has: one row for each, valid as long as the slice lasts."""


@dataclass(frozen=True)
class SparkStage:
    """One plan for every part, over sources called 0, 1, 2, …; the inputs for these, and by what they are apart."""

    plan: Plan
    inputs: tuple[tuple[Plan, Keys], ...]
    over_time: bool = False
    """May it be taken apart over time, whether or not by keys?"""
    wants_slices: bool = False
    """Does the plan's last source want to know which slices are here?"""

    @property
    def keyed(self) -> bool:
        return all(keys for _, keys in self.inputs)


@dataclass
class _Builder:
    """Collects the inputs of a stage; equal ones are one, and what is made already is one."""

    made: Collection[Plan] = ()
    inputs: list[tuple[Plan, Keys]] = field(default_factory=list)

    def leaf(self, plan: Plan, keys: Keys) -> Plan:
        if (plan, keys) not in self.inputs:
            self.inputs.append((plan, keys))
        return source(self.inputs.index((plan, keys)), plan.schema)

    def fused(self, plan: Plan, ways: tuple[Keys, ...]) -> Plan:
        """The plan with everything below it that can be computed along."""
        return plan.with_inputs(*(self._below(c, keys) for c, keys in zip(plan.inputs, ways, strict=True)))

    def _below(self, plan: Plan, keys: Keys) -> Plan:
        ways = None if plan in self.made else pushed(plan, keys)
        return self.leaf(plan, keys) if ways is None or not gain(plan, keys) else self.fused(plan, ways)

    def timed(self, plan: Plan) -> Plan:
        """The same for a stage that is taken apart over time."""
        below = [self.timed(c) if _fits_over_time(c) else self.leaf(c, ()) for c in plan.inputs]
        return plan.with_inputs(*below)


def stage(plan: Plan, made: Collection[Plan] = ()) -> SparkStage:
    """The stage whose last operator is this one, which is not stateless, or but chooses from what such a one gives.

    It goes down to what is made already, and no further.
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
    """Does it only choose columns that a stage gives? Then none of the others has to leave the worker."""
    outside = Stateless | op.Union | op.Source | op.Istream | op.Dstream
    return all(isinstance(one, Ref) for one in plan.expressions) and not isinstance(plan.input, outside)


def gain(plan: Plan, keys: Keys) -> int:
    """How many stateful operators a stage spares an exchange if it goes on into this plan."""
    ways = pushed(plan, keys)
    return 0 if ways is None else (not isinstance(plan, Stateless | op.Union)) + _gains(plan, ways)


def _gains(plan: Plan, ways: tuple[Keys, ...]) -> int:
    return sum(gain(child, keys) for child, keys in zip(plan.inputs, ways, strict=True))


def keyless(plan: Plan) -> bool:
    """Is there nothing to take a stateful operator apart by, but time?"""
    if isinstance(plan, op.Aggregation | op.Product):
        return True
    return isinstance(plan, AnyJoin) and not equal_pairs(plan)


def _fits_over_time(plan: Plan) -> bool:
    """Has it no key itself, or is it but something stateless above such?"""
    if keyless(plan):
        return True
    inner = isinstance(plan, op.Filter | op.Map | op.Rstream | op.Union)
    return inner and any(map(_fits_over_time, plan.inputs))


def _within_slices(plan: Plan, here: Plan) -> Plan:
    """Total aggregation has results where nothing is valid: a worker gives only those in its own slices."""
    inside = plan.with_inputs(*(_within_slices(child, here) for child in plan.inputs))
    total = isinstance(plan, op.Aggregation) and plan.on_empty
    return op.Semijoin(inside, here, TRUE) if total else inside


def within(plan: Plan, found: SparkStage) -> Iterator[Plan]:
    """The operators of a plan that its stage computes, the lowest first."""
    if all(plan != below for below, _ in found.inputs):
        for child in plan.inputs:
            yield from within(child, found)
        yield plan
