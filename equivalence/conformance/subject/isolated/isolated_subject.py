"""An engine under test in a process of its own, which is started again whenever it crashed or hung."""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import current_thread, main_thread
from typing import Final, TypeVar

from equivalence.cases.delivery import WHOLE, Delivery
from equivalence.conformance.subject.history import History, found_history
from equivalence.conformance.subject.in_process import TIME_LIMIT, Subject
from equivalence.conformance.subject.isolated import messages
from equivalence.conformance.subject.isolated.process import Crashed, Process
from equivalence.conformance.subject.load import EngineError
from equivalence.conformance.subject.results import Element
from equivalence.conformance.subject.time_limit import TimeUp
from equivalence.verdicts.fault_kind import Fault, FaultKind
from equivalence.verdicts.json.reading import DocumentError
from semantics import Plan, Stream

T = TypeVar("T")
WORKER: Final = "equivalence.conformance.subject.isolated.engine_worker"
"""The module that the process runs. It is named and not imported: an engine under test must not be loaded here."""
START_LIMIT: Final = 300.0
"""Seconds to import an engine: some start a virtual machine, or compile."""
MEMORY: Final = 4 * 2**30
"""Bytes of data that an engine may have, on systems that can limit them."""


class Isolated(Subject):
    """The engine that `load_engine` finds under a name; it never runs in this process, nor is it imported here."""

    def __init__(
        self, engine: str, *, tolerance: float | None = None, time_limit: float = TIME_LIMIT, memory: int = MEMORY
    ) -> None:
        self._engine = engine
        self._limit = time_limit
        self._memory = memory
        self._process: Process | None = None
        introduction = messages.read_introduction(self._start())
        self.name = introduction.name
        self.tolerance = introduction.tolerance if tolerance is None else tolerance
        self.sessions = introduction.sessions
        self.limited = introduction.limited
        self.knows_functions = introduction.knows_functions
        self.knows_types = introduction.knows_types
        self.latest = introduction.latest
        self.differences = introduction.differences

    def elements(
        self, plan: Plan, case: Mapping[str, Stream], horizon: int, delivery: Delivery = WHOLE
    ) -> list[Element]:
        return self._begun(plan, case, horizon, delivery)()

    def started(
        self, plan: Plan, case: Mapping[str, Stream], horizon: int, delivery: Delivery = WHOLE
    ) -> Callable[[], History]:
        begun = self._begun(plan, case, horizon, delivery)
        return lambda: found_history(begun(), plan.schema, horizon)

    def _begun(
        self, plan: Plan, case: Mapping[str, Stream], horizon: int, delivery: Delivery
    ) -> Callable[[], list[Element]]:
        self.check_horizon(horizon)
        request = messages.request(plan, case, horizon, delivery)
        return self._asked(request, lambda answer: messages.read_answer(answer, plan.schema, horizon))

    def check_support(self, plan: Plan) -> None:
        self._asked(messages.question_of_support(plan), messages.check_answer)()

    def _asked(self, request: dict[str, object], read: Callable[[object], T]) -> Callable[[], T]:
        """Send a request now; what is returned waits for the answer, and must be called before the next request."""
        with self._faults():
            process = self._running()
            watch = process.tell(messages.line(request))

        def answer() -> T:
            with self._faults():
                heard = process.hear(self._limit, watch)
            try:
                return read(json.loads(heard))
            except (DocumentError, ValueError, RecursionError) as error:
                raise Fault(FaultKind.CRASHED, f"the process of the engine answers nonsense: {error}") from error

        return answer

    def close(self) -> None:
        if self._process is not None:
            self._process.close()
            self._process = None

    def _running(self) -> Process:
        if self._process is None:
            self._start()
        assert self._process is not None
        return self._process

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """A process that ended or took too long is a fault of the engine; the next request starts another one."""
        try:
            yield
        except (Crashed, EngineError) as crashed:
            self._process = None
            raise Fault(FaultKind.CRASHED, str(crashed)) from crashed
        except TimeUp as slow:
            self._process = None
            self.hangs += 1
            raise Fault(FaultKind.HANGS, str(slow)) from slow

    def _start(self) -> object:
        """Start a process for the engine; returns the introduction that it sends first."""
        self._process = Process.of_module(
            WORKER,
            [self._engine, str(self._memory), str(_process_to_end_with())],
            messages.BYTES_OF_AN_ANSWER,
        )
        try:
            introduction = json.loads(self._process.hear(START_LIMIT))
        except (Crashed, TimeUp, ValueError) as error:
            self._process.kill()
            raise EngineError(f"engine {self._engine}: importing it failed: {error}") from error
        if "error" in introduction:
            self.close()
            raise EngineError(introduction["error"])
        return introduction


def _process_to_end_with() -> int:
    """This process; or 0 in any thread but the main one, because Linux takes the end of the thread for that of all."""
    return os.getpid() if current_thread() is main_thread() else 0
