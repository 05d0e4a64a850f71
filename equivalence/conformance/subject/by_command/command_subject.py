"""An engine in any language as a subject: what it answers, as elements, or the fault that it committed."""

from collections.abc import Mapping
from typing import Final

from equivalence.cases.delivery import WHOLE, Delivery
from equivalence.conformance.subject.by_command.answered_rows import result_elements
from equivalence.conformance.subject.by_command.capabilities import TYPES, Capabilities, ResultKind
from equivalence.conformance.subject.by_command.conversation import Answer, Conversation, Request
from equivalence.conformance.subject.by_command.panes import panes_of
from equivalence.conformance.subject.by_command.remote_session import RemoteSessions
from equivalence.conformance.subject.by_command.requests import run_request
from equivalence.conformance.subject.by_command.result_kinds import PANES, kind_for
from equivalence.conformance.subject.by_command.sent_streams import SentStreams
from equivalence.conformance.subject.in_process import CASES_PER_RUN, Subject
from equivalence.conformance.subject.load import EngineError
from equivalence.conformance.subject.results import MOST_ELEMENTS, Element, before
from equivalence.conformance.subject.run_by_schedule import run_by_schedule
from equivalence.conformance.subject.tolerance import checked_tolerance
from equivalence.verdicts.fault_kind import Fault, FaultKind
from semantics import Plan, Stream, TooManyChanges, Unsupported
from semantics.types import PLAIN_TYPES
from semantics.value import brief

COMMAND_TIME_LIMIT: Final = 10.0
"""Seconds for one case, unless the engine or the user says otherwise: nothing of ours has to be compiled first."""
MOST_SNAPSHOTS: Final = 64
"""Snapshots that an engine is asked for in one case, if it tells them one by one."""
NOT_IN_SESSIONS: Final = frozenset({"panes", "updates", "snapshot"})
"""Kinds that do not say what has become certain since the last result."""


class CommandSubject(Subject):
    """The engine that a command starts; after a fault that ends its process, the next request starts another one."""

    def __init__(self, command: str, *, tolerance: float | None = None, time_limit: float | None = None) -> None:
        self._command = command
        self._conversation: Conversation | None = Conversation(command)
        self.capabilities: Capabilities = self._conversation.capabilities
        self.name = self.capabilities.engine
        self.tolerance = checked_tolerance(self.capabilities.tolerance if tolerance is None else tolerance)
        self.sessions = self.capabilities.sessions and not NOT_IN_SESSIONS.intersection(self.capabilities.results)
        self.limited = self.capabilities.horizon
        self.lifts = self.capabilities.lifted
        self.cases_per_run = CASES_PER_RUN if self.lifts else 1
        self.latest = self.capabilities.latest
        self.differences = self.capabilities.differences
        self.knows_functions = bool(self.capabilities.functions)
        self.knows_types = not self.capabilities.types <= set(TYPES)
        self.types = frozenset(type_ for type_ in PLAIN_TYPES if type_.value in self.capabilities.types)
        self._limit = max(COMMAND_TIME_LIMIT, self.capabilities.time_limit) if time_limit is None else time_limit
        self._streams = SentStreams(self.capabilities)
        self._answered: set[Plan] = set()
        """Plans with a result: they must not be called unsupported for other streams."""

    def elements(
        self, plan: Plan, case: Mapping[str, Stream], horizon: int, delivery: Delivery = WHOLE
    ) -> list[Element]:
        self.check_support(plan)
        self.check_horizon(horizon)
        if delivery.schedule is not None:
            return before(self._by_schedule(plan, delivery, horizon), horizon)
        return before(self._at_once(plan, case, horizon, delivery.columns, MOST_ELEMENTS), horizon)

    def whole(self, plan: Plan, case: Mapping[str, Stream], horizon: int | None) -> list[Element]:
        """The result of a plan over streams of any size."""
        self.check_support(plan)
        return self._at_once(plan, case, horizon, in_columns=True, at_most=None)

    def _at_once(
        self, plan: Plan, case: Mapping[str, Stream], horizon: int | None, in_columns: bool, at_most: int | None
    ) -> list[Element]:
        kind = self._kind_for(plan)
        panes = panes_of(plan) if kind in PANES else None
        delay = panes.delay if panes else 0
        read = {name: case[name] for name in plan.sources()}
        with self._streams.sent(read, horizon, in_columns, delay) as streams:
            until = None if horizon is None else horizon + delay
            moments = _moments(horizon) if kind == "snapshot" else [None]
            requests = [run_request(plan, streams, until, self.capabilities, kind, at) for at in moments]
            answers = self._asked(plan, requests)
        if kind == "snapshot":
            return [e for at, answer in enumerate(answers) for e in _elements([_at(answer, at)], plan, kind, at_most)]
        return _elements(answers, plan, kind, at_most)

    def _by_schedule(self, plan: Plan, delivery: Delivery, horizon: int) -> list[Element]:
        remote = RemoteSessions(self.capabilities)
        run_by_schedule(remote, plan, delivery, horizon)
        answers = self._asked(plan, remote.finished())
        asked = zip(remote.finished(), answers, strict=True)
        results = [answer for request, answer in asked if (request["do"], request["session"]) == ("result", "query")]
        return _elements(results, plan, self._kind_for(plan), MOST_ELEMENTS)

    def lists(self, operator: str) -> bool:
        return operator in self.capabilities.operators

    def variety(self, plan: Plan) -> int:
        return self.capabilities.variety(plan) if self.fits(plan) else 0

    def check_support(self, plan: Plan) -> None:
        lacking = self.capabilities.lacking(plan)
        if lacking is not None:
            raise Unsupported(f"engine {self.name} does not list {lacking}")
        self._kind_for(plan)

    def _kind_for(self, plan: Plan) -> ResultKind:
        kind = kind_for(self.capabilities, plan)
        if kind is None:
            raise Unsupported(
                f"engine {self.name} gives {', '.join(self.capabilities.results)}, which this plan has not"
            )
        return kind

    def _asked(self, plan: Plan, requests: list[Request]) -> list[Answer]:
        """The answers; an engine that says that something is wrong goes on."""
        try:
            answers = self._running().ask(requests, self._limit)
        except Fault as fault:
            self._conversation = None
            self.hangs += fault.name is FaultKind.HANGS
            raise
        for answer in answers:
            self._check(answer, plan)
        self._answered.add(plan)
        return answers

    def _check(self, answer: Answer, plan: Plan) -> None:
        if "unsupported" in answer and plan in self._answered:
            message = "it calls a plan unsupported that it has given results for: that must not depend on the rows"
            raise Fault(FaultKind.BREAKS_PROTOCOL, f"{message}; it says {brief(answer['unsupported'])}")
        if "unsupported" in answer:
            raise Unsupported(f"engine {self.name} does not support this plan: {brief(answer['unsupported'])}")
        if "error" in answer:
            raise Fault(FaultKind.RAISES, brief(answer["error"]))

    def _running(self) -> Conversation:
        if self._conversation is None:
            try:
                self._conversation = Conversation(self._command)
            except EngineError as error:
                raise Fault(FaultKind.CRASHED, f"it cannot be started again: {error}") from None
            if self._conversation.capabilities != self.capabilities:
                raise Fault(FaultKind.BREAKS_PROTOCOL, "started again, it introduces itself in another way")
        return self._conversation

    def close(self) -> None:
        if self._conversation is not None:
            self._conversation.close()
            self._conversation = None


def _moments(horizon: int | None) -> list[int]:
    """All instants before the horizon: an engine that tells one snapshot is asked for each of them."""
    if horizon is None:
        raise Unsupported("results of the kind snapshot: expected a --horizon, up to which snapshots are asked for")
    if horizon > MOST_SNAPSHOTS:
        raise TooManyChanges(f"the engine tells single snapshots, and is asked for at most {MOST_SNAPSHOTS}")
    return list(range(horizon))


def _at(answer: Answer, at: int) -> Answer:
    """An answer with the instant that it was asked for."""
    return {**answer, "at": at}


def _elements(answers: list[Answer], plan: Plan, kind: ResultKind, at_most: int | None) -> list[Element]:
    rows = [row for answer in answers for row in _rows(answer, kind)]
    if at_most is not None and len(rows) >= at_most:
        raise Fault(FaultKind.ENDLESS_OUTPUT, f"the result has {at_most:,} rows or more")
    return result_elements(kind, rows, plan, answers[-1] if answers else {})


def _rows(answer: Answer, kind: ResultKind) -> list[object]:
    """The rows of an answer, if it is one of the kind that was asked for."""
    if answer.get("kind") != kind:
        message = f'expected a result with "kind": "{kind}", got {brief(answer)}'
        raise Fault(FaultKind.BREAKS_PROTOCOL, message)
    rows = answer.get("rows")
    if not isinstance(rows, list):
        raise Fault(FaultKind.BREAKS_PROTOCOL, f'expected "rows", a list, got {brief(answer)}')
    return rows
