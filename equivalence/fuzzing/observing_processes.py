"""Several processes that try the queries of a round side by side; what they find does not depend on how many there are.

They are forks of this one, made before it does anything else: so an optimizer may be any object, and each process has
systems of its own to run texts on.
"""

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from types import TracebackType
from typing import Final, TypeVar

from equivalence.fuzzing.campaign import Here, Observers, Question, Seen, Subject
from equivalence.fuzzing.fuzz_finding import FuzzFinding
from semantics import SnapeqError

MOST: Final = 8
Result = TypeVar("Result")
_HERE: dict[str, Here] = {}
"""In a process: who observes there."""


def usual_processes() -> int:
    """One for each core that may be used."""
    return min(MOST, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


@contextmanager
def observers(subject: Subject, processes: int) -> Iterator[Observers]:
    """This process alone, or so many others."""
    if processes == 1:
        yield Here(subject)
        return
    with ObservingProcesses(subject, processes) as pool:
        yield pool


class ObservingProcesses:
    """A pool of forks; as a context, so that they end with it."""

    at_once: Final = False

    def __init__(self, subject: Subject, processes: int) -> None:
        self._pool = ProcessPoolExecutor(processes, get_context("fork"), initializer=_begin, initargs=(subject,))
        for ready in [self._pool.submit(os.getpid) for _ in range(processes)]:
            ready.result()

    def __enter__(self) -> "ObservingProcesses":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown(cancel_futures=True)

    def seen(self, questions: Iterable[Question]) -> Iterator[tuple[Question, list[Seen]]]:
        asked = [(question, self._submitted(_seen, question)) for question in questions]
        try:
            for question, one in asked:
                yield question, self._result(one, question)
        finally:
            for _, one in asked:
                one.cancel()

    def finding(self, question: Question, place: int) -> Callable[[], FuzzFinding | None]:
        submitted = self._submitted(_finding, question, place)
        return lambda: self._result(submitted, question)

    def _submitted(self, work: Callable[..., Result], *arguments: object) -> "Future[Result]":
        """What is submitted after a process has ended fails like what that process was working on."""
        try:
            return self._pool.submit(work, *arguments)
        except BrokenExecutor as error:
            failed: Future[Result] = Future()
            failed.set_exception(error)
            return failed

    def _result(self, submitted: "Future[Result]", question: Question) -> Result:
        try:
            return submitted.result()
        except BrokenExecutor:
            near = f"at query {question.number} or near it: {question.sql}"
            raise SnapeqError(f"the optimizer ended the process that it was tried in, {near}") from None


def _begin(subject: Subject) -> None:
    """Ctrl-C is for the process that asks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _HERE["subject"] = Here(subject)


def _seen(question: Question) -> list[Seen]:
    ((_, found),) = _HERE["subject"].seen([question])
    return found


def _finding(question: Question, place: int) -> FuzzFinding | None:
    return _HERE["subject"].finding(question, place)()
