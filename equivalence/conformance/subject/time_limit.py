"""Run foreign code so that it can neither crash the checker nor hold it up.

The work is done by a thread of its own. Work that takes too long is stopped by an exception raised inside it, which
ends any loop of Python code. If not even that stops it, the thread is left behind as a daemon, which ends with the
process. A crash inside compiled code kills the process and cannot be survived this way, but behind the process boundary
of `equivalence.conformance.subject.isolated` it can.
"""

import ctypes
import os
from collections.abc import Callable
from concurrent.futures import Future, wait
from queue import SimpleQueue
from threading import Thread
from typing import Final, Generic, TypeVar

from equivalence.conformance.subject.spent_time import LONGEST_WAIT, Stopwatch

T = TypeVar("T")
FIRST_WAIT: Final = 0.5
SHORTEST_WAIT: Final = 0.01
"""Seconds between two looks at the time that was spent."""


class TimeUp(Exception):
    """The work did not end within its time limit."""


class Failed(Exception):
    """The work raised something, which is the cause of this."""


class _Stopped(BaseException):
    """Raised inside work that takes too long."""


class _Job(Generic[T]):
    def __init__(self, work: Callable[[], T]) -> None:
        self.work = work
        self.future: Future[T] = Future()

    def run(self) -> None:
        try:
            self.future.set_result(self.work())
        except BaseException as error:
            self.future.set_exception(error)

    def result(self) -> T:
        error = self.future.exception()
        if error is not None:
            raise Failed(f"{type(error).__name__}: {error}"[:500]) from error
        return self.future.result()


class Guard:
    """Does one piece of work after the other, each within a time limit in seconds."""

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self._jobs: SimpleQueue[_Job[object] | None] = SimpleQueue()
        self._worker: Thread | None = None

    def call(self, work: Callable[[], T]) -> T:
        """The result of the work; whatever it raises comes as the cause of a `Failed`."""
        job = _Job(work)
        self._start()
        self._jobs.put(job)  # type: ignore[arg-type]  # a job of any result
        if not self._in_time(job.future):
            self._abandon()
            raise TimeUp(f"no result within {self.limit} s")
        return job.result()

    def _in_time(self, future: "Future[T]") -> bool:
        assert self._worker is not None
        if wait([future], min(self.limit, FIRST_WAIT)).done:  # most work is done before it is worth looking at a watch
            return True
        watch = Stopwatch(os.getpid(), self._worker.native_id)
        while not wait([future], min(max(self.limit - watch.spent, SHORTEST_WAIT), LONGEST_WAIT)).done:
            if watch.spent >= self.limit:
                return False
        return True

    def close(self) -> None:
        """Let the worker end."""
        self._jobs.put(None)

    def _start(self) -> None:
        if self._worker is None:
            self._worker = Thread(target=_work, args=(self._jobs,), daemon=True, name="snapeq-guard")
            self._worker.start()

    def _abandon(self) -> None:
        """Tell the worker to stop, and begin anew with another one."""
        worker, self._worker, self._jobs = self._worker, None, SimpleQueue()
        if worker is not None and worker.ident is not None:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(worker.ident), ctypes.py_object(_Stopped))


class Unguarded(Guard):
    """Does the work at once; another process watches the time."""

    def call(self, work: Callable[[], T]) -> T:
        job = _Job(work)
        job.run()
        return job.result()


def _work(jobs: "SimpleQueue[_Job[object] | None]") -> None:
    try:
        while (job := jobs.get()) is not None:
            job.run()
    except _Stopped:
        return
