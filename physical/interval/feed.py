"""Streams that come in batches through a running graph, side by side in time."""

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from physical.interval.dataflow import Dataflow, Station
from physical.interval.execute import clipped
from physical.interval.runs import RunsOperator
from physical.kernels.types import ENDLESS
from physical.planner import physical_plan
from physical.stream import PhysicalStream
from semantics import Plan

Batches = Iterator[PhysicalStream]
Take = Callable[[PhysicalStream], None]


def feed(flow: Dataflow, inputs: Mapping[str, Batches]) -> None:
    """Push all inputs into the graph; in every round as much of each as the slowest one has said."""
    inputs = {name: _until(batches, flow.horizon) for name, batches in inputs.items()}
    held = {name: batch for name, batches in inputs.items() if (batch := next(batches, None)) is not None}
    while held:
        t = min(int(batch.start[-1]) for batch in held.values())
        for name, batch in list(held.items()):
            due = int(np.searchsorted(batch.start, t, side="right"))
            if due:
                _push(flow, name, batch.take(np.s_[:due]))
                held[name] = batch.take(np.s_[due:])
            if due == len(batch):
                _replace(held, name, inputs[name])
        _beat(flow, t, force=False)
    _beat(flow, ENDLESS, force=True)


def run_to_runs(
    plan: Plan, inputs: Mapping[str, Batches], take: Take, *, raw: frozenset[str] = frozenset(), horizon: int = ENDLESS
) -> None:
    """Run a plan over batches and hand on its result in canonical form, the count as its last column."""
    flow = Dataflow(horizon)
    canonical = add_runs(flow, plan, take, raw)
    feed(flow, inputs)
    for batch in canonical.rest():
        take(batch)


def add_runs(flow: Dataflow, plan: Plan, take: Take, raw: frozenset[str]) -> RunsOperator:
    """A plan in the graph, its result in canonical form."""
    root, operator = flow.add(physical_plan(plan, raw)), RunsOperator(plan.schema, flow.horizon)
    last = Station(operator, subscribers=[take])
    root.targets.append((last, 0))
    return operator


def _until(batches: Batches, horizon: int) -> Batches:
    """The batches that are not empty, as far as they lie before the horizon."""
    for batch in batches:
        if not len(batch):
            continue
        if horizon < ENDLESS and int(batch.start[-1]) >= horizon:
            rest = clipped(batch, horizon)
            yield from [rest] if len(rest) else []
            return
        yield batch if horizon == ENDLESS else clipped(batch, horizon)


def _push(flow: Dataflow, name: str, batch: PhysicalStream) -> None:
    for station in flow.sources.get(name, []):
        station.push(batch, 0)


def _replace(held: dict[str, PhysicalStream], name: str, batches: Batches) -> None:
    following = next(batches, None)
    if following is None:
        del held[name]
    else:
        held[name] = following


def _beat(flow: Dataflow, t: int, force: bool) -> None:
    for stations in flow.sources.values():
        for station in stations:
            station.heartbeat(t, 0, force)
