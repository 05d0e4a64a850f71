"""A mutant: an engine that is wrong in one way, and known to be."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from equivalence.conformance.subject.in_process import AnyEngine
from physical.columns.stream import PhysicalStream
from semantics import Expression, LogicalStream, Multiset, Plan, Stream, evaluate
from semantics.aggregate import Aggregate
from semantics.evaluate import Planned, Snapshots, apply
from semantics.plan import Source

Family = Literal["operator", "window", "expression", "aggregate", "engine", "session"]
Wrong = Callable[..., Multiset]
"""The snapshot of an operator's output: from its node and the snapshots of its inputs; for an operator that is not
snapshot-reducible from its node and the history of its input."""
Rewrite = Callable[[Any], Any]


@dataclass(frozen=True)
class Mutant:
    """An engine that must be caught, with the way in which it is wrong as its name."""

    name: str
    family: Family
    engine: AnyEngine


class WrongReference:
    """The reference with one operator replaced, or with every plan rewritten before it is evaluated."""

    def __init__(self, name: str, wrong: Mapping[type[Plan], Wrong] = {}, rewrite: Rewrite | None = None) -> None:
        self.name = name
        self.wrong = wrong
        self.rewrite = rewrite

    def supports(self, plan: Plan) -> bool:  # all of them
        return True

    def run(self, plan: Plan, sources: Mapping[str, Stream | PhysicalStream], horizon: int) -> LogicalStream:
        return self.evaluate(plan, {name: _rows(stream) for name, stream in sources.items()}, horizon)

    def evaluate(self, query: Planned, sources: Mapping[str, Stream], horizon: int) -> LogicalStream:
        """As `semantics.evaluate`, but wrong."""
        plan = query.plan if self.rewrite is None else transformed(query.plan, self.rewrite)
        return LogicalStream(query.plan.schema, self._snapshots(plan, sources, horizon))

    def apply(self, node: Plan, inputs: tuple[Snapshots, ...]) -> Snapshots:
        """As `semantics.evaluate.apply`, but wrong."""
        wrong = self.wrong.get(type(node))
        if wrong is None:
            return apply(node, inputs)
        if node.reducible:
            return tuple(wrong(node, *snapshots) for snapshots in zip(*inputs, strict=True))
        (history,) = inputs
        return tuple(wrong(node, history[: t + 1]) for t in range(len(history)))

    def _snapshots(self, node: Plan, sources: Mapping[str, Stream], horizon: int) -> Snapshots:
        if isinstance(node, Source):
            return evaluate(node, sources, horizon).snapshots
        return self.apply(node, tuple(self._snapshots(child, sources, horizon) for child in node.inputs))


def wrong_operator(name: str, operator: type[Plan], wrong: Wrong) -> Mutant:
    family: Family = "operator" if operator.reducible else "window"
    return Mutant(name, family, WrongReference(name, {operator: wrong}))


def wrong_expression(name: str, rewrite: Rewrite) -> Mutant:
    return Mutant(name, "expression", WrongReference(name, rewrite=rewrite))


def wrong_aggregate(name: str, rewrite: Rewrite) -> Mutant:
    return Mutant(name, "aggregate", WrongReference(name, rewrite=rewrite))


def at(node: Plan, *snapshots: Multiset) -> Multiset:
    """What the operator really gives for these snapshots, as if they were the first ones."""
    return apply(node, tuple((snapshot,) for snapshot in snapshots))[0]


def now(node: Plan, history: Snapshots) -> Multiset:
    """What the operator really gives at the end of a history."""
    return apply(node, (tuple(history),))[-1] if history else Multiset()


def transformed(part: Any, change: Rewrite) -> Any:
    """A plan, expression or aggregate with the change made to every part of it, the innermost first."""
    if isinstance(part, tuple):
        return tuple(transformed(inner, change) for inner in part)
    if not isinstance(part, Plan | Expression | Aggregate):
        return part
    return change(type(part)(**{f.name: transformed(getattr(part, f.name), change) for f in fields(part)}))


def _rows(stream: Stream | PhysicalStream) -> Stream:
    return stream.to_interval() if isinstance(stream, PhysicalStream) else stream
