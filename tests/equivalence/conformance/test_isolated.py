"""An engine in a process of its own: whatever it does to that process is a finding, and the checker goes on."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from time import sleep

import pytest

from equivalence import check_engine, conform
from equivalence.conformance import small_findings
from equivalence.conformance.subject.choose_subject import subject_of
from equivalence.conformance.subject.in_process import InProcess
from equivalence.conformance.subject.isolated.isolated_subject import Isolated
from equivalence.conformance.subject.load import EngineError
from equivalence.conformance.subject.time_limit import Guard
from equivalence.verdicts.engine_fault import EngineFault
from equivalence.verdicts.fault_kind import Fault, FaultKind
from physical.engines.interval.engine import IntervalEngine
from semantics import IntervalStream, RawStream, evaluate, parse, parse_plan
from tests.equivalence.conformance.misbehaving_engines import AlwaysHangs

conform_module = import_module("equivalence.conformance.suite")
check_module = import_module("equivalence.conformance.check_engine")
UNRULY = "tests.equivalence.conformance.misbehaving_engines"
DISTINCT = parse_plan("A(x int) | distinct")
STREAMS = {"A": parse("interval(x int): (1)@[0,2) (1)@[1,3) (null)@[2,∞)")}


@pytest.mark.parametrize(
    ("engine", "fault", "message"),
    [
        ("Aborts", FaultKind.CRASHED, "the process ended by signal SIGABRT"),
        ("Segfaults", FaultKind.CRASHED, "the process ended by signal SIGSEGV"),
        ("KillsItself", FaultKind.CRASHED, "the process ended by signal SIGKILL"),
        ("Exits", FaultKind.CRASHED, "the process ended with exit code 0"),
        ("Forks", FaultKind.CRASHED, "the process ended with exit code 3"),
        ("HangsInC", FaultKind.HANGS, "no result within 10 s"),
        ("Hoards", FaultKind.RAISES, "MemoryError: "),
    ],
)
def test_a_fault_of_the_process_has_a_name_and_the_engine_starts_again(
    engine: str, fault: FaultKind, message: str
) -> None:
    with Isolated(f"{UNRULY}:{engine}", time_limit=10 if fault is FaultKind.HANGS else 60, memory=2**30) as subject:
        with pytest.raises(Fault) as caught:
            subject.run(DISTINCT, STREAMS, 5)
        assert (caught.value.name, caught.value.message) == (fault, message)
        plan = parse_plan("A(x int) | filter(x = 1)")
        assert subject.run(plan, STREAMS, 5) == evaluate(plan, STREAMS, 5).snapshots


def test_what_an_engine_prints_is_no_answer(capfd: pytest.CaptureFixture[str]) -> None:
    with Isolated(f"{UNRULY}:Prints") as subject:
        assert subject.run(DISTINCT, STREAMS, 5) == evaluate(DISTINCT, STREAMS, 5).snapshots
    printed = capfd.readouterr()
    assert printed.out == ""
    assert '{"snapshots": []} A(x int) | distinct' in printed.err


def test_a_crash_is_a_finding_with_the_case_that_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(small_findings, "SHRINKING_TRIALS_IF_SLOW", 2)
    report = conform(f"{UNRULY}:Exits", cases=120)
    assert not report.holds
    (finding,) = report.findings
    assert (finding.name, finding.operator) == (FaultKind.CRASHED, "Distinct")
    assert isinstance(finding.counterexample, EngineFault)
    assert "plan " in str(finding)
    assert report.cases > 40


def test_one_plan_is_checked_in_a_process_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_module, "SHRINKING_TRIALS_IF_SLOW", 2)
    assert check_engine("interval", DISTINCT, examples=40).kind == "agreed"
    verdict = check_engine(f"{UNRULY}:Segfaults", DISTINCT, examples=40)
    assert (verdict.kind, verdict.evidence["finding"]) == ("refuted", FaultKind.CRASHED)


def test_in_a_process_of_its_own_an_engine_fares_as_in_this_one() -> None:
    apart, here = conform("interval", cases=100, seed=3), conform("interval", cases=100, seed=3, isolated=False)
    assert apart.to_json() == here.to_json()
    assert apart.cases == 100


def test_only_a_named_engine_has_a_process_of_its_own() -> None:
    with subject_of("interval") as named, subject_of(IntervalEngine()) as given:
        assert isinstance(named, Isolated)
        assert isinstance(given, InProcess)
    with subject_of("interval", isolated=False) as here:
        assert isinstance(here, InProcess)


@pytest.mark.parametrize(
    ("engine", "message"),
    [
        ("nowhere:engine", "there is no module 'nowhere'"),
        (f"{UNRULY}:os.abort", "lacks supports, run, name"),
        ("interval:", "expected an engine"),
    ],
)
def test_what_cannot_be_loaded_is_an_error(engine: str, message: str) -> None:
    with pytest.raises(EngineError, match=message):
        Isolated(engine)


def test_a_module_that_cannot_be_imported_alive_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "deadly.py").write_text("import os; os.abort()")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(EngineError, match="deadly:engine: importing it failed: the process ended by signal SIGABRT"):
        Isolated("deadly:engine")


def test_an_engine_that_hangs_again_and_again_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conform_module, "HANGS_TO_GIVE_UP", 3)
    report = conform(AlwaysHangs(), cases=400, time_limit=0.05)
    assert not report.holds
    assert report.cases < 5
    assert report.given_up in str(report)
    assert report.to_json()["given_up"] == report.given_up
    assert report.given_up.startswith("engine AlwaysHangs was given up after ")


def test_an_engine_that_died_is_started_anew_while_its_case_is_made_small() -> None:
    verdict = check_engine(f"{UNRULY}:AbortsOnMany", DISTINCT, examples=200)
    assert verdict.evidence["finding"] == FaultKind.CRASHED
    assert isinstance(verdict.counterexample, EngineFault)
    smallest = verdict.counterexample.streams["A"]
    assert isinstance(smallest, RawStream | IntervalStream)
    assert len(smallest.elements) == 3


CHECKER = f"""
import sys
from equivalence.conformance.subject.isolated.isolated_subject import Isolated
from semantics import parse, parse_plan

def check():
    with Isolated("{UNRULY}:" + sys.argv[1]) as subject:
        subject.run(parse_plan("A(x int) | distinct"), {{"A": parse("raw(x int): (1)@0")}}, 5)

check()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the kernel cannot be asked to end a process")
@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("engine", ["SaysWhoAndHangs", "SaysWhoAndSleeps"])
def test_the_process_of_an_engine_ends_with_the_checker(engine: str, end: signal.Signals, tmp_path: Path) -> None:
    who = tmp_path / "pid"
    environment = {**os.environ, "SNAPEQ_TEST_PID": str(who), "PYTHONPATH": os.pathsep.join(sys.path)}
    checker = subprocess.Popen([sys.executable, "-c", CHECKER, engine], env=environment)
    assert eventually(lambda: who.exists() and who.read_text() != "")
    worker = int(who.read_text())
    assert alive(worker)
    checker.send_signal(end)
    checker.wait()
    assert eventually(lambda: not alive(worker))


def test_the_end_of_the_requests_ends_the_process_even_if_no_kernel_helps() -> None:
    program = (
        "import os, sys, time; from queue import SimpleQueue; from threading import Thread;"
        "from equivalence.conformance.subject.isolated import end_with_checker as e; e.SECONDS_TO_FINISH = 0;"
        "Thread(target=e.listen, args=(sys.stdin.buffer, SimpleQueue()), daemon=True).start(); time.sleep(1000)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ended = subprocess.run([sys.executable, "-c", program], env=environment, input=b"", start_new_session=True)
    assert ended.returncode == -signal.SIGKILL


def eventually(happens: Callable[[], bool]) -> bool:
    """Does it happen within a minute? What happens sooner is noticed sooner."""
    for _ in range(1200):
        if happens():
            return True
        sleep(0.05)
    return False


def alive(process: int) -> bool:
    """Is there such a process, and has it not ended? One that ended may stay in the list until it is waited for."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_time_spent_waiting_for_a_processor_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that waits for a processor for an hour is as quick as one that does not."""
    waited = iter([0, *[3600 * 10**9] * 10**6])
    monkeypatch.setattr("equivalence.conformance.subject.spent_time._waited", lambda _: next(waited))
    guard = Guard(0.01)
    guard.call(lambda: sleep(0.3))
    guard.close()
