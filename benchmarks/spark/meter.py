"""The time of the processor that this process and all that it started have used: Java, and Python workers."""

import os
import resource
import time
from collections.abc import Callable
from pathlib import Path

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


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds on the wall, and of the processor."""
    begin, used = time.perf_counter(), family_seconds()
    work()
    return time.perf_counter() - begin, family_seconds() - used


def driver_megabytes() -> float:
    """The most that this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
