"""The reference, wrong in one way: one operator is replaced, or every plan is rewritten before it is evaluated."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from equivalence.mutants.mutant import Family, Mutant, MutatedEngine
from physical.columns.stream import PhysicalStream
from physical.runtime.run_whole import AnyStream
from semantics import Expression, LogicalStream, Multiset, Plan, Stream, evaluate
from semantics.aggregate import Aggregate, OfDistinct, of_distinct
from semantics.evaluate import Planned, Snapshots, apply
from semantics.lookahead import known_until, last_change
from semantics.now_in_expressions import node_at
from semantics.plan import Source

WrongOperator = Callable[..., Multiset]
"""The snapshot of an operator's output: from its node and the snapshots of its inputs. If the operator is not
snapshot-reducible, it gets the history of its input instead."""
WrongRewrite = Callable[[Any], Any]
"""One node of a plan, expression or aggregate into another of the same sort: which sort depends on the node."""


class WrongReference(MutatedEngine):
    """The reference with wrong operators, or over rewritten plans."""

    latest = 10_000
    """It looks at every instant: that it fails beyond this horizon says nothing about what is wrong with it."""

    def __init__(
        self, name: str, wrong: Mapping[type[Plan], WrongOperator] = {}, rewrite: WrongRewrite | None = None
    ) -> None:
        super().__init__(name)
        self.wrong = wrong
        self.rewrite = rewrite

    def run(self, plan: Plan, sources: Mapping[str, AnyStream], horizon: int) -> LogicalStream:
        return self.evaluate(plan, {name: _rows(stream) for name, stream in sources.items()}, horizon)

    def evaluate(self, query: Planned, sources: Mapping[str, Stream], horizon: int) -> LogicalStream:
        """As `semantics.evaluate`, but wrong."""
        plan = query.plan if self.rewrite is None else transformed(query.plan, self.rewrite)
        until = known_until(plan, horizon, lambda name: last_change(sources[name]))
        return LogicalStream(query.plan.schema, self._snapshots(plan, sources, until)[:horizon])

    def apply(self, node: Plan, inputs: tuple[Snapshots, ...]) -> Snapshots:
        """As `semantics.evaluate.apply`, but wrong."""
        wrong = self.wrong.get(type(node))
        if wrong is None:
            return apply(node, inputs)
        if node.computable:
            return tuple(wrong(node_at(node, t), *held) for t, held in enumerate(zip(*inputs, strict=True)))
        (history,) = inputs
        return tuple(wrong(node, history[: t + 1]) for t in range(len(history)))

    def _snapshots(self, node: Plan, sources: Mapping[str, Stream], horizon: int) -> Snapshots:
        if isinstance(node, Source):
            return evaluate(node, sources, horizon).snapshots
        return self.apply(node, tuple(self._snapshots(child, sources, horizon) for child in node.inputs))


def wrong_operator(name: str, operator: type[Plan], wrong: WrongOperator) -> Mutant:
    """The reference with another definition of one operator."""
    family: Family = "operator" if operator.computable else "window"
    return Mutant(WrongReference(name, {operator: wrong}), family)


def wrong_expression(name: str, rewrite: WrongRewrite) -> Mutant:
    """The reference with every expression rewritten."""
    return Mutant(WrongReference(name, rewrite=rewrite), "expression")


def wrong_aggregate(name: str, rewrite: WrongRewrite) -> Mutant:
    """The reference with every aggregate rewritten."""
    return Mutant(WrongReference(name, rewrite=rewrite), "aggregate")


def at(node: Plan, *snapshots: Multiset) -> Multiset:
    """The right output of an operator for these snapshots, as if they were the first ones."""
    return apply(node, tuple((snapshot,) for snapshot in snapshots))[0]


def now(node: Plan, history: Snapshots) -> Multiset:
    """The right output of an operator at the end of a history."""
    return apply(node, (tuple(history),))[-1] if history else Multiset()


def transformed(part: Any, change: WrongRewrite) -> Any:
    """A plan, expression or aggregate with the change made to every part of it, the innermost first."""
    if isinstance(part, tuple):
        return tuple(transformed(inner, change) for inner in part)
    if not isinstance(part, Plan | Expression | Aggregate):
        return part
    parts = {f.name: transformed(getattr(part, f.name), change) for f in fields(part)}
    return change(of_distinct(**parts) if isinstance(part, OfDistinct) else type(part)(**parts))


def _rows(stream: AnyStream) -> Stream:
    return stream.to_interval() if isinstance(stream, PhysicalStream) else stream
