"""Old versions of engines, each with a bug that was mended since: the suite must find it, and call the version of today right."""

from dataclasses import dataclass

import pytest

from equivalence.cases.situations import SITUATIONS
from equivalence.conformance.judge import Attempt, judge
from equivalence.conformance.judge_many import attempts_together, judge_together
from equivalence.conformance.subject.in_process import InProcess
from equivalence.verdicts.fault_kind import FaultKind
from equivalence.verdicts.finding import Finding
from physical.adapters.environments import environment_of
from physical.engine import on_request
from semantics import IntervalStream, Plan, parse, parse_plan
from semantics.plan import Difference, Limit, Semijoin
from tests.paths import ROOT

PLANS_TRIED = 60


@dataclass(frozen=True)
class Exhibit:
    """An engine as it was, its bug as the smallest case, and where the suite looks for it."""

    engine: str
    report: str
    kind: FaultKind
    operator: type[Plan]
    situation: str
    plan: str
    streams: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return f"{self.engine}-{self.operator.__name__}"

    @property
    def attempt(self) -> Attempt:
        streams = {name: parse(text) for name, text in self.streams}
        assert all(isinstance(stream, IntervalStream) for stream in streams.values())
        return Attempt(parse_plan(self.plan), streams, 2)  # type: ignore[arg-type]


EXHIBITS = (
    Exhibit(
        "duckdb@0.8.1",
        "duckdb/duckdb#9636",
        FaultKind.WRONG_RESULT,
        Difference,
        "duplicates",
        "difference(A(x int), B(x int))",
        (("A", "interval(x int): (1)@[0,1) (1)@[0,1)"), ("B", "interval(x int): (1)@[0,1)")),
    ),
    Exhibit(
        "duckdb@1.0.0",
        "duckdb/duckdb#16803",
        FaultKind.WRONG_RESULT,
        Semijoin,
        "nulls",
        "semijoin(A(x int), B(x int); left.x <> right.x)",
        (("A", "interval(x int): (null)@[0,1)"), ("B", "interval(x int): (2)@[0,1)")),
    ),
    Exhibit(
        "datafusion@33.0.0",
        "apache/datafusion#13566",
        FaultKind.RAISES,
        Limit,
        "order",
        "A(b bool) | limit(1 with ties; b)",
        (("A", "interval(b bool): (true)@[0,1) (false)@[0,1)"),),
    ),
)


def engine_of(name: str) -> InProcess:
    environment = environment_of(name)
    if not environment.is_installed:
        pytest.skip(f"{name} is not installed: snapeq engines install {name}")
    engine = on_request(name)
    assert engine is not None
    return InProcess(engine)


@pytest.mark.parametrize("exhibit", EXHIBITS, ids=str)
def test_the_old_version_is_wrong_and_that_of_today_is_not(exhibit: Exhibit) -> None:
    with engine_of(exhibit.engine) as old:
        found = judge(old, exhibit.attempt)
    assert isinstance(found, Finding)
    assert (found.name, found.operator) == (exhibit.kind, exhibit.operator.__name__)
    with engine_of(exhibit.engine.partition("@")[0]) as today:
        assert not isinstance(judge(today, exhibit.attempt), Finding)


@pytest.mark.parametrize("exhibit", EXHIBITS, ids=str)
def test_the_suite_finds_it(exhibit: Exhibit) -> None:
    """As `conform` draws its cases, in a situation that fits."""
    with engine_of(exhibit.engine) as old:
        assert any(finds(old, exhibit, number) for number in range(PLANS_TRIED))


def finds(old: InProcess, exhibit: Exhibit, number: int) -> bool:
    situation = SITUATIONS[exhibit.situation]
    attempts = attempts_together(f"museum/{number}", exhibit.operator, situation, old.cases_per_run, old)
    if not old.fits(attempts[0][0].plan):
        return False
    outcomes = judge_together(old, [attempt for attempt, _ in attempts])
    same = (exhibit.kind, exhibit.operator.__name__)
    return any(isinstance(found, Finding) and (found.name, found.operator) == same for found in outcomes)


def test_the_page_has_every_exhibit() -> None:
    page = (ROOT / "docs" / "engines" / "museum.md").read_text(encoding="utf-8").replace(r"\|", "|")
    for exhibit in EXHIBITS:
        assert exhibit.engine in page
        assert exhibit.report in page
        assert exhibit.plan in page
