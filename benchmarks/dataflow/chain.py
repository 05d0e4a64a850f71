"""Interprocess communication: a sensor, a chain of queries and an actuator, each a process, over TCP."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from benchmarks.dataflow.nets import S, chain
from benchmarks.dataflow.shape import Claim, falls, rises
from physical.engines.dataflow.live_net import LiveNet
from physical.files.layout import Layout

QUERIES = (1, 4, 16, 64)
BOUND = 100.0
RUNS = 3
Measured = dict[str, float]


def measured(size: int) -> dict[int, Measured]:
    """Per number of queries what the actuator says of the best run; without any the sensor sends to it directly."""
    runs = [{0: directly(size), **{queries: through(size, queries) for queries in QUERIES}} for _ in range(RUNS)]
    return {queries: min((run[queries] for run in runs), key=lambda found: found["elapsed"]) for queries in runs[0]}


def directly(size: int) -> Measured:
    with started("actuator", "--listen") as actuator:
        assert actuator.stdout is not None
        with started("sensor", "127.0.0.1", actuator.stdout.readline().strip(), str(size)):
            return said(actuator, size)


def through(size: int, queries: int) -> Measured:
    with LiveNet({"S": Layout(S.schema, start="ts")}, {"chain": chain(queries)}) as live:
        entrance, exit_ = live.listen("S"), live.serve("chain")
        live.start()
        with started("actuator", *map(str, exit_)) as actuator, started("sensor", *map(str, entrance), str(size)):
            found = said(actuator, size)
        live.finish(BOUND)
    return found


@contextmanager
def started(name: str, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-m", f"benchmarks.dataflow.{name}", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        yield process


def said(actuator: "subprocess.Popen[str]", size: int) -> Measured:
    found: Measured = json.loads(actuator.communicate(timeout=BOUND)[0].splitlines()[-1])
    if found["tuples"] != size:
        raise RuntimeError(f"chain: the actuator must get {size} tuples, it got {found['tuples']}")
    return {**found, "throughput": size / found["elapsed"]}


def claims(found: dict[int, Measured]) -> list[Claim]:
    elapsed = [row["elapsed"] for row in found.values()]
    throughput = [row["throughput"] for row in found.values()]
    share = elapsed[0] / elapsed[-1]
    return [
        Claim(
            "the elapsed time grows with the number of queries", " ".join(f"{x:.2f} s" for x in elapsed), rises(elapsed)
        ),
        Claim(
            "the throughput falls with the number of queries",
            " ".join(f"{x:,.0f}/s" for x in throughput),
            falls(throughput),
        ),
        Claim(
            "communication alone is a significant part (> 10 %) of the time of the longest chain",
            f"{share:.0%}",
            share > 0.1,
        ),
        Claim(
            "communication alone carries 2.2·10⁴ tuples a second or more",
            f"{throughput[0]:,.0f}/s",
            throughput[0] >= 2.2e4,
        ),
    ]
