"""Functions of others that fail in their own ways: what is said of them, and that the run goes on."""

import os
import time

import pytest

from equivalence.fuzzing import foreign_call
from equivalence.fuzzing.callable_optimizer import CallableOptimizer, SqlFunction
from equivalence.fuzzing.campaign import Campaign
from equivalence.fuzzing.foreign_call import CallFailed, called
from equivalence.fuzzing.observing_processes import observers
from equivalence.fuzzing.rewrites_under_test import RewritesUnderTest
from semantics import SnapeqError


def raises(sql: str) -> str:
    raise KeyError(sql[:6])


def exits(sql: str) -> str:
    raise SystemExit(len(sql[:3]))


def hangs(sql: str) -> str:
    while sql:
        time.sleep(0.01)
    return sql


def dies(sql: str) -> str:
    os._exit(len(sql[:9]))


def empty(sql: str) -> str:
    return sql[:0]


def junk(sql: str) -> str:
    return f"SELECT (( {sql[:6]} \0 '"


def campaign(function: SqlFunction) -> Campaign:
    return Campaign(RewritesUnderTest(CallableOptimizer("mine", {"rule": function}), proofs=False))


def test_what_it_prints_goes_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    assert called(lambda text: print(text) or text, "a") == "a"
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "a\n")


@pytest.mark.parametrize(("function", "said"), [(raises, "KeyError: 'SELECT'"), (exits, "SystemExit: 3")])
def test_what_it_raises_is_an_error_of_the_rule(function: SqlFunction, said: str) -> None:
    with pytest.raises(CallFailed, match=said):
        called(function, "SELECT 1")


def test_a_rule_that_hangs_is_one_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreign_call, "SECONDS", 0.05)
    run = campaign(hangs)
    run.run(lambda number: number < 2)
    (finding,) = run.findings
    assert finding.got == "Timeout: no answer in 0.05 s"


def test_a_rule_that_ends_its_process_is_told_with_the_query() -> None:
    run = campaign(dies)
    with observers(run.subject, 2) as tried_by:
        for _ in range(2):  # the second time, no process is left that could be asked
            with pytest.raises(SnapeqError, match="the optimizer ended the process that it was tried in, at query 0"):
                run.run(lambda number: number < 5, tried_by)


@pytest.mark.parametrize(("function", "said"), [(empty, "ValueError: the text is empty"), (junk, "")])
def test_what_is_no_query_is_found(function: SqlFunction, said: str) -> None:
    run = campaign(function)
    run.run(lambda number: number < 3 and not run.findings)
    (finding,) = run.findings
    assert isinstance(finding.got, str)
    assert said in finding.got
