"""The example engines are small; that they are right without `--bug`, and wrong with it, is on their pages."""

import sys

import pytest

from equivalence import conform
from equivalence.conformance.subject.by_command.command_subject import CommandSubject
from tests.equivalence.protocol.small_engines import ENGINES, FOLDER, SmallEngine

LISTED = {"Filter", "Map", "Union", "Distinct", "Grouping", "TimeWindow"}
PYTHON = f"{sys.executable} {FOLDER / 'small_engine.py'}"
every_engine = pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)


@every_engine
def test_an_example_is_short(engine: SmallEngine) -> None:
    assert len((FOLDER / engine.file).read_text(encoding="utf-8").splitlines()) <= 150


def test_the_engine_with_sessions_is_right_in_them() -> None:
    result = conform(f"command:{PYTHON}", cases=300, seed=3)
    assert result.holds
    sessions = [result.matrix[operator][s].verdict for operator in LISTED for s in ("schedule", "disorder")]
    assert sessions.count("agreed") > 6
    assert set(sessions) <= {"agreed", "vacuous", "unseen"}


def test_what_an_engine_lists_decides_what_it_is_sent() -> None:
    with CommandSubject(PYTHON) as subject:
        assert subject.capabilities.types == {"int", "str", "bool"}
        assert (subject.sessions, subject.lifts) == (True, False)
