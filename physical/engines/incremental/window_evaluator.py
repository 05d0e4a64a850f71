"""A plan over windows that runs slide by slide, incrementally or by evaluating the whole window again.

The paper calls these evaluators factories.
"""

from collections.abc import Sequence
from functools import partial
from typing import Protocol, assert_never

from physical.columns import expressions
from physical.engines.incremental.difference import CountNode
from physical.engines.incremental.expiring_rows import ExpiringRows, nothing
from physical.engines.incremental.grouping import GroupNode
from physical.engines.incremental.join_grid import GridNode
from physical.engines.incremental.live_rows import LiveRows
from physical.engines.incremental.node import IncrementalNode, MergingNode, OutputNode, RowNode, WaitingRows
from physical.engines.incremental.operator_classes import Changes, Window
from semantics import Plan
from semantics import plan as op

Leaf = op.Source | Window | Changes
"""Where an evaluator's part of a plan ends; what is below comes in as rows with a start and an end."""


class WindowEvaluator(Protocol):
    """Takes basic windows, or chunks of them, and gives the result of every slide."""

    def feed(self, port: int, rows: ExpiringRows, start: int) -> None:
        """Take rows of a leaf that become valid at this start; there must be a slide at that instant."""

    def slide(self, now: int, until: int) -> ExpiringRows:
        """The rows of the result from now to until; nothing begins or ends between the two."""

    def expire(self, now: int) -> None:
        """Drop everything that expires now or before."""

    def held(self) -> list[ExpiringRows]:
        """Everything in the state."""


def leaves(plan: Plan) -> list[Leaf]:
    """The leaves below a plan, each once."""
    if isinstance(plan, Leaf):
        return [plan]
    return list(dict.fromkeys(leaf for child in plan.inputs for leaf in leaves(child)))


class IncrementalEvaluator:
    """Processes new rows, keeps the partial results of older ones, and merges."""

    def __init__(self, plan: Plan) -> None:
        self.nodes: dict[Plan, IncrementalNode] = {}
        self.sink = OutputNode()
        self.types = plan.schema.types
        root = self._node(plan)
        root.targets.append((self.sink, 0))
        self.ports = [self.nodes[leaf] for leaf in leaves(plan)]
        self.merging = [node for node in self.nodes.values() if isinstance(node, MergingNode)]

    def feed(self, port: int, rows: ExpiringRows, start: int) -> None:
        self.ports[port].give(rows, start)

    def slide(self, now: int, until: int) -> ExpiringRows:
        for node in self.merging:
            node.slide(now, until)
        due = self.sink.waiting.due_together(now)
        return nothing(self.types) if due is None else due

    def expire(self, now: int) -> None:
        for node in self.merging:
            node.expire(now)

    def held(self) -> list[ExpiringRows]:
        return [*self.sink.held(), *(rows for node in self.merging for rows in node.held())]

    def _node(self, plan: Plan) -> IncrementalNode:
        """The node of a plan, made after the nodes below it; equal subplans are one node."""
        if plan not in self.nodes:
            children = [] if isinstance(plan, Leaf) else [self._node(child) for child in plan.inputs]
            self.nodes[plan] = node = made(plan)
            for port, child in enumerate(children):
                child.targets.append((node, port))
        return self.nodes[plan]


class ReevaluationEvaluator:
    """Keeps the rows of all windows, and evaluates the whole plan over them at every slide."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.windows = [LiveRows(leaf.schema.types) for leaf in leaves(plan)]
        self.waiting = [WaitingRows() for _ in self.windows]

    def feed(self, port: int, rows: ExpiringRows, start: int) -> None:
        self.waiting[port].add(rows, start)

    def slide(self, now: int, until: int) -> ExpiringRows:
        anew = IncrementalEvaluator(self.plan)
        self.advance(now)
        for port, window in enumerate(self.windows):
            anew.feed(port, window.rows.until(until), now)
        return anew.slide(now, until)

    def advance(self, now: int) -> None:
        """Let the windows slide without a result."""
        self.expire(now)
        for window, waiting in zip(self.windows, self.waiting, strict=True):
            new = waiting.due_together(now)
            if new is not None:
                window.append(new)

    def expire(self, now: int) -> None:
        for window in self.windows:
            window.expire(now)

    def held(self) -> list[ExpiringRows]:
        return [*(window.rows for window in self.windows), *(rows for w in self.waiting for rows in w.held())]


def made(plan: Plan) -> IncrementalNode:
    """A new node for an operator."""
    match plan:
        case op.Filter():
            return RowNode(partial(_filtered, plan))
        case op.Map():
            return RowNode(partial(_mapped, plan))
        case op.Rstream() | op.Union():
            return RowNode(_same)
        case op.Source() | op.TimeWindow() | op.CountWindow() | op.PartitionedWindow() | op.LandmarkWindow():
            return RowNode(_same)
        case op.Istream() | op.Dstream():
            return RowNode(_same)
        case op.Unnest() | op.Limit() | op.SessionWindow() | op.Over():
            raise AssertionError("a plan with such an operator is run by the interval algebra")
        case op.Distinct() | op.Grouping() | op.Aggregation():
            return GroupNode(plan)
        case op.Difference() | op.Intersection():
            return CountNode(plan)
        case op.Product() | op.Join() | op.Semijoin() | op.Antijoin() | op.LeftJoin() | op.RightJoin() | op.FullJoin():
            return GridNode(plan)
        case _:
            assert_never(plan)


def _filtered(plan: op.Filter, rows: ExpiringRows) -> ExpiringRows:
    return rows.take(expressions.holds(plan.predicate, rows.columns, len(rows)))


def _mapped(plan: op.Map, rows: ExpiringRows) -> ExpiringRows:
    return rows.with_columns([expressions.evaluate(x, rows.columns, len(rows)) for x in plan.expressions])


def _same(rows: ExpiringRows) -> ExpiringRows:
    return rows


def chunked(rows: ExpiringRows, count: int) -> Sequence[ExpiringRows]:
    """A basic window cut into this many chunks, or fewer if it has fewer rows."""
    size = max(-(-len(rows) // count), 1)
    return [rows.part(first, first + size) for first in range(0, len(rows), size)]
