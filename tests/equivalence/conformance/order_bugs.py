"""Engines that are wrong about sessions and frames of some size: they change the plan a little and run it right."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from semantics import FOREVER, Plan
from semantics.over import EdgeValue, Frame, FrameAggregate, NeighbourValue, OverFunction
from semantics.plan import Over, SessionWindow
from tests.equivalence.conformance.fresh_bugs import WrongPlan


def of_operator(name: str, operator: type[Plan], change: Callable[[Any], Plan]) -> tuple[type[Plan], WrongPlan]:
    return operator, WrongPlan(name, lambda plan: change(plan) if isinstance(plan, operator) else plan)


def of_functions(change: Callable[[OverFunction], OverFunction]) -> Callable[[Over], Plan]:
    return lambda plan: replace(plan, functions=tuple(map(change, plan.functions)))


def frames_up_to(unit: str, most: int) -> Callable[[OverFunction], OverFunction]:
    def shortened(function: OverFunction) -> OverFunction:
        if not isinstance(function, FrameAggregate | EdgeValue):
            return function
        own, preceding = function.frame.unit, function.frame.preceding
        counted = own == unit and preceding != FOREVER
        return replace(function, frame=Frame(own, min(preceding, most))) if counted else function

    return shortened


def neighbours_up_to(most: int) -> Callable[[OverFunction], OverFunction]:
    def nearer(function: OverFunction) -> OverFunction:
        if isinstance(function, NeighbourValue):
            return replace(function, distance=max(-most, min(function.distance, most)))
        return function

    return nearer


ORDER_BUGS = (
    of_operator("gaps in 16 bits", SessionWindow, lambda plan: replace(plan, gap=plan.gap % 2**16 or 2**16)),
    of_operator("sessions by two columns", SessionWindow, lambda plan: replace(plan, keys=plan.keys[:2])),
    of_operator(
        "long gaps never touch", SessionWindow, lambda plan: replace(plan, touching=plan.touching and plan.gap < 60)
    ),
    of_operator("neighbours up to 5", Over, of_functions(neighbours_up_to(5))),
    of_operator("range up to 1000", Over, of_functions(frames_up_to("range", 1000))),
    of_operator("rows up to 20", Over, of_functions(frames_up_to("rows", 20))),
    of_operator("groups of one column", Over, lambda plan: replace(plan, keys=plan.keys[:1])),
    of_operator("ties by one column", Over, lambda plan: replace(plan, order=plan.order[:1])),
)
"""The operator that each is wrong about, and the engine."""
