"""One-shot execution: whole streams in, the whole result out."""

from collections.abc import Callable, Mapping

import numpy as np

from physical.columns.stream import PhysicalStream, joined
from physical.kernels.spans import inspected
from physical.kernels.types import ENDLESS
from physical.runtime.operator_graph import Algebra, OperatorGraph
from semantics import IntervalStream, LogicalStream, Plan, RawStream, StreamError
from semantics.evaluate import Planned
from semantics.plan import Aggregation, Filter, Map, Source, TimeWindow

AnyStream = RawStream | IntervalStream | LogicalStream | PhysicalStream
CHUNK = 1 << 20
"""Elements per round: enough to keep kernels busy, few enough that live elements stay in the processor's caches."""
SEQUENTIAL_OPERATORS = Source | Filter | Map | TimeWindow | Aggregation
"""Operators that go through memory from front to back: they gain nothing from caches, so rounds only cost time."""


def run_whole(
    algebra: Algebra, query: Planned, sources: Mapping[str, AnyStream], horizon: int | None = None
) -> PhysicalStream:
    """The result of a plan by the operators of an algebra, up to a horizon if one is given."""
    results = [PhysicalStream.empty(query.plan.schema)]
    run_through(algebra, query, sources, horizon, results.append)
    result = joined(results)
    return result if horizon is None else clipped(result, horizon)


def run_through(
    algebra: Algebra,
    query: Planned,
    sources: Mapping[str, AnyStream],
    horizon: int | None,
    take: Callable[..., None],
) -> None:
    """Push all inputs through the operators of a plan; `take` is called with every batch of the result."""
    inputs = inputs_of(query.plan, sources, horizon)
    chronons = frozenset(name for name, stream in inputs.items() if inspected(stream.start, stream.end)[1])
    chunk = 16 * CHUNK if all(isinstance(node, SEQUENTIAL_OPERATORS) for node in query.plan.walk()) else CHUNK
    graph = OperatorGraph(algebra, ENDLESS if horizon is None else horizon, chunk)
    graph.query(query.plan, chronons).subscribers.append(take)
    _feed(graph, inputs, chunk)


def inputs_of(plan: Plan, sources: Mapping[str, AnyStream], horizon: int | None) -> dict[str, PhysicalStream]:
    """The streams that a plan reads, cut at the horizon."""
    return {node.name: _input(node, sources, horizon) for node in plan.walk() if isinstance(node, Source)}


def clipped(stream: PhysicalStream, horizon: int) -> PhysicalStream:
    """The part of a stream that is valid before the horizon."""
    before = stream.take(stream.start < horizon)
    return before.valid_during(before.start, np.minimum(before.end, horizon))


def _input(node: Source, sources: Mapping[str, AnyStream], horizon: int | None) -> PhysicalStream:
    if node.name not in sources:
        given = ", ".join(sorted(sources)) or "none"
        raise StreamError(f"run: no stream is given for source {node.name!r}; given: {given}")
    stream = PhysicalStream.of(sources[node.name])
    if stream.schema != node.schema:
        raise StreamError(f"run: source {node.name!r} must have columns {node.schema}, got {stream.schema}")
    if not inspected(stream.start, stream.end)[0]:
        stream.checked(f"run: source {node.name!r}")
    return stream if horizon is None else clipped(stream, horizon)


def _feed(graph: OperatorGraph, inputs: Mapping[str, PhysicalStream], chunk: int) -> None:
    """Push all inputs in rounds, so that they advance together in time.

    If one input ran ahead, joins would have to hold all of it. The last heartbeat brings out all results before the
    horizon.
    """
    nodes = [(node, inputs[name]) for name, found in graph.sources.items() for node in found]
    done = [0] * len(nodes)
    for t in [*_rounds(list(inputs.values()), chunk), graph.horizon]:
        for i, (node, stream) in enumerate(nodes):
            until = int(np.searchsorted(stream.start, t, side="left"))
            if until > done[i]:
                node.push(stream.take(np.s_[done[i] : until]), 0)
            done[i] = until
        for node, _ in nodes:
            node.heartbeat(t, 0, force=t == graph.horizon)


def _rounds(streams: list[PhysicalStream], chunk: int) -> list[int]:
    """Instants that cut the longest stream into rounds of about this many elements."""
    longest = max((stream.start for stream in streams), key=len)
    return np.unique(longest[chunk::chunk]).tolist()  # type: ignore[no-any-return]  # a list of ints
