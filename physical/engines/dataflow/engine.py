"""The engine: any plan as a net of baskets and factories, for whole streams and for sessions."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np

from physical.columns.stream import PhysicalStream, joined
from physical.engines.dataflow.query_net import DEFAULT_SETTING, QueryNet, Setting
from physical.kernels.spans import inspected
from physical.kernels.types import ENDLESS
from physical.runtime.graph_session import GraphSession
from physical.runtime.run_whole import AnyStream, clipped, given_streams, inputs_of, seen_until
from semantics import Plan, Schema

PORTIONS: Final = 3
"""A whole stream is delivered in this many portions, as a receptor would deliver it."""


class NetEngine:
    """Baskets and factories: every plan, one factory for each of its operators unless the setting says otherwise."""

    knows_now = True
    knows_types = True
    knows_functions = True
    knows_all_aggregates = True

    def __init__(self, setting: Setting = DEFAULT_SETTING, name: str = "dataflow") -> None:
        self.name = name
        self.setting = setting

    def supports(self, plan: Plan) -> bool:  # noqa: ARG002  # all of them
        return True

    def run(self, plan: Plan, sources: Mapping[str, AnyStream], horizon: int | None = None) -> PhysicalStream:
        given = given_streams(plan, sources)
        until = seen_until(plan, given, horizon)
        inputs = inputs_of(plan, given, until)
        chronons = frozenset(name for name, stream in inputs.items() if inspected(stream.start, stream.end)[1])
        graph = self.graph(ENDLESS if until is None else until)
        results = [PhysicalStream.empty(plan.schema)]
        graph.query(plan, chronons).subscribers.append(results.append)
        deliver(graph, inputs)
        graph.net.audit()
        return joined(results) if horizon is None else clipped(joined(results), horizon)

    def graph(self, horizon: int) -> QueryNet:
        """A net without queries."""
        return QueryNet(self.setting, horizon)

    def session(self, sources: Mapping[str, Schema], slack: int = 0, patience: int = 0) -> GraphSession:
        """A long-running net of queries over these sources; with patience, so many new elements wait in a source."""
        setting = replace(self.setting, batch=max(self.setting.batch, patience + 1))
        return GraphSession(dict(sources), partial(QueryNet, setting), slack=slack, allow_unbounded=True)


def explain(plan: Plan, chronon_sources: frozenset[str] = frozenset()) -> str:
    """The net of a plan: a line for every transition, with the places it needs and those it fills."""
    graph = QueryNet(DEFAULT_SETTING)
    graph.query(plan, chronon_sources)
    assert graph.sources is not None  # asking for the sources wires the net
    return str(graph.net)


def deliver(graph: QueryNet, inputs: Mapping[str, PhysicalStream]) -> None:
    """Deliver whole streams in portions, the sources in turn; then promise that nothing more comes."""
    for portions in zip(*(_portions(name, stream) for name, stream in inputs.items()), strict=True):
        for name, portion in portions:
            for inlet in graph.sources[name] if len(portion) else ():
                inlet.push(portion, 0)
    for name in inputs:
        for inlet in graph.sources[name]:
            inlet.heartbeat(graph.net.horizon, 0, force=True)


def _portions(name: str, stream: PhysicalStream) -> Iterator[tuple[str, PhysicalStream]]:
    size = -(-len(stream) // PORTIONS)
    for i in range(PORTIONS):
        yield name, stream.take(np.s_[i * size : (i + 1) * size])
