"""Continuous queries on Structured Streaming: right answers, when they come, and what is too late."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from pyspark.sql import SparkSession

from equivalence.cases.case_column import lift, lift_cases, unlift
from equivalence.cases.choices import SeededChoices
from equivalence.cases.random_cases import CASE_HORIZON, Case, choose_case
from physical.columns.stream import PhysicalStream
from physical.engines.spark.continuous.query_frame import sources_of
from physical.engines.spark.continuous.running_query import RunningQuery, start
from physical.engines.spark.frame import to_frame
from physical.planning.source_keys import source_keys
from semantics import (
    Interval,
    LogicalStream,
    Schema,
    SnapeqError,
    Unsupported,
    WindowError,
    evaluate,
    parse,
    parse_plan,
)
from semantics.stream import Run
from tests.physical.engines.spark.arriving import arrive, arriving
from tests.physical.engines.spark.kill_points import killed_inside, killed_often, undisturbed
from tests.physical.engines.spark.lifted import reference
from tests.physical.engines.spark.lookahead import ahead

MIXED = parse_plan("difference(leftjoin(S(x int) | window(range 3), T(y int); x = y), U(x int, y int))")
CASES = 24
WITH_TABLE = parse_plan("leftjoin(S(x int) | window(range 3), T(y int); x = y)")
TABLE, ELEMENTS = parse("interval(y int): (1)@[0, ∞) (2)@[4, 6)"), "(1)@0 (2)@0 (null)@0 (2)@3 (3)@7 (4)@9"


def raw(text: str) -> PhysicalStream:
    return PhysicalStream.of(parse(f"raw(x int): {text}"))


def many_cases_in_disorder(spark: SparkSession, folder: Path) -> tuple[int, dict[str, int], list[LogicalStream]]:
    """Into how many parts, how many were late, and what came of each case; all cases are in one run."""
    lifted, cases, random = lift(MIXED), mixed_cases(), Random(3)
    whole = {name: PhysicalStream.of(stream) for name, stream in lift_cases(MIXED, cases).items()}
    sources = {name: arriving(spark, folder / name, schema) for name, schema in sources_of(lifted).items()}
    for name in sources:
        order = np.array(random.sample(range(len(whole[name])), len(whole[name])), np.int64)
        for number in range(2):
            arrive(folder / name, number, whole[name].take(order[number::2]))
    running = start(spark, lifted, sources, str(folder / "query"), slack=CASE_HORIZON, parts=2, allow_unbounded=True)
    running.finish(CASE_HORIZON)
    found = unlift(running.results().to_logical(CASE_HORIZON), MIXED.schema, len(cases))
    return running.parts, running.late(), list(found)


def mixed_cases() -> list[Case]:
    choices = SeededChoices(1)
    return [choose_case(choices, MIXED.sources(), max_size=5) for _ in range(CASES)]


def waiting(spark: SparkSession, folder: Path) -> list[tuple[object, dict[str, int]]]:
    """What is out and how many were late, after two files and at the end."""
    plan = parse_plan("S(x int) | window(range 4) | aggregate(count(*) as n)")
    sources = {"S": arriving(spark, folder / "S", plan.inputs[0].schema)}
    running = start(spark, plan, sources, str(folder / "query"), slack=2)
    found = []
    for number, elements in enumerate(["(1)@0 (1)@0 (2)@3", "(3)@0 (4)@1 (5)@3"]):
        arrive(folder / "S", number, raw(elements))
        running.drain()
        found.append((running.results().canonical().to_runs(), running.late()))
    running.finish()
    return [*found, (running.results().canonical().to_runs(), running.late())]


def logged(spark: SparkSession, folder: Path) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]], str]:
    """What is logged after one file, and what at the end; and what is said if intervals are asked for."""
    plan = parse_plan("S(x int) | window(range 4) | group(x; count(*) as n)")
    sources = {"S": arriving(spark, folder / "S", plan.inputs[0].schema)}
    running = start(spark, plan, sources, str(folder / "query"), changelog=True, parts=2)
    arrive(folder / "S", 1, raw("(1)@0 (1)@0 (2)@3"))
    running.drain()
    first = _told(running)
    arrive(folder / "S", 2, raw("(1)@3 (2)@9"))
    running.finish(12)
    with pytest.raises(Unsupported) as refused:
        running.results()
    return first, _told(running), str(refused.value)


def _told(running: RunningQuery) -> list[tuple[object, ...]]:
    return sorted(tuple(row) for row in running.changes().select("_time", "x", "n", "_change", "_count").collect())


def silent(spark: SparkSession, folder: Path) -> tuple[int, LogicalStream]:
    """How much is out while one of two sources has had nothing, and what is out at the end."""
    plan = parse_plan("union(S(x int), T(x int))")
    sources = {name: arriving(spark, folder / name, plan.schema) for name in ("S", "T")}
    running = start(spark, plan, sources, str(folder / "query"))
    arrive(folder / "S", 1, raw("(1)@1 (null)@9"))
    running.drain()
    out = len(running.results())
    running.finish()
    return out, running.results().to_logical(20)


def beside_a_table(spark: SparkSession, folder: Path) -> tuple[int, int, LogicalStream]:
    """Into how many parts and files a batch, and what is out before the end, if one of two sources is a table."""
    sources = {"S": arriving(spark, folder / "S", Schema.of(x=int)), "T": to_frame(spark, PhysicalStream.of(TABLE))}
    running = start(spark, WITH_TABLE, sources, str(folder / "query"), parts=2)
    arrive(folder / "S", 1, raw(ELEMENTS))
    running.drain()
    found = running.results().to_logical(9)
    running.stop()
    files = [len(list(batch.glob("*.parquet"))) for batch in (folder / "query").glob("batch-*")]
    return running.parts, max(files), found


def sessions(spark: SparkSession, folder: Path) -> tuple[int, tuple[Run, ...], tuple[Run, ...]]:
    """Into how many parts, what is out when a row comes after two sessions, and what at the end."""
    plan = parse_plan("S(x int) | window(partition by x session 3)")
    running = start(spark, plan, {"S": arriving(spark, folder / "S", Schema.of(x=int))}, str(folder / "query"), parts=2)
    arrive(folder / "S", 1, raw("(1)@0 (2)@1 (1)@2 (3)@9"))
    running.drain()
    first = running.results().canonical().to_runs()
    running.finish()
    return running.parts, first, running.results().canonical().to_runs()


def following_rows(spark: SparkSession, folder: Path) -> tuple[int, LogicalStream, LogicalStream]:
    """How much of LEAD is out while a row may follow, and what is out at the end; what is right."""
    plan = parse_plan("S(x int) | over(lead(x, 1) as next, count(*) rows 1 as two)")
    running = start(spark, plan, {"S": arriving(spark, folder / "S", Schema.of(x=int))}, str(folder / "query"))
    arrive(folder / "S", 1, raw("(1)@0 (2)@4"))
    running.drain()
    out = len(running.results())
    arrive(folder / "S", 2, raw("(3)@6 (4)@6 (5)@20"))
    running.finish()
    elements = parse("raw(x int): (1)@0 (2)@4 (3)@6 (4)@6 (5)@20")
    return out, running.results().to_logical(30), evaluate(plan, {"S": elements}, 30)


Scenario = Callable[[SparkSession, Path], Any]
CaseOutcome = Callable[[Scenario], Any]
SCENARIOS: list[Scenario] = [killed_inside, many_cases_in_disorder, waiting, logged, silent, beside_a_table]


@pytest.fixture(scope="module")
def seen(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[CaseOutcome]:
    """What was seen of each scenario; each has a session of its own, as a start changes settings.

    While the first one waits for processes that it kills, the others follow each other: Spark gives the Python that it
    starts for a query ten seconds to answer, which are few if many start at once.
    """
    yield from ahead(lambda play: play(spark.newSession(), tmp_path_factory.mktemp(play.__name__)), SCENARIOS, 2)


def test_oracle_many_cases_in_disorder_within_the_slack(seen: CaseOutcome) -> None:
    parts, late, found = seen(many_cases_in_disorder)
    assert parts == 2
    assert set(late.values()) == {0}
    assert found == [reference(MIXED, case) for case in mixed_cases()]
    assert sum(map(bool, map(list, found))) > CASES / 2


def test_what_waits_what_is_late_and_what_only_the_end_brings(seen: CaseOutcome) -> None:
    first, second, end = seen(waiting)
    assert first == ((((2,), Interval(0, 1), 1),), {"S": 0}), "3 − 2 = 1: what is before is known"
    assert second[0] == first[0], "the watermark has not moved"
    assert second[1] == {"S": 1}, "0 is before the watermark; 1 and the tie at 3 are not"
    expected = [(2, 0, 1), (3, 1, 3), (5, 3, 4), (3, 4, 5), (2, 5, 7)]
    assert end == (tuple(((n,), Interval(s, e), 1) for n, s, e in expected), {"S": 1})


def test_a_log_of_changes_sums_up_to_the_snapshots(seen: CaseOutcome) -> None:
    first, end, refused = seen(logged)
    assert first == [(0, 1, 2, "+I", 1)], "what happens at 3 is not known yet, and 2 is as 0"
    assert end[1:] == [
        (3, 1, 2, "-U", 1), (3, 1, 3, "+U", 1), (3, 2, 1, "+I", 1),
        (4, 1, 1, "+U", 1), (4, 1, 3, "-U", 1), (7, 1, 1, "-D", 1), (7, 2, 1, "-D", 1),
        (9, 2, 1, "+I", 1),
    ]  # fmt: skip
    assert "holds changes and no intervals; expected changes()" in refused


def test_a_silent_source_holds_all_back_until_the_end(seen: CaseOutcome) -> None:
    assert seen(silent) == (0, raw("(1)@1 (null)@9").to_logical(20))


def test_a_table_holds_nothing_back(seen: CaseOutcome) -> None:
    sources = {"S": parse(f"raw(x int): {ELEMENTS}"), "T": TABLE}
    assert seen(beside_a_table) == (2, 1, evaluate(WITH_TABLE, sources, 9))


def test_killed_inside_a_batch(seen: CaseOutcome) -> None:
    """The answer is that of a run that nobody disturbed; `test_claim.py` has the first moments of a query."""
    assert seen(killed_inside) == (undisturbed(), {"S": 1, "T": 0})


@pytest.mark.full
def test_killed_at_the_start_between_batches_and_inside_one(spark: SparkSession, tmp_path: Path) -> None:
    assert killed_often(spark.newSession(), tmp_path) == (undisturbed(), {"S": 1, "T": 0})


def test_what_cannot_run_continuously_says_why(spark: SparkSession, tmp_path: Path) -> None:
    plan = parse_plan("S(x int) | window(range unbounded) | distinct")
    stream = arriving(spark, tmp_path / "S", plan.schema)
    with pytest.raises(WindowError, match="its state would grow for ever"):
        start(spark, plan, {"S": stream}, str(tmp_path / "unbounded"))
    bounded = parse_plan("S(x int) | window(range 2) | distinct")
    with pytest.raises(Unsupported, match=r"one of S must be read .* got tables only"):
        start(spark, bounded, {"S": to_frame(spark, raw("(1)@0"))}, str(tmp_path / "whole"))
    with pytest.raises(SnapeqError, match=r"was started with .* and cannot go on with"):
        start(spark, bounded, {"S": stream}, str(tmp_path / "unbounded"))


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("S(x int, y int) | window(range 2) | distinct", {"S": (0, 1)}),
        ("S(x int, y int) | window(range 2) | aggregate(count(*) as n)", None),
    ],
)
def test_sources_are_apart_by_the_keys_that_all_operators_share(text: str, keys: dict[str, tuple[int, ...]]) -> None:
    assert source_keys(parse_plan(text)) == keys


@pytest.mark.full
def test_a_session_is_out_when_it_can_get_no_more_rows(spark: SparkSession, tmp_path: Path) -> None:
    """Without Spark: `test_continuous_part.py`."""
    parts, first, whole = sessions(spark.newSession(), tmp_path)
    assert parts == 2
    ended = {((1, 0, 5), Interval(0, 5), 2), ((2, 1, 4), Interval(1, 4), 1)}
    assert set(first) == ended
    assert set(whole) == {*ended, ((3, 9, 12), Interval(9, 12), 1)}


@pytest.mark.full
def test_lead_waits_for_the_row_that_follows(spark: SparkSession, tmp_path: Path) -> None:
    """Without Spark: `test_continuous_part.py`."""
    out, found, right = following_rows(spark.newSession(), tmp_path)
    assert out == 0
    assert found == right
