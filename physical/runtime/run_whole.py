"""One-shot execution: whole streams in, the whole result out."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from physical.columns.stream import PhysicalStream, in_order, joined
from physical.columns.stream_parts import CHUNK, joined_by, look
from physical.columns.threads import Workers, thread_count, workers
from physical.kernels.spans import inspected
from physical.kernels.types import ENDLESS
from physical.runtime.key_parts import PARTS, keys_to_part_by, part_numbers, parts_of
from physical.runtime.operator_graph import Algebra, OperatorGraph
from physical.runtime.time_parts import TimePart, time_parts
from semantics import IntervalStream, LogicalStream, Plan, RawStream, StreamError
from semantics.dataclass_on_use import dataclass
from semantics.lookahead import known_until
from semantics.plan import Aggregation, Filter, Map, Source, TimeWindow

if TYPE_CHECKING:
    from physical.planning.source_keys import SourceKeys
    from semantics.evaluate import Planned

AnyStream = RawStream | IntervalStream | LogicalStream | PhysicalStream
SEQUENTIAL_OPERATORS = Source | Filter | Map | TimeWindow | Aggregation
"""Operators that go through memory from front to back: they gain nothing from caches, so rounds only cost time."""


def run_whole(
    algebra: Algebra,
    query: "Planned",
    sources: Mapping[str, AnyStream],
    horizon: int | None = None,
    threads: int | None = None,
) -> PhysicalStream:
    """The result of a plan by the operators of an algebra, up to a horizon if one is given.

    Long streams are run in parts of time, or of keys where time cannot be cut, on as many threads as `threads` or
    SNAPEQ_THREADS says, or on all processors. The result does not depend on the number of threads.
    """
    plan, count = query.plan, thread_count(threads)
    given = given_streams(plan, sources)
    until = seen_until(plan, given, horizon)
    with workers(count if any(len(stream) >= 2 * CHUNK for stream in given.values()) else 1) as team:
        inputs, known = _checked(given, until, team)
        parts = time_parts(plan, inputs, known.longest, CHUNK, ENDLESS if until is None else until)
        if len(parts) > 1:
            return _in_parts(algebra, query, inputs, known, parts, team)
        keys = keys_to_part_by(plan) if any(len(stream) >= 2 * CHUNK for stream in inputs.values()) else None
        if keys is not None:
            return _clipped(_by_key(algebra, plan, inputs, known, keys, until, team), horizon)
    return _clipped(_at_once(algebra, plan, inputs, known, until), horizon)


def _clipped(result: PhysicalStream, horizon: int | None) -> PhysicalStream:
    return result if horizon is None else clipped(result, horizon)


def _at_once(
    algebra: Algebra, plan: Plan, inputs: Mapping[str, PhysicalStream], known: "Known", horizon: int | None
) -> PhysicalStream:
    results = [PhysicalStream.empty(plan.schema)]
    _run(algebra, plan, inputs, known.chronons, horizon, results.append)
    return joined(results)


def given_streams(plan: Plan, sources: Mapping[str, AnyStream]) -> dict[str, PhysicalStream]:
    """The streams that a plan reads, in columns."""
    return {node.name: _given(node, sources) for node in plan.walk() if isinstance(node, Source)}


def seen_until(plan: Plan, given: Mapping[str, PhysicalStream], horizon: int | None) -> int | None:
    """Up to when streams are looked at: beyond the horizon if operators look ahead, for ever without one."""
    if horizon is None:
        return None
    return known_until(plan, horizon, lambda n: last_change(given[n]), lambda n: is_endless(given[n]))


def is_endless(stream: PhysicalStream) -> bool:
    """Has it rows that never end?"""
    return bool((stream.end == ENDLESS).any())


def last_change(stream: PhysicalStream) -> int:
    """The last instant at which a stream changes."""
    finite = stream.end[stream.end < ENDLESS]
    return max(int(bounds.max()) if len(bounds) else 0 for bounds in (stream.start, finite))


def _by_key(
    algebra: Algebra,
    plan: Plan,
    inputs: Mapping[str, PhysicalStream],
    known: "Known",
    keys: "SourceKeys",
    horizon: int | None,
    team: Workers,
) -> PhysicalStream:
    """The results of all parts, in the order of time."""
    numbers = {name: part_numbers(stream, keys[name], team) for name, stream in inputs.items()}

    def run_part(part: int) -> PhysicalStream:
        return _at_once(algebra, plan, parts_of(inputs, numbers, part), known, horizon)

    return in_order(joined_by(team, team.map(run_part, range(PARTS))))


def _in_parts(
    algebra: Algebra,
    query: "Planned",
    inputs: Mapping[str, PhysicalStream],
    known: "Known",
    parts: list[TimePart],
    team: Workers,
) -> PhysicalStream:
    """The results of all parts, one after the other."""

    def run_part(part: TimePart) -> list[PhysicalStream]:
        results: list[PhysicalStream] = []
        graph = OperatorGraph(algebra, part.until, CHUNK)
        root = graph.query(query.plan, known.chronons)
        root.subscribers.append(lambda batch: results.append(part.own(batch)))
        for name, nodes in graph.sources.items():
            for batch in part.batches(inputs[name], known.longest):
                for node in nodes:
                    node.push(batch, 0)
        for node in (node for nodes in graph.sources.values() for node in nodes):
            node.heartbeat(part.until, 0, force=True)
        root.subscribers.clear()  # nodes know one another, so only the next collection of garbage frees them
        return results

    found = [batch for batches in team.map(run_part, parts) for batch in batches]
    return joined_by(team, [PhysicalStream.empty(query.plan.schema), *found])


def run_through(
    algebra: Algebra,
    query: "Planned",
    sources: Mapping[str, AnyStream],
    horizon: int | None,
    take: Callable[..., None],
) -> None:
    """Push all inputs through the operators of a plan; `take` is called with every batch of the result."""
    inputs = inputs_of(query.plan, sources, horizon)
    chronons = frozenset(name for name, stream in inputs.items() if inspected(stream.start, stream.end)[1])
    _run(algebra, query.plan, inputs, chronons, horizon, take)


def _run(
    algebra: Algebra,
    plan: Plan,
    inputs: Mapping[str, PhysicalStream],
    chronons: frozenset[str],
    horizon: int | None,
    take: Callable[..., None],
) -> None:
    chunk = 16 * CHUNK if all(isinstance(node, SEQUENTIAL_OPERATORS) for node in plan.walk()) else CHUNK
    graph = OperatorGraph(algebra, ENDLESS if horizon is None else horizon, chunk)
    root = graph.query(plan, chronons)
    root.subscribers.append(take)
    _feed(graph, inputs, chunk)
    root.subscribers.clear()  # nodes know one another, so only the next collection of garbage frees them


def inputs_of(plan: Plan, sources: Mapping[str, AnyStream], horizon: int | None) -> dict[str, PhysicalStream]:
    """The streams that a plan reads, checked and cut at the horizon."""
    with workers(1) as team:
        return _checked(given_streams(plan, sources), horizon, team)[0]


@dataclass(frozen=True)
class Known:
    """What one look at all inputs tells: which of them hold chronons only, and how long the longest element lives."""

    chronons: frozenset[str]
    longest: int


def _checked(
    given: Mapping[str, PhysicalStream], horizon: int | None, team: Workers
) -> tuple[dict[str, PhysicalStream], Known]:
    """The streams, cut at the horizon, and what is known of them; raises an error if one is not in order."""
    inputs = {name: stream if horizon is None else clipped(stream, horizon) for name, stream in given.items()}
    looks = {name: look(stream, team) for name, stream in inputs.items()}
    for name, (sound, _, _) in looks.items():
        if not sound:
            inputs[name].checked(f"run: source {name!r}")
    chronons = frozenset(name for name, (_, only_chronons, _) in looks.items() if only_chronons)
    return inputs, Known(chronons, max((longest for _, _, longest in looks.values()), default=0))


def clipped(stream: PhysicalStream, horizon: int) -> PhysicalStream:
    """The part of a stream that is valid before the horizon."""
    before = stream.take(stream.start < horizon)
    return before.valid_during(before.start, np.minimum(before.end, horizon))


def _given(node: Source, sources: Mapping[str, AnyStream]) -> PhysicalStream:
    if node.name not in sources:
        given = ", ".join(sorted(sources)) or "none"
        raise StreamError(f"run: no stream is given for source {node.name!r}; given: {given}")
    stream = PhysicalStream.of(sources[node.name])
    if stream.schema != node.schema:
        raise StreamError(f"run: source {node.name!r} must have columns {node.schema}, got {stream.schema}")
    return stream


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
