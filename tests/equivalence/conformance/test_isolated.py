"""An engine in a process of its own: whatever it does to that process is a finding, and the checker goes on."""

from importlib import import_module
from pathlib import Path

import pytest

from equivalence import check_engine, conform
from equivalence.conformance.subject.choose_subject import subject_of
from equivalence.conformance.subject.in_process import InProcess
from equivalence.conformance.subject.isolated.isolated_subject import Isolated
from equivalence.conformance.subject.load import EngineError
from equivalence.verdicts.engine_fault import EngineFault
from equivalence.verdicts.fault_kind import Fault, FaultKind
from physical.engines.interval.engine import IntervalEngine
from semantics import evaluate, parse, parse_plan

conform_module = import_module("equivalence.conformance.suite")
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
    monkeypatch.setattr(conform_module, "SHRINKING_TRIALS_IF_SLOW", 2)
    report = conform(f"{UNRULY}:Exits", cases=60)
    assert not report.holds
    (finding,) = report.findings
    assert (finding.name, finding.operator) == (FaultKind.CRASHED, "Distinct")
    assert isinstance(finding.counterexample, EngineFault)
    assert "plan " in str(finding)
    assert report.cases > 40


def test_one_plan_is_checked_in_a_process_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conform_module, "SHRINKING_TRIALS_IF_SLOW", 2)
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
