"""What the operators of a running session do: how much comes in and goes out, what they hold, how far they are."""

from collections.abc import Sequence
from dataclasses import dataclass

from physical.runtime.operator import StateSize
from physical.runtime.operator_graph import GraphNode
from semantics import Plan
from semantics.notation.show import show_step


@dataclass(frozen=True)
class OperatorStatistics:
    """One operator of a graph, and where its input comes from."""

    number: int
    step: str
    """The operator as the notation writes it."""
    plan: Plan | None
    """The plan that it computes, with all below it."""
    inputs: tuple[int, ...]
    """The numbers of the operators whose output it takes."""
    queries: tuple[str, ...]
    """The queries whose results it gives out."""
    arrived: int
    emitted: int
    state: StateSize
    watermark: int
    """Everything before this instant has come in."""
    progress: int
    """Everything before this instant has gone out."""


def statistics_of(nodes: Sequence[GraphNode], roots: Sequence[tuple[str, object]]) -> list[OperatorStatistics]:
    """Statistics of all nodes, given the queries with their roots."""
    numbers = {id(node): number for number, node in enumerate(nodes)}
    return [_statistics(node, numbers, tuple(name for name, root in roots if root is node)) for node in nodes]


def _statistics(node: GraphNode, numbers: dict[int, int], queries: tuple[str, ...]) -> OperatorStatistics:
    operator, part = node.operator, node.part
    logical = None if part is None else part.logical
    step = operator.name if part is None or part.kind not in ("source", "operator") else show_step(part.logical)
    return OperatorStatistics(
        numbers[id(node)],
        step,
        logical if part is not None and part.kind in ("source", "operator") else None,
        tuple(numbers[id(child)] for child in node.inputs),
        queries,
        node.arrived,
        node.emitted,
        operator.state,
        operator.watermark,
        operator.progress,
    )
