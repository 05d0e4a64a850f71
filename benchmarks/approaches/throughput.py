"""How many input elements per second either approach takes, in the same process, by turns."""

from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.harness.timing import race
from physical.columns.canonical import first_difference
from physical.columns.stream import PhysicalStream
from physical.engines.delta.algebra import run_deltas
from physical.engines.delta.convert import to_intervals
from physical.engines.interval.run_plan import run
from semantics import Plan


@dataclass(frozen=True)
class Throughput:
    """Elements per second, and the ratio of signed elements to intervals: 1 is as fast, less is slower."""

    interval: float
    delta: float
    spread: float
    """How much longer than the best run the worst one took, as a fraction."""

    @property
    def ratio(self) -> float:
        return self.delta / self.interval


class Differ(Exception):
    """The approaches do not give the same result: then there is nothing to compare."""


def throughput(plan: Plan, sources: Mapping[str, PhysicalStream], repeat: int) -> Throughput:
    """The best of several runs, each approach up to its own kind of result; the results are compared first."""
    at = first_difference(run(plan, sources), to_intervals(run_deltas(plan, sources)))
    if at is not None:
        raise Differ(f"the results differ at the instant {at}")
    laps = race([lambda: run(plan, sources), lambda: run_deltas(plan, sources)], repeat)
    size = sum(len(stream) for stream in sources.values())
    return Throughput(size / laps[0].best, size / laps[1].best, max(lap.spread for lap in laps))
