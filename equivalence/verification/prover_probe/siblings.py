"""Pairs of plans that a mistake would most likely take for equal: they differ in the parameters of one operator.

A window that is one instant longer, COUNT(x) for COUNT(*), another predicate, a difference for a union, or A for B.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import fields
from itertools import combinations

from semantics import Plan, SchemaError
from semantics.plan import Binary, Source

INPUTS = frozenset({"input", "left", "right"})


def siblings(plans: Sequence[Plan]) -> list[tuple[int, int]]:
    """All pairs, by their numbers, of plans that differ in one operator only, which has equal inputs in both."""
    alike: dict[object, list[int]] = defaultdict(list)
    for number, plan in enumerate(plans):
        for hole in with_a_hole(plan):
            alike[hole].append(number)
    return sorted({pair for numbers in alike.values() for pair in combinations(numbers, 2)})


def with_a_hole(plan: Plan) -> Iterator[tuple[object, ...]]:
    """The plan, for each of its operators without the parameters of that one."""
    yield (_kind(plan), *plan.inputs)
    for i, child in enumerate(plan.inputs):
        others = plan.inputs[:i] + plan.inputs[i + 1 :]
        yield from ((_parameters(plan), i, others, hole) for hole in with_a_hole(child))


def _kind(plan: Plan) -> str:
    """All operators of two inputs are one kind, and all streams."""
    return "binary" if isinstance(plan, Binary) else type(plan).__name__


def _parameters(plan: Plan) -> tuple[object, ...]:
    return type(plan).__name__, *(getattr(plan, f.name) for f in fields(plan) if f.name not in INPUTS)


def without_one(plan: Plan) -> Iterator[Plan]:
    """The plan without one of its operators, wherever the rest fits together."""
    yield from plan.inputs
    for i, child in enumerate(plan.inputs):
        for less in without_one(child):
            with suppress(SchemaError):
                yield plan.with_inputs(*plan.inputs[:i], less, *plan.inputs[i + 1 :])


def mirrored(plan: Plan) -> Plan:
    """The plan with A and B swapped."""
    if isinstance(plan, Source):
        return Source("B" if plan.name == "A" else "A", plan.schema)
    return plan.with_inputs(*map(mirrored, plan.inputs))


def about_a(plan: Plan) -> bool:
    """Is A the first stream of the plan? If not, the plan is the mirror image of one for which it is."""
    return plan.name == "A" if isinstance(plan, Source) else about_a(plan.inputs[0])
