"""`python -m benchmarks.dataflow.linear_road [--load L] [--minutes M] [--since M]`: Linear Road on a net, in time?

Traffic comes second by second, as fast as the net takes it. The response time of a second is the processor time from
its last report until all results that it makes final are out. Each query is charged for the factories that it has
alone, and for those that it shares with later ones.
"""

from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from time import process_time

import numpy as np
from rich.table import Table

from benchmarks.harness.report import seconds, wide
from equivalence.command.workloads.linear_road import TABLES, Traffic
from examples.linear_road.queries import plans
from physical.columns.stream import PhysicalStream
from physical.engines.dataflow.factory import BasketReader
from physical.engines.dataflow.query_net import QueryNet, Setting
from physical.engines.dataflow.transition import Transition

DEADLINES = {"Toll": 5, "AccidentAlert": 5, "Balance": 5, "Expenditure": 10}
"""Seconds after which an answer of an output query is late (Section 3.5.2)."""


@dataclass
class Measured:
    """What was seen, second by second."""

    reports: list[int] = field(default_factory=list)
    response: list[float] = field(default_factory=list)
    since: int = 0
    """The minute of the first second."""
    by_query: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    results: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def minutes(self) -> Iterator[tuple[int, int, float, float]]:
        """Of every minute: its number, the reports so far, reports a second, the longest response."""
        for minute, first in enumerate(range(0, len(self.reports), 60)):
            here, took = self.reports[first : first + 60], self.response[first : first + 60]
            yield self.since + minute + 1, sum(self.reports[: first + 60]), sum(here) / len(here), max(took)


class TimedNet:
    """The queries as one net; equal parts are shared, and every factory is timed."""

    def __init__(self) -> None:
        self.graph = QueryNet(Setting())
        self.found = Measured()
        self.spent: dict[str, float] = defaultdict(float)
        self.emitters = {name: self.graph.query(plan, frozenset(RAW)) for name, plan in plans().items()}
        for name, emitter in self.emitters.items():
            emitter.subscribers.append(lambda batch, name=name: self._count(name, batch))  # type: ignore[misc]  # a default
        assert self.graph.sources
        for transition in self.graph.net.transitions:
            self._time(transition)
        self.owner = self._owners()

    def second(self, t: int, streams: dict[str, PhysicalStream]) -> None:
        """Bring everything of one second, and the promise that it is over."""
        self.spent.clear()
        begin = process_time()
        for name, stream in streams.items():
            for inlet in self.graph.sources.get(name, ()) if len(stream) else ():
                inlet.push(stream, 0)
        for inlets in self.graph.sources.values():
            for inlet in inlets:
                inlet.heartbeat(t + 1, 0, force=True)
        self.found.response.append(process_time() - begin)
        self.found.reports.append(len(streams["Position"]))
        for query in self.emitters:
            charged = sum(took for name, took in self.spent.items() if self.owner.get(name) == query)
            self.found.by_query[query].append(charged)

    def _count(self, name: str, batch: PhysicalStream) -> None:
        self.found.results[name] += len(batch)

    def _time(self, transition: Transition) -> None:
        work = transition.work

        def timed() -> None:
            begin = process_time()
            work()
            self.spent[transition.name] += process_time() - begin

        transition.work = timed  # type: ignore[method-assign]  # to time it

    def _owners(self) -> dict[str, str]:
        """The first query that every factory serves."""
        readers = {t.name: t for t in self.graph.net.transitions if isinstance(t, BasketReader)}
        owner: dict[str, str] = {}
        for query, emitter in self.emitters.items():
            waiting = [emitter.name]
            while waiting:
                name = waiting.pop()
                if name in readers and name not in owner:
                    owner[name] = query
                    waiting += readers[name].reads
        return owner


RAW = ("Position", "BalanceRequest", "ExpenditureRequest")


def drive(net: TimedNet, traffic: Traffic, since: int = 0) -> Measured:
    """Let the traffic pass through a net, from a minute on; what was before it never sees."""
    net.found.since = since
    streams = traffic.streams
    cuts = {name: np.searchsorted(streams[name].start, np.arange(60 * traffic.minutes + 1)) for name in RAW}
    for t in range(60 * since, 60 * traffic.minutes):
        now = {name: streams[name].take(np.s_[cuts[name][t] : cuts[name][t + 1]]) for name in RAW}
        net.second(t, {**({name: streams[name] for name in TABLES} if t == 60 * since else {}), **now})
    return net.found


def main() -> None:
    parser = ArgumentParser(prog="python -m benchmarks.dataflow.linear_road")
    parser.add_argument("--load", type=float, default=0.1, help="expressways (default: a tenth of one)")
    parser.add_argument("--minutes", type=int, default=10, help="how long; the benchmark has 180")
    parser.add_argument("--since", type=int, default=0, help="the minute to begin with, as if nothing had been before")
    given = parser.parse_args()
    found = drive(TimedNet(), Traffic.at_load(given.load, given.minutes), given.since)
    show(found)


def show(found: Measured) -> None:
    console = wide()
    growth = Table("minute", "reports so far", "reports/s", "longest response", title="Figures 3.11 (a) and 3.12")
    for minute, total, rate, longest in found.minutes():
        growth.add_row(str(minute), f"{total:,}", f"{rate:.1f}", seconds(longest))
    console.print(growth)
    queries = Table("query", "results", "average", "longest", "deadline", title="Figures 3.11 (b)… and 3.13")
    for name, times in found.by_query.items():
        deadline = f"{DEADLINES[name]} s" if name in DEADLINES else ""
        row = (name, f"{found.results[name]:,}", seconds(sum(times) / len(times)), seconds(max(times)), deadline)
        queries.add_row(*row)
    console.print(queries)
    late = sum(took > min(DEADLINES.values()) for took in found.response)
    console.print(f"{late} of {len(found.response)} seconds took longer than {min(DEADLINES.values())} s")


if __name__ == "__main__":
    main()
