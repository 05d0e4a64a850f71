"""The process in which an engine runs: requests come in on its standard input, answers go out on its standard output.

Both are taken away before the engine is loaded. What the engine prints goes to standard error, and it reads nothing.
The process ends soon after the checker does, however that ends and whatever the engine is doing.
"""

import os
import sys
from queue import SimpleQueue
from threading import Thread
from typing import BinaryIO

from equivalence.conformance.subject.in_process import InProcess
from equivalence.conformance.subject.isolated import messages
from equivalence.conformance.subject.isolated.end_with_checker import end_with, listen
from equivalence.conformance.subject.load import load_engine
from equivalence.conformance.subject.time_limit import Unguarded
from equivalence.verdicts.fault_kind import Fault
from semantics import Plan, SnapeqError, Unsupported


def main(engine: str, memory: int, checker: int) -> None:
    """Load an engine, introduce it, and run it on whatever comes, until nothing more does."""
    end_with(checker)
    channel, answers = _private_channel()
    requests: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=listen, args=(channel, requests), daemon=True).start()
    _limit_memory(memory)
    try:
        subject = InProcess(load_engine(engine), guard=Unguarded(0))
    except SnapeqError as error:
        _say(answers, {"error": str(error)})
        return
    _say(answers, _introduction(subject))
    while text := requests.get():
        _say(answers, _answer(subject, text))


def _private_channel() -> tuple[BinaryIO, BinaryIO]:
    """The input and the output of this process; from now on, others read nothing and print to standard error."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return requests, answers


def _limit_memory(limit: int) -> None:
    """Limit the bytes of data of this process, on systems that can; 0 is no limit."""
    try:
        import resource
    except ModuleNotFoundError:
        return
    if limit:
        resource.setrlimit(resource.RLIMIT_DATA, (limit, resource.getrlimit(resource.RLIMIT_DATA)[1]))


def _introduction(subject: InProcess) -> dict[str, object]:
    return {
        "name": subject.name,
        "tolerance": subject.tolerance,
        "sessions": subject.sessions,
        "limited": subject.limited,
        "knows_functions": subject.knows_functions,
        "knows_types": subject.knows_types,
        "latest": subject.latest,
        "differences": subject.differences,
    }


def _answer(subject: InProcess, text: bytes) -> dict[str, object]:
    asked = messages.read_request(text)
    try:
        if isinstance(asked, Plan):
            subject.check_support(asked)
            return messages.SUPPORTED
        return messages.answer(subject.elements(*asked))
    except Unsupported:
        return messages.UNSUPPORTED
    except Fault as fault:
        return messages.fault_answer(fault)


def _say(answers: BinaryIO, document: object) -> None:
    answers.write(messages.line(document))
    answers.flush()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
