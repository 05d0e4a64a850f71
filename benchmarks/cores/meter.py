"""The critical path of a run on several threads: what it would take on cores that nobody else uses.

A run is serial but for the tasks that it hands to its team. Processor time is measured of every task and of the thread
that hands them out. Tasks are taken in order by whichever core is free, so the time of a round is found by doing just
that with their durations. Caches and memory that threads share are part of what is measured; other people's load on the
machine is not, but for what it evicts from caches.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from heapq import heapreplace
from typing import Any

from physical.columns.threads import Workers


@dataclass
class Path:
    """The processor time of the serial part of a run, and of every task, round by round."""

    serial: float = 0.0
    rounds: list[list[float]] = field(default_factory=list)

    def on(self, cores: int) -> float:
        """Seconds on this many free cores."""
        return self.serial + sum(makespan(tasks, cores) for tasks in self.rounds)


def makespan(tasks: Iterable[float], cores: int) -> float:
    """The time until all tasks are done if each is taken by the first core that is free.

    >>> makespan([3, 1, 1, 1], 2)
    3.0
    >>> makespan([1, 1, 1], 2)
    2.0
    """
    free = [0.0] * cores
    for seconds in tasks:
        heapreplace(free, free[0] + seconds)
    return max(free)


def measured(run: Callable[[], Any]) -> Path:
    """Run once, and follow the critical path."""
    path = Path()
    with _metered(path):
        begin = time.thread_time()
        run()
        path.serial += time.thread_time() - begin
    return path


@contextmanager
def _metered(path: Path) -> Iterator[None]:
    """Let every team of workers keep the processor time of its tasks."""
    plain = Workers.map

    def metered(team: Workers, work: Callable[[Any], Any], tasks: Iterable[Any]) -> list[Any]:
        results = plain(team, lambda task: _timed(work, task), tasks)
        spent = [seconds for _, seconds in results]
        path.rounds.append(spent)
        if team.executor is None:
            path.serial -= sum(spent)  # this thread did them itself
        return [result for result, _ in results]

    Workers.map = metered  # type: ignore[method-assign, assignment]  # for the length of a run
    try:
        yield
    finally:
        Workers.map = plain  # type: ignore[method-assign]


def _timed(work: Callable[[Any], Any], task: Any) -> tuple[Any, float]:
    begin = time.thread_time()
    result = work(task)
    return result, time.thread_time() - begin
