"""Ways to run a plan that must not matter: batches, interleavings, heartbeats."""

from random import Random

import numpy as np

from equivalence.generate import CASE_HORIZON
from physical.interval.dataflow import Dataflow
from physical.planner import physical_plan
from physical.stream import ENDLESS, PhysicalStream, in_order, joined
from semantics import Plan


def scheduled(plan: Plan, inputs: dict[str, PhysicalStream], random: Random, largest: int) -> PhysicalStream:
    """Run a plan with random batches of up to so many elements, sources in any turn, and heartbeats in between."""
    flow, results = Dataflow(CASE_HORIZON), [PhysicalStream.empty(plan.schema)]
    flow.add(physical_plan(plan)).subscribers.append(results.append)
    stations = [(station, inputs[name]) for name, found in flow.sources.items() for station in found]
    done = [0] * len(stations)
    while any(done[i] < len(stream) for i, (_, stream) in enumerate(stations)):
        i = random.choice([i for i, (_, stream) in enumerate(stations) if done[i] < len(stream)])
        station, stream = stations[i]
        until = min(done[i] + random.randint(1, largest), len(stream))
        station.push(stream.take(np.s_[done[i] : until]), 0)
        done[i] = until
        if random.random() < 0.5:
            next_start = int(stream.start[until]) if until < len(stream) else int(stream.start[-1]) + 3
            station.heartbeat(random.randint(station.operator.seen[0], next_start), 0, force=random.random() < 0.7)
    for station, _ in stations:
        station.heartbeat(ENDLESS, 0, force=True)
    return joined(results)


def shuffled_ties(stream: PhysicalStream, random: Random) -> PhysicalStream:
    """The same elements, those that start together in another order."""
    positions = list(range(len(stream)))
    random.shuffle(positions)
    return in_order(stream.take(np.array(positions, np.int64)))


def cut(stream: PhysicalStream, random: Random) -> PhysicalStream:
    """The same stream, some of its intervals cut in two."""
    at = np.array([random.randint(1, 6) for _ in range(len(stream))], np.int64) + stream.start
    wanted = (at < stream.end) & (np.array([random.random() for _ in range(len(stream))]) < 0.5)
    first = stream.valid_during(stream.start, np.where(wanted, at, stream.end))
    second = stream.valid_during(at, stream.end).take(wanted)
    return in_order(joined([first, second]))
