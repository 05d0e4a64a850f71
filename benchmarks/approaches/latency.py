"""How long after it begins a result is out, in application time, if results are asked for at every arrival."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from physical.columns.batch import Batch
from physical.columns.stream import PhysicalStream
from physical.engines.delta.algebra import delta_graph
from physical.engines.interval.algebra import interval_graph
from physical.engines.interval.run_plan import run
from physical.kernels.types import ENDLESS
from physical.runtime.operator_graph import OperatorGraph
from semantics import Plan


@dataclass(frozen=True)
class Latency:
    """The mean of (instant when a result comes out − instant when it begins), and how many elements came out."""

    mean: float
    elements: int


def asked_at_every_arrival(
    make_graph: Callable[..., OperatorGraph], plan: Plan, sources: Mapping[str, PhysicalStream]
) -> Latency:
    """Elements come one by one; after each the results so far are asked for.

    With intervals results are then cut there, and only the first piece of a result is new; in both approaches what is
    looked at are results that begin with an arrival.
    """
    graph, heard = make_graph(), _Heard(set(np.concatenate([stream.start for stream in sources.values()]).tolist()))
    graph.query(plan, frozenset(sources)).subscribers.append(heard.hear)
    arrivals = sorted((int(t), name, i) for name, stream in sources.items() for i, t in enumerate(stream.start))
    for t, name, i in arrivals:
        heard.now = t
        for node in graph.sources.get(name, []):
            node.push(sources[name].take(np.s_[i : i + 1]), 0)
        for nodes in graph.sources.values():
            for node in nodes:
                node.heartbeat(t, 0, force=True)
    return Latency(heard.waited / max(heard.results, 1), heard.elements)


class _Heard:
    """What has come out so far; a result that begins at an instant is heard of when its first element comes out."""

    def __init__(self, arrivals: set[int]) -> None:
        self.arrivals = arrivals
        self.now = self.waited = self.results = self.elements = 0
        self.begun: set[int] = set()

    def hear(self, batch: Batch) -> None:
        self.elements += len(batch)
        for t in set(batch.start.tolist()) & self.arrivals - self.begun:
            self.begun.add(t)
            self.waited += self.now - t
            self.results += 1


def whole(plan: Plan, sources: Mapping[str, PhysicalStream], end_unknown: bool) -> Latency:
    """The same for intervals that are given out uncut: where the end is not known beforehand, only when it has come."""
    result = run(plan, sources)
    last = max(int(stream.start[-1]) for stream in sources.values())
    over = result.take((result.end < ENDLESS) & (result.end <= last))
    waited = float((over.end - over.start).mean()) if end_unknown and len(over) else 0.0
    return Latency(waited, len(result))


def latencies(plan: Plan, sources: Mapping[str, PhysicalStream], end_unknown: bool) -> tuple[Latency, Latency, Latency]:
    """Of signed elements, of intervals that are cut at every arrival, and of whole intervals."""
    return (
        asked_at_every_arrival(delta_graph, plan, sources),
        asked_at_every_arrival(interval_graph, plan, sources),
        whole(plan, sources, end_unknown),
    )
