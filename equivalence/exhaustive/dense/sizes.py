"""What can be said of a plan before any stream is seen: how much it can hold, and how long it remembers."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, assert_never

from semantics import Unsupported
from semantics import plan as op
from semantics.expression import Constant, children
from semantics.plan import Plan
from semantics.time import FOREVER

LARGEST_NUMBER: Final = 2**40
"""Larger numbers beside now are no instants that a case could reach."""


def largest_total(nodes: Iterable[Plan], given: Mapping[str, int], horizon: int) -> int:
    """No snapshot of these nodes, nor any sum on the way to it, holds more; inputs come before their consumers."""
    totals: dict[Plan, int] = {}
    for node in nodes:
        totals[node] = _total(node, [totals[child] for child in node.inputs], given, horizon)
    return max(totals.values(), default=0)


def memory(nodes: Iterable[Plan]) -> int:
    """How long after the last element the result can still change, as far as that can be told."""
    memories: dict[Plan, int] = {}
    listed = list(nodes)
    for node in listed:
        before = max((memories[child] for child in node.inputs), default=0)
        memories[node] = before + _remembers(node)
    asked = instants_asked_for(listed)
    return max(memories.values(), default=0) + (asked[-1] + 2 if asked else 0)


def instants_asked_for(nodes: Iterable[Plan]) -> list[int]:
    """If a plan asks for now, the numbers in its expressions: instants that now may be compared with, or distances.

    What is asked of now may change for ever. It is followed until now has passed every sum of an element's instant and
    such a number.
    """
    listed = list(nodes)
    if not any(node.mentions_now for node in listed):
        return []
    found = {abs(number) for node in listed for number in _whole_numbers(node)}
    return sorted({0, *(number for number in found if number < LARGEST_NUMBER)})


def _total(node: Plan, inputs: list[int], given: Mapping[str, int], horizon: int) -> int:
    match node:
        case op.Source(name=name):
            return given[name]
        case op.Filter() | op.Map() | op.Distinct() | op.Grouping() | op.Limit():
            return inputs[0]
        case op.Unnest():
            raise Unsupported("exhaust: how much Unnest makes depends on values")
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
        case op.TimeWindow() | op.CountWindow() | op.PartitionedWindow() | op.LandmarkWindow() | op.SessionWindow():
            return inputs[0] * max(horizon, 1)
        case op.Over():
            return inputs[0]
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


def _whole_numbers(node: Plan) -> Iterator[int]:
    """The whole numbers in the expressions of a node."""
    waiting = list(node.own_expressions)
    while waiting:
        expression = waiting.pop()
        waiting += children(expression)
        if isinstance(expression, Constant) and type(expression.value) is int:
            yield expression.value
