"""Streams in batches through a running graph; all streams advance together in time."""

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from physical.columns.stream import PhysicalStream
from physical.files.canonical_runs import RunsOperator
from physical.kernels.types import ENDLESS
from physical.planning.coalesce import coalesced_plan
from physical.runtime.operator_graph import GraphNode, OperatorGraph
from physical.runtime.run_whole import clipped
from semantics import Plan

PATIENCE = 1024
"""New elements that wait in an operator: nobody watches a file being read, and fuller slices cost less."""

Batches = Iterator[PhysicalStream]
Take = Callable[[PhysicalStream], None]


def feed(graph: OperatorGraph, inputs: Mapping[str, Batches]) -> None:
    """Push all inputs into the graph."""
    for _ in rounds(graph, inputs):
        pass


def rounds(graph: OperatorGraph, inputs: Mapping[str, Batches]) -> Iterator[None]:
    """Push all inputs into the graph; each round goes up to the earliest of the last starts of all current batches.

    So no input runs ahead of the others, and memory holds about one batch of each.
    """
    inputs = {name: _until(batches, graph.horizon) for name, batches in inputs.items()}
    held = {name: batch for name, batches in inputs.items() if (batch := next(batches, None)) is not None}
    while held:
        t = min(int(batch.start[-1]) for batch in held.values())
        for name, batch in list(held.items()):
            due = int(np.searchsorted(batch.start, t, side="right"))
            if due:
                _push(graph, name, batch.take(np.s_[:due]))
                held[name] = batch.take(np.s_[due:])
            if due == len(batch):
                _replace(held, name, inputs[name])
        _beat(graph, t, force=False)
        yield
    _beat(graph, ENDLESS, force=True)
    yield


def add_runs(graph: OperatorGraph, plan: Plan, take: Take, raw: frozenset[str], horizon: int = ENDLESS) -> RunsOperator:
    """Add a plan to the graph; `take` gets its result in canonical form, up to a horizon before that of the graph."""
    root = graph.add(coalesced_plan(plan, raw))
    operator = RunsOperator(plan.schema, min(horizon, graph.horizon))
    last = GraphNode(operator, subscribers=[take])
    root.targets.append((last, 0))
    return operator


def _until(batches: Batches, horizon: int) -> Batches:
    """The batches that are not empty, cut at the horizon."""
    for batch in batches:
        if not len(batch):
            continue
        if horizon < ENDLESS and int(batch.start[-1]) >= horizon:
            rest = clipped(batch, horizon)
            yield from [rest] if len(rest) else []
            return
        yield batch if horizon == ENDLESS else clipped(batch, horizon)


def _push(graph: OperatorGraph, name: str, batch: PhysicalStream) -> None:
    for node in graph.sources.get(name, []):
        node.push(batch, 0)


def _replace(held: dict[str, PhysicalStream], name: str, batches: Batches) -> None:
    following = next(batches, None)
    if following is None:
        del held[name]
    else:
        held[name] = following


def _beat(graph: OperatorGraph, t: int, force: bool) -> None:
    for nodes in graph.sources.values():
        for node in nodes:
            node.heartbeat(t, 0, force)
