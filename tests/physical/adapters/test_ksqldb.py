"""ksqlDB's program against a small server of ours that answers as its documentation says; no real one was there."""

from collections.abc import Iterator

import pytest

from equivalence.cases.search import CaseOutcome
from equivalence.conformance.judge import Attempt, judge
from equivalence.conformance.subject.choose_subject import subject_of
from equivalence.conformance.subject.in_process import Subject
from equivalence.conformance.subject.load import EngineError
from physical.adapters.environments import EngineUnavailable
from semantics import Unsupported, parse, parse_plan
from semantics.stream import IntervalStream
from tests.physical.adapters.fake_ksqldb import Statements, fake_ksqldb

ROWS = "interval(k int, v int): (1, 2)@[0,3) (1, 2)@[1,2) (null, 4)@[1,4) (2, null)@[1,9) (1, -7)@[5,6)"
SOURCE = "S(k int, v int)"
PLANS = (
    SOURCE,
    f"{SOURCE} | filter(v > 1 or k is null)",
    f"{SOURCE} | map(v + k as x, case when v > 3 then 1 else coalesce(k, -1) end as y)",
    f"{SOURCE} | distinct",
    f"{SOURCE} | filter(not (v in (4, 5))) | group(k; count(*) as n, count(v) as m, sum(v) as s)",
    *(f"{SOURCE} | window(range {n} slide {m}) | distinct" for n, m in ((1, 1), (3, 1), (3, 2), (4, 3))),
    f"{SOURCE} | map(coalesce(k) as k) | window(range 3 slide 2)",
    f"{SOURCE} | window(range 3) | filter(v < 4) | group(k; sum(v) as s, min(v) as a, max(v) as b)",
    f"{SOURCE} | map(v as v, k as k) | window(range 2 slide 2) | group(k, v; count(*) as n)",
)
REFUSED = (
    f"{SOURCE} | group(k; max(v) as m)",
    f"{SOURCE} | group(k; count(*) as n) | filter(n > 1)",
)


@pytest.fixture
def ksqldb(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Subject, Statements]]:
    with fake_ksqldb() as (address, statements):
        monkeypatch.setenv("SNAPEQ_KSQLDB", address)
        with subject_of("ksqldb") as subject:
            yield subject, statements


def stream() -> IntervalStream:
    found = parse(ROWS)
    assert isinstance(found, IntervalStream)
    return found


@pytest.mark.parametrize("plan", PLANS)
def test_plans_have_their_snapshots(ksqldb: tuple[Subject, Statements], plan: str) -> None:
    subject, statements = ksqldb
    assert judge(subject, Attempt(parse_plan(plan), {"S": stream()}, 12)) is CaseOutcome.FIRED
    assert statements.connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)


@pytest.mark.parametrize("plan", REFUSED)
def test_what_it_cannot_say_is_unsupported(ksqldb: tuple[Subject, Statements], plan: str) -> None:
    with pytest.raises(Unsupported):
        ksqldb[0].run(parse_plan(plan), {"S": stream()}, 9)


def test_texts_are_quoted(ksqldb: tuple[Subject, Statements]) -> None:
    plan = parse_plan("S(s str) | filter(s <> 'a\\'b') | group(s; count(*) as n)")
    rows = parse("interval(s str): ('a\\'b')@[0,2) ('it\\'s')@[0,3) (null)@[0,1)")
    assert isinstance(rows, IntervalStream)
    found = [set(snapshot) for snapshot in ksqldb[0].run(plan, {"S": rows}, 4)]
    assert found == [{("it's", 1)}, {("it's", 1)}, {("it's", 1)}, set()]


def test_a_server_that_is_not_there_is_no_fault_of_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SNAPEQ_KSQLDB", "http://localhost:1")
    with pytest.raises(EngineError, match=r"the server http://localhost:1/info cannot be reached: .*refused"):
        subject_of("ksqldb")


def test_its_address_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SNAPEQ_KSQLDB", raising=False)
    with pytest.raises(EngineUnavailable, match="set SNAPEQ_KSQLDB to its address, http://HOST:PORT"):
        subject_of("ksqldb")
