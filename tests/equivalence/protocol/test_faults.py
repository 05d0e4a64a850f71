"""Whatever an engine does instead of answering is a finding with its name, and the engine is started again."""

import sys

import pytest

from equivalence import conform
from equivalence.conformance.subject.by_command.answered_rows import result_elements
from equivalence.conformance.subject.by_command.command_engine import CommandEngine, CommandFailed
from equivalence.conformance.subject.by_command.command_subject import CommandSubject
from equivalence.conformance.subject.load import EngineError
from equivalence.protocol.check_protocol import check_protocol
from equivalence.verdicts.fault_kind import Fault, FaultKind
from physical.columns.stream import PhysicalStream
from semantics import TooManyChanges, Unsupported, evaluate, parse, parse_plan
from tests.paths import ROOT

SOURCE = parse_plan("A(x int)")
ONE = {"A": parse("interval(x int): (1)@[0,2)")}
TWO = {"A": parse("interval(x int): (1)@[0,2) (2)@[1,4)")}


def unruly(wrong: str) -> str:
    return f"{sys.executable} {ROOT / 'tests/equivalence/protocol/unruly_engine.py'} '{wrong}'"


@pytest.mark.parametrize(
    ("wrong", "kind", "message"),
    [
        ("crash", FaultKind.CRASHED, "the process ended with exit code 3; its stderr ends with: out of luck"),
        ("hang", FaultKind.HANGS, "no result within 1.0 s"),
        ("garbage", FaultKind.BREAKS_PROTOCOL, "a line that is no JSON: 'Hello, world!'"),
        ("half a line", FaultKind.CRASHED, 'the process ended with exit code 0 in the middle of a line: {"id": 1, "k'),
        ("wrong id", FaultKind.BREAKS_PROTOCOL, "expected an answer with the id 1, got 2 in"),
        ("no object", FaultKind.BREAKS_PROTOCOL, "expected a JSON object, got '[1]'"),
        ("wrong type", FaultKind.WRONG_SCHEMA, "row 0: x must be INT, got 'x'"),
        ("wrong kind", FaultKind.BREAKS_PROTOCOL, 'expected a result with "kind": "intervals", got'),
        ("no rows", FaultKind.BREAKS_PROTOCOL, 'expected "rows", a list, got'),
        (
            "short row",
            FaultKind.WRONG_SCHEMA,
            "row 0 must be values of (x INT), a start and an end, so 3 items, got [1, 0]",
        ),
        ("backwards", FaultKind.INVALID_INTERVAL, "row 0 is valid in [5, 5), which holds no instant"),
    ],
)
def test_a_fault_has_a_name_and_the_engine_goes_on(wrong: str, kind: FaultKind, message: str) -> None:
    with CommandSubject(unruly(wrong), time_limit=1.0 if wrong == "hang" else None) as subject:
        for _ in range(2):  # the second time by another process, if the first one is gone
            with pytest.raises(Fault) as caught:
                subject.run(SOURCE, ONE, 5)
            assert caught.value.name is kind
            assert caught.value.message.startswith(message)
        assert subject.hangs == (2 if wrong == "hang" else 0)


def test_a_line_that_nobody_asked_for_is_noticed_by_the_next_request() -> None:
    with CommandSubject(unruly("extra output")) as subject:
        assert subject.run(SOURCE, ONE, 5) == evaluate(SOURCE, ONE, 5).snapshots
        with pytest.raises(Fault, match="by the way"):
            subject.run(SOURCE, ONE, 5)
        assert subject.run(SOURCE, ONE, 5) == evaluate(SOURCE, ONE, 5).snapshots


def test_what_is_supported_must_not_depend_on_the_rows() -> None:
    with CommandSubject(unruly("fickle")) as subject:
        subject.run(SOURCE, ONE, 5)
        with pytest.raises(Fault, match="that must not depend on the rows"):
            subject.run(SOURCE, TWO, 5)
    with CommandSubject(unruly("fickle")) as subject, pytest.raises(Unsupported):
        subject.run(SOURCE, TWO, 5)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("no-such-program", "command no-such-program: no-such-program cannot be started: No such file or directory"),
        ("", "expected a command, such as 'node my_engine.js', got nothing"),
        ("'half", "command 'half: No closing quotation"),
        (unruly("no protocol"), "it does not introduce itself: hello: protocol: expected 1, got None"),
        (unruly("misspelt"), "hello: operators: expected some of Source, Filter,"),
    ],
)
def test_a_command_that_is_no_engine_is_an_error_that_says_why(command: str, message: str) -> None:
    with pytest.raises(EngineError) as caught:
        CommandSubject(command)
    assert message in str(caught.value)


PLANS = {"upsert": parse_plan("A(x int) | distinct"), "updates": parse_plan("A(x int) | window(range 1) | distinct")}


@pytest.mark.parametrize("wrong", ["events", "csv", "upsert", "debezium", "snapshot", "updates", "nothing"])
def test_streams_and_results_may_come_in_other_forms(wrong: str) -> None:
    plan = PLANS.get(wrong, SOURCE)
    with CommandSubject(unruly(wrong)) as subject:
        assert subject.run(plan, TWO, 5) == evaluate(plan, TWO, 5).snapshots
    report = check_protocol(unruly(wrong))
    assert report.holds, report.to_json()


def test_of_the_versions_of_a_pane_the_last_one_counts() -> None:
    plan = parse_plan("A(x int) | window(range 2 slide 2) | group(x; count(*) as n)")
    versions = [[7, 1, 0, 2], [8, 1, 0, 2], [7, 2, 0, 2], [7, 1, 2, 4]]
    found = result_elements("updates", versions, plan, {"key": [0]})
    assert sorted(found) == [((7, 1), 2, 4), ((7, 2), 0, 2), ((8, 1), 0, 2)]
    with pytest.raises(Fault, match="needs a key, a list of positions"):
        result_elements("updates", versions, plan, {})


def test_single_snapshots_are_asked_for_one_by_one_and_not_for_ever() -> None:
    with CommandSubject(unruly("snapshot")) as subject:
        assert not subject.sessions
        with pytest.raises(TooManyChanges, match="asked for at most 64"):
            subject.run(SOURCE, ONE, 100)
        with pytest.raises(Unsupported, match="expected a --horizon"):
            subject.whole(SOURCE, ONE, None)


def test_the_check_of_the_protocol_names_the_step() -> None:
    report = check_protocol(unruly("rounds"))
    assert [step.name for step in report.wrong] == ["64-bit integers"]
    [step] = report.wrong
    assert '"9007199254740993"' in step.sent
    assert "9007199254740992" in step.got
    assert step.why.startswith("at instant 4 the result must hold {(9007199254740993)}, got ")


@pytest.mark.parametrize(("wrong", "step"), [("garbage", "rows"), ("crash", "rows"), ("no protocol", "hello")])
def test_what_all_else_needs_is_mended_first(wrong: str, step: str) -> None:
    report = check_protocol(unruly(wrong))
    assert [made.name for made in report.wrong] == [step]
    assert {made.why for made in report.steps if made.outcome == "skipped"} == {f"mend first: {step}"}


def test_an_engine_that_crashes_everywhere_is_judged_to_the_end() -> None:
    result = conform(f"command:{unruly('crash')}", cases=20)
    assert {finding.name for finding in result.findings} == {FaultKind.CRASHED}
    assert "out of luck" in result.findings[0].message
    assert not result.holds


def test_an_engine_that_hangs_again_and_again_is_given_up() -> None:
    result = conform(f"command:{unruly('hang')}", cases=100, time_limit=0.05)
    assert result.given_up == "" or "runs took too long" in result.given_up
    assert {finding.name for finding in result.findings} == {FaultKind.HANGS}


def test_many_cases_are_one_run_where_the_engine_says_so() -> None:
    with CommandSubject(unruly("lifted")) as subject:
        assert subject.lifts
    result = conform(f"command:{unruly('lifted')}", cases=40)
    assert {finding.name for finding in result.findings} == {FaultKind.WRONG_RESULT}
    assert {finding.operator for finding in result.findings} == {"Distinct"}


def test_a_command_is_an_engine_like_any_other() -> None:
    engine = CommandEngine(unruly("nothing"))
    assert (engine.name, engine.supports(SOURCE)) == ("unruly", True)
    assert not engine.supports(parse_plan("A(x float)"))
    found = engine.run(SOURCE, {"A": PhysicalStream.of(TWO["A"])})
    assert found.to_interval() == TWO["A"]
    engine.close()
    failing = CommandEngine(unruly("crash"))
    with pytest.raises(CommandFailed, match="out of luck"):
        failing.run(SOURCE, TWO)
    failing.close()
