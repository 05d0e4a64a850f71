"""How many threads a run may use, and how its tasks are spread over them.

Kernels and numpy release the interpreter's lock, so threads of one process are enough.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from semantics import SnapeqError

if TYPE_CHECKING:
    from concurrent.futures import Executor

Task = TypeVar("Task")
Result = TypeVar("Result")


def thread_count(threads: int | None = None) -> int:
    """The number that is asked for; or else SNAPEQ_THREADS; or else the processors that this process may use."""
    if threads is None:
        asked = os.environ.get("SNAPEQ_THREADS", "")
        if asked and not asked.isdecimal():
            raise SnapeqError(f"SNAPEQ_THREADS must be a number of threads, got {asked!r}")
        threads = int(asked) if asked else processors()
    if threads < 1:
        raise SnapeqError(f"threads must be at least 1, got {threads}")
    return threads


def processors() -> int:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Workers:
    """Does tasks on several threads, or in this one if there is one only; results come in the order of tasks."""

    def __init__(self, executor: "Executor | None") -> None:
        self.executor = executor

    def map(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> list[Result]:
        return list(map(work, tasks) if self.executor is None else self.executor.map(work, tasks))


@contextmanager
def workers(threads: int) -> Iterator[Workers]:
    """Threads that live as long as a run does."""
    if threads == 1:
        yield Workers(None)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(threads, "snapeq") as executor:
        yield Workers(executor)
