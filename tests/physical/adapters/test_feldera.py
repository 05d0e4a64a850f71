"""Feldera's program against a small server of ours that answers as its documentation says; no real one was there."""

import pytest

from equivalence.conformance.subject.choose_subject import subject_of
from equivalence.conformance.subject.in_process import Subject
from equivalence.reference_checks.golden import GoldenCase
from physical.adapters.environments import EngineUnavailable
from semantics import Type, Unsupported, parse, parse_plan
from semantics.stream import IntervalStream
from tests.golden_corpus import golden_corpus
from tests.physical.adapters.fake_feldera import fake_feldera

ROWS = "interval(x int, y int): (1, 2)@[0,3) (1, 2)@[1,2) (2, null)@[1,4)"
ENOUGH = 20


def run(subject: Subject, case: GoldenCase) -> bool:
    """Is it one that standard SQL can say? If so, it has its snapshots."""
    try:
        found = subject.run(case.plan, case.streams, case.expected.horizon)
    except Unsupported:
        return False
    assert found == case.expected.snapshots, case.title
    return True


def test_rows_come_and_go_and_the_view_is_read_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    plan, stream = parse_plan("S(x int, y int) | filter(x < 2) | group(x; count(*) as n)"), parse(ROWS)
    assert isinstance(stream, IntervalStream)
    with fake_feldera() as (address, pipelines):
        monkeypatch.setenv("SNAPEQ_FELDERA", address)
        with subject_of("feldera") as subject:
            found = [set(snapshot) for snapshot in subject.run(plan, {"S": stream}, 5)]
        assert pipelines.removed == 1
    assert found == [{(1, 1)}, {(1, 2)}, {(1, 1)}, set(), set()]


def test_golden_cases_have_their_snapshots(monkeypatch: pytest.MonkeyPatch) -> None:
    with fake_feldera() as (address, pipelines):
        monkeypatch.setenv("SNAPEQ_FELDERA", address)
        with subject_of("feldera") as subject:
            short = [case for case in golden_corpus() if case.expected.horizon < 20 and subject.fits(case.plan)]
            tried = [case for case in short if Type.BOOL not in case.plan.schema.types and run(subject, case)]
        assert pipelines.removed >= len(tried) >= ENOUGH


def test_its_address_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SNAPEQ_FELDERA", raising=False)
    with pytest.raises(EngineUnavailable, match="set SNAPEQ_FELDERA to its address, http://HOST:PORT"):
        subject_of("feldera")
