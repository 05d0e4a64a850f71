"""Ways to run a plan that must not matter: batches, interleavings, heartbeats."""

from collections.abc import Callable
from random import Random

import numpy as np

from equivalence.cases.random_cases import CASE_HORIZON
from physical.columns.stream import PhysicalStream, joined
from physical.engines.interval.algebra import interval_graph
from physical.kernels.types import ENDLESS
from physical.runtime.operator_graph import OperatorGraph
from semantics import Plan


def scheduled(
    plan: Plan,
    inputs: dict[str, PhysicalStream],
    random: Random,
    largest: int,
    graph_of: Callable[[int], OperatorGraph] = interval_graph,
) -> PhysicalStream:
    """Run a plan with random batches of bounded size, sources in any order, and heartbeats in between."""
    graph, results = graph_of(CASE_HORIZON), [PhysicalStream.empty(plan.schema)]
    graph.query(plan, frozenset()).subscribers.append(results.append)
    nodes = [(node, inputs[name]) for name, found in graph.sources.items() for node in found]
    done = [0] * len(nodes)
    while any(done[i] < len(stream) for i, (_, stream) in enumerate(nodes)):
        i = random.choice([i for i, (_, stream) in enumerate(nodes) if done[i] < len(stream)])
        node, stream = nodes[i]
        until = min(done[i] + random.randint(1, largest), len(stream))
        node.push(stream.take(np.s_[done[i] : until]), 0)
        done[i] = until
        if random.random() < 0.5:
            next_start = int(stream.start[until]) if until < len(stream) else int(stream.start[-1]) + 3
            node.heartbeat(random.randint(node.operator.port_watermarks[0], next_start), 0, force=random.random() < 0.7)
    for node, _ in nodes:
        node.heartbeat(ENDLESS, 0, force=True)
    return joined(results)
