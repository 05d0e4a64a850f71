"""Spark's own operators against the reference where they claim the same meaning, many cases in one job."""

from collections.abc import Callable

import pytest

from equivalence.cases.random_cases import Case
from equivalence.cases.search import CaseOutcome
from physical.adapters.spark.event_time_engine import SparkEventTimeEngine
from physical.adapters.spark.feed import EventFeed
from physical.adapters.spark.sql_engine import SparkSqlEngine
from physical.adapters.spark.sql_plan import JOIN_KEYWORDS
from physical.columns.stream import PhysicalStream
from physical.engines.spark.errors import SparkFailed
from semantics import Interval, LogicalStream, Plan, Row, Stream, evaluate, parse, parse_plan
from semantics import plan as nodes
from tests.physical.adapters.spark.random_plans import Outcome, judged
from tests.physical.adapters.spark.raw import raw_cases, wrong
from tests.physical.engines.spark.lookahead import asked_ahead

UNARY = (nodes.Filter, nodes.Map, nodes.Distinct, nodes.Aggregation, nodes.Grouping)
SETS = (nodes.Union, nodes.Difference, nodes.Intersection)
OPERATORS: tuple[type[Plan], ...] = (*UNARY, *SETS, *JOIN_KEYWORDS, nodes.Semijoin, nodes.Antijoin)
TOLERANCE = 1e-9

EVENT_TIME = {
    "tumbling": "A(k int, x int) | window(range 2 slide 2) | group(k; count(*) as n, sum(x) as s)",
    "sliding": "A(k float, x int) | window(range 5 slide 2) | group(k; count(*) as n, max(x) as m)",
    "scalar": "A(k str, x float) | window(range 3) | aggregate(count(x) as n, min(x) as m)",
    "join": "join(A(x float) | window(range 3), B(y float) | window(range 2); x = y)",
    "distinct": "A(k float, s str) | distinct",
    "session": "A(k float) | window(range 2) | distinct",
}
FIRST = "A(k float) | window(range unbounded) | distinct | istream"


STREAMS = [EVENT_TIME["sliding"], EVENT_TIME["join"], EVENT_TIME["session"], FIRST]
IN_DISORDER = ["sliding", "join", "session"]
"""`make test` tries each of these once: sliding windows in disorder, the others in order."""
Judged = Callable[[type[Plan]], Outcome]
Wrong = Callable[[str], list[tuple[Case, LogicalStream]]]
Late = Callable[[str], tuple[list[tuple[Case, LogicalStream]], int]]


def by_sql(operator: type[Plan]) -> Outcome:
    return judged(SparkSqlEngine(guarded=True), [operator], plans=1, tolerance=TOLERANCE)


def wrong_over_tables(name: str) -> list[tuple[Case, LogicalStream]]:
    plan = parse_plan(EVENT_TIME[name])
    return wrong(SparkEventTimeEngine(streaming=False), plan, raw_cases(plan, 100))


def wrong_over_streams(text: str) -> list[tuple[Case, LogicalStream]]:
    plan = parse_plan(text)
    return wrong(SparkEventTimeEngine(feed=EventFeed(instants=3, delay=1)), plan, raw_cases(plan, 60))


def wrong_and_late(name: str) -> tuple[list[tuple[Case, LogicalStream]], int]:
    plan, engine = parse_plan(EVENT_TIME[name]), SparkEventTimeEngine(feed=EventFeed(instants=2, delay=4, jitter=4))
    return wrong(engine, plan, raw_cases(plan, 60)), engine.late


of_sql = asked_ahead(by_sql, OPERATORS)
of_tables = asked_ahead(wrong_over_tables, EVENT_TIME)
of_streams = asked_ahead(wrong_over_streams, STREAMS)
in_disorder = asked_ahead(wrong_and_late, IN_DISORDER)


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.__name__)
def test_oracle_sql(of_sql: Judged, operator: type[Plan]) -> None:
    outcome = of_sql(operator)
    assert outcome.findings == []
    assert outcome.seen[operator.__name__][CaseOutcome.FIRED]


@pytest.mark.parametrize("name", EVENT_TIME)
def test_oracle_event_time_over_tables(of_tables: Wrong, name: str) -> None:
    assert of_tables(name) == []


@pytest.mark.parametrize("text", [pytest.param(STREAMS[0], marks=pytest.mark.full), *STREAMS[1:]])
def test_oracle_event_time_over_streams(of_streams: Wrong, text: str) -> None:
    assert of_streams(text) == []


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == "sliding" else pytest.mark.full) for name in IN_DISORDER]
)
def test_oracle_event_time_in_disorder_within_the_delay(in_disorder: Late, name: str) -> None:
    assert in_disorder(name) == ([], 0)


@pytest.mark.usefixtures("spark")
def test_sessions_are_the_maximal_runs_of_a_window() -> None:
    plan = parse_plan(EVENT_TIME["session"])
    stream = parse("raw(k float): (1.0)@0 (1.0)@1 (1.0)@1 (nan)@2 (null)@3 (1.0)@4 (null)@6 (1.0)@9 (1.0)@11")
    found = SparkEventTimeEngine(streaming=False).run(plan, {"A": stream}, 20)
    assert sorted(found.to_interval().elements, key=str) == sorted(evaluated(plan, stream), key=str)


def evaluated(plan: Plan, stream: Stream) -> list[tuple[Row, Interval]]:
    runs = PhysicalStream.of(evaluate(plan, {"A": stream}, 20)).canonical().to_runs()
    return [(row, span) for row, span, _ in runs]


@pytest.mark.usefixtures("spark")
def test_spark_rejects_a_window_that_is_shorter_than_its_slide() -> None:
    plan, engine = parse_plan("A(k int) | window(range 1 slide 2) | aggregate(count(*) as n)"), SparkEventTimeEngine()
    assert not engine.supports(plan)
    with pytest.raises(SparkFailed, match="slide"):
        engine.run(plan, raw_cases(plan, 1)[0], 2)
