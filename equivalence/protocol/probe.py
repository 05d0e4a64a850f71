"""A process that is asked line by line, by somebody who remembers the lines."""

from contextlib import ExitStack
from typing import Any, Final

from equivalence.conformance.subject.by_command.answered_rows import result_elements
from equivalence.conformance.subject.by_command.capabilities import Capabilities, ResultKind
from equivalence.conformance.subject.by_command.conversation import (
    START_LIMIT,
    Answer,
    Breach,
    Request,
    line,
    read_answer,
    started,
)
from equivalence.conformance.subject.by_command.requests import run_request
from equivalence.conformance.subject.by_command.result_kinds import tells
from equivalence.conformance.subject.by_command.sent_streams import SentStreams
from equivalence.conformance.subject.isolated.process import Crashed, Process
from equivalence.conformance.subject.results import Element
from equivalence.conformance.subject.time_limit import TimeUp
from equivalence.verdicts.fault_kind import Fault
from semantics import IntervalStream, Plan, Schema, SparseStream, Stream, evaluate_sparse, show
from semantics.plan import Distinct, Source, TimeWindow
from semantics.sparse import first_difference
from semantics.time import Interval
from semantics.value import brief

FIRST_ID: Final = 1
FIRST_INSTANT: Final = 0
"""The instant of the snapshot that an engine is asked for that tells single ones."""
NO_ANSWER: Final = "no answer within {} s; is the output flushed after every line?"


class Wrong(Exception):
    """The engine did something else than it should."""


class Probe:
    """Asks one engine; after a crash or a hang, the next request starts it again."""

    def __init__(self, command: str, limit: float) -> None:
        self.command, self.limit = command, limit
        self.capabilities: Capabilities = Capabilities(command)
        self.sent, self.got = "", ""
        self._process: Process | None = None
        self._id = FIRST_ID
        self._files = ExitStack()
        self._starting = True
        """Has it not answered yet? Some start a virtual machine first."""

    @property
    def process(self) -> Process:
        if self._process is None:
            self._process, self._starting = started(self.command), True
        return self._process

    def ask(self, request: Request, number: int | None = None) -> Answer:
        """The answer to a request with this id, or with the next one."""
        [answer] = self.ask_together([request], number)
        return answer

    def ask_together(self, requests: list[Request], number: int | None = None) -> list[Answer]:
        """The answers to requests that are sent at once."""
        first = self._id if number is None else number
        self._id = first + len(requests) if number is None else self._id
        lines = [line({**request, "id": first + i}) for i, request in enumerate(requests)]
        return self.tell(b"".join(lines), [first + i for i in range(len(requests))])

    def tell(self, text: bytes, numbers: list[int]) -> list[Answer]:
        """The answers to lines that are sent as they are."""
        self.sent, self.got = text.decode().rstrip("\n"), ""
        try:
            watch = self.process.tell(text)
            return [self._heard(number, watch) for number in numbers]
        except (Crashed, TimeUp, Breach) as error:
            message = self._told(error)
            self.stop()
            raise Wrong(message) from None

    def _heard(self, number: int, watch: Any) -> Answer:
        heard = self.process.hear(max(self.limit, START_LIMIT) if self._starting else self.limit, watch)
        self._starting = False
        self.got = "\n".join(filter(None, [self.got, heard.decode(errors="replace").rstrip("\n")]))
        return read_answer(heard, number)

    def _told(self, error: Exception) -> str:
        what = NO_ANSWER.format(f"{self.limit:g}") if isinstance(error, TimeUp) else str(error)
        said = self.process.last_words
        return f"{what}; its stderr ends with: {said}" if said else what

    def end(self) -> None:
        """Close its input; it must end by itself."""
        process, self._process = self.process, None
        self.sent, self.got = "(the end of the input)", ""
        if not process.ends_by_itself():
            raise Wrong("it is still there some seconds after the end of its input")

    def close(self) -> None:
        self.stop()
        self._files.close()

    def stop(self) -> None:
        """End the process, if it runs."""
        if self._process is not None:
            self._process.kill()
            self._process = None

    def identity(self, schema: Schema) -> Plan:
        """A plan that changes nothing: a source or, if the engine's kind cannot tell that, one that comes close."""
        source = Source("S", schema)
        windowed = TimeWindow(source, 1)
        plans: tuple[Plan, ...] = (source, windowed, Distinct(source), Distinct(windowed))
        return next(plan for plan in plans if tells(self.kind, plan))

    @property
    def kind(self) -> ResultKind:
        """The kind of result that is asked for."""
        return self.capabilities.results[0]

    def request(self, stream: Stream, horizon: int | None) -> Request:
        """`run` of a plan that changes nothing."""
        sending = SentStreams(self.capabilities).sent({"S": stream}, horizon, in_columns=False, delay=0)
        plan, sent = self.identity(stream.schema), self._files.enter_context(sending)
        at = FIRST_INSTANT if self.kind == "snapshot" else None
        return run_request(plan, sent, horizon, self.capabilities, self.kind, at)

    def check_identity(self, stream: IntervalStream) -> None:
        """What comes out must be what went in; of single snapshots, the one at the first row."""
        horizon = 1 + max((int(min(valid.end, 2**62)) for _, valid in stream.elements), default=4)
        self.check_rows(self.ask(self.request(stream, horizon)), stream, horizon)

    def check_rows(self, answer: Answer, stream: IntervalStream, horizon: int) -> None:
        """Does an answer hold the rows of a stream?"""
        plan = self.identity(stream.schema)
        if self.kind == "snapshot":
            answer, horizon = {**answer, "at": FIRST_INSTANT}, FIRST_INSTANT + 1
        found = self.elements(answer, plan)
        expected = evaluate_sparse(plan, {"S": stream}, horizon)
        got = SparseStream.of_runs(
            stream.schema, [(row, Interval(s, min(e, horizon)), 1) for row, s, e in found if s < horizon], horizon
        )
        t = first_difference(expected, got)
        if t is not None:
            raise Wrong(f"at instant {t} the result must hold {show(expected.at(t))}, got {show(got.at(t))}")

    def elements(self, answer: Answer, plan: Plan) -> list[Element]:
        """The rows of an answer, as elements."""
        said = next((f"{key}: {answer[key]}" for key in ("error", "unsupported") if key in answer), None)
        if said is not None:
            raise Wrong(f"expected rows, got {said}")
        if answer.get("kind") != self.kind or not isinstance(answer.get("rows"), list):
            raise Wrong(f'expected "kind": "{self.kind}" and "rows", a list; got {brief(answer)}')
        try:
            return result_elements(self.kind, answer["rows"], plan, answer)
        except Fault as fault:
            raise Wrong(fault.message) from None
