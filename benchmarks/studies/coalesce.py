"""`python -m benchmarks.studies.coalesce [--size N]`: what coalescing costs and saves below operators with state."""

from argparse import ArgumentParser
from collections.abc import Callable
from time import process_time

import numpy as np
from rich.table import Table

from benchmarks.harness.report import seconds, wide
from physical.columns.column import ColumnVector
from physical.columns.stream import PhysicalStream
from physical.engines.interval.algebra import INTERVAL_ALGEBRA
from physical.engines.interval.split_and_coalesce import IntervalCoalesce
from physical.kernels.types import ENDLESS
from physical.runtime.run_whole import run_whole
from semantics import Schema, Type, parse_plan

KEYS = 100
RUNS = 3
FRAGMENTS = "S(k int) | window(range 1000) | group(k; count(*) as n) | filter(n >= 8) | map(k as k)"
ABOVE = {
    "theta-join": "join(L(k int), R(j int) | window(range 3); k < j and k > 95)",
    "grouping": "L(k int) | group(k; count(*) as n)",
    "difference": "difference(L(k int), R(j int) | window(range 10) | map(j as k))",
    "equijoin": "join(L(k int), R(j int) | window(range 10); k = j)",
    "aggregation": "L(k int) | aggregate(count(*) as n)",
    "semijoin": "semijoin(R(j int) | window(range 10), L(k int); left.j = right.k)",
    "distinct": "L(k int) | distinct",
}


def events(name: str, size: int, seed: int) -> PhysicalStream:
    """One event at each instant."""
    time = np.arange(size, dtype=np.int64)
    values = np.random.default_rng(seed).integers(0, KEYS, size)
    return PhysicalStream(Schema.of(**{name: int}), (ColumnVector(Type.INT, values),), time, time + 1)


def best(action: Callable[[], PhysicalStream]) -> tuple[float, PhysicalStream]:
    """The least processor time of some runs, and the result."""
    times = []
    for _ in range(RUNS):
        begin = process_time()
        result = action()
        times.append(process_time() - begin)
    return min(times), result


def measured(size: int) -> tuple[int, int, dict[str, tuple[float, float]]]:
    """The rows before and after coalescing; the seconds of every operator above, without it and with it."""
    other = events("j", size, seed=2)
    fragments = run_whole(INTERVAL_ALGEBRA, parse_plan(FRAGMENTS), {"S": events("k", size, seed=1)}, threads=1)
    cost, merged = best(lambda: IntervalCoalesce(fragments.schema).slice([fragments], 0, ENDLESS))
    found = {}
    for name, text in ABOVE.items():
        plan = parse_plan(text)
        without, plain = best(lambda: run_whole(INTERVAL_ALGEBRA, plan, {"L": fragments, "R": other}, threads=1))
        after, same = best(lambda: run_whole(INTERVAL_ALGEBRA, plan, {"L": merged, "R": other}, threads=1))
        assert plain.equivalent(same), name
        found[name] = (without, after + cost)
    return len(fragments), len(merged), found


def main() -> None:
    parser = ArgumentParser(prog="python -m benchmarks.studies.coalesce")
    parser.add_argument("--size", type=int, default=200_000, help="events of a stream")
    before, after, found = measured(parser.parse_args().size)
    table = Table(
        "above", "without", "with", title=f"{before:,} rows, {after:,} after coalescing", title_justify="left"
    )
    for name, (without, with_) in found.items():
        table.add_row(name, seconds(without), seconds(with_))
    wide().print(table)


if __name__ == "__main__":
    main()
