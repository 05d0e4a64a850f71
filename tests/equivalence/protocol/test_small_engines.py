"""The example engines: right without `--bug`, refuted with it, small, and fluent in the protocol."""

import pytest

from equivalence import conform
from equivalence.conformance.subject.by_command.command_subject import CommandSubject
from equivalence.protocol.check_protocol import check_protocol
from tests.equivalence.protocol.small_engines import ENGINES, FOLDER, SmallEngine

LISTED = {"Filter", "Map", "Union", "Distinct", "Grouping", "TimeWindow"}
every_engine = pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)


@every_engine
def test_an_example_is_short(engine: SmallEngine) -> None:
    assert len((FOLDER / engine.file).read_text(encoding="utf-8").splitlines()) <= 150


@every_engine
def test_an_example_conforms(engine: SmallEngine) -> None:
    result = conform(f"command:{engine.command()}", cases=90)
    assert result.holds, str(result)
    assert {operator for operator, verdict in result.verdicts.items() if verdict == "agreed"} == LISTED
    assert {verdict for operator, verdict in result.verdicts.items() if operator not in LISTED} == {"unsupported"}


@every_engine
def test_the_planted_bug_is_found_where_it_is(engine: SmallEngine) -> None:
    result = conform(f"command:{engine.command()} --bug", cases=90)
    assert {(str(finding.name), finding.operator) for finding in result.findings} == {("WrongResult", engine.bug_in)}


@every_engine
def test_an_example_speaks_the_protocol_in_its_own_kind(engine: SmallEngine) -> None:
    report = check_protocol(engine.command())
    assert report.holds, report.to_json()
    right = {step.name for step in report.steps if step.outcome == "right"}
    assert {f"results: {engine.kind}", "64-bit integers", "NULL", "empty stream", "restart"} <= right


def test_the_engine_with_sessions_is_right_in_them() -> None:
    result = conform(f"command:{ENGINES[0].command()}", cases=200, seed=3)
    assert result.holds
    sessions = [result.matrix[operator][s].verdict for operator in LISTED for s in ("schedule", "disorder")]
    assert sessions.count("agreed") > 6
    assert set(sessions) <= {"agreed", "vacuous", "unseen"}


def test_what_an_engine_lists_decides_what_it_is_sent() -> None:
    with CommandSubject(ENGINES[0].command()) as subject:
        assert subject.capabilities.types == {"int", "str", "bool"}
        assert (subject.sessions, subject.lifts) == (True, False)
