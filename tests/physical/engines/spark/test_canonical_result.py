"""The canonical form of a plan's result: in its last stage if rows that are the same are together there, else after."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import cycle, islice
from unittest.mock import Mock, patch

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as f

from physical import PhysicalStream
from physical.engines.spark import canonical_jobs as spark_canonical
from physical.engines.spark import exchange
from physical.engines.spark.canonical_jobs import canonical_result, last_stage
from physical.engines.spark.compile import Compiler
from physical.engines.spark.exchange import Spread, slices_of
from physical.engines.spark.frame import Frame, to_frame
from physical.engines.spark.merged_runs import whole_runs
from physical.engines.spark.spark_session import session
from physical.engines.spark.stage import stage
from physical.engines.spark.survey import surveyed
from semantics import Interval, Plan, Row, Schema, evaluate, parse_plan
from tests.physical.engines.spark.lookahead import asked_ahead

HORIZON = 40
EVEN = Spread(3, heaviest=None)
A, B = "A(k int, x float)", "B(k int, x float) | map(k as l, x as y)"
JOINED = f"join({A}, {B}; k = l)"
THERE = [
    f"{A} | group(k; sum(x) as s)",
    f"{A} | distinct",
    f"difference({A}, {A} | filter(x > 0.0))",
    f"{JOINED} | map(k as k, y as y)",
    f"{JOINED} | group(k; count(*) as n) | filter(n > 1)",
    f"{A} | filter(coalesce(x, 1.0) = 1.0) | istream | window(partition by k session 3)",
    f"{A} | filter(x > 0.0) | over(lead(x, 1) as later, count(*) range 5 as n per k)",
]
"""Rows that are the same are together in the last stage."""
AFTER = [
    f"{JOINED} | map(x as x, y as y)",
    f"{A} | group(k; count(*) as n) | map(n as n)",
    f"fulljoin({A}, {B}; k = l)",
    f"{A} | map(k as k)",
    f"{A} | over(lag(k, 1) as before per x) | map(before as before)",
]
"""They are not, or there is no such stage."""
OVER_TIME = [f"{A} | total(count(*) as n)", f"product({A}, {B}) | map(k as k, l as l)"]
"""They are there, but only those of one slice of time."""
CUT = [*THERE, *AFTER, *OVER_TIME, f"union({A}, {A}) | filter(k > 0)"]
"""Their runs may be found slice by slice."""
EVERY_KEY_IS_HEAVY = Spread(3, cuts=(3, 4, 9, 30), heaviest=0.0)
LAZY = Spread(3, heaviest=None, lazy=True)
NOTHING_TO_COUNT = f"{A} | filter(k > 9) | total(count(*) as n)"
LOOKED_AT_LATE = [*OVER_TIME, NOTHING_TO_COUNT, f"join({A}, {B}; x < y)", THERE[0], AFTER[1]]


def stream(seed: int, rows: int = 60) -> PhysicalStream:
    """Few keys, values with two zeros and a NaN, rows that overlap and meet."""
    values = islice(cycle([0.0, 1.0, -0.0, float("nan"), 1.0, None]), seed, seed + rows)
    lengths = cycle([3, 1, 5])
    elements = [((i * seed % 4, x), Interval(i // 2, i // 2 + next(lengths))) for i, x in enumerate(values)]
    return PhysicalStream.from_elements(Schema.of(k=int, x=float), elements)


def frames(spark: SparkSession) -> dict[str, Frame]:
    return {"A": to_frame(spark, stream(1)), "B": to_frame(spark, stream(3))}


def runs(plan: Plan, spread: Spread = EVEN) -> list[str]:
    found = canonical_result(plan, Compiler(frames(session()), spread, HORIZON)).runs.collected()
    return sorted(repr(element) for element in found.to_interval().elements)


def expected(plan: Plan) -> list[str]:
    streams = {"A": stream(1).to_interval(), "B": stream(3).to_interval()}
    result = PhysicalStream.of(evaluate(plan, streams, HORIZON))
    return sorted(repr(((*row, n), span)) for row, span, n in result.canonical().to_runs())


answered = asked_ahead(lambda text: runs(parse_plan(text)), [*THERE, *AFTER, *OVER_TIME])
answered_in_slices = asked_ahead(lambda text: runs(parse_plan(text), EVERY_KEY_IS_HEAVY), CUT)

answered_lazily = asked_ahead(lambda text: runs(parse_plan(text), LAZY), LOOKED_AT_LATE)


EACH_WAY = (THERE[0], THERE[3], THERE[6], AFTER[0], AFTER[2], OVER_TIME[1])
"""Of each way to the canonical form some; over cuts, below, all are tried."""


@pytest.mark.parametrize(
    "text",
    [pytest.param(text, marks=() if text in EACH_WAY else pytest.mark.full) for text in [*THERE, *AFTER, *OVER_TIME]],
)
def test_oracle_runs_are_whole(answered: Callable[[str], list[str]], text: str) -> None:
    assert answered(text) == expected(parse_plan(text))
    assert len(answered(text)) > 10


@pytest.mark.parametrize("text", CUT)
def test_oracle_runs_are_whole_over_cuts(answered_in_slices: Callable[[str], list[str]], text: str) -> None:
    assert answered_in_slices(text) == expected(parse_plan(text))


@pytest.mark.parametrize("text", LOOKED_AT_LATE)
def test_oracle_jobs_find_out_where_to_cut(answered_lazily: Callable[[str], list[str]], text: str) -> None:
    assert answered_lazily(text) == expected(parse_plan(text))


@pytest.mark.parametrize("text", [*THERE, *AFTER, *OVER_TIME])
def test_only_what_keeps_its_keys_is_done_there(text: str) -> None:
    found = last_stage(parse_plan(text))
    assert (found is not None and found.keyed) == (text in THERE)
    assert (found is not None and not found.keyed) == (text in OVER_TIME)


@pytest.mark.usefixtures("spark")
def test_a_planted_fault_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are taken apart by a key that they have lost: what is the same is in several places."""
    plan = parse_plan(f"{A} | group(k; count(*) as n) | map(n as n)")
    monkeypatch.setattr(spark_canonical, "last_stage", lambda plan: replace(stage(plan), over_time=False))
    assert runs(plan) != expected(plan)


@pytest.mark.usefixtures("spark")
def test_runs_that_are_not_put_together_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spark_canonical, "whole_runs", lambda found, *_: found)
    plan = parse_plan(f"{A} | distinct")
    assert runs(plan, EVERY_KEY_IS_HEAVY) != expected(plan)


@pytest.mark.usefixtures("spark")
def test_a_heavy_key_is_still_cut_over_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the stage itself; only its runs are put together after it."""
    whole, after = Mock(wraps=whole_runs), Mock(wraps=spark_canonical.canonical)
    monkeypatch.setattr(spark_canonical, "whole_runs", whole)
    monkeypatch.setattr(spark_canonical, "canonical", after)
    plan = parse_plan(f"{A} | group(k; sum(x) as s)")
    assert runs(plan, Spread(3, heaviest=0.5)) == expected(plan)
    whole.assert_called_once()
    after.assert_not_called()


def test_a_row_that_dominates_does_not_end_up_on_one_task(spark: SparkSession) -> None:
    """All rows are the same, and every run is short."""
    rows = [((1, 0.5), Interval(2 * i, 2 * i + 1 + i % 2)) for i in range(600)]
    frame = to_frame(spark, PhysicalStream.from_elements(Schema.of(k=int, x=float), rows))
    found = canonical_result(parse_plan(f"{A} | map(k as k)"), Compiler({"A": frame}, Spread(4))).runs
    sizes = Counter(row[0] for row in found.data.select(f.spark_partition_id()).collect())
    assert sum(sizes.values()) == 301
    assert max(sizes.values()) < 0.45 * 301


def test_rows_whose_keys_are_projected_away_do_not_end_up_on_one_task(spark: SparkSession) -> None:
    """Every key has one row at a time, so all rows of the result are the same."""
    rows = [((i, 0.5), Interval(2 * i, 2 * i + 1 + i % 2)) for i in range(600)]
    assert max(tasks(spark, f"{A} | group(k; count(*) as n) | map(n as n)", rows, Spread(4))) < 0.45 * 301


def test_without_a_key_not_all_is_on_one_task_though_nobody_looked_before(spark: SparkSession) -> None:
    rows = [((i, 0.5), Interval(2 * i, 2 * i + 1)) for i in range(600)]
    found = tasks(spark, f"{A} | total(max(k) as m)", rows, replace(LAZY, partitions=4))
    assert max(found) < 0.45 * sum(found)


def tasks(spark: SparkSession, text: str, rows: Sequence[tuple[Row, Interval]], spread: Spread) -> list[int]:
    """How many rows of the canonical form each task has."""
    frame = to_frame(spark, PhysicalStream.from_elements(Schema.of(k=int, x=float), rows))
    found = canonical_result(parse_plan(text), Compiler({"A": frame}, spread)).runs
    return [*Counter(row[0] for row in found.data.select(f.spark_partition_id()).collect()).values()]


def test_one_survey_is_enough(spark: SparkSession) -> None:
    """Whatever is heavy: the keys of a grouping or of a window, or nothing."""
    rows = [((0 if i % 10 else i, i / 2), Interval(i, i + 1)) for i in range(300)]
    frame = to_frame(spark, PhysicalStream.from_elements(Schema.of(k=int, x=float), rows))
    heavy = [f"{A} | group(k; sum(x) as s)", f"{A} | window(partition by k rows 3)", f"{A} | total(count(*) as n)"]
    for text in (*heavy, f"{A} | group(x; count(*) as n)", f"{A} | map(k as k)", f"{A} | window(rows 2)"):
        with patch.object(exchange, "surveyed", wraps=surveyed) as looked:
            compiler = Compiler({"A": frame}, Spread(4), HORIZON)
            slices_of([frame], compiler.spread, canonical_result(parse_plan(text), compiler).survey)
        assert looked.call_count == 1, text
