"""Right answers are kept; a wrong one would be believed, so the code that makes them decides where they are kept."""

from pathlib import Path

import pytest

from equivalence.cases.search import CaseOutcome
from equivalence.conformance import kept_answers
from equivalence.conformance.judge import Attempt
from equivalence.conformance.judge_many import judge_together
from equivalence.conformance.kept_answers import KeptAnswers
from equivalence.conformance.subject.in_process import InProcess
from physical.engines.interval.engine import IntervalEngine
from semantics import IntervalStream, TooManyChanges, parse, parse_plan

PLAN = parse_plan("A(x int) | window(range 3) | aggregate(count(*) as n)")


def attempt() -> Attempt:
    stream = parse("interval(x int): (1)@[0,2) (2)@[1,4)")
    assert isinstance(stream, IntervalStream)
    return Attempt(PLAN, {"A": stream}, 6)


def test_an_answer_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SNAPEQ_CACHE", str(tmp_path))
    first, second, right = KeptAnswers(7), attempt(), attempt().expected
    first.give(attempt())
    first.keep()
    monkeypatch.setattr("equivalence.conformance.judge.right_history", lambda *_: pytest.fail("made again"))
    KeptAnswers(7).give(second)
    assert second.expected == right


def test_other_code_has_other_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SNAPEQ_CACHE", str(tmp_path))
    kept = KeptAnswers(7)
    kept.give(attempt())
    kept.keep()
    monkeypatch.setattr(kept_answers, "_code", lambda: "changed")
    assert not KeptAnswers(7)._kept


def test_a_broken_file_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SNAPEQ_CACHE", str(tmp_path))
    kept = KeptAnswers(7)
    kept.give(attempt())
    kept.keep()
    (file,) = (tmp_path / "snapeq" / "answers").iterdir()
    file.write_bytes(b"\x80\x04nonsense")
    assert not KeptAnswers(7)._kept


def test_a_case_that_is_too_long_to_list_does_not_end_a_run_of_many(monkeypatch: pytest.MonkeyPatch) -> None:
    long, short = attempt(), attempt()

    def too_long(*_: object) -> None:
        raise TooManyChanges("too many")

    _ = short.expected
    monkeypatch.setattr("equivalence.conformance.judge.right_history", too_long)
    with InProcess(IntervalEngine()) as subject:
        assert judge_together(subject, [long, short]) == [CaseOutcome.UNMET, CaseOutcome.FIRED]
