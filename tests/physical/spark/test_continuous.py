"""Continuous queries on Structured Streaming: right answers, when they come, and what is too late."""

from pathlib import Path
from random import Random

import numpy as np
import pytest
from pyspark.sql import SparkSession

from equivalence.generate import CASE_HORIZON
from equivalence.lift import lift, lift_cases, unlift
from physical.spark.continuous.apart import apart
from physical.spark.continuous.query import sources_of
from physical.spark.continuous.running import Running, start
from physical.spark.errors import Unsupported
from physical.spark.frame import to_frame
from physical.stream import PhysicalStream
from semantics import Interval, Plan, Schema, WindowError, evaluate, parse, parse_plan
from semantics.plan import Difference, LeftJoin
from tests.physical.spark.arriving import arrive, arriving
from tests.physical.spark.lifted import drawn, reference


def raw(text: str) -> PhysicalStream:
    return PhysicalStream.of(parse(f"raw(x int): {text}"))


@pytest.mark.parametrize("operator", [LeftJoin, Difference], ids=lambda operator: operator.__name__)
def test_oracle_many_cases_in_disorder_within_the_slack(
    spark: SparkSession, tmp_path: Path, operator: type[Plan]
) -> None:
    plan, cases = drawn(operator, 1)
    lifted, random = lift(plan), Random(3)
    whole = {name: PhysicalStream.of(stream) for name, stream in lift_cases(plan, cases).items()}
    sources = {name: arriving(spark, tmp_path / name, schema) for name, schema in sources_of(lifted).items()}
    for name in sources:
        order = np.array(random.sample(range(len(whole[name])), len(whole[name])), np.int64)
        for number in range(2):
            arrive(tmp_path / name, number, whole[name].take(order[number::2]))
    running = start(spark, lifted, sources, str(tmp_path / "query"), slack=CASE_HORIZON, parts=2, allow_unbounded=True)
    running.finish(CASE_HORIZON)
    assert running.parts == 2
    assert set(running.late().values()) == {0}
    found = unlift(running.results().to_logical(CASE_HORIZON), plan.schema, len(cases))
    assert list(found) == [reference(plan, case) for case in cases]


def test_what_waits_what_is_late_and_what_only_the_end_brings(spark: SparkSession, tmp_path: Path) -> None:
    plan = parse_plan("S(x int) | window(range 4) | aggregate(count(*) as n)")
    sources = {"S": arriving(spark, tmp_path / "S", plan.inputs[0].schema)}
    running = start(spark, plan, sources, str(tmp_path / "query"), slack=2)
    arrive(tmp_path / "S", 1, raw("(1)@0 (1)@0 (2)@3"))
    running.drain()
    assert running.results().canonical().to_runs() == (((2,), Interval(0, 1), 1),), "3 − 2 = 1: what is before is known"
    arrive(tmp_path / "S", 2, raw("(3)@0 (4)@1 (5)@3"))
    running.drain()
    assert running.late() == {"S": 1}, "0 is before the watermark; 1 and the tie at 3 are not"
    assert running.results().canonical().to_runs() == (((2,), Interval(0, 1), 1),), "the watermark has not moved"
    running.finish()
    expected = [(2, 0, 1), (3, 1, 3), (5, 3, 4), (3, 4, 5), (2, 5, 7)]
    assert running.results().canonical().to_runs() == tuple(((n,), Interval(s, e), 1) for n, s, e in expected)
    assert running.late() == {"S": 1}


def test_a_log_of_changes_sums_up_to_the_snapshots(spark: SparkSession, tmp_path: Path) -> None:
    plan = parse_plan("S(x int) | window(range 4) | group(x; count(*) as n)")
    sources = {"S": arriving(spark, tmp_path / "S", plan.inputs[0].schema)}
    running = start(spark, plan, sources, str(tmp_path / "query"), changelog=True, parts=2)
    arrive(tmp_path / "S", 1, raw("(1)@0 (1)@0 (2)@3"))
    running.drain()
    assert _told(running) == [(0, 1, 2, "+I", 1)], "what happens at 3 is not known yet, and 2 is as 0"
    arrive(tmp_path / "S", 2, raw("(1)@3 (2)@9"))
    running.finish(12)
    assert _told(running)[1:] == [
        (3, 1, 2, "-U", 1), (3, 1, 3, "+U", 1), (3, 2, 1, "+I", 1),
        (4, 1, 1, "+U", 1), (4, 1, 3, "-U", 1), (7, 1, 1, "-D", 1), (7, 2, 1, "-D", 1),
        (9, 2, 1, "+I", 1),
    ]  # fmt: skip
    with pytest.raises(Unsupported, match=r"holds changes and no intervals; expected changes\(\)"):
        running.results()


def _told(running: Running) -> list[tuple[object, ...]]:
    return sorted(tuple(row) for row in running.changes().select("_time", "x", "n", "_change", "_count").collect())


def test_a_silent_source_holds_all_back_until_the_end(spark: SparkSession, tmp_path: Path) -> None:
    plan = parse_plan("union(S(x int), T(x int))")
    sources = {name: arriving(spark, tmp_path / name, plan.schema) for name in ("S", "T")}
    running = start(spark, plan, sources, str(tmp_path / "query"))
    arrive(tmp_path / "S", 1, raw("(1)@1 (null)@9"))
    running.drain()
    assert len(running.results()) == 0
    running.finish()
    assert running.results().to_logical(20) == raw("(1)@1 (null)@9").to_logical(20)


def test_a_table_holds_nothing_back(spark: SparkSession, tmp_path: Path) -> None:
    plan = parse_plan("leftjoin(S(x int) | window(range 3), T(y int); x = y)")
    table, elements = parse("interval(y int): (1)@[0, ∞) (2)@[4, 6)"), "(1)@0 (2)@0 (null)@0 (2)@3 (3)@7 (4)@9"
    sources = {"S": arriving(spark, tmp_path / "S", Schema.of(x=int)), "T": to_frame(spark, PhysicalStream.of(table))}
    running = start(spark, plan, sources, str(tmp_path / "query"), parts=2)
    arrive(tmp_path / "S", 1, raw(elements))
    running.drain()
    assert running.parts == 2
    right = evaluate(plan, {"S": parse(f"raw(x int): {elements}"), "T": table}, 9)
    assert running.results().to_logical(9) == right
    running.stop()


def test_what_cannot_run_continuously_says_why(spark: SparkSession, tmp_path: Path) -> None:
    plan = parse_plan("S(x int) | window(range unbounded) | distinct")
    stream = arriving(spark, tmp_path / "S", plan.schema)
    with pytest.raises(WindowError, match="its state would grow for ever"):
        start(spark, plan, {"S": stream}, str(tmp_path / "unbounded"))
    bounded = parse_plan("S(x int) | window(range 2) | distinct")
    with pytest.raises(Unsupported, match=r"one of S must be read .* got tables only"):
        start(spark, bounded, {"S": to_frame(spark, raw("(1)@0"))}, str(tmp_path / "whole"))
    with pytest.raises(Unsupported, match=r"was started with .* and cannot go on with"):
        start(spark, bounded, {"S": stream}, str(tmp_path / "unbounded"))


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("S(x int, y int) | window(range 2) | distinct", {"S": (0, 1)}),
        ("S(x int, y int) | window(range 2) | aggregate(count(*) as n)", None),
    ],
)
def test_sources_are_apart_by_the_keys_that_all_operators_share(text: str, keys: dict[str, tuple[int, ...]]) -> None:
    assert apart(parse_plan(text)) == keys
