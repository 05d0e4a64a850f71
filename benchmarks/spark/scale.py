"""What a cluster would do with more rows than we can try: computed from costs measured on one machine, not run.

    python -m benchmarks.spark.scale --rows 1000000000 --rows 10000000000 --heavy 0.5

Each stage has a time by each of its limits: processors, network, the driver, and its largest task. The slowest limit is
the time of the stage, and the slowest stage shows the first bottleneck. How many partitions there are is what the
planner itself decides for an input of that size.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from physical.engines.spark.sizing import spread_for

MOST_BYTES_OF_A_SPLIT: Final = 128 * 2**20
LEAST_BYTES_OF_A_SPLIT: Final = 4 * 2**20
"""Spark reads files in splits: as many as there are cores, within these bounds."""
WIDE_BLOCK_LIST: Final = 2_000
"""From this many partitions on, Spark keeps a map task's block sizes as a bitmap and an average."""


@dataclass(frozen=True)
class Cluster:
    """Machines that are all alike; the network is what one of them can send."""

    nodes: int = 100
    cores: int = 16
    network: float = 1.25e9
    """Bytes a second: 10 Gbit/s."""
    memory: float = 4 * 2**30
    """Bytes for a task."""

    @property
    def slots(self) -> int:
        return self.nodes * self.cores


@dataclass(frozen=True)
class RowCosts:
    """Microseconds of a processor for one row, and bytes for one row."""

    read: float
    exchange: float
    hand_over: float
    """Into Python, and back."""
    kernel: float
    bytes_on_disk: float
    bytes_exchanged: float
    bytes_in_a_task: float


MEASURED: Final = {
    "join": RowCosts(0.30, 0.24, 0.235, 0.110, 8.5, 22.6, 128),
    "grouped": RowCosts(0.30, 0.28, 0.230, 0.160, 8.5, 20.3, 215),
    "distinct": RowCosts(0.20, 0.24, 0.220, 0.050, 6.0, 16.2, 111),
    "difference": RowCosts(0.20, 0.265, 0.205, 0.070, 6.0, 18.3, 194),
    "canonical": RowCosts(0.20, 0.21, 0.230, 0.120, 6.0, 16.2, 111),
}
"""From the tables of docs/engines/spark.md: 10⁷ rows of one or two numbers on two cores, processor time."""
DRIVER_SECONDS_PER_TASK: Final = 0.0013
"""To start a task and to note its end: processor time of 4,000 empty tasks, less that of 500, on one machine."""
TASK_SECONDS: Final = 0.1
"""Of a slot, for a task that passes one row through Python: processor time of 500 of them, on one machine."""


@dataclass(frozen=True)
class SparkStageCost:
    """One stage: its tasks, the rows of an average and of the largest one, and seconds by each limit."""

    name: str
    tasks: int
    rows: float
    rows_of_largest: float
    bytes_exchanged: float
    limits: dict[str, float]

    @property
    def bottleneck(self) -> str:
        return max(self.limits, key=lambda limit: self.limits[limit])

    @property
    def seconds(self) -> float:
        return self.limits[self.bottleneck]


@dataclass(frozen=True)
class Scenario:
    """Rows of one work on a cluster; one key has a share of them, and may or may not be cut over time."""

    work: str
    rows: int
    heavy: float = 0.0
    is_cut: bool = True
    partitions: int | None = None
    cluster: Cluster = Cluster()

    @property
    def costs(self) -> RowCosts:
        return MEASURED[self.work]

    @property
    def parts(self) -> int:
        """As many partitions as the planner takes."""
        size = int(self.rows * self.costs.bytes_on_disk)
        return spread_for(size, usual=self.cluster.slots, partitions=self.partitions, rows=self.rows).partitions

    @property
    def splits(self) -> int:
        """How many tasks read the input."""
        size = int(self.rows * self.costs.bytes_on_disk)
        split = min(MOST_BYTES_OF_A_SPLIT, max(LEAST_BYTES_OF_A_SPLIT, size // self.cluster.slots))
        return max(1, -(-size // split))

    @property
    def share_sampled(self) -> float:
        size = int(self.rows * self.costs.bytes_on_disk)
        return min(spread_for(size, usual=self.cluster.slots, partitions=self.partitions, rows=self.rows).sample, 1.0)


def stages(scenario: Scenario) -> list[SparkStageCost]:
    """The survey of a sample, reading and exchanging all rows, and the kernels."""
    costs, rows, parts = scenario.costs, scenario.rows, scenario.parts
    splits = scenario.splits
    largest = max(rows / parts, 0.0 if scenario.is_cut else scenario.heavy * rows)
    survey = rows * (costs.read + scenario.share_sampled * costs.hand_over)
    return [
        _stage(scenario, "survey", splits, rows, rows / splits, survey / rows, 0.0),
        _stage(scenario, "read and exchange", splits, rows, rows / splits, costs.read + costs.exchange / 2, rows),
        _stage(scenario, "kernels", parts, rows, largest, costs.exchange / 2 + costs.hand_over + costs.kernel, 0.0),
    ]


def blocks(scenario: Scenario) -> int:
    """How many pieces are exchanged: one from each reading task for each partition."""
    return scenario.splits * scenario.parts


def driver_bytes(scenario: Scenario) -> float:
    """What the driver keeps about blocks: a byte for each, or a bit for each where there are many partitions."""
    return blocks(scenario) / (8 if scenario.parts > WIDE_BLOCK_LIST else 1)


def memory_of_largest(scenario: Scenario) -> float:
    """Bytes that the largest task of the kernels needs."""
    return stages(scenario)[-1].rows_of_largest * scenario.costs.bytes_in_a_task


def _stage(
    scenario: Scenario, name: str, tasks: int, rows: float, largest: float, micros: float, sent: float
) -> SparkStageCost:
    cluster = scenario.cluster
    exchanged = sent * scenario.costs.bytes_exchanged
    limits = {
        "processors": (rows * micros * 1e-6 + tasks * TASK_SECONDS) / cluster.slots,
        "largest task": largest * micros * 1e-6 + TASK_SECONDS,
        "network": exchanged / (cluster.nodes * cluster.network),
        "driver": tasks * DRIVER_SECONDS_PER_TASK,
    }
    return SparkStageCost(name, tasks, rows / tasks, largest, exchanged, limits)


def lines(scenario: Scenario) -> Iterator[str]:
    """What a person reads."""
    cut = "" if scenario.is_cut or not scenario.heavy else ", which is not cut"
    key = f"one key with {scenario.heavy:.0%} of them{cut}"
    yield f"{scenario.work}, {scenario.rows:.0e} rows, {key}: {scenario.parts} partitions"
    for stage in stages(scenario):
        by = ", ".join(f"{limit} {seconds:.1f} s" for limit, seconds in stage.limits.items())
        yield (
            f"  {stage.name}: {stage.tasks} tasks of {stage.rows:,.0f} rows, the largest {stage.rows_of_largest:,.0f};"
            f" {stage.bytes_exchanged / 1e9:,.0f} GB sent; {by}; first bottleneck: {stage.bottleneck}"
        )
    needed = memory_of_largest(scenario)
    fits = "fits" if needed <= scenario.cluster.memory else "does not fit"
    yield f"  {blocks(scenario):,} blocks, {driver_bytes(scenario) / 1e6:,.0f} MB of the driver for them"
    yield f"  the largest task needs {needed / 1e9:.1f} GB and {fits}; all stages take {total(scenario):.0f} s"


def total(scenario: Scenario) -> float:
    return sum(stage.seconds for stage in stages(scenario))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.spark.scale")
    parser.add_argument("--rows", type=int, action="append", help="may be repeated; 10⁹ and 10¹⁰ if not given")
    parser.add_argument("--heavy", type=float, default=0.5, help="the share of rows that one key has")
    parser.add_argument("--whole", action="store_true", help="the heavy key is not cut over time")
    parser.add_argument("--partitions", type=int)
    parser.add_argument("--nodes", type=int, default=100)
    parser.add_argument("--cores", type=int, default=16)
    given = parser.parse_args(arguments)
    cluster = Cluster(given.nodes, given.cores)
    for rows in given.rows or [10**9, 10**10]:
        for work in MEASURED:
            scenario = Scenario(work, rows, given.heavy, not given.whole, given.partitions, cluster)
            print("\n".join(lines(scenario)), flush=True)


if __name__ == "__main__":
    main()
