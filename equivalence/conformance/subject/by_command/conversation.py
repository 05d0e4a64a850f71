"""A conversation with the process of a command: requests go out as lines, and each is answered by one line."""

import json
import shlex
from collections.abc import Sequence
from typing import Any, Final

from equivalence.conformance.subject.by_command.capabilities import VERSION, Capabilities, read_hello
from equivalence.conformance.subject.isolated.process import Crashed, Process
from equivalence.conformance.subject.load import EngineError
from equivalence.conformance.subject.time_limit import TimeUp
from equivalence.verdicts.fault_kind import Fault, FaultKind
from equivalence.verdicts.json.reading import DocumentError
from semantics.value import brief

Request = dict[str, object]
Answer = dict[str, Any]
START_LIMIT: Final = 60.0
"""Seconds until an engine must have answered `hello`: some start a virtual machine."""
BYTES_OF_AN_ANSWER: Final = 2**28
"""A longer line is taken for a fault of the engine."""
HELLO: Final[Request] = {"do": "hello", "protocol": VERSION}


class Breach(Exception):
    """An answer that is none."""


class Conversation:
    """One process, from `hello` to its end. After an exception there is nobody to talk to any more."""

    def __init__(self, command: str, start_limit: float = START_LIMIT) -> None:
        self.command = command
        self._process = started(command)
        self._number = 0
        try:
            self.capabilities = self._introduced(start_limit)
        except (Crashed, TimeUp, Breach, DocumentError) as error:
            self._process.kill()
            raise EngineError(self._told(f"command {command}: it does not introduce itself: {error}")) from None

    def _introduced(self, limit: float) -> Capabilities:
        [answer] = self._answers([HELLO], limit)
        return read_hello(answer)

    def ask(self, requests: Sequence[Request], limit: float) -> list[Answer]:
        """The answers to these requests, which are sent together; each of them has this much time, in seconds."""
        try:
            self._check_silence()
            return self._answers(requests, limit)
        except Crashed as error:
            raise Fault(FaultKind.CRASHED, self._told(str(error))) from None
        except TimeUp as error:
            raise Fault(FaultKind.HANGS, self._told(str(error))) from None
        except Breach as error:
            self._process.kill()
            raise Fault(FaultKind.BREAKS_PROTOCOL, self._told(str(error))) from None

    def _check_silence(self) -> None:
        unasked = self._process.unasked
        if unasked:
            raise Breach(f"a line that nobody asked for: {shown(unasked)}")

    def _answers(self, requests: Sequence[Request], limit: float) -> list[Answer]:
        numbers = range(self._number, self._number + len(requests))
        self._number += len(requests)
        numbered = [{**request, "id": number} for number, request in zip(numbers, requests, strict=True)]
        watch = self._process.tell(b"".join(map(line, numbered)))
        return [read_answer(self._process.hear(limit * len(requests), watch), number) for number in numbers]

    def close(self) -> None:
        self._process.close()

    def _told(self, what: str) -> str:
        """What happened, and what the process had to say."""
        said = self._process.last_words
        return f"{what}; its stderr ends with: {said}" if said else what


def started(command: str) -> Process:
    """The process of a command, which is not interpreted by a shell."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise EngineError(f"command {command}: {error}") from None
    if not words:
        raise EngineError("expected a command, such as 'node my_engine.js', got nothing")
    try:
        return Process(words, BYTES_OF_AN_ANSWER, listening_to_errors=True)
    except OSError as error:
        raise EngineError(f"command {command}: {words[0]} cannot be started: {error.strerror}") from None


def line(request: Request) -> bytes:
    """A request as one line of ASCII."""
    return json.dumps(request, separators=(",", ":")).encode() + b"\n"


def read_answer(text: bytes, number: int) -> Answer:
    """The answer in a line, if it is one to the request with this number."""
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        raise Breach(f"a line that is no JSON: {shown(text)}") from None
    if not isinstance(answer, dict):
        raise Breach(f"expected a JSON object, got {shown(text)}")
    found = answer.get("id")
    if type(found) is not int or found != number:
        raise Breach(f"expected an answer with the id {number}, got {brief(found)} in {shown(text)}")
    return answer


def shown(text: bytes) -> str:
    """A line as a message shows it."""
    return brief(text.decode(errors="replace").rstrip("\n"))
