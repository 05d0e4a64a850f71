"""The time of the processor that this process and all that it started have used: Java, and Python workers."""

import os
import resource
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pyspark.sql import SparkSession

TICK = os.sysconf("SC_CLK_TCK")


def family_seconds() -> float:
    """Of all living descendants, those that they have outlived included."""
    parents, used = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry.name)] = int(fields[1])
            used[int(entry.name)] = sum(map(int, fields[11:15])) / TICK
    return sum(seconds for pid, seconds in used.items() if _descends(pid, parents))


def _descends(pid: int, parents: dict[int, int]) -> bool:
    while pid in parents and pid != os.getpid():
        pid = parents[pid]
    return pid == os.getpid()


class Seconds(NamedTuple):
    """On the wall, and of the processor."""

    wall: float
    cpu: float


def timed(work: Callable[[], object]) -> Seconds:
    begin, used = time.perf_counter(), family_seconds()
    work()
    return Seconds(time.perf_counter() - begin, family_seconds() - used)


def best(works: Sequence[Callable[[], object]], repeat: int) -> list[Seconds]:
    """The least that each work took; they take turns."""
    laps = [[timed(work) for work in works] for _ in range(repeat)]
    return [Seconds(min(one.wall for one in turns), min(one.cpu for one in turns)) for turns in zip(*laps, strict=True)]


def driver_megabytes() -> float:
    """The most that this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def java_megabytes(spark: SparkSession) -> tuple[float, float]:
    """What Java's heap holds after a collection, and the most that its process has held."""
    java: Any = spark._jvm
    java.java.lang.System.gc()
    heap = java.java.lang.management.ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()
    status = Path(f"/proc/{java.java.lang.ProcessHandle.current().pid()}/status").read_text()
    most = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return heap / 2**20, int(most.split()[1]) / 1024
