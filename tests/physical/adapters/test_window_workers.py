"""Engines with windows and changes of their own: a plan of every shape has the snapshots of the definition."""

import pytest

from equivalence.cases.search import CaseOutcome
from equivalence.conformance.judge import Attempt, judge
from equivalence.conformance.subject.choose_subject import subject_of
from physical.adapters.protocol_workers import WORKERS
from semantics import RawStream, parse, parse_plan


def raw(text: str) -> RawStream:
    stream = parse(text)
    assert isinstance(stream, RawStream)
    return stream


STREAMS = {
    "A": raw("raw(k int, v int): (1, 5)@0 (null, 6)@1 (1, 7)@1 (2, null)@3 (2, null)@3"),
    "B": raw("raw(j int, u int): (1, 1)@0 (1, 2)@2 (null, 3)@2 (2, null)@3 (2, 4)@4"),
}
W, X = "A(k int, v int) | window(range 3)", "B(j int, u int) | window(range 3)"
PLANS = (
    *(W, f"{W} | filter(v > 5)", f"{W} | map(v + 1 as x)", f"{W} | distinct"),
    *(f"{W} | group(k; count(*) as n, sum(v) as s, max(v) as m)", f"{W} | group(k; count(*) as n) | filter(n > 1)"),
    *(f"A(k int, v int) | window(range {size} slide 2) | group(k; count(v) as n)" for size in (2, 3, 4)),
    *(f"{join}({W}, {X}; k = j)" for join in ("join", "leftjoin", "rightjoin", "fulljoin")),
    *(f"{combined}({W}, {X})" for combined in ("union", "difference", "intersection", "product")),
    f"join({W}, {X}; k = j and v > u)",
)
FILTERING = (f"semijoin({W}, {X}; left.k = right.j)", f"antijoin({W}, {X}; left.k = right.j)")


@pytest.mark.parametrize("name", ["beam", "bytewax", "pathway"])
def test_plans_have_their_snapshots(name: str) -> None:
    if not WORKERS[name].environment.is_installed:
        pytest.skip(f"{name} is not installed: snapeq engines install {name}")
    with subject_of(name) as subject:
        assert subject.latest is not None  # an engine that shows every window has no time for one of 65,535 instants
        for plan in PLANS if name == "pathway" else (*PLANS, *FILTERING):
            assert judge(subject, Attempt(parse_plan(plan), STREAMS, 9)) is CaseOutcome.FIRED, plan
