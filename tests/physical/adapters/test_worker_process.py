"""Processes that answer requests: errors come back as one sentence, and a process that has ended is started again."""

from collections.abc import Iterator

import pytest

from physical.adapters.environments import EngineUnavailable, Environment
from physical.adapters.worker_process import EngineFailed, WorkerProcess
from semantics import SnapeqError, StreamError
from tests.physical.adapters.answering import Add, Fail

THIS_PYTHON = Environment("test", (), 0, "pytest")
"""As pytest is here, an engine that needs nothing else is."""


@pytest.fixture
def process() -> Iterator[WorkerProcess]:
    made = WorkerProcess(THIS_PYTHON, "tests.physical.adapters.answering", {"HELD": "40"})
    yield made
    made.stop()


def test_requests_are_answered_one_after_the_other(process: WorkerProcess) -> None:
    assert [process.ask(Add(number)) for number in (2, 3)] == [42, 43]


@pytest.mark.parametrize(
    ("how", "kind", "message"),
    [
        ("stream", StreamError, "out of order"),
        ("file", SnapeqError, "bids.csv: it is wrong; expected a right one"),
        ("foreign", SnapeqError, "it failed: by zero"),
    ],
)
def test_errors_come_back(process: WorkerProcess, how: str, kind: type[SnapeqError], message: str) -> None:
    with pytest.raises(kind) as error:
        process.ask(Fail(how))
    assert str(error.value) == message
    assert process.ask(Add(1)) == 41


def test_a_process_that_ends_is_an_error_and_the_next_request_starts_another(process: WorkerProcess) -> None:
    with pytest.raises(EngineFailed, match=r"the process of test has ended \(exit code 3\)"):
        process.ask(Fail("hard"))
    assert process.ask(Add(1)) == 41


def test_what_does_not_start_says_why() -> None:
    process = WorkerProcess(THIS_PYTHON, "tests.physical.adapters.answering", {"HELD": "nothing"})
    with pytest.raises(EngineUnavailable, match="the engine does not start: there is nothing to hold"):
        process.ask(Add(1))
    process.stop()
