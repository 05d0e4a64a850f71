"""The process in which an engine runs: requests come in on its standard input, answers go out on its standard output.

Both are taken away before the engine is loaded. What the engine prints goes to standard error, and it reads nothing.
"""

import os
import sys
from typing import BinaryIO

from equivalence.conformance.subject.in_process import InProcess
from equivalence.conformance.subject.isolated import messages
from equivalence.conformance.subject.load import load_engine
from equivalence.conformance.subject.time_limit import Unguarded
from equivalence.verdicts.fault_kind import Fault
from semantics import SnapeqError, Unsupported


def main(engine: str, memory: int) -> None:
    """Load an engine, introduce it, and run it on whatever comes, until nothing more does."""
    requests, answers = _private_channel()
    _limit_memory(memory)
    try:
        subject = InProcess(load_engine(engine), guard=Unguarded(0))
    except SnapeqError as error:
        _say(answers, {"error": str(error)})
        return
    _say(answers, _introduction(subject))
    for text in requests:
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
    }


def _answer(subject: InProcess, text: bytes) -> dict[str, object]:
    plan, case, horizon, delivery = messages.read_request(text)
    try:
        return messages.answer(subject.run(plan, case, horizon, delivery))
    except Unsupported:
        return messages.UNSUPPORTED
    except Fault as fault:
        return messages.fault_answer(fault)


def _say(answers: BinaryIO, document: object) -> None:
    answers.write(messages.line(document))
    answers.flush()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
