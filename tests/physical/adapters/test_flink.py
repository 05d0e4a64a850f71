"""Flink, in batch mode and by its own windows: a query of each kind is right. A run takes seconds."""

import pytest

from equivalence.cases.search import CaseOutcome
from equivalence.conformance.judge import Attempt, judge
from equivalence.conformance.subject.choose_subject import subject_of
from equivalence.conformance.subject.in_process import Subject
from physical.adapters.environments import ENVIRONMENTS
from semantics import parse_plan
from tests.physical.adapters.test_window_workers import STREAMS, W, X

FLINK = ENVIRONMENTS["flink"]
IN_BATCHES = (
    f"{W} | group(k; count(*) as n, sum(v) as s)",
    "A(k int, v int) | window(rows 2)",
    f"antijoin({W}, {X}; left.k = right.j)",
)
BY_WINDOWS = (
    "A(k int, v int) | window(range 4 slide 2) | group(k; count(*) as n, sum(v) as s)",
    f"fulljoin({W}, {X}; k = j)",
    f"antijoin({W}, {X}; left.k = right.j)",
)


@pytest.mark.parametrize(("name", "plans"), [("flink", IN_BATCHES), ("flink-windows", BY_WINDOWS)])
def test_queries_have_their_snapshots(name: str, plans: tuple[str, ...]) -> None:
    if not FLINK.is_installed:
        pytest.skip("flink is not installed: snapeq engines install flink")
    subject: Subject
    with subject_of(name) as subject:
        for plan in plans:
            assert judge(subject, Attempt(parse_plan(plan), STREAMS, 9)) is CaseOutcome.FIRED, plan
