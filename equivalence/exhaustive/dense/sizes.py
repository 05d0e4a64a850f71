"""What can be said of a plan before any stream is seen: how much it can hold, and how long it remembers."""

from collections.abc import Iterable, Mapping
from typing import assert_never

from semantics import plan as op
from semantics.plan import Plan
from semantics.time import FOREVER


def largest_total(nodes: Iterable[Plan], given: Mapping[str, int], horizon: int) -> int:
    """No snapshot of these nodes, nor any sum on the way to it, holds more; inputs come before their consumers."""
    totals: dict[Plan, int] = {}
    for node in nodes:
        totals[node] = _total(node, [totals[child] for child in node.inputs], given, horizon)
    return max(totals.values(), default=0)


def memory(nodes: Iterable[Plan]) -> int:
    """How long after the last element the result can still change."""
    memories: dict[Plan, int] = {}
    for node in nodes:
        before = max((memories[child] for child in node.inputs), default=0)
        memories[node] = before + _remembers(node)
    return max(memories.values(), default=0)


def _total(node: Plan, inputs: list[int], given: Mapping[str, int], horizon: int) -> int:
    match node:
        case op.Source(name=name):
            return given[name]
        case op.Filter() | op.Map() | op.Distinct() | op.Grouping() | op.Limit():
            return inputs[0]
        case op.Istream() | op.Dstream() | op.Rstream():
            return inputs[0]
        case op.Difference() | op.Intersection() | op.Semijoin() | op.Antijoin():
            return inputs[0]
        case op.Aggregation():
            return 1
        case op.Union():
            return inputs[0] + inputs[1]
        case op.Product() | op.Join():
            return inputs[0] * inputs[1]
        case op.LeftJoin() | op.RightJoin() | op.FullJoin():
            return inputs[0] * inputs[1] + inputs[0] + inputs[1]
        case op.TimeWindow() | op.CountWindow() | op.PartitionedWindow() | op.LandmarkWindow():
            return inputs[0] * max(horizon, 1)
        case _:
            assert_never(node)


def _remembers(node: Plan) -> int:
    """How long this operator alone lags behind its input; a count window waits for elements, not for instants."""
    match node:
        case op.TimeWindow(size=size, slide=slide):
            return slide - 1 + (0 if size == FOREVER else int(size) - 1)
        case op.LandmarkWindow(reset=reset):
            return reset or 0
        case op.Istream() | op.Dstream():
            return 1
        case _:
            return 0
