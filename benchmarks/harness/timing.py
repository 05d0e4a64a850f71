"""The stopwatch: contestants take turns, so that a busy machine hits them alike."""

import gc
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Lap:
    """The seconds that one contestant took, run by run."""

    seconds: list[float] = field(default_factory=list)
    cpu_seconds: list[float] = field(default_factory=list)

    @property
    def best(self) -> float:
        return min(self.seconds)

    @property
    def best_cpu(self) -> float:
        """The least time of the processor, which other processes disturb less."""
        return min(self.cpu_seconds)

    @property
    def spread(self) -> float:
        """How much longer than the best run the worst one took, as a fraction."""
        return max(self.seconds) / self.best - 1

    def time(self, run: Callable[[], Any]) -> Any:
        """Run once more; what a run leaves behind is collected before the clock starts."""
        gc.collect()
        begin, cpu = time.perf_counter(), cpu_seconds()
        result = run()
        self.seconds.append(time.perf_counter() - begin)
        self.cpu_seconds.append(cpu_seconds() - cpu)
        return result


def cpu_seconds() -> float:
    """What the processor has spent on this process and on those that it started and that have ended."""
    return time.process_time() + sum(os.times()[2:4])


def race(runs: Sequence[Callable[[], Any]], repeat: int) -> list[Lap]:
    """Everyone runs `repeat` times, one after the other."""
    laps = [Lap() for _ in runs]
    for _ in range(repeat):
        for lap, run in zip(laps, runs, strict=True):
            lap.time(run)
    return laps
